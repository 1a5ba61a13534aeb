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

// side is a bound of a variable: of v the lower one is 2v, the upper one 2v+1.
type side int32

// side returns the lower bound of v (upper is 0) or the upper one (1).
func (v Variable) side(upper int32) side { return 2*side(v) + side(upper) }

func (s side) variable() Variable { return Variable(s / 2) }
func (s side) upper() int32       { return int32(s & 1) }

// entry is one narrowing.
type entry struct {
	side side
	old  Position
	by   int32 // the Removal that EmptyBefore names, the insertion that EmptyAfter does
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
	// by side: the position that a later step needs, in the direction "larger is stronger"
	need  []Position
	near  []Variable // contents sorted by where counting puts them, for Hall intervals
	steps []proof.DisplacementStep
}

const nothing = -1 << 31

// Refutation returns the proof that there is no solution. The windows must be Refuted; they are
// consumed.
func (w *Windows) Refutation() *proof.Displacement {
	return w.refute(func(r *reasoner) { r.final() })
}

func (w *Windows) refute(end func(r *reasoner)) *proof.Displacement {
	r := &reasoner{w: w, need: make([]Position, 2*len(w.Lo))}
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
		v := e.side.variable()
		was := r.bound(e.side)
		if e.side.upper() == 0 {
			w.Lo[v] = e.old
		} else {
			w.Hi[v] = e.old
		}
		if need := r.need[e.side]; need != nothing && need > r.bound(e.side) {
			r.need[e.side] = nothing
			r.explain(e, need, was)
		}
	}
	slices.Reverse(r.steps)
	return &proof.Displacement{Bound: w.Bound, Steps: r.steps}
}

// bound returns a bound in the direction "larger is stronger": ends are negated.
func (r *reasoner) bound(s side) Position { return r.w.at(s) }

func (w *Windows) at(s side) Position {
	if s.upper() == 0 {
		return w.Lo[s.variable()]
	}
	return -w.Hi[s.variable()]
}

func (b *base) at(s side) Position {
	if s.upper() == 0 {
		return b.lo[s.variable()]
	}
	return -b.hi[s.variable()]
}

// want records that a fact is needed.
func (r *reasoner) want(s side, pos Position) {
	if r.bound(s) < pos {
		panic("window: a refutation needs a fact that does not hold")
	}
	if r.w.base.at(s) < pos {
		r.need[s] = max(r.need[s], pos)
	}
}

// given reports whether a fact costs nothing: it follows by counting, or is needed anyway.
func (r *reasoner) given(s side, pos Position) bool {
	return r.w.base.at(s) >= pos || r.need[s] >= pos
}

// step appends a step (the last one is collected first).
func (r *reasoner) step(rule proof.DisplacementRule, s side, pos, edge Position, by history.OpID) {
	if s.upper() == 1 {
		pos, edge = -pos, -edge
	}
	step := proof.DisplacementStep{Rule: rule, Upper: s.upper() == 1, Value: int32(pos), Edge: int32(edge), By: by}
	step.Op, step.Place = r.w.Q.Name(s.variable())
	r.steps = append(r.steps, step)
}

// Name returns the name of variable v in a refutation: its operation, and whether it is a place.
func (q *Queue) Name(v Variable) (op history.OpID, place bool) {
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
func (w *Windows) nearness() []Variable {
	q := w.Q
	near := make([]Variable, 0, q.M)
	for i, e := 0, q.N; i < q.N || e < q.M; {
		if e == q.M || i < q.N && w.base.lo[i] <= w.base.lo[q.Place(q.Taker[e])] {
			near = append(near, Variable(i))
			i++
		} else {
			near = append(near, Variable(e))
			e++
		}
	}
	return near
}
