package encode

// What a number is before an operation: a sum within ranges.
//
// What: the operations that real time puts before r add a constant, the others each what their
// order literal and their way say. The sum must be within the ranges of the way in which r takes
// effect (cnf/sums.go).
//
// Cost: for each range the operations open at once, times the sums that they can make.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// running is what certainly came before an operation.
type running struct {
	sum   []int64    // by tally: what was added whatever the ways
	loose []amountOf // what may have been added by operations that returned before
}

type amountOf struct {
	op history.OpID
	amount
}

// each calls f for every operation in the order of calls, with what returned before it was called.
func (c *tallying) each(f func(r history.OpID, now *running)) {
	b, o := c.b, c.b.Order
	byReturn := make([]history.OpID, 0, o.N)
	for i := range o.N {
		if o.Return[i] != history.Never && len(c.changes[i]) > 0 {
			byReturn = append(byReturn, i)
		}
	}
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(o.Return[x]) - int(o.Return[y]) })
	now := &running{sum: make([]int64, len(c.theory.Init))}
	for r := range o.N {
		for ; len(byReturn) > 0 && o.Return[byReturn[0]] < o.Call[r]; byReturn = byReturn[1:] {
			for _, a := range c.changes[byReturn[0]] {
				if a.when == cnf.True {
					now.sum[a.tally] += a.by
				} else {
					now.loose = append(now.loose, amountOf{byReturn[0], a})
				}
			}
		}
		f(r, now)
		if !b.Alive(1) {
			return
		}
	}
}

// terms lists what may be added to a number before operation r besides now.sum; what is added for
// certain has the literal True.
func (c *tallying) terms(r history.OpID, t int32, now *running) []cnf.Term {
	b, o := c.b, c.b.Order
	var all []cnf.Term
	for _, a := range now.loose {
		if a.tally == t {
			all = append(all, cnf.Term{If: a.when, By: a.by})
		}
	}
	add := func(x history.OpID) {
		for _, a := range c.changes[x] {
			if a.tally != t {
				continue
			}
			before := o.Before(x, r)
			if b.In[x] != cnf.True {
				b.Clause(cnf.Outcome, cnf.By(x, r), -b.In[r], -before, b.In[x])
			}
			if l := b.And(before, a.when); l != cnf.False {
				all = append(all, cnf.Term{If: l, By: a.by})
			}
		}
	}
	for _, x := range o.Open(r) {
		add(x)
	}
	for x := r + 1; x <= o.Last[r]; x++ {
		add(x)
	}
	compare := func(x, y cnf.Term) int { return cmp.Compare(x.By, y.By) }
	sort.SliceStable(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	return all
}

// find adds that operation r finds a number within the ranges if the condition holds.
func (c *tallying) find(r history.OpID, cond cnf.Lit, f *model.Found, now *running) {
	starts := slices.Clone(c.starts[f.Tally])
	for k := range starts {
		starts[k].Value += now.sum[f.Tally]
	}
	c.b.Sum(within, cnf.By(r), cond, starts, c.terms(r, f.Tally, now), f.Allows)
}
