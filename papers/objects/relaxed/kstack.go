package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// kStack is a stack of segments of k slots, after the k-stack of Henzinger, Kirsch, Payer, Sezgin
// and Sokolova (POPL 2013). A push takes a free slot of the top segment, a pop a random value of
// it. A push that finds no free slot puts a new segment on top, with its value in it; a pop that
// finds no value removes the segment: it marks it as closing, looks again, and marks it as removed.
// A push that took its slot meanwhile sees the mark. It opens the segment again if it can; if the
// segment is removed, it goes for another slot.
//
// Segments are numbers, and removed ones are used again. A push that finds its segment removed
// takes its value back, unless a pop has taken it; and each slot tells in which life of the segment
// its value was put there, so that until then it counts for nothing in the next life. The bottom
// segment is never removed. The operation that moves the top off a removed segment keeps it for
// reuse.
//
// Scal's k-stack, with the fault that Round-Up found in it, is in package scal.
type kStack struct {
	m        *mem.Memory
	k        int
	top      *mem.Atomic[tagged] // number of a segment, with a count of changes
	segments [maxSegments]*kSegment
	pool     *mem.Mutex
	used     int   // how many of segments there are; guarded by pool
	spare    []int // removed ones; guarded by pool
}

const maxSegments = 8

type kSegment struct {
	// the tag is the life in which the value was put there or taken
	slots []*mem.Atomic[tagged]
	below *mem.Atomic[int]
	state *mem.Atomic[segmentState]
}

type segmentState struct {
	phase   segmentPhase
	life    int // how often the segment was used before
	changes int // of phase
}

func (s segmentState) to(p segmentPhase) segmentState { return segmentState{p, s.life, s.changes + 1} }

type segmentPhase uint8

const (
	live segmentPhase = iota
	closing
	removed
)

// String names the phase in traces.
func (p segmentPhase) String() string { return [...]string{"live", "closing", "removed"}[p] }

const noSegment = -1

// KStackTagged returns k-stack with k slots a segment, with tags.
func KStackTagged(k int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		s := &kStack{m: m, k: k, top: mem.NewAtomic(m, "top", tagged{}), pool: mem.NewMutex(m, "pool")}
		s.segment(noSegment)
		return stack(s.push, s.pop)
	}
}

// segment returns the number of a segment that is to stand on another: one that is free, or a new
// one.
func (s *kStack) segment(below int) int {
	s.pool.Lock()
	defer s.pool.Unlock()
	if n := len(s.spare); n > 0 {
		i := s.spare[n-1]
		s.spare = s.spare[:n-1]
		g := s.segments[i]
		g.below.Store(below)
		old := g.state.Load()
		g.state.Store(segmentState{live, old.life + 1, old.changes + 1})
		return i
	}
	g := &kSegment{below: mem.NewAtomic(s.m, "segment.below", below), state: mem.NewAtomic(s.m, "segment.state",
		segmentState{})}
	for range s.k {
		g.slots = append(g.slots, mem.NewAtomic(s.m, "segment.slot", tagged{}))
	}
	s.segments[s.used] = g
	s.used++
	return s.used - 1
}

func (s *kStack) recycle(i int) {
	s.pool.Lock()
	defer s.pool.Unlock()
	s.spare = append(s.spare, i)
}

// enter reads the top, the segment there and its state, past removed ones.
func (s *kStack) enter() (tagged, *kSegment, segmentState) {
	for {
		top := s.top.Load()
		g := s.segments[top.value]
		state := g.state.Load()
		if state.phase != removed {
			return top, g, state
		}
		s.drop(top, g)
	}
}

// drop moves the top off a removed segment.
func (s *kStack) drop(top tagged, g *kSegment) {
	if s.top.CompareAndSwap(top, top.to(g.below.Load())) {
		s.recycle(top.value)
	}
}

func (s *kStack) push(v int) {
	for {
		top, g, state := s.enter()
		slot, old := s.free(g)
		if slot == nil {
			if s.grow(top, v) {
				return
			}
		} else if item := (tagged{v, state.life}); slot.CompareAndSwap(old, item) &&
			s.committed(g, state.life, slot, item) {
			return
		}
	}
}

// free returns a free slot of a segment, and what is in it.
func (s *kStack) free(g *kSegment) (*mem.Atomic[tagged], tagged) {
	return s.find(g, 0, func(v tagged) bool { return v.value == nothing })
}

// grow puts a segment with a value in it on the top, and reports whether that worked.
func (s *kStack) grow(top tagged, v int) bool {
	n := s.segment(top.value)
	g := s.segments[n]
	life := g.state.Load().life
	slot, _ := s.free(g)
	if slot != nil {
		slot.Store(tagged{v, life})
	}
	if s.top.CompareAndSwap(top, top.to(n)) {
		return slot != nil
	}
	if slot != nil {
		slot.Store(tagged{nothing, life})
	}
	s.recycle(n)
	return false
}

// committed reports whether item, just put into a slot of g in a life of it, is in the stack, or
// was.
func (s *kStack) committed(g *kSegment, life int, slot *mem.Atomic[tagged], item tagged) bool {
	for {
		state := g.state.Load()
		switch {
		case state.life != life || state.phase == removed:
			return !slot.CompareAndSwap(item, tagged{nothing, item.tag})
		case state.phase == live || g.state.CompareAndSwap(state, state.to(live)):
			return true
		}
	}
}

func (s *kStack) pop() int {
	for {
		top, g, state := s.enter()
		full := func(v tagged) bool { return v.value != nothing && v.tag == state.life }
		if slot, old := s.find(g, s.m.Choose(s.k), full); slot != nil {
			if slot.CompareAndSwap(old, tagged{nothing, state.life}) {
				return old.value
			}
			continue
		}
		if state.phase == live {
			if !g.state.CompareAndSwap(state, state.to(closing)) {
				continue
			}
			state = state.to(closing)
		}
		// As long as the segment is closing, no push into it ends: each opens it again, and the
		// changes of state below fail.
		if slot, _ := s.find(g, 0, full); slot != nil {
			g.state.CompareAndSwap(state, state.to(live))
		} else if g.below.Load() == noSegment {
			if g.state.CompareAndSwap(state, state.to(live)) {
				return nothing
			}
		} else if g.state.CompareAndSwap(state, state.to(removed)) {
			s.drop(top, g)
		}
	}
}

// find looks through the slots of a segment, from a start on and around, and returns the first
// whose content is wanted; nil if there is none.
func (s *kStack) find(g *kSegment, start int, wanted func(tagged) bool) (*mem.Atomic[tagged], tagged) {
	for i := range g.slots {
		slot := g.slots[(start+i)%s.k]
		if v := slot.Load(); wanted(v) {
			return slot, v
		}
	}
	return nil, tagged{}
}
