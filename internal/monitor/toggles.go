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
// The refutation counts changes. Up to the return of an operation that triggered a change, the lazy
// run has changed the cell as often as every linearization must. An operation that sees the other
// value throughout requires one change more than up to its call. One that changes the cell itself
// was late because of operations that return no later and were called since the last change by an
// operation that returns later: all of these came before it. So each count follows from one earlier
// count, and the last one is too high. If a shorter past refutes as well, whatever the cell held at
// its beginning, that past is used.
//
// Invariants: no operation waits to see the value that the cell holds; every operation whose return
// has passed is satisfied.
// Cost: O(n log p) with p operations open at a time.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// bits is the state of the procedure for one cell. Values are numbered 0, the initial one, and 1.
type bits struct {
	state    int
	waiting  []history.OpID    // operations that wait to see the other value
	soonest  history.Rank      // the first of their returns
	soonestW history.OpID      // the operation with that return
	ready    [2]returns        // operations that may change it from 0, from 1
	pending  [2][]history.OpID // those that never return
	log      *bitLog           // what a refutation needs; nil if none is wanted
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

// bitLog records how often the cell has changed at every return that triggered a change.
type bitLog struct {
	marks []bitMark
	// later holds, for changes from 0 and from 1, those by operations that return late, the latest
	// first, with the mark just after: only those that return later than any since.
	later [2][]ranked
	fired []ranked // by the current event: from which value, and when the operation returns
}

// bitMark says: at the return of op the cell changed more often than at the mark from, as op
// requires.
type bitMark struct {
	op   history.OpID
	from int32
}

// decideBit decides the current cell.
func (k *cells) decideBit(x int32) finding {
	initial := k.c.Init[x]
	k.witness = k.witness[:0]
	k.log = nil
	if k.bit(initial, 0, 0) {
		k.fill(initial)
		return cellYes
	}
	k.evidence = k.refuteBit(x, initial)
	return cellNo
}

// bit runs from the rank from on, at which the cell holds the initial value or, in state 1, the
// other one.
func (k *cells) bit(initial int32, state int, from history.Rank) bool {
	k.state, k.waiting, k.soonest = state, k.waiting[:0], history.Never
	for d := range 2 {
		k.ready[d], k.pending[d] = k.ready[d][:0], k.pending[d][:0]
	}
	for _, i := range k.own {
		o, m := &k.ops[i], &k.accesses[i]
		if m.effect != sees && m.effect != swaps || o.Return < from {
			continue
		}
		v := 1
		if m.v == initial {
			v = 0
		}
		if m.effect == sees && o.Call < from {
			continue
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
			if o.Return < k.soonest {
				k.soonest, k.soonestW = o.Return, i
			}
		case o.Return == history.Never || o.Call < from:
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
	done := false
	if at == k.soonest {
		k.mark(k.soonestW, -1)
		done = k.fire()
	} else {
		d := 0
		if len(k.ready[0]) == 0 || k.ready[0][0].at != at {
			d = 1
		}
		k.mark(history.OpID(k.ready[d][0].what), d)
		done = (k.state == d || k.fire()) && k.fire()
	}
	if done && k.log != nil {
		k.log.note()
	}
	return done
}

// fire changes the cell by the operation that can change it and returns first.
func (k *cells) fire() bool {
	d := k.state
	ret := history.Never
	switch {
	case len(k.ready[d]) > 0:
		r := k.ready[d].pop()
		ret = r.at
		k.witness = append(k.witness, history.OpID(r.what))
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
	if k.log != nil {
		k.log.fired = append(k.log.fired, ranked{ret, int32(d)})
	}
	return true
}

// mark logs that op triggers something: it changes the cell from d, or sees the other value (-1).
func (k *cells) mark(op history.OpID, d int) {
	l := k.log
	if l == nil {
		return
	}
	from := int32(len(l.marks)) - 1
	if d < 0 {
		for from >= 0 && k.ops[l.marks[from].op].Return > k.ops[op].Call {
			from--
		}
	} else {
		stack := l.later[d]
		for len(stack) > 0 && stack[len(stack)-1].at <= k.ops[op].Return {
			stack = stack[:len(stack)-1]
		}
		l.later[d] = stack
		from = -1
		if len(stack) > 0 {
			from = stack[len(stack)-1].what
		}
	}
	l.marks = append(l.marks, bitMark{op, from})
}

// note logs the changes of the event that the last mark is about.
func (l *bitLog) note() {
	at := int32(len(l.marks)) - 1
	for _, f := range l.fired {
		stack := l.later[f.what]
		for len(stack) > 0 && stack[len(stack)-1].at <= f.at {
			stack = stack[:len(stack)-1]
		}
		l.later[f.what] = append(stack, ranked{f.at, at})
	}
	l.fired = l.fired[:0]
}

// refuteBit builds the refutation of the current cell, which the lazy run found to be a violation.
func (k *cells) refuteBit(x, initial int32) *proof.ToggleCount {
	whole := k.bitRun(initial, 0, 0)
	last := k.ops[whole[len(whole)-1]].Return
	var calls []history.Rank // up to that return
	for _, i := range k.own {
		if k.ops[i].Call < last {
			calls = append(calls, k.ops[i].Call)
		}
	}
	for size := 8; size < len(calls); size *= 2 {
		from := calls[len(calls)-size]
		if a := k.bitRun(initial, 0, from); a != nil {
			if b := k.bitRun(initial, 1, from); b != nil {
				return &proof.ToggleCount{Cell: x, From: from, Runs: [][]history.OpID{a, b}}
			}
		}
	}
	return &proof.ToggleCount{Cell: x, Runs: [][]history.OpID{whole}}
}

// bitRun runs again with a log. It returns the operations that lead to the contradiction, or nil if
// there is none.
func (k *cells) bitRun(initial int32, state int, from history.Rank) []history.OpID {
	k.log = &bitLog{}
	defer func() { k.log = nil }()
	k.witness = k.witness[:0]
	if k.bit(initial, state, from) {
		return nil
	}
	var run []history.OpID
	for at := int32(len(k.log.marks)) - 1; at >= 0; at = k.log.marks[at].from {
		run = append(run, k.log.marks[at].op)
	}
	slices.Reverse(run)
	return run
}
