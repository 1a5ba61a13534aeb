package explain

// Dropping order: explicit order, and that one operation returned before another was called. Only
// the order that an argument uses is tried piece by piece.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// given drops all explicit order if the rest is refuted without it.
func (f *finder) given(weakening *proof.Weakening) {
	if len(weakening.KeepGiven(f.b.Partition.Edges)) == 0 {
		return
	}
	minimal, reason := f.core.Minimal, f.core.NotMinimal
	try := *weakening
	try.SomeGiven, try.Given = true, nil
	if f.refuted(&try) {
		*weakening = try
	}
	// what is given is tried one by one at the end
	f.core.Minimal, f.core.NotMinimal, f.core.NoArgument = minimal, reason, ""
}

// order retains only the order that the argument uses and drops as much of that as it can: explicit
// order first, then the longest spans of time. It reports whether it succeeded.
func (f *finder) order(least *proof.Weakening) bool {
	p := f.b.Partition
	try := *least
	try.SomeOrder, try.Order = true, usedOrder(f.core.Argument, proof.RT)
	if len(least.KeepGiven(p.Edges)) > 0 {
		try.SomeGiven, try.Given = true, usedOrder(f.core.Argument, proof.EDGE)
	}
	next := f.proved(&try, DefaultNodes)
	if next == nil {
		return false
	}
	*least, f.core.Argument = try, next
	length := func(e [2]history.OpID) history.Rank { return p.Ops[e[1]].Call - p.Ops[e[0]].Return }
	sort.Slice(least.Order, func(i, j int) bool { return length(least.Order[i]) > length(least.Order[j]) })
	for _, list := range []func(*proof.Weakening) *[][2]history.OpID{
		func(c *proof.Weakening) *[][2]history.OpID { return &c.Given },
		func(c *proof.Weakening) *[][2]history.OpID { return &c.Order },
	} {
		for k := 0; k < len(*list(least)); {
			try := *least
			*list(&try) = slices.Delete(slices.Clone(*list(least)), k, k+1)
			if !f.adopt(least, &try) {
				k++
			}
		}
	}
	for _, e := range least.Given {
		f.keep(GivenFact, e[0], e[1])
	}
	for _, e := range least.Order {
		f.keep(EdgeFact, e[0], e[1])
	}
	return true
}

// adopt takes a weaker weakening over if it is refuted and can be proved.
func (f *finder) adopt(least, weaker *proof.Weakening) bool {
	if !f.refuted(weaker) {
		return false
	}
	next := f.proved(weaker, DefaultNodes)
	if next == nil {
		f.doubt(limited)
		return false
	}
	*least, f.core.Argument = *weaker, next
	return true
}

// usedOrder lists the facts of order that an argument cites by an axiom: RT for real time, EDGE for
// explicit order.
func usedOrder(a *proof.Node, axiom proof.Axiom) [][2]history.OpID {
	seen := map[[2]history.OpID]bool{}
	var order [][2]history.OpID
	a.Each(func(s *proof.Step) {
		if s.Axiom == axiom && len(s.Args) == 2 {
			if e := [2]history.OpID{s.Args[0], s.Args[1]}; !seen[e] {
				seen[e] = true
				order = append(order, e)
			}
		}
	})
	return order
}

func sortedEdges(edges []history.Edge) []history.Edge {
	sort.Slice(edges, func(i, j int) bool {
		x, y := edges[i], edges[j]
		return cmp.Or(cmp.Compare(x.After, y.After), cmp.Compare(x.Before, y.Before)) < 0
	})
	return slices.Compact(edges)
}
