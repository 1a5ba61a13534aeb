package encode

// Tallies: objects whose state is a few numbers, to which operations add within ranges.
//
// What: permits, readers and writers, how often each owner holds a lock, balances, the length of a
// log, what is in a set, a counter that is also set (resets.go). An operation takes effect in one
// of its ways; a way finds certain numbers in certain ranges and adds to some (model.Tallies). The
// state is never a variable: a number before an operation is its value at the start and what
// operations before it added, so it is a sum of order literals (tally_sums.go). A try of unknown
// result has two ways, an acquisition by nobody knows whom one for each owner.
//
// Source: the sums of counters (counter_sums.go), which are the tallies with one number, one way
// and ranges of one element. New are the ways, the ranges, numbers that are not known at the start,
// and the contents and tokens that may come beside (tally_contents.go, tokens.go).
//
// A pending operation that does not take effect may stand at the end of the order, so "before an
// operation that takes effect" implies that it does.
//
// Invariants: the literal of the only way of an operation is that it takes effect. A pending
// operation takes effect iff it does so in one of its ways.
//
// Cost: for each range the sums that operations open at once can make: their square where all add
// ±1, and up to 2^k where k amounts differ.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// The axioms of tallies.
const (
	within cnf.Axiom = "what came before adds up to what is found"
)

type tallying struct {
	theory *model.Tallies
	part   *model.Partition
	ways   [][]model.Way // by operation of the partition; none: dropped, if pending

	b       *cnf.Builder
	lits    [][]cnf.Lit   // by kept operation, one for each of its ways
	changes [][]amount    // by kept operation
	starts  [][]cnf.Start // by tally
	resets  []*resets     // by tally; nil if nothing sets it
}

// amount is what an operation adds to a number, or what it sets it to, if the literal holds; True:
// whenever it takes effect.
type amount struct {
	model.Added
	when cnf.Lit
}

func newTallying(t *model.Tallies, part *model.Partition) *tallying {
	return &tallying{theory: t, part: part, ways: slices.Clone(t.Ways)}
}

// reduce implements encoding. It drops ways of pending operations that change nothing, and pending
// operations called after the last completed one that finds something returned.
func (c *tallying) reduce(keep []history.OpID) ([]history.OpID, string) {
	last := history.Rank(-1)
	for _, i := range keep {
		o := &c.part.Ops[i]
		if o.Pending() {
			c.ways[i] = slices.DeleteFunc(slices.Clone(c.ways[i]), idle)
			continue
		}
		if len(c.ways[i]) == 0 {
			return nil, fmt.Sprintf("no way is left for operation #%s", c.part.ID(i))
		}
		if c.theory.Tokens != nil || slices.ContainsFunc(c.ways[i], finds) {
			last = max(last, o.Return)
		}
	}
	return slices.DeleteFunc(keep, func(i history.OpID) bool {
		o := &c.part.Ops[i]
		return o.Pending() && (len(c.ways[i]) == 0 || last < o.Call)
	}), ""
}

// finds reports whether a way finds any number.
func finds(w model.Way) bool { return len(w.Finds)+len(w.Bits) > 0 }

// idle reports whether a way changes nothing.
func idle(w model.Way) bool {
	return !w.Acquires && !slices.ContainsFunc(w.Adds, func(a model.Added) bool { return a.By != 0 || a.Sets })
}

func (c *tallying) of(i history.OpID) []model.Way { return c.ways[c.b.Keep[i]] }

// Outcomes implements cnf.Encoding.
func (c *tallying) Outcomes(b *cnf.Builder) {
	c.b = b
	c.lits, c.changes = make([][]cnf.Lit, b.Order.N), make([][]amount, b.Order.N)
	for i := range b.Order.N {
		b.Effect(i, c.part.Ops[b.Keep[i]].Pending())
		c.lits[i] = c.outcomes(i)
		c.changes[i] = c.amounts(i)
	}
}

// outcomes returns a literal for each way of operation i.
func (c *tallying) outcomes(i history.OpID) []cnf.Lit {
	b, n := c.b, len(c.of(i))
	if n == 1 {
		return []cnf.Lit{b.In[i]}
	}
	lits := make([]cnf.Lit, n)
	for k := range lits {
		lits[k] = b.Fresh()
		b.Clause(cnf.Outcome, cnf.By(i), -lits[k], b.In[i])
	}
	b.AtMostOne(cnf.Outcome, cnf.By(i), lits)
	b.Imply(cnf.Outcome, cnf.By(i), []cnf.Lit{b.In[i]}, lits...)
	return lits
}

