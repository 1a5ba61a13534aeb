package txn

// Dependencies between transactions.
//
// What: edges beside those of time, each with the literal that it stands for (polygraph.go) and a
// number that says when it became known. Time is never listed (time.go): a topological order goes
// through barriers, and a path takes all operations called after the earliest return so far, which
// a pointer that only moves to earlier calls finds in O(n) for a whole path.
//
// Cost: O(n + edges) for an order or a path.

import (
	"math"

	"github.com/linsat/linsat/history"
)

// edge leads to an operation that comes later.
type edge struct {
	to    history.OpID
	since int32 // when it became known
}

// graph is edges over a timeline.
type graph struct {
	*timeline
	out [][]edge // by operation

	parent []history.OpID // room of path
	met    []int32        // by operation: the last path that met it
	paths  int32
	queue  []history.OpID
}

func newGraph(t *timeline) *graph {
	n := len(t.ops)
	return &graph{timeline: t, out: make([][]edge, n), parent: make([]history.OpID, n), met: make([]int32, n)}
}

// add adds an edge.
func (g *graph) add(from, to history.OpID, since int32) {
	g.out[from] = append(g.out[from], edge{to, since})
}

// A node of an order is an operation, or a barrier: n and its number.
type node = int32

// each calls f with all that follows a node directly, through time as well.
func (g *graph) each(x node, f func(y node)) {
	n := node(len(g.ops))
	if x < n {
		for _, e := range g.out[x] {
			f(node(e.to))
		}
		if b := g.barrier[x]; b >= 0 {
			f(n + b)
		}
		return
	}
	b := x - n
	if int(b)+1 < len(g.byReturn) {
		f(x + 1)
	}
	// the operations called between this return and the next one
	for i := g.firstCall(b); i < len(g.ops) && g.after[i] == b; i++ {
		if !g.gone[i] {
			f(node(i))
		}
	}
}

// firstCall returns the first operation called after a barrier.
func (g *graph) firstCall(b int32) int {
	lo, hi := 0, len(g.ops)
	for lo < hi {
		if mid := (lo + hi) / 2; g.after[mid] < b {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// order returns a topological order of all nodes, earlier calls first where nothing decides. Nodes
// on cycles and after them are missing, and in tells how many edges into them are left.
func (g *graph) order() (order []node, in []int32) {
	n := len(g.ops)
	in = make([]int32, n+len(g.byReturn))
	order = make([]node, 0, len(in))
	for x := range in {
		if x >= n || !g.gone[x] {
			g.each(node(x), func(y node) { in[y]++ })
		}
	}
	for x := range in {
		if in[x] == 0 && (x >= n || !g.gone[x]) {
			order = append(order, node(x))
		}
	}
	for k := 0; k < len(order); k++ {
		g.each(order[k], func(y node) {
			if in[y]--; in[y] == 0 {
				order = append(order, y)
			}
		})
	}
	return order, in
}

// all returns how many nodes an order without cycles has.
func (g *graph) all() int {
	n := len(g.byReturn)
	for i := range g.gone {
		if !g.gone[i] {
			n++
		}
	}
	return n
}

// always is a time after all edges became known.
const always = math.MaxInt32

// path returns a shortest path from one operation to another, along time and along edges that were
// known before some time, through operations that allowed marks (nil for all); nil if there is
// none. Both ends are on it; from and to may be equal for a cycle.
func (g *graph) path(from, to history.OpID, before int32, allowed []bool) []history.OpID {
	g.paths++
	g.queue = append(g.queue[:0], from)
	called := len(g.ops) // operations from here on have been met through time
	visit := func(i, by history.OpID) {
		if g.gone[i] || allowed != nil && !allowed[i] || g.met[i] == g.paths {
			return
		}
		g.met[i], g.parent[i] = g.paths, by
		g.queue = append(g.queue, i)
	}
	for k := 0; k < len(g.queue) && g.met[to] != g.paths; k++ {
		i := g.queue[k]
		for _, e := range g.out[i] {
			if e.since < before {
				visit(e.to, i)
			}
		}
		for ; called > 0 && g.ops[called-1].Call > g.ops[i].Return; called-- {
			visit(history.OpID(called-1), i)
		}
	}
	if g.met[to] != g.paths {
		return nil
	}
	way := []history.OpID{to}
	for i := g.parent[to]; ; i = g.parent[i] {
		way = append(way, i)
		if i == from {
			break
		}
	}
	for a, b := 0, len(way)-1; a < b; a, b = a+1, b-1 {
		way[a], way[b] = way[b], way[a]
	}
	return way
}
