package collections

// What: FIFO queues whose values repeat. Plain search decides the order of two concurrent
// insertions when the first returns, and finds out that it was wrong when they leave, thousands of
// operations later. Here insertions and removals are two lanes, traversed together: the k-th
// insertion is chosen together with the k-th removal, however far apart they are. So a wrong choice
// is detected within a few places.
//
// Source: Lee and Mathur, Fixed parameter tractable linearizability monitoring (PLDI'26, §5 and
// their public program), who keep a reachability table of pairs of frontiers.
//
// What we changed: we search depth first, return a witness, take pending operations, unknown
// results and initial contents, and replace the table of what overlaps by two moments. A
// configuration is (insertions, removals and peeks so far, the value at the front if it has been
// chosen). With it go the earliest moments at which the last insertion (E) and the last removal (D)
// can have taken effect. An insertion takes effect no earlier than the one before it, its call, and
// the last time the queue was found empty; a removal no earlier than the one before it, its
// insertion, and its call. The choice is possible as long as E is before all returns of the
// insertions that are left, and D before those of the removals left. D is the latest of E and the
// calls of all that was chosen, so it is a function of the configuration and E. E is not: that the
// queue was found empty may have held up the insertions more or less. Less is never worse, so a
// configuration fails whenever it has failed with an earlier or equal E.
//
// Of two insertions of one value that can come next, or two removals, the one that returns later is
// omitted if the other does not delay E or D: in every solution that has them the other way round
// they can be exchanged.
//
// When all removals have been placed, only insertions are left, which can be placed by call. A
// witness sorts operations by moment, and at the same moment by the order of their choice. That is
// legal, because the order of choice has each insertion before its removal, and what is inserted
// after the queue was empty after that.
//
// Invariant: E and D are before all returns that are due.
//
// Cost: a configuration is visited once for each E with which it fails. There are at most 4^c v
// configurations for each place, where c is the concurrency and v the number of values.
// Linearizable runs mostly take a few steps a place.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// fifo is a search on one queue.
type fifo struct {
	*engine.Account
	part    *model.Partition
	in, out *lane
	free    []history.OpID // operations that are legal everywhere: peeks of unknown result
	moves   []fifoMove
	frames  []fifoFrame
	failed  map[fifoKey]history.Rank // the least E with which it failed
	seen    []int32                  // scratch
	inNext  []opIndex                // scratch
	outNext []opIndex                // scratch
}

// fifoKey is a configuration. front is Nothing if an insertion, or an empty result, comes next.
type fifoKey struct{ in, out, front int32 }

// fifoMove is an operation that comes next, and the resulting configuration.
type fifoMove struct {
	fifoKey
	op      opIndex // in its lane
	inserts bool
	e, d    history.Rank
}

// fifoFrame is a configuration whose moves are being tried.
type fifoFrame struct {
	fifoMove
	next, end int32 // in moves
}

// newFIFO reads a partition of one queue; nil if it is too concurrent.
func newFIFO(b *model.Instance, t *model.CollectionTheory, budget *engine.Account) *fifo {
	s := &fifo{Account: budget, part: b.Partition, failed: map[fifoKey]history.Rank{}}
	var in, out []laneOp
	for k, v := range t.Initial[0] {
		at := 2 * history.Rank(k-len(t.Initial[0]))
		in = append(in, laneOp{op: -1, call: at, ret: at + 1, does: model.Insert, value: v})
	}
	for i := range b.Partition.Ops {
		o := &b.Partition.Ops[i]
		x := laneOp{op: history.OpID(i), call: o.Call, ret: o.Return, does: t.Does[i], value: t.Value[i]}
		switch {
		case x.does == model.Insert:
			in = append(in, x)
		case x.does == model.Peek && (x.value == model.Anything || o.Pending()):
			if !o.Pending() {
				s.free = append(s.free, x.op)
			}
		default:
			out = append(out, x)
		}
	}
	s.in, s.out = newLane(in), newLane(out)
	if s.in == nil || s.out == nil {
		return nil
	}
	s.Footprint = func() int64 {
		return s.in.bytes() + s.out.bytes() + int64(cap(s.moves))*28 + int64(cap(s.frames))*36 + int64(len(s.failed))*48
	}
	return s
}

// search decides.
func (s *fifo) search() outcome {
	s.frames = append(s.frames[:0],
		fifoFrame{fifoMove: fifoMove{fifoKey: fifoKey{s.in.first, s.out.first, model.Nothing}, op: -1, e: s.start(),
			d: s.start()}})
	s.list()
	for len(s.frames) > 0 {
		f := &s.frames[len(s.frames)-1]
		if s.out.complete(f.out) {
			return found
		}
		if f.next == f.end {
			s.failed[f.fifoKey] = f.e
			s.frames = s.frames[:len(s.frames)-1]
			if n := len(s.frames); n > 0 {
				s.moves = s.moves[:s.frames[n-1].end]
			}
			continue
		}
		m := s.moves[f.next]
		f.next++
		if !s.Step() {
			return gaveUp
		}
		if e, ok := s.failed[m.fifoKey]; ok && e <= m.e {
			continue
		}
		s.frames = append(s.frames, fifoFrame{fifoMove: m})
		s.list()
	}
	return failed
}

