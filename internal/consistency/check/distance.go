package check

// What: how far a sequential history is from linearizable: the fewest pairs of operations that an
// order has to put the other way than time does.
//
// How: each violation rests on pairs, and an order has to break one of them. A set of pairs that
// has one of each violation met so far, and is smallest, is given up; if the history still is a
// violation, that is another one. The method is that of implicit hitting sets [Moreno-Centeno,
// Karp, Operations Research 2013].
//
// Cost: a check for each violation; few operations and violations only.

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
)

// against returns the fewest pairs that an order has to put against time so that the history is
// linearizable, keeping the order of processes: none if it is. ok is false if that is not known.
func against(ctx context.Context, c *Case) (pairs []history.Edge, ok bool) {
	h := c.History
	if len(h.Ops) > mostDistant {
		return nil, false
	}
	var all []history.Edge
	for b := range history.OpID(len(h.Ops)) {
		for a := range b {
			if x, y := &h.Ops[a], &h.Ops[b]; x.Process != y.Process && x.Return < y.Call {
				all = append(all, history.Edge{Before: a, After: b})
			}
		}
	}
	var violations [][]history.Edge
	for len(violations) < mostViolations {
		given := hitting(violations, len(violations))
		g := consistency.ByProcess(h)
		own := len(g.Edges)
		for _, e := range all {
			if !slices.Contains(given, e) {
				g.Edges = append(g.Edges, e)
			}
		}
		sort.Slice(g.Edges, func(i, j int) bool {
			x, y := g.Edges[i], g.Edges[j]
			return cmp.Or(cmp.Compare(x.After, y.After), cmp.Compare(x.Before, y.Before)) < 0
		})
		r, err := c.Linearize(ctx, c.Spec, g, true, true)
		switch {
		case err != nil || !r.Certified || own == len(g.Edges) && r.Verdict == engine.NotLinearizable:
			return nil, false
		case r.Verdict == engine.Linearizable:
			return given, true
		case r.Core == nil || slices.Contains(r.Core.Besides, explain.AllGiven):
			return nil, false
		}
		_, found := restsOn(r, &order{})
		found = slices.DeleteFunc(found, func(e history.Edge) bool { return !slices.Contains(all, e) })
		if len(found) == 0 {
			return nil, false
		}
		violations = append(violations, found)
	}
	return nil, false
}

// hitting returns a smallest set that has one of each list, of at most so many.
func hitting(lists [][]history.Edge, most int) []history.Edge {
	if len(lists) == 0 {
		return []history.Edge{}
	}
	if most <= 0 {
		return nil
	}
	var best []history.Edge
	for _, e := range lists[0] {
		rest := slices.DeleteFunc(slices.Clone(lists), func(l []history.Edge) bool { return slices.Contains(l, e) })
		if found := hitting(rest, most-1); found != nil {
			best, most = append(found, e), len(found)
		}
	}
	return best
}
