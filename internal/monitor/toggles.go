package monitor

// Sets by element, and locks: one bit.
//
// What: decides one cell that alternates between two values, by operations that say what they
// found.
// Source: derived for this project. Lazy and by earliest deadline: the cell changes only when an
// unsatisfied operation is about to return, and then by the open operation that changes it in the
// direction needed and returns first. At any time no linearization has changed the cell less often
// than the lazy run. So if no operation is left to make a change, there is no linearization. A
// pending operation may change the cell at any time or never: it is used last.
//
// Invariants: no operation waits to see the value that the cell holds; every operation whose return
// has passed is satisfied.
// Cost: O(n log p) with p operations open at a time.

import (
	"github.com/linsat/linsat/history"
)

// bits is the state of the procedure for one cell. Values are numbered 0, the initial one, and 1.
type bits struct {
	state   int
	waiting []history.OpID    // operations that wait to see the other value
	soonest history.Rank      // the first of their returns
	ready   [2]returns        // operations that may change it from 0, from 1
	pending [2][]history.OpID // those that never return
}

// returns is a heap of operations by return.
type returns []ranked

func (h *returns) push(r ranked) {
	*h = append(*h, r)
	s := *h
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 2
		if s[up].at <= r.at {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = r
}

func (h *returns) pop() ranked {
	s := *h
	top, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for len(s) > 0 {
		down := 2*i + 1
		if down >= len(s) {
			break
		}
		if down+1 < len(s) && s[down+1].at < s[down].at {
			down++
		}
		if last.at <= s[down].at {
			break
		}
		s[i] = s[down]
		i = down
	}
	if len(s) > 0 {
		s[i] = last
	}
	return top
}

// decideBit decides the current cell.
func (k *cells) decideBit(x int32) finding {
	initial := k.c.Init[x]
	k.witness = k.witness[:0]
	if !k.bit(initial) {
		k.evidence = nil // the verifier tries two values again
		return cellNo
	}
	k.fill(initial)
	return cellYes
}

// bit runs from the start.
func (k *cells) bit(initial int32) bool {
	k.state, k.waiting, k.soonest = 0, k.waiting[:0], history.Never
	for d := range 2 {
		k.ready[d], k.pending[d] = k.ready[d][:0], k.pending[d][:0]
	}
	for _, i := range k.own {
		o, m := &k.ops[i], &k.accesses[i]
		if m.effect != sees && m.effect != swaps {
			continue
		}
		v := 1
		if m.v == initial {
			v = 0
		}
		for k.due() < o.Call {
			if !k.serve() {
				return false
			}
		}
		switch {
		case m.effect == sees && v == k.state:
			k.witness = append(k.witness, i)
		case m.effect == sees:
			k.waiting = append(k.waiting, i)
			k.soonest = min(k.soonest, o.Return)
		case o.Return == history.Never:
			k.pending[v] = append(k.pending[v], i)
		default:
			k.ready[v].push(ranked{o.Return, int32(i)})
		}
	}
	for k.due() < history.Never {
		if !k.serve() {
			return false
		}
	}
	return true
}

// due returns the first return of an operation that is not satisfied.
func (k *cells) due() history.Rank {
	at := k.soonest
	for d := range 2 {
		if len(k.ready[d]) > 0 {
			at = min(at, k.ready[d][0].at)
		}
	}
	return at
}

// serve satisfies the operation that is due; it returns false if that is impossible.
func (k *cells) serve() bool {
	at := k.due()
	if at == k.soonest {
		return k.fire()
	}
	d := 0
	if len(k.ready[0]) == 0 || k.ready[0][0].at != at {
		d = 1
	}
	return (k.state == d || k.fire()) && k.fire()
}

// fire changes the cell by the operation that can change it and returns first.
func (k *cells) fire() bool {
	d := k.state
	switch {
	case len(k.ready[d]) > 0:
		k.witness = append(k.witness, history.OpID(k.ready[d].pop().what))
	case len(k.pending[d]) > 0:
		last := len(k.pending[d]) - 1
		k.witness = append(k.witness, k.pending[d][last])
		k.pending[d] = k.pending[d][:last]
	default:
		return false
	}
	k.state = 1 - d
	k.witness = append(k.witness, k.waiting...)
	k.waiting, k.soonest = k.waiting[:0], history.Never
	return true
}
