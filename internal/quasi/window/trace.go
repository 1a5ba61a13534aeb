package window

// Refutations: from the contradiction back to the few narrowings that it rests on.
//
// What: propagation logs every narrowing with the bound that it replaced. The contradiction needs
// some facts "v is at least (at most) pos". The log is undone backwards, so that the windows are
// always those of the moment. If an undone narrowing is the one that made a needed fact true, it
// becomes a step, for the needed position and no better one, and the facts that it rests on are
// needed in its place. What counting alone gives is never a step.
//
// Invariant: every needed fact holds in the current windows and does not follow by counting.
//
// Cost: one pass over the log, and for each step a search around its operation that doubles until
// it has found enough operations to count.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// entry is one narrowing: variable 2v is the lower bound of v, 2v+1 its upper bound.
type entry struct {
	v    int32
	old  int32
	by   int32 // the operation that EmptyBefore and EmptyAfter name
	rule proof.DisplacementRule
}

// trace is a log in chunks, so that growing never copies.
type trace struct {
	chunks [][]entry
	open   []entry // the chunk that grows
}

func (t *trace) add(e entry) {
	if len(t.open) == logChunk { // the first chunk grows as needed: most questions are small
		t.chunks = append(t.chunks, t.open)
		t.open = make([]entry, 0, logChunk)
	}
	t.open = append(t.open, e)
}

func (t *trace) len() int { return len(t.chunks)*logChunk + len(t.open) }

// last calls f with the last n narrowings.
func (t *trace) last(n int, f func(e entry)) {
	for k := len(t.chunks); n > 0; k-- {
		c := t.open
		if k < len(t.chunks) {
			c = t.chunks[k]
		}
		c = c[max(0, len(c)-n):]
		n -= len(c)
		for _, e := range c {
			f(e)
		}
	}
}

func (t *trace) pop() (entry, bool) {
	for len(t.open) == 0 {
		if len(t.chunks) == 0 {
			return entry{}, false
		}
		t.open = t.chunks[len(t.chunks)-1]
		t.chunks = t.chunks[:len(t.chunks)-1]
	}
	e := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	return e, true
}

// reasoner turns refuted Windows into steps. It consumes the windows.
type reasoner struct {
	w *Windows
	// by 2v (+1): the position that a later step needs, in the direction "larger is stronger"
	need  []int32
	near  []int32 // contents sorted by where counting puts them, for Hall intervals
	steps []proof.DisplacementStep
}

const nothing = int32(-1 << 31)

// Refutation returns the proof that there is no solution. The windows must be Refuted; they are
// consumed.
func (w *Windows) Refutation() *proof.Displacement {
	return w.refute(func(r *reasoner) { r.final() })
}

func (w *Windows) refute(end func(r *reasoner)) *proof.Displacement {
	r := &reasoner{w: w, need: make([]int32, 2*len(w.Lo))}
	for i := range r.need {
		r.need[i] = nothing
	}
	r.near = w.nearness()
	end(r)
	for {
		e, ok := w.log.pop()
		if !ok {
			break
		}
		v := e.v / 2
		was := r.bound(e.v)
		if e.v&1 == 0 {
			w.Lo[v] = e.old
		} else {
			w.Hi[v] = e.old
		}
		if need := r.need[e.v]; need != nothing && need > r.bound(e.v) {
			r.need[e.v] = nothing
			r.explain(e, need, was)
		}
	}
	slices.Reverse(r.steps)
	return &proof.Displacement{Bound: w.Bound, Steps: r.steps}
}

// bound returns a bound in the direction "larger is stronger": ends are negated.
func (r *reasoner) bound(side int32) int32 { return r.w.at(side) }

func (w *Windows) at(side int32) int32 {
	if side&1 == 0 {
		return w.Lo[side/2]
	}
	return -w.Hi[side/2]
}

func (b *base) at(side int32) int32 {
	if side&1 == 0 {
		return b.lo[side/2]
	}
	return -b.hi[side/2]
}

// want records that a fact is needed.
func (r *reasoner) want(side, pos int32) {
	if r.bound(side) < pos {
		panic("window: a refutation needs a fact that does not hold")
	}
	if r.w.base.at(side) < pos {
		r.need[side] = max(r.need[side], pos)
	}
}

// given reports whether a fact costs nothing: it follows by counting, or is needed anyway.
func (r *reasoner) given(side, pos int32) bool {
	return r.w.base.at(side) >= pos || r.need[side] >= pos
}

// step appends a step (the last one is collected first).
func (r *reasoner) step(rule proof.DisplacementRule, side, pos, edge int32, by history.OpID) {
	v := side / 2
	s := proof.DisplacementStep{Rule: rule, Upper: side&1 == 1, Value: pos, Edge: edge, By: by}
	s.Op, s.Place = r.w.Q.Name(v)
	if s.Upper {
		s.Value, s.Edge = -pos, -edge
	}
	r.steps = append(r.steps, s)
}

// Name returns the name of variable v in a refutation: its operation, and whether it is a place.
func (q *Queue) Name(v int32) (op history.OpID, place bool) {
	switch {
	case int(v) >= q.M:
		return q.RemOp[int(v)-q.M], true
	case int(v) >= q.N:
		return q.RemOp[q.Taker[v]], false
	default:
		return q.InsOp[v], false
	}
}

// nearness returns the contents sorted by counted position. Values and empty results are each
// sorted already.
func (w *Windows) nearness() []int32 {
	q := w.Q
	near := make([]int32, 0, q.M)
	for i, e := 0, q.N; i < q.N || e < q.M; {
		if e == q.M || i < q.N && w.base.lo[i] <= w.base.lo[q.M+int(q.Taker[e])] {
			near = append(near, int32(i))
			i++
		} else {
			near = append(near, int32(e))
			e++
		}
	}
	return near
}
