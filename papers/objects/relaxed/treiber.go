package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// treiber is the lock-free stack of Treiber (IBM RJ 5118, 1986): a list whose head is replaced by
// compare-and-swap. Nodes are never used again, so the head cannot change and change back.
type treiber struct{ head *mem.Atomic[*treiberNode] }

type treiberNode struct {
	value int
	next  *treiberNode // written before the node is published
}

// TreiberStack is t-stack.
func TreiberStack(m *mem.Memory) explore.Instance {
	s := &treiber{head: mem.NewAtomic[*treiberNode](m, "head", nil)}
	return stack(s.push, s.pop)
}

func (s *treiber) push(v int) {
	n := &treiberNode{value: v}
	for {
		n.next = s.head.Load()
		if s.head.CompareAndSwap(n.next, n) {
			return
		}
	}
}

func (s *treiber) pop() int {
	for {
		n := s.head.Load()
		if n == nil {
			return nothing
		}
		if s.head.CompareAndSwap(n, n.next) {
			return n.value
		}
	}
}
