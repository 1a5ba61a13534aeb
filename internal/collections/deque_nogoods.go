package collections

// What: what is learned where the search of a part of a deque fails (deque_contents.go).
//
// A subtree that failed has looked at some items at either end, and has chosen among operations at
// one end or at both. It fails in the same way wherever the same operations at these ends have
// taken effect, and the same items lie there: what lies deeper does not matter, as in lifo.go, nor
// does the other end. That is remembered. And where the search goes back to a choice at an end that
// the failure does not depend on, the other operations that could be chosen there are left out.
//
// Source: nogoods and conflict-directed backjumping (Prosser, CI'93).
//
// What we changed: a failure is independent of an end only if nothing that is taken out there until
// then can be among the items that it looked at from the other end. Failures that mix both ends are
// remembered without asking that, so the search may miss what there is, and need not find it.
//
// Invariant: of a frame, failure tells what its moves that failed so far have looked at.
//
// Cost: O(1) for a failure; a state is compared with what failed after the same operations.

import (
	"math"

	"github.com/linsat/linsat/internal/model"
)

// bothEnds are the bits of both ends.
const bothEnds = 3

// sawNothing depends on nothing.
var sawNothing = dequeFailure{front: math.MinInt32, back: math.MaxInt32}

func newDequeNogoods(l *lane) (n dequeNogoods) {
	n.first, n.masks = map[dequeKey]int32{}, make([][2]uint64, len(l.returns)+1)
	var pending [2]uint64
	for _, p := range l.pending {
		pending[l.ops[p].end] |= 1 << l.ops[p].bit
	}
	for layer := range n.masks {
		n.masks[layer] = pending
		if layer < len(l.returns) {
			for _, i := range l.open.Of(int32(layer)) {
				n.masks[layer][l.ops[i].end] |= 1 << l.ops[i].bit
			}
		}
	}
	n.removals = make([][2]int32, 0, len(n.masks))
	next := 0
	var called [2]int32
	for layer := range n.masks {
		for ; next < len(l.ops) && (layer == len(l.returns) || l.ops[next].call < l.ops[l.returns[layer]].ret); next++ {
			if o := &l.ops[next]; o.does == model.Remove && o.value != model.Nothing {
				called[o.end]++
			}
		}
		n.removals = append(n.removals, called)
	}
	return n
}

func (n *dequeNogoods) bytes() int64 {
	return int64(len(n.first))*48 + int64(cap(n.all))*48 + int64(cap(n.masks))*24
}

// join adds what another failure depends on.
func (d *dequeFailure) join(o dequeFailure) {
	d.ends |= o.ends
	d.whole = d.whole || o.whole
	d.front, d.back, d.until = max(d.front, o.front), min(d.back, o.back), max(d.until, o.until)
}

// look notes what the moves of a frame depend on.
func (s *dequeContents) look(f *dequeFrame) {
	d := &f.failure
	d.until = s.lane.begun[f.begun].layer
	switch {
	case f.end == given:
	case f.end == unclear:
		d.ends, d.whole = bothEnds, true
	case f.end == 0:
		d.ends, d.front = 1, int32(s.from)
	default:
		d.ends, d.back = 2, int32(s.to-1)
	}
}

// fail learns from a frame whose moves have all failed, and leaves it.
func (s *dequeContents) fail() {
	f := &s.frames[len(s.frames)-1]
	if f.branches || len(s.frames) > 1 && s.frames[len(s.frames)-2].branches {
		s.depend(&f.failure)
		key := s.key(f.begun, f.failure.ends, f.failure.whole)
		next, known := s.nogoods.first[key]
		if !known {
			next = -1
		}
		s.nogoods.first[key] = int32(len(s.nogoods.all))
		s.nogoods.all = append(s.nogoods.all, dequeNogood{f.failure, s.hash(&f.failure), s.odd, next})
	}
	s.leave()
}

// leave goes back from a frame that failed to the one before it, which depends on the same but for
// what the operation in between pushed. If the failure does not depend on the end at which that
// works, the other moves are left out.
func (s *dequeContents) leave() {
	f := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	s.takeBack(&f)
	if len(s.frames) == 0 {
		return
	}
	d := f.failure
	if o := &s.lane.ops[f.op]; o.does == model.Insert {
		switch {
		case o.end == 0 && d.back < int32(s.from):
			d.ends, d.back = d.ends|1, int32(s.from)
		case o.end == 1 && d.front >= int32(s.to):
			d.ends, d.front = d.ends|2, int32(s.to-1)
		}
	}
	up := &s.frames[len(s.frames)-1]
	if s.depend(&d); up.end >= 0 && d.ends>>up.end&1 == 0 {
		s.moves = s.moves[:up.moves]
		up.failure = d
		return
	}
	up.failure.join(d)
}

// depend adds the ends that a failure may depend on though it chose at the other end only.
func (s *dequeContents) depend(d *dequeFailure) {
	for end := range int8(2) {
		if !s.independent(d, end) {
			d.ends |= 1 << end
		}
	}
}

// independent reports whether nothing that is taken out at an end until a failure can be among the
// items that it looked at from the other end.
func (s *dequeContents) independent(d *dequeFailure, end int8) bool {
	taken := s.nogoods.removals[d.until][end] - s.inserted[end]
	if end == 0 {
		return d.back >= s.start[0]+taken
	}
	return d.front < s.start[1]-taken
}

// key returns which operations at some ends have taken effect.
func (s *dequeContents) key(b int32, ends uint8, whole bool) dequeKey {
	at := s.lane.begun[b]
	k := dequeKey{layer: at.layer, ends: ends, whole: whole}
	for end, mask := range s.nogoods.masks[at.layer] {
		if ends>>end&1 == 1 {
			k.mask |= at.mask & mask
		}
	}
	if int(at.layer) < len(s.lane.returns) && ends>>s.lane.ops[s.lane.returns[at.layer]].end&1 == 1 {
		k.extra = uint16(at.extra)
	}
	return k
}

// hash returns the hash of the items that a failure depends on.
func (s *dequeContents) hash(d *dequeFailure) uint64 {
	if d.whole {
		return s.sums[s.from] - s.sums[s.to]
	}
	h := uint64(0)
	if d.front >= int32(s.from) {
		h = s.sums[s.from] - s.sums[d.front+1]
	}
	if d.back < int32(s.to) {
		h += 31 * (s.sums[d.back] - s.sums[s.to])
	}
	return h
}

// known returns a failure because of which a state fails, or nil.
func (s *dequeContents) known(b int32) *dequeFailure {
	for ends := uint8(1); ends <= bothEnds+1; ends++ {
		n, known := s.nogoods.first[s.key(b, min(ends, bothEnds), ends > bothEnds)]
		for ; known && n >= 0; n = s.nogoods.all[n].next {
			if g := &s.nogoods.all[n]; s.forbids(g) {
				return &g.failure
			}
		}
	}
	return nil
}

// forbids reports whether a state in which the same operations have taken effect fails, too.
func (s *dequeContents) forbids(g *dequeNogood) bool {
	d := &g.failure
	switch {
	case d.ends&1 != 0 && s.odd[0] < g.odd[0],
		d.ends&1 == 0 && !s.independent(d, 0),
		d.ends&2 != 0 && s.odd[1] < g.odd[1],
		d.ends&2 == 0 && !s.independent(d, 1),
		!d.whole && (d.front >= int32(s.to) || d.back < int32(s.from)):
		return false
	}
	return s.hash(d) == g.hash
}
