package encode

// Cuts: a long part as a chain of short pieces.
//
// What: a linearization of the whole, seen between two moments. A cut is a moment before a call.
// Operations that returned before it have taken effect, those called after it have not; of those
// that are open, some have. A piece holds all operations that are open or called between two cuts,
// and a mark at each of its ends: an operation without duration. What stands before the mark of the
// start has happened in an earlier piece, what stands after the mark of the end happens in a later
// one, and the axioms speak of the rest. So the order literals "x before the mark" are what two
// neighbours have in common, together with the state: for cells, the mark of the start writes the
// value and the mark of the end reads it, and their modes are the literals for it; for counters the
// order literals say it all.
//
// The part has a linearization iff the pieces have models that agree where they meet (relay.go):
// the order of the part, restricted to a piece, is a model of it, and orders of the pieces, one
// after the other, are a linearization, since whatever returned before a call in the same or an
// earlier piece stands before it. Everything that holds of the order of the whole holds in a piece,
// so what symmetry.go and counting.go know may be used there, but for what depends on operations
// that the piece does not know.
//
// Where: at the calls where the fewest operations are open, pieceSize to twice as many operations
// apart.
//
// Not cut: collections, whose contents are no small state, and parts with explicit edges. (Several
// objects come one by one, objects.go.)

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

const (
	pieceSize  = 128 // operations called in a piece, at least
	maxHandled = 64  // values that a cell may have at a cut
)

// piece is a part between two cuts, as a question of its own.
type piece struct {
	part   *model.Partition // the operations and the marks
	theory model.Theory
	sig    []int32
	from   []int32 // position here → in the whole part, -1 for marks
	ends   cnf.Boundary
	// What it shares with the piece before and the one after: open operations, then values. By
	// position here, or a value.
	carried, handed       []int32
	carriedVals, handVals []int32
}

// cutter makes pieces of one part.
type cutter struct {
	bound *model.Instance
	keep  []int32
	modes [][]model.Mode // of cells, by operation of the part

	cells    *model.RegisterTheory
	counting *model.CountingTheory
	values   [][]int32 // of the cell at every cut
	sums     [][]int64 // of what returned before every cut
}

// cuts returns the pieces of a part, nil if it is not to be cut. Size is the least number of
// operations called in a piece.
func cuts(bound *model.Instance, keep []int32, modes [][]model.Mode, size int) []*piece {
	c := &cutter{bound: bound, keep: keep, modes: modes}
	switch t := bound.Theory.(type) {
	case *model.RegisterTheory:
		if len(t.Init) != 1 {
			return nil
		}
		c.cells = t
	case *model.CountingTheory:
		c.counting = t
	default:
		return nil
	}
	if len(bound.Partition.Edges) > 0 || len(keep) < 2*size {
		return nil
	}
	at := c.moments(size)
	if len(at) == 0 {
		return nil
	}
	if c.cells != nil {
		at = c.valuesAt(at)
	} else {
		c.sumsAt(at)
	}
	pieces := make([]*piece, len(at)+1)
	var open []int32
	next := 0
	for k := range pieces {
		first := next
		for next < len(keep) && (k == len(at) || c.call(keep[next]) < at[k]) {
			next++
		}
		pieces[k] = c.piece(at, k, open, keep[first:next])
		open = slices.Concat(open, keep[first:next])
		if k < len(at) {
			open = slices.DeleteFunc(open, func(i int32) bool { return c.ret(i) < at[k] })
		}
	}
	return pieces
}

func (c *cutter) call(i int32) int32 { return c.bound.Partition.Ops[i].Call }
func (c *cutter) ret(i int32) int32  { return c.bound.Partition.Ops[i].Return }

// moments chooses the ranks to cut at: before the event of that rank.
func (c *cutter) moments(size int) []int32 {
	byReturn := make([]int32, 0, len(c.keep))
	for _, i := range c.keep {
		byReturn = append(byReturn, c.ret(i))
	}
	slices.Sort(byReturn)
	var at []int32
	returned, pending, last, best, fewest := 0, 0, 0, -1, 0
	for k, i := range c.keep {
		for byReturn[returned] < c.call(i) {
			returned++
		}
		if k-last >= size && c.call(c.keep[k-1]) < c.call(i) && len(c.keep)-k >= size/2 {
			if open := k - returned - pending; best < 0 || open < fewest {
				best, fewest = k, open
			}
		}
		if c.ret(i) == history.Never {
			pending++
		}
		if best >= 0 && (fewest == 0 || k-last >= 2*size-1 || k == len(c.keep)-1) {
			at = append(at, c.call(c.keep[best]))
			last, best = best, -1
		}
	}
	return at
}

