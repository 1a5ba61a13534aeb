package layout

import "slices"

// Lists is a list of lists of operations.
type Lists struct{ First, Items []int32 }

// Of returns list i.
func (c *Lists) Of(i int32) []int32 { return c.Items[c.First[i]:c.First[i+1]] }

// NewLists groups items by key, in their order; a negative key leaves the item out.
func NewLists(keys int32, n int, at func(i int) (key, item int32)) Lists {
	c := Lists{First: make([]int32, keys+1)}
	for i := range n {
		if k, _ := at(i); k >= 0 {
			c.First[k+1]++
		}
	}
	for k := range keys {
		c.First[k+1] += c.First[k]
	}
	c.Items = make([]int32, c.First[keys])
	fill := slices.Clone(c.First[:keys])
	for i := range n {
		if k, item := at(i); k >= 0 {
			c.Items[fill[k]] = item
			fill[k]++
		}
	}
	return c
}
