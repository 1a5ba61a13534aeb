//go:build !linsat_native

package cds

import (
	"fmt"

	"github.com/linsat/linsat/explore/c11"
)

func dequePaper(x *c11.Exec) { dequeThree(newDeque(x, 2)) }

func dequeResizeBug(x *c11.Exec) {
	q := newDeque(x, 2)
	q.stale = true
	dequeThree(q)
}

func dequeThree(q *deque) {
	q.x.Go(func() { q.steal() })
	q.push(1)
	q.push(2)
	q.push(3)
	q.take()
	q.take()
}

func dequeThieves(x *c11.Exec) {
	q := newDeque(x, 2)
	a := x.Go(func() { q.steal() })
	b := x.Go(func() { q.steal() })
	q.push(1)
	q.push(2)
	q.take()
	a.Join()
	b.Join()
	q.take()
}

func dequeGrow(x *c11.Exec) {
	q := newDeque(x, 2)
	x.Go(func() {
		q.steal()
		q.steal()
	})
	q.push(1)
	q.push(2)
	q.push(3)
	q.take()
	q.take()
	q.take()
}

func dequeReuse(x *c11.Exec) {
	q := newDeque(x, 2)
	q.zeroed = true
	x.Go(func() {
		q.steal()
		q.steal()
	})
	q.push(1)
	q.take()
	q.push(2)
	q.push(3)
	q.push(4)
	q.take()
}

func spscProgram(n int) c11.Program {
	return func(x *c11.Exec) {
		q := newSPSC(x)
		x.Go(func() {
			for i := range n {
				q.enqueue(i + 1)
			}
		})
		x.Go(func() {
			for range n {
				q.dequeue()
			}
		})
	}
}

func rcuPaper(x *c11.Exec) {
	r := newRCU(x)
	for data := 1; data <= 2; data++ {
		x.Go(func() { r.update(data) })
	}
	for range 2 {
		x.Go(func() { r.read() })
	}
}

func rcuTwoObjects(x *c11.Exec) {
	a, b := newRCU(x), newRCU(x)
	x.Go(func() {
		a.update(1)
		b.read()
	})
	x.Go(func() {
		b.update(1)
		a.read()
	})
}

func hashtablePaper(x *c11.Exec) {
	h := newHashtable(x, 4)
	for v := 10; v <= 20; v += 10 {
		x.Go(func() {
			h.put(1, v)
			h.get(1)
		})
	}
}

func hashtableTwoKeys(x *c11.Exec) {
	h := newHashtable(x, 4)
	for key := 1; key <= 2; key++ {
		x.Go(func() {
			h.put(key, 10*key)
			h.get(3 - key)
		})
	}
}

func hashtableReaders(x *c11.Exec) {
	h := newHashtable(x, 4)
	x.Go(func() {
		h.put(1, 10)
		h.put(1, 11)
	})
	x.Go(func() {
		h.get(1)
		h.get(2)
	})
	x.Go(func() {
		h.put(2, 20)
		h.get(1)
	})
}

// mcsProgram is so many threads that take the lock so often; with data, they write under it.
func mcsProgram(threads, times int, data bool) c11.Program {
	return func(x *c11.Exec) {
		l := newMCS(x)
		shared := c11.NewCell(x, "shared", 0)
		for i := range threads {
			me := newMCSNode(x, fmt.Sprintf("n%d", i+1))
			x.Go(func() {
				for range times {
					l.lock(me)
					if data {
						shared.Store(1)
					}
					l.unlock(me)
				}
			})
		}
	}
}

// put and get move a value through the queue; with data, the bin holds it.
func (q *mpmc) put(v int, data bool) {
	if b := q.prepare(); b.ok {
		if data {
			q.bins[b.n].Store(v)
		}
		q.publish()
	}
}

func (q *mpmc) get(data bool) {
	if b := q.fetch(); b.ok {
		if data {
			q.bins[b.n].Load()
		}
		q.consume()
	}
}

func mpmcProgram(size int, data bool) c11.Program {
	return func(x *c11.Exec) {
		q := newMPMC(x, size)
		for i := range 2 {
			x.Go(func() {
				q.put(i+1, data)
				q.get(data)
			})
		}
	}
}

func mpmcWrap(x *c11.Exec) {
	q := newMPMC(x, 1)
	x.Go(func() {
		q.put(1, true)
		q.put(2, true)
	})
	x.Go(func() {
		q.get(true)
		q.get(true)
	})
}

func msPaper(x *c11.Exec) {
	q := newMSQueue(x)
	x.Go(func() { q.enqueue(1) })
	x.Go(func() { q.dequeue() })
}

func msPairs(x *c11.Exec) {
	q := newMSQueue(x)
	for v := 1; v <= 2; v++ {
		x.Go(func() {
			q.enqueue(v)
			q.dequeue()
		})
	}
}

func msDequeuers(x *c11.Exec) {
	q := newMSQueue(x)
	x.Go(func() {
		q.enqueue(1)
		q.enqueue(2)
	})
	for range 2 {
		x.Go(func() { q.dequeue() })
	}
}

func msThree(x *c11.Exec) {
	q := newMSQueue(x)
	for v := 1; v <= 2; v++ {
		x.Go(func() { q.enqueue(v) })
	}
	x.Go(func() {
		q.dequeue()
		q.dequeue()
	})
}

func rwProgram(data bool) c11.Program {
	return func(x *c11.Exec) {
		l := newRWLock(x)
		shared := c11.NewCell(x, "shared", 0)
		for range 2 {
			x.Go(func() {
				l.readLock()
				if data {
					shared.Load()
				}
				l.readUnlock()
				l.writeLock()
				if data {
					shared.Store(1)
				}
				l.writeUnlock()
			})
		}
	}
}

func rwTries(x *c11.Exec) {
	l := newRWLock(x)
	for range 2 {
		x.Go(func() {
			if l.writeTryLock() {
				l.writeUnlock()
			}
			if l.readTryLock() {
				l.readUnlock()
			}
		})
	}
}

// rwTwice is the paper's scenario: a try is under way while the holder unlocks and tries again.
// first is the specification that no try of a free lock fails.
func rwTwice(first bool) c11.Program {
	return func(x *c11.Exec) {
		l := newRWLock(x)
		l.first = first
		try := func() {
			if l.writeTryLock() {
				l.writeUnlock()
			}
		}
		x.Go(func() {
			try()
			try()
		})
		x.Go(try)
	}
}
