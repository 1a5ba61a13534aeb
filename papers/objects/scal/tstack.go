package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// treiber is the stack of Treiber. Nodes are not used again.
type treiber struct{ top word[*treiberNode] }

type treiberNode struct {
	value int
	next  *treiberNode // written before the node is published
}

// TStack is t-stack.
func TStack(m *mem.Memory) explore.Instance {
	s := &treiber{top: newWord[*treiberNode](m, "top", nil)}
	return named("push", s.push, s.pop)
}

func (s *treiber) push(v int) {
	n := &treiberNode{value: v}
	for {
		top := s.top.raw()
		n.next = top.value
		if s.top.cas(top, top.to(n)) {
			return
		}
	}
}

func (s *treiber) pop() int {
	for {
		top := s.top.raw()
		if top.value == nil {
			return nothing
		}
		if s.top.cas(top, top.to(top.value.next)) {
			return top.value.value
		}
	}
}
