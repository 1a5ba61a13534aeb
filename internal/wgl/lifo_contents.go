package wgl

// Contents of a stack in the search layer by layer (lifo_layers.go). A place is a value and the
// places that can lie under it; it stands for the value on all contents of any of these. Two with
// the same value on the same places are one.

import (
	"slices"

	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

const (
	bottom = 0 // the place under everything
	wild   = 1 // the place under everything that was pushed since the start, if that is unknown
)

// lifoContents numbers places: a value on top, and the places that can lie under it.
type lifoContents struct {
	value  []int32                    // by place
	under  layout.Lists[int32, int32] // by place, ascending
	byList layout.Numbering
	below  []int32 // scratch
}

// begin adds the place under everything, and returns it.
func (c *lifoContents) begin(unknown bool) int32 {
	if len(c.under.First) == 0 {
		c.under.First = append(c.under.First, 0)
	}
	c.extend(model.Nothing)
	if !unknown {
		return bottom
	}
	c.extend(model.Anything)
	return wild
}

// onto returns the place of a value on one place.
func (c *lifoContents) onto(value, place int32) int32 {
	c.below = append(c.below[:0], place)
	return c.place(value)
}

// place returns the place of a value on those in below.
func (c *lifoContents) place(value int32) int32 {
	slices.Sort(c.below)
	c.below = slices.Compact(c.below)
	h := uint32(value) * 0x9e3779b1
	for _, p := range c.below {
		h = layout.HashOf(int32(h), p)
	}
	n := int32(len(c.value))
	k := c.byList.Find(h, n, func(k int32) bool { return c.value[k] == value && slices.Equal(c.under.Of(k), c.below) })
	if k == n {
		c.under.Items = append(c.under.Items, c.below...)
		c.extend(value)
	}
	return k
}

// extend adds a place.
func (c *lifoContents) extend(value int32) {
	c.value = append(c.value, value)
	c.under.First = append(c.under.First, int32(len(c.under.Items)))
}

// emptied returns none in the same memory.
func (c *lifoContents) emptied() lifoContents {
	return lifoContents{c.value[:0], layout.Lists[int32, int32]{First: c.under.First[:0], Items: c.under.Items[:0]}, c.byList.Emptied(), c.below[:0]}
}

// bytes returns the memory of the places.
func (c *lifoContents) bytes() int64 {
	return int64(cap(c.value)+cap(c.under.First)+cap(c.under.Items))*4 + c.byList.Bytes()
}
