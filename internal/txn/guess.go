package txn

// A guess at the linearization, which the solver tries first.
//
// What: a topological order of what is known, in which, of the operations that may come next, the
// first is one whose reads find what the registers hold, the one that returns first of these. Its
// order gives every order literal a value, and its reads their sources.
//
// How the solver is told: gini prefers the sign that is more frequent in clauses, and remembers it.
// So the guess is first added as clauses of its own, each with the literal switch, and solved while
// switch holds; then switch is a fact, and they say nothing any more.

import (
	"container/heap"
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/solver"
)

// ready are operations that may come next, by return.
type ready struct {
	list []history.OpID
	ops  []history.Op
}

func (r *ready) Len() int           { return len(r.list) }
func (r *ready) Less(a, b int) bool { return r.ops[r.list[a]].Return < r.ops[r.list[b]].Return }
func (r *ready) Swap(a, b int)      { r.list[a], r.list[b] = r.list[b], r.list[a] }
func (r *ready) Push(x any)         { r.list = append(r.list, x.(history.OpID)) }
func (r *ready) Pop() any {
	last := r.list[len(r.list)-1]
	r.list = r.list[:len(r.list)-1]
	return last
}

// guess chooses an order, sources, and who takes effect, and tells the solver.
func (c *choosing) guess(ctx context.Context) {
	last := c.guessOrder()
	read := make([]bool, len(c.ops))
	for _, s := range last {
		if s >= 0 {
			read[s] = true
		}
	}
	c.var1 = c.s.Reserve(len(c.vars)) + 1
	on := c.var1 - 1
	for v := 1; v < len(c.vars); v++ {
		if c.truth(lit(v)) != 0 {
			continue
		}
		l := lit(v)
		switch x := &c.vars[v]; x.kind {
		case isBefore:
			if c.place[x.a] > c.place[x.b] {
				l = -l
			}
		case isFrom:
			if last[key{x.register, int32(x.a)}] != x.b {
				l = -l
			}
		case isEffect:
			if !read[x.a] {
				l = -l
			}
		}
		c.s.Add([]solver.Lit{c.asked(l), on})
	}
	c.s.Solve(ctx, on)
	c.s.Add([]solver.Lit{on})
}

// guessOrder sets the places of a guessed order, and returns the source of each read in it, by
// register and operation.
func (c *choosing) guessOrder() (last map[key]history.OpID) {
	n := len(c.ops)
	c.place = make([]int32, n)
	last = map[key]history.OpID{}
	in := make([]int32, n+len(c.time.byReturn))
	for x := range in {
		if x >= n || !c.gone[x] {
			c.g.each(node(x), func(y node) { in[y]++ })
		}
	}
	next := &ready{ops: c.ops}
	var enter func(x node)
	enter = func(x node) {
		if int(x) < n {
			heap.Push(next, history.OpID(x))
			return
		}
		c.g.each(x, func(y node) {
			if in[y]--; in[y] == 0 {
				enter(y)
			}
		})
	}
	for x := range in {
		if in[x] == 0 && (x >= n || !c.gone[x]) {
			in[x] = -1
			enter(node(x))
		}
	}
	holds, by := make([]int32, len(c.init)), make([]history.OpID, len(c.init))
	copy(holds, c.init)
	for r := range by {
		by[r] = -1
	}
	reads, writes := make([][]read, n), make([][]key, n)
	for _, r := range c.reads {
		reads[r.op] = append(reads[r.op], r)
	}
	for r, all := range c.writes {
		for _, w := range all {
			writes[w.op] = append(writes[w.op], key{model.RegisterID(r), w.value})
		}
	}
	fits := func(i history.OpID) bool {
		for _, r := range reads[i] {
			if holds[r.register] != r.value {
				return false
			}
		}
		return true
	}
	for at := int32(0); next.Len() > 0; at++ {
		best := 0
		for k := range min(next.Len(), looksAhead) {
			if i := next.list[k]; !c.ops[i].Pending() && fits(i) &&
				(!fits(next.list[best]) || c.ops[i].Return < c.ops[next.list[best]].Return) {
				best = k
			}
		}
		i := heap.Remove(next, best).(history.OpID)
		c.place[i] = at
		for _, r := range reads[i] {
			last[key{r.register, int32(i)}] = by[r.register]
		}
		for _, w := range writes[i] {
			holds[w.register], by[w.register] = w.value, i
		}
		c.g.each(node(i), func(y node) {
			if in[y]--; in[y] == 0 {
				enter(y)
			}
		})
	}
	return last
}
