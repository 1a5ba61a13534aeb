package solve

// What: an order of the reads of one process and of all writes that extends the rules of a question
// and in which each read shows the last write of its object.
//
// How: the reads of the process are in order. Each is put at the end, after what has to come before
// it and is not there yet. Then all that stands there has to come before it, so that a write of the
// same object behind its source has to come before the source: an edge, with which the order is
// made again. An edge is never wrong, so in the end there is a cycle, a write before a read of the
// start, or an order.
//
// Source: the relation is that of causal memory in Bouajjani, Enea, Guerraoui and Hamza (POPL 2017,
// section 4.3, happened-before per process), which our rules restrict to sessions; the order by
// depth-first search is ours.
//
// Invariants: before(extend returns) order contains with an operation all that comes before it.
//
// Cost: linear in the operations for each round; a round adds an edge, and mostly there are few.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
)

// view is what one process sees. Nodes are operations that matter, by call.
type view struct {
	*sources
	process int32
	ops     []history.OpID
	at      map[history.OpID]int32 // operations → nodes; nil where direct is used
	direct  []int32                // the same for all operations, plus one
	prev    []int32                // node → the last one of its process that comes before it, or -1
	from    []int32                // node → that of the source of a read, or -1
	reads   []int32                // those of the process, in order
	over    [][]overwrite          // write → those that come before it
	chained bool                   // the writes of a process are in order
	round   int

	state  []int32 // node → the round in which it was put into the order, negative while it waits
	sorted []int32
	// wrong is a path that closes a cycle, or that leads from a write to a read of the start
	wrong []int32
}

// overwrite says that a write comes before another one, since it comes before a read of that.
type overwrite struct {
	write, read int32
	round       int
}

// newView collects what is in the view of a process, of those operations that are kept: all if
// keep is nil.
func newView(s *sources, q *consistency.Question, p int32, keep []history.OpID) *view {
	v := &view{sources: s, process: p, chained: q.Before(false, false, false)}
	// by process: its last read and last write that are in the view
	lastRead, lastWrite := make([]int32, len(s.History.Processes)), make([]int32, len(s.History.Processes))
	for k := range lastRead {
		lastRead[k], lastWrite[k] = -1, -1
	}
	add := func(i history.OpID) {
		x := &s.Ops[i]
		own := x.Process == p
		if x.Writes && !s.effect[i] || !x.Writes && !(x.Reads && (own || q.Reads())) {
			return
		}
		n := int32(len(v.ops))
		prev := int32(-1)
		if r := lastRead[x.Process]; r >= 0 && q.Before(own, true, x.Reads) {
			prev = r
		}
		if w := lastWrite[x.Process]; w > prev && q.Before(own, false, x.Reads) {
			prev = w
		}
		from := int32(-1)
		if x.Reads {
			lastRead[x.Process] = n
			if own {
				v.reads = append(v.reads, n)
			}
			if w := s.of[i]; w != start {
				from = int32(w) // a node later
			}
		} else {
			lastWrite[x.Process] = n
		}
		v.ops, v.prev, v.from = append(v.ops, i), append(v.prev, prev), append(v.from, from)
	}
	if keep == nil {
		n := len(s.Ops)
		v.ops, v.prev, v.from = make([]history.OpID, 0, n), make([]int32, 0, n), make([]int32, 0, n)
		for i := range history.OpID(n) {
			add(i)
		}
		v.direct = make([]int32, n)
		for n, i := range v.ops {
			v.direct[i] = int32(n) + 1
		}
	} else {
		for _, i := range keep {
			add(i)
		}
		v.at = map[history.OpID]int32{}
		for n, i := range v.ops {
			v.at[i] = int32(n)
		}
	}
	for n, w := range v.from {
		if w >= 0 {
			v.from[n] = v.node(history.OpID(w))
		}
	}
	v.state, v.over = make([]int32, len(v.ops)), make([][]overwrite, len(v.ops))
	return v
}

// node returns the node of an operation that is in the view.
func (v *view) node(i history.OpID) int32 {
	if v.direct != nil {
		return v.direct[i] - 1
	}
	return v.at[i]
}

