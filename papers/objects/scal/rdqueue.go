package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// randomDequeue is the random dequeued queue of Afek, Korland and Yanovsky: a removal marks one of
// the first k nodes. Only one that chose the first moves the head over marked nodes.
type randomDequeue struct {
	*linked
	k      int
	choose Choose
}

// retries is how often a removal chooses at random; then it takes the first node.
const retries = 2

// RDQueue is rd-queue with a window of k nodes.
func RDQueue(k int, choose Choose) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &randomDequeue{newLinked(m), k, choose}
		return named("enq", q.enq, q.deq)
	}
}

func (q *randomDequeue) deq() int {
	for try := 0; ; try++ {
		first, last, next, empty := q.ends()
		if empty {
			return nothing
		}
		steps := 0
		if try < retries {
			steps = q.choose(q.m, q.k)
		}
		n := next.value
		if steps == 0 {
			var moved bool
			if n, moved = q.skip(first, last, n); !moved {
				continue
			}
			if n == nil {
				return nothing
			}
		}
		for range steps {
			if n.next.value() == nil {
				break
			}
			n = n.next.value()
		}
		if !n.taken.Load() && n.taken.CompareAndSwap(false, true) {
			return n.value
		}
	}
}

// skip moves the head over marked nodes from n on, and returns the first that is not marked, or nil
// if none is left. It reports whether it got there: the head may have moved, and does not pass the
// tail.
func (q *randomDequeue) skip(first, last counted[*node], n *node) (*node, bool) {
	for n != nil && n.taken.Load() {
		head := first.to(n)
		if !q.head.cas(first, head) || n == last.value {
			return nil, false
		}
		first = head
		n = n.next.value()
	}
	return n, true
}
