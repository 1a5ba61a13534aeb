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
	sum   []int64      // by tally: what was added whatever the ways
	loose [][]cnf.Term // by tally: what may have been added by operations that returned before
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
	n := len(c.theory.Init)
	now := &running{make([]int64, n), make([][]cnf.Term, n)}
	for r := range o.N {
		for ; len(byReturn) > 0 && o.Return[byReturn[0]] < o.Call[r]; byReturn = byReturn[1:] {
			for _, a := range c.changes[byReturn[0]] {
				if a.when == cnf.True {
					now.sum[a.Tally] += a.By
				} else {
					now.loose[a.Tally] = append(now.loose[a.Tally], cnf.Term{If: a.when, By: a.By})
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
	all := slices.Clone(now.loose[t])
	add := func(x history.OpID) {
		for _, a := range c.changes[x] {
			if a.Tally != t {
				continue
			}
			c.effective(x, r)
			if l := b.And(o.Before(x, r), a.when); l != cnf.False {
				all = append(all, cnf.Term{If: l, By: a.By})
			}
		}
	}
	for _, x := range o.Open(r) {
		add(x)
	}
	for x := r + 1; x <= o.Last[r]; x++ {
		add(x)
	}
	return ascending(all)
}

func ascending(all []cnf.Term) []cnf.Term {
	compare := func(x, y cnf.Term) int { return cmp.Compare(x.By, y.By) }
	sort.SliceStable(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	return all
}

// effective adds that operation x takes effect if it comes before r, which does.
func (c *tallying) effective(x, r history.OpID) {
	if b := c.b; b.In[x] != cnf.True {
		b.Clause(cnf.Outcome, cnf.By(x, r), -b.In[r], -b.Order.Before(x, r), b.In[x])
	}
}

// find adds that operation r finds a number within the ranges if the condition holds.
func (c *tallying) find(r history.OpID, cond cnf.Lit, f *model.Found, now *running) {
	if c.resets[f.Tally] != nil {
		starts, terms := c.afterReset(r, f.Tally)
		c.b.Sum(within, cnf.By(r), cond, starts, terms, f.Allows)
		return
	}
	starts := slices.Clone(c.starts[f.Tally])
	for k := range starts {
		starts[k].Value += now.sum[f.Tally]
	}
	c.b.Sum(within, cnf.By(r), cond, starts, c.terms(r, f.Tally, now), f.Allows)
}

// afterReset lists what a number that operations set may have been set to last before operation r,
// and what may be added after that.
func (c *tallying) afterReset(r history.OpID, t int32) (starts []cnf.Start, terms []cnf.Term) {
	b, o, s := c.b, c.b.Order, c.resets[t]
	lasts := s.before(r)
	for x, all := range c.changes {
		for _, a := range all {
			x := history.OpID(x)
			if a.Tally != t || a.Sets || x == r || o.Before(x, r) == cnf.False || s.since(lasts[0], x) == cnf.False {
				continue
			}
			c.effective(x, r)
			after := b.And(o.Before(x, r), a.when) // and after the last reset
			if slices.ContainsFunc(lasts, func(w reset) bool { return s.since(w, x) != cnf.True }) {
				l := b.Fresh()
				b.Clause(last, cnf.By(x, r), -l, after)
				for _, w := range lasts {
					b.Clause(last, cnf.By(x, r), -l, -w.is, s.since(w, x))
					b.Clause(last, cnf.By(x, r), l, -after, -w.is, -s.since(w, x))
				}
				after = l
			}
			if after != cnf.False {
				terms = append(terms, cnf.Term{If: after, By: a.By})
			}
		}
	}
	for _, w := range lasts {
		if w.op < 0 {
			for _, n := range c.starts[t] {
				starts = append(starts, cnf.Start{Value: n.Value, Is: b.And(w.is, n.Is)})
			}
		} else {
			starts = append(starts, cnf.Start{Value: w.to, Is: w.is})
		}
	}
	sort.SliceStable(starts, func(i, j int) bool { return starts[i].Value < starts[j].Value })
	merged := starts[:0]
	for _, x := range starts {
		if k := len(merged) - 1; k >= 0 && merged[k].Value == x.Value {
			merged[k].Is = -b.And(-merged[k].Is, -x.Is)
		} else {
			merged = append(merged, x)
		}
	}
	return merged, ascending(terms)
}
