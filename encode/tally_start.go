package encode

// Numbers that are not known at the start.
//
// What: each has a literal for every value that it may have had. If an operation with one way finds
// exactly v, the value at the start is v less what was added before that. If none does, the numbers
// of a linearization may be taken as small as its ranges allow: that is 0, or v − s for an
// operation that needs v or more after s was added.
//
// Why that suffices: for a given order and given ways each number has ranges of its own, whatever
// the others are, and those of its value at the start are the same less s.
//
// Cost: a literal for each sum before the first operation that finds a single number, or else
// before any operation that needs more.

import (
	"maps"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/inorder"
)

const start cnf.Axiom = "a number has one value at the start"

// begin makes the literals of what the numbers are at the start.
func (c *tallying) begin() {
	b := c.b
	c.starts = make([][]cnf.Start, len(c.theory.Init))
	if !c.theory.Open {
		for t, n := range c.theory.Init {
			c.starts[t] = []cnf.Start{{Value: n, Is: cnf.True}}
		}
		return
	}
	exact, least := make([][]int64, len(c.starts)), make([]map[int64]bool, len(c.starts))
	for t := range least {
		least[t] = map[int64]bool{0: true}
	}
	c.each(func(r history.OpID, now *running) {
		ways := c.of(r)
		for _, w := range ways {
			for _, f := range w.Finds {
				t := f.Tally
				if exact[t] != nil || len(f.Ranges) == 0 || f.Ranges[0].Low == math.MinInt64 {
					continue
				}
				sums := c.b.Reach([]int64{0}, c.terms(r, t, now))
				if sums == nil {
					return
				}
				first := f.Ranges[0]
				sure := len(ways) == 1 && b.In[r] == cnf.True && len(f.Ranges) == 1 && first.Low == first.High
				for _, s := range sums[len(sums)-1] {
					for _, one := range f.Ranges {
						least[t][one.Low-s-now.sum[t]] = true
						if sure {
							exact[t] = append(exact[t], one.Low-s-now.sum[t])
						}
					}
				}
			}
		}
	})
	for t := range c.starts {
		values := exact[t]
		if values == nil {
			values = slices.Collect(maps.Keys(least[t]))
		}
		if !c.theory.Below {
			values = slices.DeleteFunc(values, func(n int64) bool { return n < 0 })
		}
		values = inorder.Distinct(values)
		for _, n := range values {
			is := cnf.True
			if len(values) > 1 {
				is = b.Fresh()
			}
			c.starts[t] = append(c.starts[t], cnf.Start{Value: n, Is: is})
		}
		lits := make([]cnf.Lit, len(values))
		for k, s := range c.starts[t] {
			lits[k] = s.Is
		}
		b.ExactlyOne(start, lits, cnf.True)
	}
}
