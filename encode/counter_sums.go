package encode

// Counters: a sum with a known value before each observation.
//
// What: an operation that observed v requires init + Σ delta of the operations before it = v. Those
// that real time puts before it are a constant. Each of the others (concurrent ones, and pending
// ones that were called before it returned) contributes its delta iff its order literal says so.
// That a weighted sum of literals has a given value is encoded as a layered graph of partial sums:
// a variable for each sum that is reachable after the first k literals and from which the target
// can still be reached, with an edge for each value of literal k+1. The literals determine the
// path, so unit propagation runs along it from both ends.
//
// A pending operation that does not take effect may stand at the end of the order, so "before the
// observation" implies that it takes effect (in), and its order literal serves for both.
//
// Sums are those of the counter itself, from its initial value on, not differences of two of its
// values: the counter stays within int64 in every order (model.CountingTheory), so each of them is
// exact.
//
// Where the sums are too many to be listed, their bits are added up (cnf/adder.go).
//
// Cost: literals × reachable sums for each observation, at most the square of the number of
// operations open at once when deltas are ±1; or literals × bits of the deltas.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// The axioms of counters.
const (
	sums     cnf.Axiom = "the sum of what came before is observed"
	place    cnf.Axiom = "an observation says how many came before"
	monotone cnf.Axiom = "a counter that goes one way shows a later value later"
)

type counting struct {
	theory *model.CountingTheory
	part   *model.Partition

	b       *cnf.Builder
	object  []model.CellID // by kept operation
	delta   []int64
	sees    []bool
	value   []int64
	certain []bool // it takes effect, in this segment or another
	left    int    // so many sums may be listed; negative: none
}

func newCounting(t *model.CountingTheory, part *model.Partition) *counting {
	return &counting{theory: t, part: part, left: maxSums}
}

// reduce implements encoding: pending operations that change nothing are dropped, and those called
// after the last completed observation returned.
func (c *counting) reduce(keep []history.OpID) ([]history.OpID, string) {
	last := make([]history.Rank, len(c.theory.Init))
	for _, i := range keep {
		if o := &c.part.Ops[i]; c.theory.Observes[i] && !o.Pending() {
			last[c.theory.Object[i]] = max(last[c.theory.Object[i]], o.Return)
		}
	}
	return slices.DeleteFunc(keep, func(i history.OpID) bool {
		o := &c.part.Ops[i]
		return o.Pending() && (c.theory.Delta[i] == 0 || last[c.theory.Object[i]] < o.Call)
	}), ""
}

// Outcomes implements cnf.Encoding.
func (c *counting) Outcomes(b *cnf.Builder) {
	c.b = b
	for i := range b.Order.N {
		k := b.Keep[i]
		pending := c.part.Ops[k].Pending()
		b.Effect(i, pending)
		c.certain = append(c.certain, !pending)
		c.object = append(c.object, c.theory.Object[k])
		c.delta = append(c.delta, c.theory.Delta[k])
		c.sees = append(c.sees, c.theory.Observes[k])
		c.value = append(c.value, c.theory.Observed[k])
	}
}

// Axioms implements cnf.Encoding.
func (c *counting) Axioms(b *cnf.Builder) {
	if !c.theory.Exact() {
		b.GiveUp("a counter may leave the range of 64-bit integers")
		return
	}
	for k := range c.theory.Init {
		for _, sign := range []int64{1, -1} {
			c.oneWay(model.CellID(k), sign)
		}
		c.ranked(model.CellID(k))
	}
	b.Index()
	byReturn := make([]history.OpID, 0, b.Order.N)
	for i := range b.Order.N {
		if b.Order.Return[i] != history.Never && c.delta[i] != 0 {
			byReturn = append(byReturn, i)
		}
	}
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(b.Order.Return[x]) - int(b.Order.Return[y]) })
	sum := slices.Clone(c.theory.Init) // of what returned before the call of r, by counter
	for r := range b.Order.N {
		for len(byReturn) > 0 && b.Order.Return[byReturn[0]] < b.Order.Call[r] {
			sum[c.object[byReturn[0]]] += c.delta[byReturn[0]]
			byReturn = byReturn[1:]
		}
		if c.sees[r] {
			c.observe(r, sum[c.object[r]])
		}
		if !b.Alive(1) {
			return
		}
	}
}

// observe adds that at r the counter has the value that r observed; sum is the sum before the call
// of r.
func (c *counting) observe(r history.OpID, sum int64) {
	b, o := c.b, c.b.Order
	var terms []cnf.Term
	add := func(x history.OpID) {
		if c.object[x] != c.object[r] || c.delta[x] == 0 {
			return
		}
		before := o.Before(x, r)
		b.Clause(cnf.Outcome, cnf.By(x, r), -b.In[r], -before, b.In[x], b.Earlier(x))
		switch before {
		case cnf.True:
			sum += c.delta[x]
		case cnf.False:
		default:
			terms = append(terms, cnf.Term{If: before, By: c.delta[x]})
		}
	}
	for _, x := range o.Open(r) {
		add(x)
	}
	for x := r + 1; x <= o.Last[r]; x++ {
		add(x)
	}
	// Equal deltas next to each other keep the number of sums small.
	compare := func(x, y cnf.Term) int {
		switch {
		case x.By < y.By:
			return -1
		case x.By > y.By:
			return 1
		}
		return 0
	}
	sort.SliceStable(terms, func(i, j int) bool { return compare(terms[i], terms[j]) < 0 })
	c.exactly(r, sum, terms, c.value[r])
}