// amounts returns what operation i adds to each number: one entry where all its ways add the same.
func (c *tallying) amounts(i history.OpID) []amount {
	var all []amount
	for k, w := range c.of(i) {
		var adds []model.Added
		for _, a := range w.Adds {
			if at := slices.IndexFunc(adds, func(o model.Added) bool { return o.Tally == a.Tally }); at >= 0 {
				adds[at].By += a.By
			} else {
				adds = append(adds, a)
			}
		}
		for _, a := range adds {
			if a.By != 0 || a.Sets {
				all = append(all, amount{a, c.lits[i][k]})
			}
		}
	}
	compare := func(x, y amount) int {
		switch {
		case x.Tally != y.Tally:
			return int(x.Tally) - int(y.Tally)
		case x.Sets != y.Sets && y.Sets:
			return -1
		case x.Sets != y.Sets:
			return 1
		}
		return cmp.Compare(x.By, y.By)
	}
	sort.SliceStable(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	var merged []amount
	for k := 0; k < len(all); {
		next := k + 1
		for next < len(all) && all[next].Added == all[k].Added {
			next++
		}
		one := all[k]
		switch {
		case next-k == len(c.lits[i]):
			one.when = cnf.True
		case next-k > 1:
			one.when = c.b.Fresh()
			some := []cnf.Lit{-one.when}
			for _, x := range all[k:next] {
				c.b.Clause(cnf.Outcome, cnf.By(i), -x.when, one.when)
				some = append(some, x.when)
			}
			c.b.Clause(cnf.Outcome, cnf.By(i), some...)
		}
		merged, k = append(merged, one), next
	}
	return merged
}

// Axioms implements cnf.Encoding.
func (c *tallying) Axioms(b *cnf.Builder) {
	b.Index()
	c.resets = make([]*resets, len(c.theory.Init))
	for i, all := range c.changes {
		for _, a := range all {
			if a.Sets && c.resets[a.Tally] == nil {
				c.resets[a.Tally] = &resets{b: b}
			}
			if is := a.when; a.Sets {
				if is == cnf.True {
					is = b.In[i]
				}
				s := c.resets[a.Tally]
				s.all = append(s.all, reset{history.OpID(i), a.By, is})
			}
		}
	}
	for t := range c.theory.Init {
		b.Alive(int64(b.Order.N))
		c.oneWay(int32(t))
	}
	c.begin()
	c.each(func(r history.OpID, now *running) {
		for k, w := range c.of(r) {
			for f := range w.Finds {
				c.find(r, c.lits[r][k], &w.Finds[f], now)
			}
			for x := int32(0); w.Bits != nil && int(x) < len(now.sum)-1 && b.Alive(1); x++ {
				f := model.Exactly(x, int64(w.Bits[x/32]>>(x%32)&1))
				c.find(r, c.lits[r][k], &f, now)
			}
		}
	})
	if c.theory.Tokens != nil {
		c.tokens()
	}
}

// oneWay fixes orders by a number to which all operations add, or from which all take: what finds
// less, after which there is more than another one finds, came later.
func (c *tallying) oneWay(t int32) {
	b, o := c.b, c.b.Order
	sign := int64(0)
	type hull struct{ low, high, by int64 }
	hulls := map[history.OpID]hull{}
	var sees []history.OpID
	for x := range o.N {
		by := int64(0)
		for _, a := range c.changes[x] {
			if a.Tally == t {
				if a.Sets {
					return
				}
				if by = a.By; sign != 0 && (sign > 0) != (by > 0) {
					return
				}
				sign = by
			}
		}
		if len(c.of(x)) != 1 || b.In[x] != cnf.True {
			continue
		}
		for _, f := range c.of(x)[0].Finds {
			if f.Tally == t && len(f.Ranges) > 0 {
				hulls[x] = hull{f.Ranges[0].Low, f.Ranges[len(f.Ranges)-1].High, by}
				sees = append(sees, x)
			}
		}
	}
	before := func(x, y history.OpID) bool { // x can come before y
		p, q := hulls[x], hulls[y]
		if sign >= 0 {
			return p.low <= math.MaxInt64-p.by && p.low+p.by <= q.high
		}
		return p.high == math.MaxInt64 || p.high+p.by >= q.low
	}
	for k, x := range sees {
		for _, y := range sees[k+1:] {
			if y > o.Last[x] {
				break
			}
			if !before(x, y) {
				b.Force(monotone, y, x)
			}
			if !before(y, x) {
				b.Force(monotone, x, y)
			}
			if !b.Alive(1) {
				return
			}
		}
	}
}