// start is a moment before all others.
func (s *fifo) start() history.Rank {
	at := history.Rank(0)
	if len(s.in.ops) > 0 {
		at = min(at, s.in.ops[0].call)
	}
	return at
}

// list lists the moves of the frame on top, in the order in which they are tried.
func (s *fifo) list() {
	f := &s.frames[len(s.frames)-1]
	f.next = int32(len(s.moves))
	if f.front == model.Nothing {
		s.listInsertions(f)
	} else {
		s.listRemovals(f)
	}
	f.end = int32(len(s.moves))
}

// listInsertions lists what can happen when everything inserted has been removed: the queue is
// found empty, or a value is inserted that a removal or a peek which can come next needs.
func (s *fifo) listInsertions(f *fifoFrame) {
	s.outNext = s.out.next(f.out, s.outNext[:0])
	s.inNext = s.in.next(f.in, s.inNext[:0])
	inDue, outDue := s.in.due(f.in), s.out.due(f.out)
	s.seen = s.seen[:0]
	for _, r := range s.outNext {
		o := &s.out.ops[r]
		if o.value == model.Nothing || o.wild() && o.ret != history.Never {
			if at := max(f.d, o.call); at < inDue && at < outDue {
				s.moves = append(s.moves, fifoMove{fifoKey{f.in, s.out.with(f.out, r, 0), model.Nothing}, r, false,
					max(f.e, at), at})
			}
		}
		if o.value == model.Nothing || slices.Contains(s.seen, o.value) {
			continue
		}
		s.seen = append(s.seen, o.value)
		for k, i := range s.inNext {
			x := &s.in.ops[i]
			e := max(f.e, x.call)
			if d := max(f.d, e); (x.value == o.value || o.wild()) && d < outDue &&
				!s.leaveOut(s.in, s.inNext[:k], x, f.e) {
				s.moves = append(s.moves, fifoMove{fifoKey{s.in.with(f.in, i, 0), f.out, x.value}, i, true, e, d})
			}
		}
	}
}

// listRemovals lists the removals and peeks of the value at the front.
func (s *fifo) listRemovals(f *fifoFrame) {
	s.outNext = s.out.next(f.out, s.outNext[:0])
	due := s.out.due(f.out)
	from := len(s.moves)
	for k, r := range s.outNext {
		o := &s.out.ops[r]
		d := max(f.d, o.call)
		if o.value != f.front && !o.wild() || d >= due || s.leaveOut(s.out, s.outNext[:k], o, f.d) {
			continue
		}
		m := fifoMove{fifoKey{f.in, s.out.with(f.out, r, 0), model.Nothing}, r, false, f.e, d}
		if o.does == model.Peek {
			if m.front = f.front; d == f.d { // it delays nothing
				s.moves = append(s.moves[:from], m)
				return
			}
		}
		s.moves = append(s.moves, m)
	}
}

// leaveOut reports whether one of the operations before x, which return earlier, can replace x; at
// is the moment after which x comes.
func (s *fifo) leaveOut(l *lane, before []opIndex, x *laneOp, at history.Rank) bool {
	for _, i := range before {
		o := &l.ops[i]
		if o.does == x.does && o.value == x.value && max(at, o.call) <= max(at, x.call) {
			return true
		}
	}
	return false
}

// linearization returns the operations in order, after search has found one.
func (s *fifo) linearization() []history.OpID {
	all := make([]placed, 0, len(s.in.ops)+len(s.out.ops)+len(s.free))
	for _, f := range s.frames[1:] {
		switch {
		case !f.inserts:
			all = append(all, placed{f.d, s.out.ops[f.op].op})
		case s.in.ops[f.op].op >= 0:
			all = append(all, placed{f.e, s.in.ops[f.op].op})
		}
	}
	last := s.frames[len(s.frames)-1]
	at, due := s.in.begun[last.in], s.in.due(last.in)
	for _, r := range s.in.returns[at.layer:] {
		if o := &s.in.ops[r]; o.op >= 0 && (o.call >= due || at.mask>>o.bit&1 == 0) {
			all = append(all, placed{max(last.e, o.call), o.op})
		}
	}
	return ordered(all, s.free, s.part)
}

// ordered sorts operations by moment, and those of one moment as they are listed; free ones come
// right after their calls.
func ordered(all []placed, free []history.OpID, p *model.Partition) []history.OpID {
	for _, i := range free {
		all = append(all, placed{p.Ops[i].Call, i})
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].at < all[b].at })
	order := make([]history.OpID, len(all))
	for k, p := range all {
		order[k] = p.op
	}
	return order
}
