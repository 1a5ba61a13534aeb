package model

import (
	"slices"

	"github.com/linsat/linsat/internal/wide"
)

// CountingTheory describes counters. Every operation adds Delta; if Observes is set, the value just
// before it was Observed. Specifications refuse operations that could take a counter out of int64
// in some order, see Exact; Observed may be any number.
type CountingTheory struct {
	Object   []CellID // counter of every operation
	Delta    []int64
	Observes []bool
	Observed []int64
	Init     []int64 // by counter
}

// Exact reports whether every counter stays within int64 whichever of its operations take effect.
func (c *CountingTheory) Exact() bool {
	low, high := make([]wide.Int, len(c.Init)), make([]wide.Int, len(c.Init))
	for k, x := range c.Init {
		low[k], high[k] = wide.Of(x), wide.Of(x)
	}
	for i, d := range c.Delta {
		if k := c.Object[i]; d < 0 {
			low[k] = low[k].Add(d)
		} else {
			high[k] = high[k].Add(d)
		}
	}
	fits := func(x wide.Int) bool { _, ok := x.Int64(); return ok }
	return !slices.ContainsFunc(low, func(x wide.Int) bool {
		return !fits(x)
	}) && !slices.ContainsFunc(high, func(x wide.Int) bool { return !fits(x) })
}
