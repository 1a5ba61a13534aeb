package base

// The operations of one end of a queue, and sets of them, for the verifiers of pairings.

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
)

// End holds the operations of one end: the completed ones by call, then those that never return
// by call.
type End struct {
	ops       []history.Op
	Member    []history.OpID
	Value     []int32        // by place in Member
	Completed int            // how many return
	call      []history.Rank // by place in Member
	ret       []history.Rank
	free      []int // room for Free
	best      []int // room for Best
	room      []int // for With
}

// NewEnd returns the end of those operations that belong to it, with their values.
func NewEnd(ops []history.Op, values []int32, belongs func(op history.OpID) bool) *End {
	e := &End{ops: ops}
	for _, pending := range []bool{false, true} {
		for i := range ops {
			if op := history.OpID(i); ops[i].Pending() == pending && belongs(op) {
				e.Member = append(e.Member, op)
				e.Value = append(e.Value, values[op])
				e.call, e.ret = append(e.call, ops[i].Call), append(e.ret, ops[i].Return)
			}
		}
		if !pending {
			e.Completed = len(e.Member)
		}
	}
	return e
}

// EndSet is a set of operations of one end, by place in Member: all before low, which is the first
// completed one that is not in it, and those of more.
type EndSet struct {
	low  int
	more []int // ascending
}

// Key appends what tells the set from others.
func (s EndSet) Key(key []byte) []byte {
	key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(s.low)), uint64(len(s.more)))
	for _, m := range s.more {
		key = binary.AppendUvarint(key, uint64(m-s.low))
	}
	return key
}

// Op returns the operation at a place in Member, and Pending reports whether it never returns.
func (e *End) Op(k int) *history.Op { return &e.ops[e.Member[k]] }
func (e *End) Pending(k int) bool   { return e.Op(k).Pending() }

// Free returns the unused operations that no unused one precedes, when the first unused one
// returns, and when the last used one was called (-1 without any). The list is valid until the next
// call.
func (e *End) Free(s EndSet) (free []int, returned, called history.Rank) {
	returned, called = history.Never, -1
	if s.low > 0 {
		called = e.call[s.low-1]
	}
	for _, k := range s.more {
		called = max(called, e.call[k])
	}
	free = e.free[:0]
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
	list(s.low, e.Completed)
	list(e.Completed, len(e.Member))
	e.free = free
	kept := free[:0]
	for _, k := range free {
		if e.call[k] <= returned {
			kept = append(kept, k)
		}
	}
	return kept, returned, called
}

// Best leaves out of free what another one of the same value and kind is as good as: one that does
// not return later and, where calls of used operations matter, was not called later. The list is
// valid until the next call.
func (e *End) Best(free []int, kind func(k int) bool, calls bool) []int {
	out := e.best[:0]
	for _, k := range free { // by call, but for those that never return
		better := func(j int) bool {
			return e.Value[j] == e.Value[k] && e.ret[j] <= e.ret[k] && (!calls || e.call[j] <= e.call[k]) &&
				kind(j) == kind(k)
		}
		if slices.ContainsFunc(out, better) {
			continue
		}
		if !calls {
			out = slices.DeleteFunc(out, func(j int) bool {
				return e.Value[j] == e.Value[k] && e.ret[k] < e.ret[j] && kind(j) == kind(k)
			})
		}
		out = append(out, k)
	}
	// The last one is visited first.
	slices.SortFunc(out, func(a, b int) int { return -cmp.Compare(e.ret[a], e.ret[b]) })
	e.best = out
	return out
}

// With returns s and k.
func (e *End) With(s EndSet, k int) EndSet {
	at, _ := slices.BinarySearch(s.more, k)
	more := e.take(len(s.more) + 1)
	copy(more, s.more[:at])
	more[at] = k
	copy(more[at+1:], s.more[at:])
	for len(more) > 0 && more[0] == s.low && s.low < e.Completed {
		more, s.low = more[1:], s.low+1
	}
	s.more = more
	return s
}

// take returns room for n numbers, from blocks.
func (e *End) take(n int) []int {
	if len(e.room) < n {
		e.room = make([]int, max(n, blockOfPlaces))
	}
	taken := e.room[:n:n]
	e.room = e.room[n:]
	return taken
}
