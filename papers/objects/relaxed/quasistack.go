package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// quasiStack is a list of segments of k slots, the newest on top, under one lock; how many values
// there are is also read without it. A pop takes one of the top `reach` values.
type quasiStack struct {
	m        *mem.Memory
	k, reach int
	lock     *mem.Mutex
	size     *mem.Atomic[int]
	top      *stackSegment // guarded by lock
	early    bool          // a pop that finds the top segment empty says that the stack is
}

type stackSegment struct {
	values []int // the top last
	below  *stackSegment
}

// QuasiStack returns Quasi Stack with segments of k slots. It takes only the top value, so it is
// linearizable.
func QuasiStack(k int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance { return newQuasiStack(m, k, 1, false) }
}

// QuasiStackB1 returns its fault b1: a pop that finds the top segment empty says that the stack is
// empty. (Segments that lost all their values stay until a pop goes past them.)
func QuasiStackB1(k int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance { return newQuasiStack(m, k, 1, true) }
}

// QuasiStackB2 returns its fault b2: a pop takes a random one of the top k+1 values, one too many.
func QuasiStackB2(k int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance { return newQuasiStack(m, k, k+1, false) }
}

func newQuasiStack(m *mem.Memory, k, reach int, early bool) explore.Instance {
	s := &quasiStack{m: m, k: k, reach: reach, early: early, lock: mem.NewMutex(m, "lock"),
		size: mem.NewAtomic(m, "size", 0), top: &stackSegment{}}
	return stack(s.push, s.pop)
}

func (s *quasiStack) push(v int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(s.top.values) == s.k {
		s.top = &stackSegment{below: s.top}
	}
	s.top.values = append(s.top.values, v)
	s.size.Store(s.size.Load() + 1)
}

func (s *quasiStack) pop() int {
	if s.size.Load() == 0 {
		return nothing
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(s.top.values) == 0 && s.early {
		if s.top.below != nil {
			s.top = s.top.below
		}
		return nothing
	}
	size := s.size.Load()
	if size == 0 {
		return nothing
	}
	s.size.Store(size - 1)
	return s.take(s.m.Choose(min(s.reach, size)))
}

// take takes the value out that lies n below the top.
func (s *quasiStack) take(n int) int {
	for s.top.below != nil && len(s.top.values) == 0 {
		s.top = s.top.below
	}
	segment := s.top
	for n >= len(segment.values) {
		n -= len(segment.values)
		segment = segment.below
	}
	i := len(segment.values) - 1 - n
	v := segment.values[i]
	segment.values = append(segment.values[:i:i], segment.values[i+1:]...)
	return v
}
