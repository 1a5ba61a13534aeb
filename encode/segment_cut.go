package encode

// Segments: a long history as a chain of short ones.
//
// What: a boundary is a moment before a call. Operations that returned before it have taken effect,
// and those called after it have not; of the operations open at it, some have. A segment holds all
// operations that are open or called between two boundaries, and an operation without duration for
// the boundary at each of its ends. Operations before the start boundary take effect in an earlier
// segment, those after the end boundary in a later one; the axioms are about the rest. So
// neighbours share the order literals "x before the boundary" and the state. For registers, the
// operation of the start boundary writes the value, that of the end boundary reads it, and their
// modes are the literals of the value. For counters the order literals suffice.
// The history has a linearization iff the segments have models that agree at the boundaries
// (segment_chain.go). The order of the history, restricted to a segment, is a model of it. Orders
// of the segments, one after the other, are a linearization, since whatever returned before a call
// in the same or an earlier segment stands before it. What holds of the order of the history holds
// in a segment, so symmetry and the orders of counters may be used in it, except where they depend
// on operations outside it.
//
// Where: at the calls where the fewest operations are open, segmentSize to twice as many operations
// apart. Collections are not cut, since the state at a boundary would be large, and neither are
// histories with explicit edges.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// segment is the history between two boundaries, as a question of its own.
type segment struct {
	part    *model.Partition // the operations and the boundaries
	theory  model.Theory
	equivID []int32
	from    []history.OpID // position here → position in the partition, -1 for a boundary
	ends    cnf.Boundary
	// What it shares with the segment before and the one after: open operations, by position here,
	// then values.
	openAtStart, openAtEnd []history.OpID
	startValues, endValues []int32
}

// segmenter cuts one partition.
type segmenter struct {
	bound *model.Instance
	keep  []history.OpID
	modes [][]model.Mode // of registers, by operation of the partition

	registers *model.RegisterTheory
	counting  *model.CountingTheory
	values    [][]int32 // of the register at every boundary
	sums      [][]int64 // of what returned before every boundary
}

// segmentsOf returns the segments of an instance, or nil if it is not cut. In each at least size
// operations are called.
func segmentsOf(bound *model.Instance, keep []history.OpID, modes [][]model.Mode, size int) []*segment {
	c := &segmenter{bound: bound, keep: keep, modes: modes}
	switch t := bound.Axiomatic().(type) {
	case *model.RegisterTheory:
		if len(t.Init) != 1 {
			return nil
		}
		c.registers = t
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
	if c.registers != nil {
		at = c.valuesAt(at)
	} else {
		c.sumsAt(at)
	}
	segments := make([]*segment, len(at)+1)
	var open []history.OpID
	next := 0
	for k := range segments {
		first := next
		for next < len(keep) && (k == len(at) || c.call(keep[next]) < at[k]) {
			next++
		}
		segments[k] = c.segment(at, k, open, keep[first:next])
		open = slices.Concat(open, keep[first:next])
		if k < len(at) {
			open = slices.DeleteFunc(open, func(i history.OpID) bool { return c.ret(i) < at[k] })
		}
	}
	return segments
}

func (c *segmenter) call(i history.OpID) history.Rank { return c.bound.Partition.Ops[i].Call }
func (c *segmenter) ret(i history.OpID) history.Rank  { return c.bound.Partition.Ops[i].Return }

// moments chooses the boundaries: each is before the event of its rank.
func (c *segmenter) moments(size int) []history.Rank {
	byReturn := make([]history.Rank, 0, len(c.keep))
	for _, i := range c.keep {
		byReturn = append(byReturn, c.ret(i))
	}
	slices.Sort(byReturn)
	var at []history.Rank
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

// valuesAt finds the values that the register may have at the boundaries. It returns the boundaries
// without those at which there are too many.
func (c *segmenter) valuesAt(at []history.Rank) []history.Rank {
	var kept []history.Rank
	byReturn := slices.Clone(c.keep)
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(c.ret(x)) - int(c.ret(y)) })
	// the latest called of the operations that certainly write and returned before
	latest := history.OpID(-1)
	last, later := []history.OpID{}, c.keep // possible last writers; those called later
	for _, rank := range at {
		for len(byReturn) > 0 && c.ret(byReturn[0]) < rank {
			if i := byReturn[0]; writesAlways(c.modes[i]) {
				latest = max(latest, i)
			}
			byReturn = byReturn[1:]
		}
		values := []int32{}
		if latest < 0 {
			values = append(values, c.registers.Init[0])
		}
		for len(later) > 0 && c.call(later[0]) < rank {
			last, later = append(last, later[0]), later[1:]
		}
		if latest >= 0 {
			last = slices.DeleteFunc(last, func(i history.OpID) bool { return c.ret(i) < c.call(latest) })
		}
		for _, i := range last {
			for _, m := range c.modes[i] {
				if m.Leaves != model.Keep && !slices.Contains(values, m.Leaves) {
					values = append(values, m.Leaves)
				}
			}
			if len(values) > maxBoundaryValues {
				break
			}
		}
		if len(values) <= maxBoundaryValues {
			slices.Sort(values)
			kept, c.values = append(kept, rank), append(c.values, values)
		}
	}
	return kept
}

