package layout

import "slices"

// Lists is a list of items, operations as a rule, for every key.
type Lists[K, V ~int32] struct {
	First []int32 // items of key k are Items[First[k]:First[k+1]]
	Items []V
}

// Of returns the items of a key.
func (c *Lists[K, V]) Of(k K) []V { return c.Items[c.First[k]:c.First[k+1]] }

// NewLists groups items by key, in their order; a negative key leaves the item out.
func NewLists[K, V ~int32](keys K, n int, at func(i int) (key K, item V)) Lists[K, V] {
	c := Lists[K, V]{First: make([]int32, keys+1)}
	for i := range n {
		if k, _ := at(i); k >= 0 {
			c.First[k+1]++
		}
	}
	for k := range keys {
		c.First[k+1] += c.First[k]
	}
	c.Items = make([]V, c.First[keys])
	fill := slices.Clone(c.First[:keys])
	for i := range n {
		if k, item := at(i); k >= 0 {
			c.Items[fill[k]] = item
			fill[k]++
		}
	}
	return c
}