// extend makes the order. It returns false if there is none, and an error if the time is up.
func (v *view) extend(ctx context.Context) (bool, error) {
	writes := make([][]int32, len(v.Initial)) // by object, those in the order
	for {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		v.round++
		v.sorted = v.sorted[:0]
		for k := range writes {
			writes[k] = writes[k][:0]
		}
		added := false
		for _, r := range v.reads {
			from := len(v.sorted)
			if !v.put(r) {
				return false, nil
			}
			for _, n := range v.sorted[from:] {
				if x := &v.Ops[v.ops[n]]; x.Writes {
					writes[x.Object] = append(writes[x.Object], n)
				}
			}
			all := writes[v.Ops[v.ops[r]].Object]
			if v.from[r] < 0 && len(all) > 0 {
				v.wrong = v.leads(all[0], r, v.round)
				return false, nil
			}
			last := map[int32]bool{} // processes of which a later write has an edge
			for k := len(all) - 1; k >= 0 && all[k] != v.from[r]; k-- {
				if p := v.Ops[v.ops[all[k]]].Process; !v.chained || !last[p] {
					last[p], added = true, true
					v.over[v.from[r]] = append(v.over[v.from[r]], overwrite{all[k], r, v.round})
				}
			}
		}
		if !added {
			return true, nil
		}
	}
}

// before returns the k-th of the nodes that come directly before n, by edges of earlier rounds: -1
// where there is none of that number. more is false from the last one on.
func (v *view) before(n int32, k, round int) (m int32, more bool) {
	switch {
	case k == 0:
		return v.prev[n], true
	case k == 1:
		return v.from[n], true
	case k-2 >= len(v.over[n]):
		return -1, false
	}
	if o := v.over[n][k-2]; o.round < round {
		return o.write, true
	}
	return -1, false
}

// put puts a node at the end of the order, after what comes before it. It returns false if there is
// a cycle.
func (v *view) put(n int32) bool {
	type frame struct {
		node int32
		next int // which of before comes next
	}
	done, waits := int32(v.round), -int32(v.round)
	if v.state[n] == done {
		return true
	}
	v.state[n] = waits
	stack := []frame{{node: n}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		next, more := v.before(f.node, f.next, v.round)
		if !more {
			v.state[f.node] = done
			v.sorted = append(v.sorted, f.node)
			stack = stack[:len(stack)-1]
			continue
		}
		f.next++
		switch {
		case next < 0 || v.state[next] == done:
		case v.state[next] == waits:
			v.wrong = append(v.leads(f.node, next, v.round), f.node)
			return false
		default:
			v.state[next] = waits
			stack = append(stack, frame{node: next})
		}
	}
	return true
}

// leads returns a shortest path from one node to another, by edges of rounds before the given one.
func (v *view) leads(from, to int32, round int) []int32 {
	after := map[int32]int32{to: -1}
	queue := []int32{to}
	for k := 0; k < len(queue); k++ {
		n := queue[k]
		if n == from {
			var all []int32
			for ; n >= 0; n = after[n] {
				all = append(all, n)
			}
			return all
		}
		for k, more := 0, true; more; k++ {
			var m int32
			if m, more = v.before(n, k, round); m < 0 {
				continue
			}
			if _, met := after[m]; !met {
				after[m] = n
				queue = append(queue, m)
			}
		}
	}
	return nil
}

// order returns the order as operations: the reads of the process, and writes.
func (v *view) order() []history.OpID {
	all := make([]history.OpID, 0, len(v.sorted))
	for _, n := range v.sorted {
		if i := v.ops[n]; v.Ops[i].Writes || v.Ops[i].Process == v.process {
			all = append(all, i)
		}
	}
	return all
}

// conflict returns the contradiction that extend found, with what it rests on.
func (v *view) conflict() *consistency.Conflict {
	type edge struct{ write, before int32 }
	c := &consistency.Conflict{Process: v.process, Path: v.named(v.wrong)}
	met := map[edge]bool{}
	// need adds the overwritings of a path, each after those that it rests on itself
	var need func(path []int32, round int)
	need = func(path []int32, round int) {
		for k := range path[:len(path)-1] {
			a, b := path[k], path[k+1]
			if a == v.prev[b] || a == v.from[b] || met[edge{a, b}] {
				continue
			}
			j := slices.IndexFunc(v.over[b], func(o overwrite) bool { return o.write == a && o.round < round })
			o := v.over[b][j]
			met[edge{a, b}] = true
			way := v.leads(a, o.read, o.round)
			need(way, o.round)
			c.Overwrites = append(c.Overwrites, consistency.Overwrite{Path: v.named(way)})
		}
	}
	need(v.wrong, v.round+1)
	return c
}

func (v *view) named(nodes []int32) (ops []history.OpID) {
	for _, n := range nodes {
		ops = append(ops, v.ops[n])
	}
	return ops
}
