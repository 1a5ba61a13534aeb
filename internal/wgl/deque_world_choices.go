package wgl

// What: the choices at a return of a deque (deque_worlds.go): where an operation that lasted took
// effect, and what open operations make a removal legal.
//
// Source: ours.
//
// Invariant: what takes effect under an item does so just before that was inserted, and was called
// before that; what it takes out had been there.
//
// Cost: worlds with a choice × items inserted since the call; exponential in the open operations
// that one return needs.

import (
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// insertedBefore lists the worlds in which an insertion took effect under what was inserted since
// its call.
func (s *dequeWorlds) insertedBefore(o *laneOp, r int32) {
	x := s.outermost(o.end)
	if x == 0 || s.items[x].end != o.end || s.items[x].at <= o.call {
		return
	}
	el := append(s.left[:0], s.need...)
	s.left = el
	s.above = slices.Grow(s.above[:0], len(s.worlds))[:len(s.worlds)]
	for w := range s.above {
		s.above[w] = none
	}
	for ; x != 0; x = s.items[x].near[1-o.end] {
		it := &s.items[x]
		recent := it.end == o.end && it.at > o.call
		any := uint64(0)
		for k := range el {
			in := ^uint64(0)
			if it.in != nil {
				in = it.in[k]
			}
			if !recent {
				el[k] &^= in
			} else if it.value != o.value {
				for b := el[k] & in; b != 0; b &= b - 1 {
					w := int32(k<<6 + bits.TrailingZeros64(b))
					s.above[w] = int32(len(s.children))
					s.children = append(s.children, worldChild{of: w, cost: costBetween, under: x, first: it.op, settled: true})
				}
			}
			any |= el[k]
		}
		if any == 0 {
			break
		}
	}
	for _, c := range s.above {
		if c != none {
			s.children[c].cost = 0
		}
	}
}

// removedBefore lists the worlds in which a removal took out what is under what was inserted since
// its call.
func (s *dequeWorlds) removedBefore(o *laneOp, r int32) {
	x := s.outermost(o.end)
	if x == 0 || s.items[x].end != o.end || s.items[x].at <= o.call {
		return
	}
	each(s.need, func(w int32) {
		above := int32(0)
		for x := s.outermost(o.end); x != 0; x = s.items[x].near[1-o.end] {
			if !s.has(x, w) {
				continue
			}
			if above != 0 {
				s.chain(w, r, x, above, 0)
			}
			if it := &s.items[x]; it.end != o.end || it.at <= o.call {
				return
			}
			above = x
		}
	})
}

// chain lists the ways in which an operation took out what is under an item, after open operations
// did.
func (s *dequeWorlds) chain(w, r, x, above int32, used uint64) {
	o, it := &s.lane.ops[r], &s.items[above]
	for x != 0 && !s.has(x, w) {
		x = s.items[x].near[1-o.end]
	}
	if x == 0 || s.items[x].end != o.end && s.items[x].at >= it.at {
		return
	}
	s.removes = append(s.removes, x)
	if s.items[x].value == o.value || o.wild() {
		c := int32(costBetween)
		if y := &s.items[x]; y.end != o.end || y.at <= o.call {
			c = 0
		}
		if s.items[x].value == it.value {
			c = 0
		}
		s.children = append(s.children, worldChild{of: w, cost: c, under: none, first: it.op, settled: true,
			out: slices.Clone(s.removes), takes: slices.Clone(s.takes)})
	} else {
		for _, i := range s.lane.open.Of(s.layer) {
			p := &s.lane.ops[i]
			if i == r || used>>p.bit&1 == 1 || p.does == model.Insert || p.end != o.end || p.value != s.items[x].value || p.call >= it.at || s.took(p.bit, w) {
				continue
			}
			s.takes = append(s.takes, worldTake{i, it.op})
			s.chain(w, r, s.items[x].near[1-o.end], above, used|1<<p.bit)
			s.takes = s.takes[:len(s.takes)-1]
		}
	}
	s.removes = s.removes[:len(s.removes)-1]
}

// demand lists the worlds in which open operations make a removal legal.
func (s *dequeWorlds) demand(o *laneOp) {
	left := append(s.left[:0], s.need...)
	s.left = left
	for x := s.outermost(o.end); x != 0; x = s.items[x].near[1-o.end] {
		it := &s.items[x]
		any := uint64(0)
		for k := range left {
			in := ^uint64(0)
			if it.in != nil {
				in = it.in[k]
			}
			if it.value != o.value {
				for b := left[k] & in; b != 0; b &= b - 1 {
					s.makeLegal(int32(k<<6+bits.TrailingZeros64(b)), o, [2]int32{s.outermost(0), s.outermost(1)}, 0)
				}
			}
			left[k] &^= in
			any |= left[k]
		}
		if any == 0 {
			return
		}
	}
	if o.value != model.Nothing {
		each(left, func(w int32) { s.makeLegal(w, o, [2]int32{}, 0) })
	}
}

// makeLegal lists the ways in which open operations make a removal legal in a world. The contents
// are between two items.
func (s *dequeWorlds) makeLegal(w int32, o *laneOp, from [2]int32, used uint64) {
	for e := range int8(2) {
		for from[e] != 0 && (!s.has(from[e], w) || slices.Contains(s.removes, from[e])) {
			from[e] = s.items[from[e]].near[1-e]
		}
	}
	emit := func() {
		s.children = append(s.children, worldChild{of: w, under: none, first: none,
			out: slices.Clone(s.removes), takes: slices.Clone(s.takes)})
	}
	top := from[o.end]
	switch {
	case top == 0 && o.value == model.Nothing:
		emit()
		return
	case top != 0 && s.items[top].value == o.value:
		s.removes = append(s.removes, top)
		emit()
		s.removes = s.removes[:len(s.removes)-1]
		return
	}
	try := func(i int32) {
		x := &s.lane.ops[i]
		if x == o || used>>x.bit&1 == 1 || s.took(x.bit, w) {
			return
		}
		before := history.OpID(none)
		switch {
		case x.does == model.Insert:
			if x.value != o.value || o.value == model.Nothing {
				return
			}
			if x.end != o.end && top != 0 {
				if !s.recent(w, x, 0) {
					return
				}
				before = s.items[top].op
			}
			s.takes = append(s.takes, worldTake{i, before})
			emit()
			s.takes = s.takes[:len(s.takes)-1]
		case top != 0:
			u := top
			if x.end != o.end && o.value == model.Nothing {
				u = from[x.end]
			}
			if x.value != s.items[u].value && !x.wild() {
				return
			}
			if x.end != o.end && u != from[x.end] {
				if !s.recent(w, x, u) {
					return
				}
				out := s.items[u].near[x.end]
				for !s.has(out, w) || slices.Contains(s.removes, out) {
					out = s.items[out].near[x.end]
				}
				if s.items[u].end != x.end && s.items[u].at >= s.items[out].at {
					return
				}
				before = s.items[out].op
			}
			s.takes = append(s.takes, worldTake{i, before})
			s.removes = append(s.removes, u)
			s.makeLegal(w, o, from, used|1<<x.bit)
			s.removes = s.removes[:len(s.removes)-1]
			s.takes = s.takes[:len(s.takes)-1]
		}
	}
	for _, i := range s.lane.open.Of(s.layer) {
		try(i)
	}
	for _, i := range s.lane.pending {
		if s.lane.ops[i].call > o.ret {
			break
		}
		try(i)
	}
}

// recent reports whether all items from the end of an operation up to another item were inserted
// there since its call.
func (s *dequeWorlds) recent(w int32, o *laneOp, until int32) bool {
	for x := s.outermost(o.end); x != until; x = s.items[x].near[1-o.end] {
		if it := &s.items[x]; s.has(x, w) && !slices.Contains(s.removes, x) && (it.end != o.end || it.at <= o.call) {
			return false
		}
	}
	return true
}
