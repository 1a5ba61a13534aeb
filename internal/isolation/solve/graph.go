package solve

// Edges between events, and paths.
//
// What: a graph over the starts and commits of transactions (over transactions where the two are
// one), and over barriers: moments at which some transactions have returned, and after which others
// are called. Time is O(n) edges so. Each edge has its reason, a clause of which all other literals
// are false, and the number of edges before it, its age: a reason rests on older edges only.
//
// Cost: O(edges) for an order, a component, or a path.

import (
	"slices"

	iso "github.com/linsat/linsat/internal/isolation"
)

// edge leads to an event that comes later.
type edge struct {
	to  int32
	age int32 // position in graph.whys
}

// why is the clause from which an edge follows: where it names hops, the edge follows from them.
type why struct {
	rule   iso.Rule
	place  iso.Place
	t, w   int32 // as the rule names them: a and b, where it has those
	object int32 // of RuleConflict; -1 for none
	hops   []iso.Hop
}

// barrier is the reason of edges from and to barriers.
var barrier = why{rule: iso.RuleGiven, t: -1, w: -1, object: -1}

// graph is events and edges. Events come first, barriers after them.
type graph struct {
	two    bool // a transaction has two events
	events int32
	out    [][]edge
	whys   []why

	parent []int32 // room of path: by node, the node before it
	via    []edge
	met    []int32
	paths  int32
	queue  []int32
}

func newGraph(transactions int, two bool) *graph {
	g := &graph{two: two, events: int32(transactions)}
	if two {
		g.events *= 2
	}
	g.out = make([][]edge, g.events)
	return g
}

// start and commit are the events of a transaction.
func (g *graph) start(i int32) int32 {
	if g.two {
		return 2 * i
	}
	return i
}

func (g *graph) commit(i int32) int32 {
	if g.two {
		return 2*i + 1
	}
	return i
}

// txn returns the transaction of an event.
func (g *graph) txn(e int32) int32 {
	if g.two {
		return e / 2
	}
	return e
}

// name is the number of an event in certificates.
func (g *graph) name(e int32) int32 {
	if g.two {
		return e
	}
	return 2*e + 1
}

// node adds a barrier.
func (g *graph) node() int32 {
	g.out = append(g.out, nil)
	return int32(len(g.out)) - 1
}

// add adds an edge. Not inlined: it has many callers.
//
//go:noinline
func (g *graph) add(u, v int32, because why) {
	g.out[u] = append(g.out[u], edge{v, int32(len(g.whys))})
	if len(g.whys) == cap(g.whys) {
		g.whys = slices.Grow(g.whys, max(64, len(g.whys))) // append copies a long list more often
	}
	g.whys = append(g.whys, because)
}

// topological returns the nodes in an order of all edges, or nil if there is a cycle.
func (g *graph) topological() []int32 {
	degree := make([]int32, len(g.out))
	for _, es := range g.out {
		for _, e := range es {
			degree[e.to]++
		}
	}
	order := make([]int32, 0, len(g.out))
	for u := range degree {
		if degree[u] == 0 {
			order = append(order, int32(u))
		}
	}
	for k := 0; k < len(order); k++ {
		for _, e := range g.out[order[k]] {
			if degree[e.to]--; degree[e.to] == 0 {
				order = append(order, e.to)
			}
		}
	}
	if len(order) < len(g.out) {
		return nil
	}
	return order
}

// components numbers the strongly connected components, and returns the size of each.
func (g *graph) components() (of []int32, sizes []int32) {
	of = iso.Components(len(g.out), func(u, k int32) int32 {
		if int(k) == len(g.out[u]) {
			return -1
		}
		return g.out[u][k].to
	})
	sizes = make([]int32, len(of))
	for _, c := range of {
		sizes[c]++
	}
	return of, sizes
}

// step is an edge of a path.
type step struct{ from, to, age int32 }

// path returns a shortest path by edges younger than age from u to v, nil if there is none; a cycle
// if they are the same. Nodes for which skip is true are not entered.
func (g *graph) path(u, v, age int32, within []int32) []step {
	if len(g.parent) < len(g.out) {
		g.parent, g.via, g.met = make([]int32, len(g.out)), make([]edge, len(g.out)), make([]int32, len(g.out))
	}
	g.paths++
	queue := append(g.queue[:0], u)
	defer func() { g.queue = queue }()
	for k := 0; k < len(queue); k++ {
		x := queue[k]
		for _, e := range g.out[x] {
			if e.age >= age || within != nil && within[e.to] != within[u] {
				continue
			}
			if e.to == v {
				way := []step{{x, v, e.age}}
				for x != u {
					way = append(way, step{g.parent[x], x, g.via[x].age})
					x = g.parent[x]
				}
				slices.Reverse(way)
				return way
			}
			if g.met[e.to] != g.paths && e.to != u {
				g.met[e.to], g.parent[e.to], g.via[e.to] = g.paths, x, e
				queue = append(queue, e.to)
			}
		}
	}
	return nil
}

// cycle returns a short cycle, nil if there is none.
func (g *graph) cycle() []step {
	of, sizes := g.components()
	var best []step
	tried := 0
	for u := range g.out {
		if sizes[of[u]] < 2 && !slices.ContainsFunc(g.out[u], func(e edge) bool { return e.to == int32(u) }) {
			continue
		}
		if c := g.path(int32(u), int32(u), int32(len(g.whys)), of); best == nil || c != nil && len(c) < len(best) {
			best = c
		}
		if tried++; tried == tries {
			break
		}
	}
	return best
}
