package explain

// A search over the windows of registers.
//
// What: depth first over (operations that took effect, value of the cell), for windows from which
// the past or the order was forgotten, which no engine takes: any value may be there at the start,
// optional operations may take effect or not, and only the facts of order that are left count,
// explicit ones included. It quickly finds that a weakened window can be explained after all, where
// the prover would have to exhaust its cases.
//
// Limits: one cell, 128 operations, and a number of nodes; beyond them the answer is unknown.
//
// Invariants: an operation is taken only after every operation that must precede it and must take
// effect; an optional one is never taken after an operation that it precedes. Reads are taken as
// soon as they are legal, unless an optional operation precedes them: this loses no linearization,
// since they change nothing.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// bits is a set of up to 128 operations.
type bits [2]uint64

func (b bits) has(i int) bool      { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bits) with(i int) bits     { b[i>>6] |= 1 << (i & 63); return b }
func (b bits) within(c bits) bool  { return b[0]&^c[0] == 0 && b[1]&^c[1] == 0 }
func (b bits) meets(c bits) bool   { return b[0]&c[0] != 0 || b[1]&c[1] != 0 }
func (b bits) without(c bits) bits { return bits{b[0] &^ c[0], b[1] &^ c[1]} }

type cellSearch struct {
	cells         *model.RegisterTheory
	ops           []history.OpID // operations of the window
	before, after []bits         // by index in ops
	required      bits
	optional      bits
	reads         bits
	// an earlier called optional operation with the same effect, to be used first, or -1
	twin   []int
	failed map[cellPoint][]bits // sets of optional operations with which the rest failed
	ctx    context.Context
	left   int
}

// cellPoint is a configuration but for the optional operations.
type cellPoint struct {
	taken bits
	value int32
}

// explains reports whether the window has a linearization; known is false if a limit was reached.
func explains(ctx context.Context, w *proof.Window) (yes, known bool) {
	cells, ok := w.Theory.(*model.RegisterTheory)
	if !ok || len(cells.Init) != 1 {
		return false, false
	}
	s := &cellSearch{ctx: ctx, cells: cells, failed: map[cellPoint][]bits{}, left: cellSearchNodes}
	for i := range w.Partition.Ops {
		if !w.Gone[i] {
			s.ops = append(s.ops, history.OpID(i))
		}
	}
	if len(s.ops) > 128 {
		return false, false
	}
	s.before, s.after = make([]bits, len(s.ops)), make([]bits, len(s.ops))
	for x, i := range s.ops {
		if w.Optional[i] {
			s.optional = s.optional.with(x)
		} else {
			s.required = s.required.with(x)
		}
		if modes := cells.Of(i); len(modes) == 1 && modes[0].Leaves == model.Keep {
			s.reads = s.reads.with(x)
		}
		for y, j := range s.ops {
			if w.Precedes(i, j) || w.Given(i, j) {
				s.before[y] = s.before[y].with(x)
				s.after[x] = s.after[x].with(y)
			}
		}
	}
	s.findTwins(w)
	starts := []int32{cells.Init[0]}
	if w.Unknown {
		// Every value of the theory, and one that it does not have.
		starts = starts[:0]
		for v := range int32(cells.Values) + 1 {
			starts = append(starts, v)
		}
	}
	for _, v := range starts {
		if s.from(bits{}, v) {
			return true, true
		}
	}
	return false, s.left > 0
}

// findTwins pairs pending operations of the same effect. Called earlier and without a return, the
// earlier one can stand wherever the later one can.
func (s *cellSearch) findTwins(w *proof.Window) {
	last := map[history.OpID]int{} // by effect, the latest
	s.twin = make([]int, len(s.ops))
	for x, i := range s.ops {
		s.twin[x] = -1
		if !s.optional.has(x) || !w.Partition.Ops[i].Pending() || w.Ordered != nil || len(w.Partition.Edges) > 0 {
			continue
		}
		for y := range last {
			if sameModes(s.cells.Of(s.ops[last[y]]), s.cells.Of(i)) {
				s.twin[x] = last[y]
				last[y] = x
			}
		}
		if s.twin[x] < 0 {
			last[i] = x
		}
	}
}

func sameModes(x, y []model.Mode) bool {
	return slices.EqualFunc(x, y, func(a, b model.Mode) bool {
		return a.Test == b.Test && (a.Test == model.Any || a.V == b.V) && a.Leaves == b.Leaves &&
			slices.Equal(a.Others, b.Others)
	})
}

// from reports whether the rest can be explained.
func (s *cellSearch) from(taken bits, value int32) bool {
	if s.required.within(taken) {
		return true
	}
	taken = s.readAll(taken, value)
	if s.required.within(taken) {
		return true
	}
	at, used := cellPoint{taken.without(s.optional), value}, taken.without(s.required)
	for _, f := range s.failed[at] {
		if f.within(used) { // with more of them left it failed already
			return false
		}
	}
	if s.left <= 0 {
		return false
	}
	if s.left--; s.left%256 == 0 && s.ctx.Err() != nil {
		s.left = 0
	}
	for k := range 2 * len(s.ops) { // those that must take effect first
		x := k % len(s.ops)
		i := s.ops[x]
		if s.optional.has(x) != (k >= len(s.ops)) || !s.available(x, taken) {
			continue
		}
		if t := s.twin[x]; t >= 0 && s.available(t, taken) {
			continue
		}
		for _, m := range s.cells.Of(i) {
			if !m.Allows(value) {
				continue
			}
			next := value
			if m.Leaves != model.Keep {
				next = m.Leaves
			}
			if s.optional.has(x) && next == value {
				continue
			}
			if s.from(taken.with(x), next) {
				return true
			}
		}
	}
	s.failed[at] = append(s.failed[at], used)
	return false
}

func (s *cellSearch) available(x int, taken bits) bool {
	return !taken.has(x) && s.before[x].without(s.optional).within(taken) && !s.after[x].meets(taken)
}

// readAll takes the reads that fit and that no optional operation waits for.
func (s *cellSearch) readAll(taken bits, value int32) bits {
	for changed := true; changed; {
		changed = false
		for x, i := range s.ops {
			if s.reads.has(x) && s.required.has(x) && s.available(x, taken) && s.cells.Of(i)[0].Allows(value) &&
				!s.before[x].without(taken).meets(s.optional) {
				taken, changed = taken.with(x), true
			}
		}
	}
	return taken
}
