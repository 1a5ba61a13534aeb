package sets

import (
	"math/bits"

	"github.com/linsat/linsat/explore/mem"
)

// skipList is the skip list without locks (chapter 14.4). Its lowest level is a list of Harris and
// Michael and holds the set; the levels above are shortcuts. A node is removed by marking its
// references from the top down; the mark on the lowest level decides.
type skipList struct {
	m     *mem.Memory
	head  *skipNode
	fault fault
}

// fault is what a faulty skip list does wrong.
type fault int

const (
	sound        fault = iota
	marksTwice         // a remove succeeds though another has marked the node
	ignoresMarks       // an add links behind a marked node
)

type skipNode struct {
	key  int
	next []*mem.Atomic[skipRef] // by level
}

type skipRef struct {
	to     *skipNode
	marked bool
}

func newSkipList(f fault) func(m *mem.Memory) set {
	return func(m *mem.Memory) set {
		s := &skipList{m: m, fault: f}
		end := s.node(last, levels)
		s.head = s.node(first, levels)
		for _, next := range s.head.next {
			next.Store(skipRef{to: end})
		}
		return s
	}
}

func (s *skipList) node(key, height int) *skipNode {
	n := &skipNode{key, make([]*mem.Atomic[skipRef], height)}
	for level := range n.next {
		n.next[level] = mem.NewAtomic(s.m, named(named("next", level), key), skipRef{})
	}
	return n
}

// height is on how many levels a key is: half of the keys on one, a quarter on two. It is a
// function of the key, so that executions can be repeated.
func height(key int) int { return min(levels, 1+bits.TrailingZeros(uint(key)|1<<levels)) }

// find returns on each level the last node whose key is less than key and its successor, unlinks
// the marked nodes on the way, and reports whether the key is in the set.
func (s *skipList) find(key int) (preds, succs [levels]*skipNode, found bool) {
retry:
	for {
		pred := s.head
		for level := levels - 1; level >= 0; level-- {
			curr := pred.next[level].Load().to
			for {
				next := curr.next[level].Load()
				for next.marked {
					if !pred.next[level].CompareAndSwap(skipRef{curr, false}, skipRef{next.to, false}) {
						continue retry
					}
					curr = next.to
					next = curr.next[level].Load()
				}
				if curr.key >= key {
					break
				}
				pred, curr = curr, next.to
			}
			preds[level], succs[level] = pred, curr
		}
		return preds, succs, succs[0].key == key
	}
}

func (s *skipList) add(key int) bool {
	for {
		preds, succs, found := s.find(key)
		if found {
			return false
		}
		n := s.node(key, height(key))
		for level, next := range n.next {
			next.Store(skipRef{to: succs[level]})
		}
		if !s.link(preds[0], succs[0], n) {
			continue
		}
		s.linkAbove(n, preds, succs)
		return true
	}
}

// link puts n between two nodes of the lowest level.
func (s *skipList) link(pred, succ, n *skipNode) bool {
	if s.fault == ignoresMarks {
		seen := pred.next[0].Load()
		return seen.to == succ && pred.next[0].CompareAndSwap(seen, skipRef{n, seen.marked})
	}
	return pred.next[0].CompareAndSwap(skipRef{succ, false}, skipRef{n, false})
}

// linkAbove links n on the levels above, until it is removed.
func (s *skipList) linkAbove(n *skipNode, preds, succs [levels]*skipNode) {
	for level := 1; level < len(n.next); level++ {
		for {
			next := n.next[level].Load()
			if next.marked {
				return
			}
			if next.to != succs[level] && !n.next[level].CompareAndSwap(next, skipRef{succs[level], false}) {
				return // marked meanwhile
			}
			if preds[level].next[level].CompareAndSwap(skipRef{succs[level], false}, skipRef{n, false}) {
				break
			}
			var found bool
			if preds, succs, found = s.find(n.key); !found || succs[0] != n {
				return // removed meanwhile
			}
		}
	}
}

func (s *skipList) remove(key int) bool {
	_, succs, found := s.find(key)
	if !found {
		return false
	}
	n := succs[0]
	for level := len(n.next) - 1; level > 0; level-- {
		for next := n.next[level].Load(); !next.marked; next = n.next[level].Load() {
			n.next[level].CompareAndSwap(next, skipRef{next.to, true})
		}
	}
	for {
		next := n.next[0].Load()
		if next.marked {
			return s.fault == marksTwice
		}
		if n.next[0].CompareAndSwap(next, skipRef{next.to, true}) {
			s.find(key) // unlinks it
			return true
		}
	}
}

func (s *skipList) contains(key int) bool {
	pred := s.head
	for level := levels - 1; ; level-- {
		curr := pred.next[level].Load().to
		for {
			next := curr.next[level].Load()
			for next.marked {
				curr = next.to
				next = curr.next[level].Load()
			}
			if curr.key >= key {
				break
			}
			pred, curr = curr, next.to
		}
		if level == 0 {
			return curr.key == key
		}
	}
}
