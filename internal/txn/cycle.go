package txn

import "github.com/linsat/linsat/history"

// A short cycle explains more than a long one, and its clause excludes more. Whatever is on a cycle
// is left over when nodes without predecessors, and then those without successors, are taken away
// one after the other; a shortest cycle through one edge is then a path back.
//
// Cost: O(n + edges) for each edge tried.

// cyclic marks the operations that may be on a cycle: in tells how many edges into each node order
// left over.
func cyclic(g *graph, in []int32) []bool {
	out := make([]int32, len(in))
	into := make([][]node, len(in)) // predecessors that are left over
	for x := range in {
		if in[x] == 0 {
			continue
		}
		g.each(node(x), func(y node) {
			if in[y] > 0 {
				out[x]++
				into[y] = append(into[y], node(x))
			}
		})
	}
	var ends []node
	for x := range in {
		if in[x] > 0 && out[x] == 0 {
			ends = append(ends, node(x))
		}
	}
	on := make([]bool, len(g.ops))
	for i := range on {
		on[i] = in[i] > 0 && out[i] > 0
	}
	for k := 0; k < len(ends); k++ {
		if int(ends[k]) < len(on) {
			on[ends[k]] = false
		}
		for _, x := range into[ends[k]] {
			if out[x]--; out[x] == 0 {
				ends = append(ends, x)
			}
		}
	}
	return on
}

// cycles calls f with a shortest cycle through each of some edges that are on one, until f returns
// false. Each begins with the operation that the edge leads to, and ends with the one that it
// leaves.
func cycles(g *graph, in []int32, f func(cycle []history.OpID) bool) {
	on := cyclic(g, in)
	for a := range g.ops {
		if !on[a] {
			continue
		}
		for _, e := range g.out[a] {
			if !on[e.to] {
				continue
			}
			if back := g.path(e.to, history.OpID(a), always, on); back != nil && !f(back) {
				return
			}
		}
	}
}

// shortestCycle returns the shortest of the cycles through up to someEdges edges.
func shortestCycle(g *graph, in []int32) (best []history.OpID) {
	tried := 0
	cycles(g, in, func(cycle []history.OpID) bool {
		if best == nil || len(cycle) < len(best) {
			best = cycle
		}
		tried++
		return tried < someEdges && len(best) > 2
	})
	return best
}
