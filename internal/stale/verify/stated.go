package verify

// Regular orders under a stated order.
//
// What: what precedes what by time and by the stated order, over operations of all objects; of an
// object, writes are in this order, and each read stands behind the writes that precede it and
// before those that it precedes. Reads are in no order with each other.
//
// Cost: n² bits, and n² steps for each object; few operations only.

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/verify/base"
)

// Stated is what precedes what.
type Stated struct{ before [][]uint64 } // by operation: those that precede it

// Stated returns what precedes what in the history; nil where there is too much of it.
func (v *Verifier) Stated() *Stated {
	ops := v.h.From.Ops
	n := len(ops)
	if n*n/64 > base.MaxNodes*8 {
		return nil
	}
	words := (n + 63) / 64
	s := &Stated{make([][]uint64, n)}
	for i := range s.before {
		s.before[i] = make([]uint64, words)
	}
	behind, returns := make([][]history.OpID, n), make([]history.OpID, n)
	for i := range returns {
		returns[i] = history.OpID(i)
	}
	sort.Slice(returns, func(i, j int) bool { return ops[returns[i]].Return < ops[returns[j]].Return })
	for _, e := range v.h.From.Edges {
		if v.objects[e.Before] != nowhere && v.objects[e.After] != nowhere {
			behind[e.After] = append(behind[e.After], e.Before)
		}
	}
	for changed := true; changed; { // a stated order may lead against that of the calls
		changed = false
		sum, left := make([]uint64, words), returns
		for b := range ops { // by call
			for ; len(left) > 0 && ops[left[0]].Return < ops[b].Call; left = left[1:] {
				s.add(sum, left[0])
			}
			more := slices.Clone(sum)
			for _, a := range behind[b] {
				s.add(more, a)
			}
			for k, set := range more {
				if set&^s.before[b][k] != 0 {
					s.before[b][k] |= set
					changed = true
				}
			}
		}
	}
	return s
}

// add adds an operation and what precedes it.
func (s *Stated) add(to []uint64, a history.OpID) {
	for k, set := range s.before[a] {
		to[k] |= set
	}
	to[a/64] |= 1 << (a % 64)
}

// Precedes reports whether a precedes b.
func (s *Stated) Precedes(a, b history.OpID) bool { return s.before[b][a/64]>>(a%64)&1 == 1 }

// Preceding is how many operations precede one: more than precede each of these.
func (s *Stated) Preceding(a history.OpID) (n int) {
	if s != nil {
		for _, set := range s.before[a] {
			n += bits.OnesCount64(set)
		}
	}
	return n
}

// Reads reports whether an operation of an object is a read.
func (v *Verifier) Reads(id history.OpID) bool {
	return v.h.Objects[v.objects[id]].Ops[v.places[id]].Read
}

// stated checks that orders of a regular question extend what is stated.
func (v *Verifier) stated(q stale.Question, orders []stale.Order) error {
	s := v.Stated()
	if s == nil {
		return base.ErrTooLarge
	}
	j := &judged{Verifier: v, q: q}
	for i := range v.h.From.Ops {
		if id := history.OpID(i); s.Precedes(id, id) {
			return base.Faultf(j.name(id), "it is stated to precede itself")
		}
	}
	for k := range orders {
		for n, b := range orders[k].Operations {
			for _, a := range orders[k].Operations[:n] {
				if !(v.Reads(a) && v.Reads(b)) && s.Precedes(b, a) {
					return base.Faultf(j.name(a), "it stands before %s, which is stated to precede it", j.name(b))
				}
			}
		}
		for _, x := range orders[k].Sources {
			if x.Write >= 0 && s.Precedes(x.Read, x.Write) {
				return base.Faultf(j.name(x.Read), "it is stated to precede what it returns")
			}
			o := &v.h.Objects[v.objects[x.Read]]
			for i := range o.Ops {
				w := &o.Ops[i]
				over := !w.Read && w.ID != x.Write && !w.Pending() && s.Precedes(w.ID, x.Read)
				if over && (x.Write < 0 || s.Precedes(x.Write, w.ID)) {
					return base.Faultf(j.name(x.Read), "what it returns was overwritten by %s, as is stated",
						j.name(w.ID))
				}
			}
		}
	}
	return nil
}
