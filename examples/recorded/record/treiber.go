package main

import "sync/atomic"

// treiber is the lock-free stack of Treiber (IBM RJ 5118, 1986): a list whose head is replaced by
// compare-and-swap. The garbage collector keeps a node from being used again while a thread still
// reads it.
type treiber struct{ head atomic.Pointer[node] }

type node struct {
	value int64
	next  *node
}

func (s *treiber) push(v int64) {
	n := &node{value: v}
	for {
		n.next = s.head.Load()
		if s.head.CompareAndSwap(n.next, n) {
			return
		}
	}
}

func (s *treiber) pop() (v int64, ok bool) {
	for {
		n := s.head.Load()
		if n == nil {
			return 0, false
		}
		if s.head.CompareAndSwap(n, n.next) {
			return n.value, true
		}
	}
}