// valuesAt finds the values that the cell may have at the cuts, and leaves out the cuts where it
// may have too many.
func (c *cutter) valuesAt(at []int32) []int32 {
	var kept []int32
	byReturn := slices.Clone(c.keep)
	slices.SortFunc(byReturn, func(x, y int32) int { return int(c.ret(x)) - int(c.ret(y)) })
	// the latest called of the operations that certainly write and returned before
	latest := int32(-1)
	last, later := []int32{}, c.keep // that may be the last to write, and that were called later
	for _, rank := range at {
		for len(byReturn) > 0 && c.ret(byReturn[0]) < rank {
			if i := byReturn[0]; writesAlways(c.modes[i]) {
				latest = max(latest, i)
			}
			byReturn = byReturn[1:]
		}
		values := []int32{}
		if latest < 0 {
			values = append(values, c.cells.Init[0])
		}
		for len(later) > 0 && c.call(later[0]) < rank {
			last, later = append(last, later[0]), later[1:]
		}
		if latest >= 0 {
			last = slices.DeleteFunc(last, func(i int32) bool { return c.ret(i) < c.call(latest) })
		}
		for _, i := range last {
			for _, m := range c.modes[i] {
				if m.Leaves != model.Keep && !slices.Contains(values, m.Leaves) {
					values = append(values, m.Leaves)
				}
			}
			if len(values) > maxHandled {
				break
			}
		}
		if len(values) <= maxHandled {
			slices.Sort(values)
			kept, c.values = append(kept, rank), append(c.values, values)
		}
	}
	return kept
}

func writesAlways(modes []model.Mode) bool {
	return !slices.ContainsFunc(modes, func(m model.Mode) bool { return m.Leaves == model.Keep })
}

// sumsAt sums up what returned before the cuts, by counter.
func (c *cutter) sumsAt(at []int32) {
	t := c.counting
	byReturn := slices.Clone(c.keep)
	slices.SortFunc(byReturn, func(x, y int32) int { return int(c.ret(x)) - int(c.ret(y)) })
	sums := slices.Clone(t.Init)
	for _, rank := range at {
		for len(byReturn) > 0 && c.ret(byReturn[0]) < rank {
			sums[t.Object[byReturn[0]]] += t.Delta[byReturn[0]]
			byReturn = byReturn[1:]
		}
		c.sums = append(c.sums, slices.Clone(sums))
	}
}

// piece makes piece k, of the operations open at its start and those called in it.
func (c *cutter) piece(at []int32, k int, open, called []int32) *piece {
	n := len(open) + len(called) + 2
	p := &piece{ends: cnf.Boundary{Start: -1, End: -1}, from: make([]int32, 0, n), sig: make([]int32, 0, n)}
	ops := make([]history.Op, 0, n)
	marks := int32(-1)
	mark := func(rank int32) int32 {
		ops = append(ops, history.Op{Call: 2*rank - 1, Return: 2*rank - 1})
		p.from, p.sig = append(p.from, -1), append(p.sig, marks)
		marks--
		return int32(len(ops) - 1)
	}
	add := func(i int32) {
		o := c.bound.Partition.Ops[i]
		o.Call *= 2
		if o.Return != history.Never {
			o.Return *= 2
		}
		ops, p.from = append(ops, o), append(p.from, i)
		if c.bound.EquivID != nil {
			p.sig = append(p.sig, c.bound.EquivID[i])
		}
	}
	for _, i := range open {
		p.carried = append(p.carried, int32(len(ops)))
		add(i)
	}
	if k > 0 {
		p.ends.Start = mark(at[k-1])
	}
	for _, i := range called {
		add(i)
	}
	if k < len(at) {
		for x, i := range p.from {
			if i >= 0 && c.ret(i) >= at[k] {
				p.handed = append(p.handed, int32(x))
			}
		}
		p.ends.End = mark(at[k])
	}
	if c.bound.EquivID == nil {
		p.sig = nil
	}
	p.part = &model.Partition{Ops: ops}
	if c.cells != nil {
		p.theory = c.cellsOf(p, k)
	} else {
		p.theory = c.countingOf(p, k)
	}
	return p
}

func (c *cutter) cellsOf(p *piece, k int) *model.RegisterTheory {
	t := &model.RegisterTheory{Object: make([]int32, len(p.from)), Init: c.cells.Init, Values: c.cells.Values, First: []int32{0}}
	for x, i := range p.from {
		switch {
		case int32(x) == p.ends.Start:
			p.carriedVals = c.values[k-1]
			for _, v := range p.carriedVals {
				t.Modes = append(t.Modes, model.Mode{Leaves: v})
			}
		case int32(x) == p.ends.End:
			p.handVals = c.values[k]
			for _, v := range p.handVals {
				t.Modes = append(t.Modes, model.Mode{Test: model.Is, V: v, Leaves: model.Keep})
			}
		default:
			t.Modes = append(t.Modes, c.modes[i]...)
		}
		t.First = append(t.First, int32(len(t.Modes)))
	}
	return t
}

func (c *cutter) countingOf(p *piece, k int) *model.CountingTheory {
	n := len(p.from)
	t := &model.CountingTheory{Object: make([]int32, n), Delta: make([]int64, n), Observes: make([]bool, n), Observed: make([]int64, n), Init: c.counting.Init}
	if k > 0 {
		t.Init = c.sums[k-1]
	}
	for x, i := range p.from {
		if i >= 0 {
			t.Object[x], t.Delta[x], t.Observes[x], t.Observed[x] = c.counting.Object[i], c.counting.Delta[i], c.counting.Observes[i], c.counting.Observed[i]
		}
	}
	return t
}
