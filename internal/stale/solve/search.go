package solve

// Search, where values repeat or operations do more than read and write.
//
// What: puts one operation after the other into an order, as in the search for linearizations
// [Wing, Gong, JPDC 17, 1993; Lowe, CCPE 29(4), 2017], with the last versions as the state. A read
// is put there as soon as it comes after no other one that is left and finds what it returned.
//
// Why: a read changes nothing, so it can be put earlier in every order in which it could be put.
//
// Invariant: reached is the latest call of those that were looked at; those called later came after
// one that was left.
//
// Cost: exponential in what overlaps, at worst; steps bounds it.

import (
	"context"
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
)

// searcher puts operations into an order.
type searcher struct {
	ctx      context.Context
	ops      []*stale.Op
	bound    int
	regular  bool
	steps    int
	left     links // by call
	returns  links // by return: of all that are left
	writes   links // the same of those that are no reads
	must     int   // completed operations that are left
	versions []int32
	order    []int32
	set      [2]uint64
	dead     map[[2]uint64]struct{}
	reached  history.Rank
	stopped  bool
}

// search looks for an order of the operations.
func search(ctx context.Context, ops []*stale.Op, initial int32, bound int, regular bool,
	steps int) (*searcher, outcome) {
	s := &searcher{ctx: ctx, ops: ops, bound: min(bound, len(ops)), regular: regular, steps: steps,
		versions: []int32{initial}, dead: map[[2]uint64]struct{}{}, reached: start}
	by := func(key func(o *stale.Op) history.Rank) links {
		list := make([]cluster, len(ops))
		for i, o := range ops {
			list[i].call = key(o)
		}
		return newLinks(list, func(c *cluster) history.Rank { return c.call })
	}
	s.left = by(func(o *stale.Op) history.Rank { return o.Call })
	s.returns = by(func(o *stale.Op) history.Rank { return o.Return })
	s.writes = by(func(o *stale.Op) history.Rank { return o.Return })
	for i, o := range ops {
		if o.Read {
			s.writes.remove(int32(i))
		}
		if !o.Pending() {
			s.must++
		}
	}
	switch {
	case s.next():
		return s, placed
	case s.stopped:
		return s, stopped
	}
	return s, impossible
}

// next reports whether what is left can be put behind the order.
func (s *searcher) next() bool {
	if s.steps--; s.steps < 0 || s.steps&1023 == 0 && s.ctx.Err() != nil {
		s.stopped = true
		return false
	}
	here := len(s.order)
	for s.putRead() {
	}
	if s.must == 0 {
		return true
	}
	key := s.key()
	if _, known := s.dead[key]; !known {
		if s.putOther() {
			return true
		}
		if !s.stopped {
			s.dead[key] = struct{}{}
		}
	}
	for len(s.order) > here {
		s.takeBack()
	}
	return false
}

// putRead puts a read that can be put next.
func (s *searcher) putRead() bool {
	n := int32(len(s.ops))
	for i := s.left.first(); i != n; i = s.left.next[i] {
		o := s.ops[i]
		s.reached = max(s.reached, o.Call)
		if o.Call > s.least(&s.writes) {
			return false // as do all that are called later
		}
		if o.Read && (s.regular || o.Call <= s.least(&s.returns)) && s.finds(o) {
			s.put(i)
			return true
		}
	}
	return false
}

// putOther tries the operations that are no reads.
func (s *searcher) putOther() bool {
	n := int32(len(s.ops))
	for i := s.left.first(); i != n; i = s.left.next[i] {
		o := s.ops[i]
		s.reached = max(s.reached, o.Call)
		if o.Call > s.least(&s.returns) {
			return false
		}
		if o.Read {
			continue
		}
		for _, m := range o.Modes {
			if !m.Allows(s.versions[len(s.versions)-1]) {
				continue
			}
			s.put(i)
			if m.Leaves != model.Keep {
				s.versions = append(s.versions, m.Leaves)
			}
			if s.next() {
				return true
			}
			if m.Leaves != model.Keep {
				s.versions = s.versions[:len(s.versions)-1]
			}
			s.takeBack()
			if s.stopped {
				return false
			}
		}
	}
	return false
}

// least is the first return of what is left in a list.
func (s *searcher) least(l *links) history.Rank {
	if i := l.first(); int(i) < len(s.ops) {
		return s.ops[i].Return
	}
	return math.MaxInt32
}

// finds reports whether a read finds what it returned among the last versions.
func (s *searcher) finds(o *stale.Op) bool {
	for _, v := range s.versions[max(0, len(s.versions)-1-s.bound):] {
		if o.Modes[0].Allows(v) {
			return true
		}
	}
	return false
}

func (s *searcher) put(i int32) {
	s.left.remove(i)
	s.returns.remove(i)
	if !s.ops[i].Read {
		s.writes.remove(i)
	}
	s.count(i, -1)
	s.order = append(s.order, i)
}

func (s *searcher) takeBack() {
	i := s.order[len(s.order)-1]
	s.order = s.order[:len(s.order)-1]
	if !s.ops[i].Read {
		s.writes.restore(i)
	}
	s.returns.restore(i)
	s.left.restore(i)
	s.count(i, 1)
}

func (s *searcher) count(i int32, by int) {
	if !s.ops[i].Pending() {
		s.must += by
	}
	s.set[0] ^= mix(uint64(i))
	s.set[1] ^= mix(uint64(i) | 1<<62)
}

// key names what is left and the last versions.
func (s *searcher) key() [2]uint64 {
	key := s.set
	for k, v := range s.versions[max(0, len(s.versions)-1-s.bound):] {
		key[0] += mix(uint64(v)<<32 | uint64(k))
		key[1] += mix(uint64(k)<<32 | uint64(v) | 1<<63)
	}
	return key
}
