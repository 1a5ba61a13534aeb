package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// kStack is the k-stack of Henzinger, Kirsch, Payer, Sezgin and Sokolova: a stack of segments of k
// slots. A pop that finds the top segment empty adds itself to those that would remove it, looks
// again, and moves the top. A push whose segment might be removed makes sure that it is not, by
// changing the count of the top, or takes its value back.
//
// The fault that Round-Up reports: committed reads twice how many pops would remove the segment,
// first to see whether it is none, then whether it is one or more. If the last of them gives up in
// between, neither holds. Then the push goes on to put its value into the stack again, although the
// first one is still there.
type kStack struct {
	m       *mem.Memory
	k       int
	choose  Choose
	oneRead bool // the fault is corrected: one read
	top     word[*segment]
}

type segment struct {
	slots    []word[int]
	next     word[*segment]
	removers *mem.Int64
}

// KStack is k-stack with k slots a segment.
func KStack(k int, choose Choose) func(*mem.Memory) explore.Instance {
	return newKStack(k, choose, false)
}

// KStackOneRead is k-stack without its fault.
func KStackOneRead(k int, choose Choose) func(*mem.Memory) explore.Instance {
	return newKStack(k, choose, true)
}

func newKStack(k int, choose Choose, oneRead bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		s := &kStack{m: m, k: k, choose: choose, oneRead: oneRead}
		s.top = newWord(m, "top", s.segment(nil))
		return named("push", s.push, s.pop)
	}
}

func (s *kStack) segment(below *segment) *segment {
	return &segment{slots: newSlots(s.m, s.k), next: newWord(s.m, "segment.next", below),
		removers: mem.NewInt64(s.m, "segment.removers", 0)}
}

func (s *kStack) push(v int) {
	for {
		top := s.top.raw()
		at, old := index(s.m, s.choose, top.value.slots, false)
		if !s.top.holds(top) {
			continue
		}
		if at < 0 {
			s.grow(top)
			continue
		}
		item := old.to(v)
		if slot := top.value.slots[at]; slot.cas(old, item) && s.committed(top, slot, item) {
			return
		}
	}
}

// grow puts an empty segment on the top, without a change of its count.
func (s *kStack) grow(top counted[*segment]) {
	if s.top.holds(top) {
		s.top.cas(top, counted[*segment]{s.segment(top.value), top.count})
	}
}

// committed reports whether item, just put into a slot of the top segment, is in the stack, or was.
// If not, it has been taken back, but for the fault.
func (s *kStack) committed(top counted[*segment], slot word[int], item counted[int]) bool {
	if !slot.holds(item) {
		return true
	}
	if top.value.removers.Load() == 0 {
		return true
	}
	if !s.oneRead && top.value.removers.Load() == 0 {
		return false
	}
	if s.top.holds(top) && s.top.cas(top, top.to(top.value)) {
		return true
	}
	return !slot.cas(item, item.to(nothing))
}

func (s *kStack) pop() int {
	for {
		top := s.top.raw()
		at, old := index(s.m, s.choose, top.value.slots, true)
		if !s.top.holds(top) {
			continue
		}
		if at >= 0 {
			// Scal reads the top once more here, and not the one that it looked through
			if s.top.value().slots[at].cas(old, old.to(nothing)) {
				return old.value
			}
			continue
		}
		if top.value.next.value() != nil {
			s.shrink(top)
		} else if s.empty(top.value) && s.top.holds(top) {
			return nothing
		}
	}
}

// shrink takes the top segment away if it is empty.
func (s *kStack) shrink(top counted[*segment]) {
	next := s.top.value().next.raw()
	if !s.top.holds(top) || next.value == nil {
		return
	}
	top.value.removers.Add(1)
	if s.empty(top.value) && s.top.cas(top, top.to(top.value.next.value())) {
		return
	}
	top.value.removers.Add(-1)
}

// empty looks through the slots of a segment twice, and reports whether they were empty and did not
// change in between.
func (s *kStack) empty(g *segment) bool {
	start := s.choose(s.m, s.k)
	seen := make([]counted[int], s.k)
	for i := range s.k {
		at := (start + i) % s.k
		if seen[at] = g.slots[at].raw(); seen[at].value != nothing {
			return false
		}
	}
	for i := range s.k {
		at := (start + i) % s.k
		if !g.slots[at].holds(seen[at]) {
			return false
		}
	}
	return true
}