// exactly adds that start and the terms sum up to the target if r takes effect.
func (c *counting) exactly(r history.OpID, start int64, terms []cnf.Term, target int64) {
	b := c.b
	low, high := start, start
	for _, t := range terms {
		low, high = low+min(t.By, 0), high+max(t.By, 0)
	}
	if target < low || high < target {
		b.Imply(sums, cnf.By(r), []cnf.Lit{b.In[r]})
		return
	}
	rest := c.between(start, terms, target)
	switch {
	case !b.Alive(1):
		return
	case rest == nil:
		c.adds(r, start, terms, target)
		return
	case !contains(rest[0], start):
		b.Imply(sums, cnf.By(r), []cnf.Lit{b.In[r]})
		return
	}
	here := map[int64]cnf.Lit{start: b.In[r]}
	for k, t := range terms {
		next := map[int64]cnf.Lit{}
		reach := func(s int64) cnf.Lit {
			if !contains(rest[k+1], s) {
				return cnf.False
			}
			if next[s] == 0 {
				next[s] = b.Fresh()
			}
			return next[s]
		}
		for _, s := range sortedKeys(here) {
			b.Clause(sums, cnf.By(r), -here[s], -t.If, reach(s+t.By))
			b.Clause(sums, cnf.By(r), -here[s], t.If, reach(s))
		}
		at := func(s int64) cnf.Lit {
			if l, ok := here[s]; ok {
				return l
			}
			return cnf.False
		}
		for _, s := range sortedKeys(next) {
			b.Clause(sums, cnf.By(r), -next[s], -t.If, at(s-t.By))
			b.Clause(sums, cnf.By(r), -next[s], t.If, at(s))
		}
		here = next
		if !b.Alive(int64(len(next))) {
			return
		}
	}
}

// between returns the sums after so many terms from which the others may lead to the target,
// ascending; nil if they are too many to be listed. Sums from the start on and sums back from the
// target are listed, the fewer ones first, until they meet: half of the terms make the square root
// of all sums.
func (c *counting) between(start int64, terms []cnf.Term, target int64) [][]int64 {
	n := len(terms)
	if c.left < 0 {
		return nil
	}
	rest := make([][]int64, n+1)
	low, high := make([]int64, n+1), make([]int64, n+1) // possible sums after k terms
	low[0], high[0] = start, start
	for k, t := range terms {
		low[k+1], high[k+1] = low[k]+min(t.By, 0), high[k]+max(t.By, 0)
	}
	first, last := 0, n
	rest[first] = []int64{start}
	back := []int64{target}
	size, most := 2, max(c.left/2, maxSums/16)
	for first < last {
		next := back
		if len(rest[first]) < len(back) {
			next = shifted(rest[first], rest[first], terms[first].By)
			first++
			rest[first] = next
		} else {
			rest[last] = back
			last--
			// Between low and high, a term leads to the exact sum.
			by := terms[last].By
			next = shifted(inside(back, low[last], high[last]), inside(back, low[last]+by, high[last]+by), -by)
			back = next
		}
		if size += len(next); size > most || !c.b.Alive(int64(len(next))) {
			break
		}
	}
	if c.left = max(0, c.left-size); first < last {
		return nil
	}
	rest[first] = slices.DeleteFunc(rest[first], func(s int64) bool { return !contains(back, s) })
	for k := first - 1; k >= 0; k-- {
		rest[k] = slices.DeleteFunc(rest[k], func(s int64) bool {
			return !contains(rest[k+1], s) && !contains(rest[k+1], s+terms[k].By)
		})
	}
	return rest
}

// shifted returns the numbers of one list, and those of another one with something added. Lists
// ascend.
func shifted(x, y []int64, by int64) []int64 {
	all := make([]int64, 0, len(x)+len(y))
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0] < y[0]+by:
			all, x = append(all, x[0]), x[1:]
		case len(x) > 0 && x[0] == y[0]+by:
			x = x[1:]
		default:
			all, y = append(all, y[0]+by), y[1:]
		}
	}
	return all
}

// inside returns the numbers of an ascending list from low to high.
func inside(all []int64, low, high int64) []int64 {
	from, _ := slices.BinarySearch(all, low)
	to, found := slices.BinarySearch(all, high)
	if found {
		to++
	}
	return all[from:to]
}

func contains(all []int64, s int64) bool {
	_, found := slices.BinarySearch(all, s)
	return found
}

// adds is exactly for sums that are too many to be listed.
func (c *counting) adds(r history.OpID, start int64, terms []cnf.Term, target int64) {
	bits, base := c.b.Adder(cnf.By(r), terms)
	if c.b.Alive(1) {
		c.b.Exactly(sums, cnf.By(r), c.b.In[r], bits, uint64(target)-uint64(start)-uint64(base))
	}
}

func sortedKeys(m map[int64]cnf.Lit) []int64 {
	keys := make([]int64, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