func writesAlways(modes []model.Mode) bool {
	return !slices.ContainsFunc(modes, func(m model.Mode) bool { return m.Leaves == model.Keep })
}

// sumsAt sums up what returned before the boundaries, by counter.
func (c *segmenter) sumsAt(at []history.Rank) {
	t := c.counting
	byReturn := slices.Clone(c.keep)
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(c.ret(x)) - int(c.ret(y)) })
	sums := slices.Clone(t.Init)
	for _, rank := range at {
		for len(byReturn) > 0 && c.ret(byReturn[0]) < rank {
			sums[t.Object[byReturn[0]]] += t.Delta[byReturn[0]]
			byReturn = byReturn[1:]
		}
		c.sums = append(c.sums, slices.Clone(sums))
	}
}

// segment builds segment k from the operations open at its start and those called in it.
func (c *segmenter) segment(at []history.Rank, k int, open, called []history.OpID) *segment {
	n := len(open) + len(called) + 2
	p := &segment{ends: cnf.Boundary{Start: -1, End: -1}, from: make([]history.OpID, 0, n),
		equivID: make([]int32, 0, n)}
	ops := make([]history.Op, 0, n)
	unique := int32(-1)
	boundary := func(rank history.Rank) history.OpID {
		ops = append(ops, history.Op{Call: 2*rank - 1, Return: 2*rank - 1})
		p.from, p.equivID = append(p.from, -1), append(p.equivID, unique)
		unique--
		return history.OpID(len(ops) - 1)
	}
	add := func(i history.OpID) {
		o := c.bound.Partition.Ops[i]
		o.Call *= 2
		if o.Return != history.Never {
			o.Return *= 2
		}
		ops, p.from = append(ops, o), append(p.from, i)
		if c.bound.EquivID != nil {
			p.equivID = append(p.equivID, c.bound.EquivID[i])
		}
	}
	for _, i := range open {
		p.openAtStart = append(p.openAtStart, history.OpID(len(ops)))
		add(i)
	}
	if k > 0 {
		p.ends.Start = boundary(at[k-1])
	}
	for _, i := range called {
		add(i)
	}
	if k < len(at) {
		for x, i := range p.from {
			if i >= 0 && c.ret(i) >= at[k] {
				p.openAtEnd = append(p.openAtEnd, history.OpID(x))
			}
		}
		p.ends.End = boundary(at[k])
	}
	if c.bound.EquivID == nil {
		p.equivID = nil
	}
	p.part = &model.Partition{Ops: ops}
	if c.registers != nil {
		p.theory = c.registersOf(p, k)
	} else {
		p.theory = c.countingOf(p, k)
	}
	return p
}

func (c *segmenter) registersOf(p *segment, k int) *model.RegisterTheory {
	t := &model.RegisterTheory{Object: make([]model.CellID, len(p.from)), Init: c.registers.Init,
		Values: c.registers.Values, First: []int32{0}}
	for x, i := range p.from {
		switch {
		case history.OpID(x) == p.ends.Start:
			p.startValues = c.values[k-1]
			for _, v := range p.startValues {
				t.Modes = append(t.Modes, model.Mode{Leaves: v})
			}
		case history.OpID(x) == p.ends.End:
			p.endValues = c.values[k]
			for _, v := range p.endValues {
				t.Modes = append(t.Modes, model.Mode{Test: model.Is, V: v, Leaves: model.Keep})
			}
		default:
			t.Modes = append(t.Modes, c.modes[i]...)
		}
		t.First = append(t.First, int32(len(t.Modes)))
	}
	return t
}

func (c *segmenter) countingOf(p *segment, k int) *model.CountingTheory {
	n := len(p.from)
	t := &model.CountingTheory{Object: make([]model.CellID, n), Delta: make([]int64, n), Observes: make([]bool, n),
		Observed: make([]int64, n), Init: c.counting.Init}
	if k > 0 {
		t.Init = c.sums[k-1]
	}
	for x, i := range p.from {
		if i >= 0 {
			t.Object[x], t.Delta[x], t.Observes[x], t.Observed[x] = c.counting.Object[i], c.counting.Delta[i],
				c.counting.Observes[i], c.counting.Observed[i]
		}
	}
	return t
}
