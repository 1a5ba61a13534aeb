package encode

// Sums within ranges: what a number is before an operation.
//
// What: the operations that real time puts before r add a constant, the others each what their
// order literal and their way say. A layered graph of partial sums has a node for each sum that the
// first k terms can make. From a node of which every end is allowed nothing is required, and from
// one of which no end is allowed the path must stay away; only nodes between need a variable. The
// literals determine the path, and clauses in both directions let unit propagation run along it
// from both ends.
//
// Source: the graph of counter_sums.go, which leads to one sum. With ranges this is the reduced
// ordered decision diagram of a pseudo-Boolean constraint (Eén, Sörensson: Translating
// pseudo-Boolean constraints into SAT, JSAT 2, 2006, section 5.1), from whose intervals of equal
// nodes only the two constant ones are merged.
//
// Invariant: successors of a node that allows every end do, too. So a node that needs a variable is
// reached through such nodes alone, and the clauses backward are complete.
//
// Cost: terms × sums for each range that is not met whatever the order.

import (
	"cmp"
	"slices"

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
func (c *tallying) terms(r history.OpID, t int32, now *running) []term {
	b, o := c.b, c.b.Order
	var all []term
	for _, a := range now.loose {
		if a.tally == t {
			all = append(all, term{a.when, a.by})
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
				all = append(all, term{l, a.by})
			}
		}
	}
	for _, x := range o.Open(r) {
		add(x)
	}
	for x := r + 1; x <= o.Last[r]; x++ {
		add(x)
	}
	slices.SortStableFunc(all, func(x, y term) int { return cmp.Compare(x.by, y.by) })
	return all
}

// reach returns the sums that the first k terms can make from some values on, ascending, for every
// k; nil if they are too many.
func (c *tallying) reach(from []int64, terms []term) [][]int64 {
	sums := make([][]int64, len(terms)+1)
	sums[0] = from
	size := len(from)
	for k, t := range terms {
		var next []int64
		for _, s := range sums[k] {
			if t.before != cnf.True {
				next = append(next, s)
			}
			if t.before != cnf.False {
				next = append(next, s+t.by)
			}
		}
		slices.Sort(next)
		sums[k+1] = slices.Compact(next)
		if size += len(next); size > maxSums || !c.b.Alive(int64(len(next))) {
			c.b.GiveUp("numbers add up in too many ways")
			return nil
		}
	}
	return sums
}

// find adds that operation r finds a number within the ranges if the condition holds.
func (c *tallying) find(r history.OpID, cond cnf.Lit, f *model.Found, now *running) {
	from := make([]int64, len(c.starts[f.Tally]))
	for k, s := range c.starts[f.Tally] {
		from[k] = s.value + now.sum[f.Tally]
	}
	terms := c.terms(r, f.Tally, now)
	sums := c.reach(from, terms)
	if sums == nil {
		return
	}
	all, some := endings(sums, terms, f)
	here := make([]cnf.Lit, len(from))
	for k, s := range c.starts[f.Tally] {
		switch {
		case !some[0][k]:
			c.b.Clause(within, cnf.By(r), -cond, -s.is)
		case !all[0][k]:
			here[k] = c.b.And(cond, s.is)
		}
		if here[k] == cnf.False {
			here[k] = 0
		}
	}
	for k, t := range terms {
		here = c.layer(r, t, sums[k], sums[k+1], here, all[k+1], some[k+1])
		if !c.b.Alive(int64(len(here))) {
			return
		}
	}
}

// endings says of every node whether all ends, and whether some ends, are allowed.
func endings(sums [][]int64, terms []term, f *model.Found) (all, some [][]bool) {
	n := len(terms)
	all, some = make([][]bool, n+1), make([][]bool, n+1)
	for k := n; k >= 0; k-- {
		all[k], some[k] = make([]bool, len(sums[k])), make([]bool, len(sums[k]))
		for j, s := range sums[k] {
			if k == n {
				all[k][j] = f.Allows(s)
				some[k][j] = all[k][j]
				continue
			}
			all[k][j] = true
			for _, next := range terms[k].from(s) {
				to, _ := slices.BinarySearch(sums[k+1], next)
				all[k][j], some[k][j] = all[k][j] && all[k+1][to], some[k][j] || some[k+1][to]
			}
		}
	}
	return all, some
}

// from lists the sums to which a term leads from one.
func (t term) from(s int64) []int64 {
	switch t.before {
	case cnf.True:
		return []int64{s + t.by}
	case cnf.False:
		return []int64{s}
	}
	return []int64{s, s + t.by}
}

// layer adds the edges of one term. Literals are by node, 0 for one without a variable.
func (c *tallying) layer(r history.OpID, t term, from, to []int64, here []cnf.Lit, all, some []bool) []cnf.Lit {
	b := c.b
	next := make([]cnf.Lit, len(to))
	edge := func(l, taken cnf.Lit, s int64) {
		j, _ := slices.BinarySearch(to, s)
		switch {
		case all[j]:
			return
		case !some[j]:
			b.Clause(within, cnf.By(r), -l, -taken)
			return
		case next[j] == 0:
			next[j] = b.Fresh()
		}
		b.Clause(within, cnf.By(r), -l, -taken, next[j])
	}
	for k, s := range from {
		if l := here[k]; l != 0 {
			if t.before != cnf.False {
				edge(l, t.before, s+t.by)
			}
			if t.before != cnf.True {
				edge(l, -t.before, s)
			}
		}
	}
	at := func(s int64) cnf.Lit {
		if k, found := slices.BinarySearch(from, s); found && here[k] != 0 {
			return here[k]
		}
		return cnf.False
	}
	for j, s := range to {
		if next[j] != 0 {
			b.Clause(within, cnf.By(r), -next[j], -t.before, at(s-t.by))
			b.Clause(within, cnf.By(r), -next[j], t.before, at(s))
		}
	}
	return next
}
