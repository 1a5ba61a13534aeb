package sets

import "github.com/linsat/linsat/explore/mem"

// harris is the sorted list of Harris and Michael (chapter 9.8): a node is removed by marking its
// next reference, and every operation that passes a marked node unlinks it.
type harris struct {
	m    *mem.Memory
	head *harrisNode
}

type harrisNode struct {
	key  int
	next *mem.Atomic[harrisRef]
}

// harrisRef is a reference and a mark, read and updated together.
type harrisRef struct {
	to     *harrisNode
	marked bool
}

func newHarris(m *mem.Memory) set {
	s := &harris{m: m}
	s.head = s.node(first, s.node(last, nil))
	return s
}

func (s *harris) node(key int, next *harrisNode) *harrisNode {
	return &harrisNode{key, mem.NewAtomic(s.m, named("next", key), harrisRef{to: next})}
}

// find returns the first node from the given one on whose key is at least key, its predecessor, and
// its successor, and unlinks the marked nodes on the way. from is never marked.
func (s *harris) find(from *harrisNode, key int) (pred, curr, succ *harrisNode) {
retry:
	for {
		pred = from
		curr = pred.next.Load().to
		for {
			next := curr.next.Load()
			for next.marked {
				if !pred.next.CompareAndSwap(harrisRef{curr, false}, harrisRef{next.to, false}) {
					continue retry
				}
				curr = next.to
				next = curr.next.Load()
			}
			if curr.key >= key {
				return pred, curr, next.to
			}
			pred, curr = curr, next.to
		}
	}
}

// insert adds a key behind a node and returns the node of the key, and whether it is new.
func (s *harris) insert(from *harrisNode, key int) (n *harrisNode, added bool) {
	for {
		pred, curr, _ := s.find(from, key)
		if curr.key == key {
			return curr, false
		}
		n = s.node(key, curr)
		if pred.next.CompareAndSwap(harrisRef{curr, false}, harrisRef{n, false}) {
			return n, true
		}
	}
}

func (s *harris) removeFrom(from *harrisNode, key int) bool {
	for {
		pred, curr, succ := s.find(from, key)
		if curr.key != key {
			return false
		}
		if !curr.next.CompareAndSwap(harrisRef{succ, false}, harrisRef{succ, true}) {
			continue
		}
		pred.next.CompareAndSwap(harrisRef{curr, false}, harrisRef{succ, false})
		return true
	}
}

// holds goes through the list and writes nothing.
func (s *harris) holds(from *harrisNode, key int) bool {
	curr := from
	for curr.key < key {
		curr = curr.next.Load().to
	}
	return curr.key == key && !curr.next.Load().marked
}

func (s *harris) add(key int) bool {
	_, added := s.insert(s.head, key)
	return added
}

func (s *harris) remove(key int) bool   { return s.removeFrom(s.head, key) }
func (s *harris) contains(key int) bool { return s.holds(s.head, key) }
