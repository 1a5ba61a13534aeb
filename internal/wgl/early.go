package wgl

// What: a search that takes operations in the order of their calls, pending ones as soon as they
// are called.
//
// Source: Lowe (CCPE'17), the linked list of calls and returns, as Porcupine and Knossos have it.
//
// Why: most operations of unknown outcome took effect soon after their calls, or never. The
// depth-first search of dfs.go uses a pending operation only where nothing else goes on. That needs
// fewest of them, but where the state does not show at once what is missing (an append that a read
// shows much later), it comes back to many places with many candidates. Here the usual place is
// tried first. Without pending operations the same happens where more operations are open at once
// than a word has bits: users of Porcupine give what never returned an invented return at the end.
//
// What we changed: the search ends at a limit of steps, and its memory of configurations keeps
// hashes only, so it decides nothing by failing: it finds a linearization, or another phase goes
// on.
//
// Invariants: state is what the operations of the stack lead to, in their order; the list has the
// calls and returns of all others, in the order of the history.
//
// Cost: a step for each operation that is tried, at most earlySteps for each operation and
// earlyLeast more.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// early is the state of this search. Entry i of the list is the call of operation i, entry n+i its
// return; the entry 2n stands before all others and after them.
type early struct {
	r          *run
	next, prev []int32
	returns    int // completed operations that are left
	state      model.State
	set        uint64 // hash of the operations of the stack
	stack      []early1
	seen       map[uint64]struct{}
}

// early1 is an operation that was taken: in which state, and which of its successors.
type early1 struct {
	op     history.OpID
	before model.State
	succ   int32
}

// decideEarly looks for a linearization within a limit of steps. It reports found or undecided, or
// gaveUp where the search has to stop.
func (r *run) decideEarly() (d decision) {
	d.outcome = undecided
	n := int64(len(r.Ops))
	limit := earlySteps*n + earlyLeast
	need := n*16 + limit*earlyBytes
	if r.Classes == 0 && r.Words == 1 || len(r.Instance.Partition.Edges) > 0 || r.Component != nil || !r.Grow(need) {
		return d
	}
	defer r.Grow(-need)
	e := &early{r: r, state: r.Table.Machine.Init(), seen: make(map[uint64]struct{})}
	e.link()
	if d.outcome = e.search(r.Steps + limit); d.outcome == found {
		for _, s := range e.stack {
			d.witness = append(d.witness, s.op)
		}
	}
	return d
}

// link builds the list.
func (e *early) link() {
	n := int32(len(e.r.Ops))
	var entries []int32
	at := func(x int32) history.Rank {
		if x < n {
			return e.r.Ops[x].Call
		}
		return e.r.Ops[x-n].Return
	}
	for i := range n {
		op := history.OpID(i)
		switch {
		case e.r.Completed(op):
			entries = append(entries, i, n+i)
			e.returns++
		case e.r.Class[op] >= 0:
			entries = append(entries, i)
		}
	}
	slices.SortFunc(entries, func(x, y int32) int { return cmp.Compare(at(x), at(y)) })
	e.next, e.prev = make([]int32, 2*n+1), make([]int32, 2*n+1)
	last := 2 * n
	for _, x := range entries {
		e.next[last], e.prev[x] = x, last
		last = x
	}
	e.next[last], e.prev[2*n] = 2*n, last
}

func (e *early) search(limit int64) outcome {
	n := int32(len(e.r.Ops))
	entry, succ := e.next[2*n], int32(0)
	for e.returns > 0 {
		if e.r.Steps >= limit {
			return undecided
		}
		if entry < n {
			switch e.take(history.OpID(entry), succ) {
			case stopped:
				return gaveUp
			case taken:
				entry, succ = e.next[2*n], 0
			default:
				entry, succ = e.next[entry], 0
			}
			continue
		}
		// A return whose operation has not been taken, or the end.
		if len(e.stack) == 0 {
			return undecided
		}
		back := e.undo()
		entry, succ = int32(back.op), back.succ
	}
	return found
}

// take takes an operation into the first of its successors from succ on that leads to a new
// configuration.
func (e *early) take(op history.OpID, succ int32) attempt {
	code := e.r.apply(e.state, op)
	if code == 0 {
		return stopped
	}
	set := e.set ^ scatter(uint64(op)+1)
	for {
		t, ok := e.r.Table.Next(code, succ)
		if !ok {
			return refused
		}
		succ++
		key := set ^ scatter(uint64(t)<<32|1<<31)
		if _, known := e.seen[key]; known {
			continue
		}
		e.seen[key] = struct{}{}
		e.stack = append(e.stack, early1{op, e.state, succ})
		e.state, e.set = t, set
		e.unlink(op)
		return taken
	}
}

// undo gives the last operation back.
func (e *early) undo() early1 {
	s := e.stack[len(e.stack)-1]
	e.stack = e.stack[:len(e.stack)-1]
	e.state = s.before
	e.set ^= scatter(uint64(s.op) + 1)
	e.relink(s.op)
	return s
}

func (e *early) unlink(op history.OpID) {
	x := int32(op)
	e.next[e.prev[x]], e.prev[e.next[x]] = e.next[x], e.prev[x]
	if e.r.Completed(op) {
		x += int32(len(e.r.Ops))
		e.next[e.prev[x]], e.prev[e.next[x]] = e.next[x], e.prev[x]
		e.returns--
	}
}

// relink is the reverse of unlink, in the reverse order.
func (e *early) relink(op history.OpID) {
	x := int32(op)
	if e.r.Completed(op) {
		y := x + int32(len(e.r.Ops))
		e.next[e.prev[y]], e.prev[e.next[y]] = y, y
		e.returns++
	}
	e.next[e.prev[x]], e.prev[e.next[x]] = x, x
}

// scatter spreads the bits of a number (the finalizer of SplitMix64, Steele, Lea and Flood,
// OOPSLA'14).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
