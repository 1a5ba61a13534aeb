package search

import "slices"

// csr is a list of lists of operations.
type csr struct{ first, items []int32 }

func (c *csr) of(i int32) []int32 { return c.items[c.first[i]:c.first[i+1]] }

// newCSR groups items by key, in their order; a negative key leaves the item out.
func newCSR(keys int32, n int, at func(i int) (key, item int32)) csr {
	c := csr{first: make([]int32, keys+1)}
	for i := range n {
		if k, _ := at(i); k >= 0 {
			c.first[k+1]++
		}
	}
	for k := range keys {
		c.first[k+1] += c.first[k]
	}
	c.items = make([]int32, c.first[keys])
	fill := slices.Clone(c.first[:keys])
	for i := range n {
		if k, item := at(i); k >= 0 {
			c.items[fill[k]] = item
			fill[k]++
		}
	}
	return c
}
