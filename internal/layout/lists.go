package layout

// Lists is a list of items, operations as a rule, for every key.
type Lists[K, V ~int32] struct {
	First []int32 // items of key k are Items[First[k]:First[k+1]]
	Items []V
}

// Of returns the items of a key.
func (c *Lists[K, V]) Of(k K) []V { return c.Items[c.First[k]:c.First[k+1]] }

// NewLists groups items by key, in their order; a negative key leaves the item out.
func NewLists[K, V ~int32](keys K, n int, at func(i int) (key K, item V)) Lists[K, V] {
	if keys == 0 {
		return Lists[K, V]{First: make([]int32, 1)}
	}
	// While items are put in, ends[k+1] is where the next one of key k goes. In the end those of
	// key k+1 begin there.
	ends := make([]int32, keys+2)
	for i := range n {
		if k, _ := at(i); k >= 0 {
			ends[k+2]++
		}
	}
	for k := range keys {
		ends[k+2] += ends[k+1]
	}
	c := Lists[K, V]{First: ends[:keys+1], Items: make([]V, ends[keys+1])}
	for i := range n {
		if k, item := at(i); k >= 0 {
			c.Items[ends[k+1]] = item
			ends[k+1]++
		}
	}
	return c
}
