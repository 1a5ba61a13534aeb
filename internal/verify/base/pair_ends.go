package base

// The operations of one end of a queue, and sets of them, for the verifiers of pairings.

import (
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
)

// end holds the operations of one end: the completed ones by call, then those that never return
// by call.
type end struct {
	ops       []history.Op
	member    []history.OpID
	value     []int32        // by place in member
	completed int            // how many return
	call      []history.Rank // by place in member
	ret       []history.Rank
	roomFree  []int // for free
	roomBest  []int // for best
	room      []int // for with
}

// newEnd returns the end of those operations that belong to it, with their values.
func newEnd(ops []history.Op, values []int32, belongs func(op history.OpID) bool) *end {
	e := &end{ops: ops}
	for _, pending := range []bool{false, true} {
		for i := range ops {
			if op := history.OpID(i); ops[i].Pending() == pending && belongs(op) {
				e.member = append(e.member, op)
				e.value = append(e.value, values[op])
				e.call, e.ret = append(e.call, ops[i].Call), append(e.ret, ops[i].Return)
			}
		}
		if !pending {
			e.completed = len(e.member)
		}
	}
	return e
}

// endSet is a set of operations of one end, by place in member: all before low, which is the first
// completed one that is not in it, and those of more.
type endSet struct {
	low  int
	more []int // ascending
}

// appendKey appends what tells the set from others.
func (s endSet) appendKey(key []byte) []byte {
	key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(s.low)), uint64(len(s.more)))
	for _, m := range s.more {
		key = binary.AppendUvarint(key, uint64(m-s.low))
	}
	return key
}

// op returns the operation at a place in member, and pending reports whether it never returns.
func (e *end) op(k int) *history.Op { return &e.ops[e.member[k]] }
func (e *end) pending(k int) bool   { return e.op(k).Pending() }

// free returns the unused operations that no unused one precedes, when the first unused one
// returns, and when the last used one was called (-1 without any). The list is valid until the next
// call.
func (e *end) free(s endSet) (free []int, returned, called history.Rank) {
	returned, called = history.Never, -1
	if s.low > 0 {
		called = e.call[s.low-1]
	}
	for _, k := range s.more {
		called = max(called, e.call[k])
	}
	free = e.roomFree[:0]
	used := s.more
	list := func(from, to int) {
		for k := from; k < to && e.call[k] < returned; k++ {
			for len(used) > 0 && used[0] < k {
				used = used[1:]
			}
			if len(used) == 0 || used[0] != k {
				free = append(free, k)
				returned = min(returned, e.ret[k])
			}
		}
	}
	list(s.low, e.completed)
	list(e.completed, len(e.member))
	e.roomFree = free
	kept := free[:0]
	for _, k := range free {
		if e.call[k] <= returned {
			kept = append(kept, k)
		}
	}
	return kept, returned, called
}

// best leaves out of free what another one of the same value and kind is as good as: one that does
// not return later and, where calls of used operations matter, was not called later. The list is
// valid until the next call.
func (e *end) best(free []int, kind func(k int) bool, calls bool) []int {
	out := e.roomBest[:0]
	for _, k := range free { // by call, but for those that never return
		better := func(j int) bool {
			return e.value[j] == e.value[k] && e.ret[j] <= e.ret[k] && (!calls || e.call[j] <= e.call[k]) &&
				kind(j) == kind(k)
		}
		if slices.ContainsFunc(out, better) {
			continue
		}
		if !calls {
			out = slices.DeleteFunc(out, func(j int) bool {
				return e.value[j] == e.value[k] && e.ret[k] < e.ret[j] && kind(j) == kind(k)
			})
		}
		out = append(out, k)
		// The last one is visited first: it returns first.
		for i := len(out) - 1; i > 0 && e.ret[out[i-1]] < e.ret[k]; i-- {
			out[i-1], out[i] = out[i], out[i-1]
		}
	}
	e.roomBest = out
	return out
}

// with returns s and k.
func (e *end) with(s endSet, k int) endSet {
	at, _ := slices.BinarySearch(s.more, k)
	more := e.take(len(s.more) + 1)
	copy(more, s.more[:at])
	more[at] = k
	copy(more[at+1:], s.more[at:])
	for len(more) > 0 && more[0] == s.low && s.low < e.completed {
		more, s.low = more[1:], s.low+1
	}
	s.more = more
	return s
}

// take returns room for n numbers, from blocks.
func (e *end) take(n int) []int {
	if len(e.room) < n {
		e.room = make([]int, max(n, blockOfPlaces))
	}
	taken := e.room[:n:n]
	e.room = e.room[n:]
	return taken
}
