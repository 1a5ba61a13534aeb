package collections

// What: the state of the search on a part of a deque (deque_contents.go): its contents, of which
// every part has a hash, and what it remembers of failures (deque_nogoods.go).
//
// Invariant: sums[i]-sums[j] is the hash of ring[i:j], wherever in the ring the contents lie.
//
// Cost: O(1) for an operation.

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// dequeContents is the search.
type dequeContents struct {
	*engine.Account
	lane     *lane
	goal     int32    // how many returns to pass
	ring     []int32  // contents are ring[from:to]
	sums     []uint64 // sums[i]-sums[j] is the hash of ring[i:j] within the contents
	from, to int
	nogoods  dequeNogoods
	frames   []dequeFrame
	moves    []dequeMove
	next     []opIndex   // scratch
	recent   []dequeMove // scratch: those at their call
	patience int64       // steps
	moments  *dequeMoments
	odd      [2]int32 // operations that took effect at other moments, by end
	mostOdd  int32    // at either end
	inserted [2]int32 // insertions that took effect, by end
	start    [2]int32 // where the contents began and ended
}

// dequeFrame is a state on the way.
type dequeFrame struct {
	begun    int32
	op       opIndex // that led to it, -1 at the start
	took     int32   // what it took out; model.Nothing: nothing
	moves    int32   // those from here on in dequeContents.moves, in reverse
	odd      int8    // whether the operation took effect at another moment
	end      int8    // at which its moves work; unclear or given
	branches bool
	failure  dequeFailure
}

// dequeMove is an operation that can come next, and the extra of the beginning that results.
type dequeMove struct {
	op    opIndex
	extra uint16
	odd   int8
}

// outermost returns the place of the item nearest to an end.
func (s *dequeContents) outermost(end int8) int {
	if end == 0 {
		return s.from
	}
	return s.to - 1
}

// do lets an operation take effect, and returns what it took out.
func (s *dequeContents) do(op opIndex) (took int32) {
	switch o := &s.lane.ops[op]; {
	case o.does == model.Insert:
		s.inserted[o.end]++
		s.push(o.end, o.value)
	case o.does == model.Remove && s.from < s.to && o.value != model.Nothing:
		return s.pop(o.end)
	}
	return model.Nothing
}

// takeBack undoes what led to a frame.
func (s *dequeContents) takeBack(f *dequeFrame) {
	if f.op < 0 {
		return
	}
	o := &s.lane.ops[f.op]
	s.odd[o.end] -= int32(f.odd)
	if o.does == model.Insert {
		s.inserted[o.end]--
		s.pop(o.end)
	} else if f.took != model.Nothing {
		s.push(o.end, f.took)
	}
}

func (s *dequeContents) push(end int8, v int32) {
	if end == 0 {
		s.from--
		s.sums[s.from] = s.sums[s.from+1] + hashOfItem(s.from, v)
	} else {
		s.to++
		s.sums[s.to] = s.sums[s.to-1] - hashOfItem(s.to-1, v)
	}
	s.ring[s.outermost(end)] = v
}

func (s *dequeContents) pop(end int8) (v int32) {
	v = s.ring[s.outermost(end)]
	if end == 0 {
		s.from++
	} else {
		s.to--
	}
	return v
}

// hashOfItem hashes a value in a place; sums of such hashes stand for contents.
func hashOfItem(at int, v int32) uint64 {
	h := uint64(at)<<32 | uint64(uint32(v)) + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// dequeFailure is what a subtree that failed depends on.
type dequeFailure struct {
	ends  uint8 // bits of the ends at which it chose
	whole bool  // it depends on all items
	front int32 // place of the innermost item that was looked at from the front
	back  int32 // the same from the back
	until int32 // the last layer that was reached
}

// dequeKey is what operations have taken effect at some ends.
type dequeKey struct {
	mask  uint64
	layer int32
	extra uint16
	ends  uint8
	whole bool
}

// dequeNogood is a failure from a state.
type dequeNogood struct {
	failure dequeFailure
	hash    uint64   // of the items that were looked at
	odd     [2]int32 // dequeContents.odd
	next    int32    // with the same key, -1 for none
}

// dequeNogoods are the failures of a search.
type dequeNogoods struct {
	first    map[dequeKey]int32
	all      []dequeNogood
	removals [][2]int32  // at either end, called before the end of a layer
	masks    [][2]uint64 // of the open operations at either end, by layer
}

// What the end of a frame is if it is not one end.
const (
	unclear = -1 // both
	given   = -2 // there is one move, which needs no choice
)
