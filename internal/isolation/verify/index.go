package verify

import (
	"slices"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// index is what a refutation needs of a history: what its places show, and who can have written
// that.
type index struct {
	*reader
	places map[isolation.Place]*shown
	of     map[left]*written
	work   int
}

// shown is what a place shows.
type shown struct {
	read
	first, last map[int32]int32 // of a list: where elements of the others' part stand; made at need
}

// written is who leaves a value in a register, or appended an element, not having aborted, and how
// often it was appended.
type written struct {
	by    []int32
	times int
}

// newIndex checks that the places of clauses are reads of committed transactions, and collects what
// they need.
func newIndex(h *isolation.History, all []isolation.Clause) (*index, error) {
	x := &index{reader: newReader(h), places: map[isolation.Place]*shown{}, of: map[left]*written{}}
	objects := make([]bool, len(h.Objects))
	add := func(p isolation.Place) error {
		if x.places[p] != nil {
			return nil
		}
		switch {
		case p.Txn < 0 || int(p.Txn) >= len(h.Txns) || h.Txns[p.Txn].Status != isolation.Committed:
			return base.Faultf(x.txn(p.Txn), "it is not one that committed, so what it read is not known")
		case p.Access < 0 || int(p.Access) >= len(h.Txns[p.Txn].Accesses) || x.access(p).Kind != isolation.Read:
			return base.Faultf(x.txn(p.Txn), "access %d is no read", p.Access)
		}
		x.places[p] = &shown{}
		a := x.access(p)
		objects[a.Object] = true
		values := a.List
		if !h.Objects[a.Object].List {
			values = []int32{a.Value}
		}
		for _, v := range values {
			if at := (left{a.Object, v}); x.of[at] == nil {
				x.of[at] = &written{}
			}
		}
		return nil
	}
	for k := range all {
		for _, p := range all[k].Places {
			if err := add(p); err != nil {
				return nil, base.Under(all[k].Rule.String(), err)
			}
		}
		for _, hop := range all[k].Hops {
			if hop.Kind == isolation.Reads || hop.Kind == isolation.Overwrites {
				if err := add(hop.Place); err != nil {
					return nil, base.Under(all[k].Rule.String(), err)
				}
			}
		}
	}
	x.fill(objects)
	return x, nil
}

// fill goes through the history.
func (x *index) fill(objects []bool) {
	for t := range int32(len(x.h.Txns)) {
		if x.h.Txns[t].Status == isolation.Aborted {
			continue
		}
		x.lasting(t, func(object, v int32) {
			if !objects[object] {
				return
			}
			if w := x.of[left{object, v}]; w != nil {
				if w.times++; len(w.by) == 0 || w.by[len(w.by)-1] != t {
					w.by = append(w.by, t)
				}
			}
		})
	}
	done := map[int32]bool{}
	for p := range x.places {
		if done[p.Txn] {
			continue
		}
		done[p.Txn] = true
		_ = x.each(p.Txn, func(r read) error {
			if s := x.places[isolation.Place{Txn: p.Txn, Access: r.access}]; s != nil {
				s.read = r
			}
			return nil
		})
	}
}

func (x *index) access(p isolation.Place) *isolation.Access {
	return &x.h.Txns[p.Txn].Accesses[p.Access]
}
func (x *index) shown(p isolation.Place) *shown { return x.places[p] }

// outside checks that reads are of what others wrote.
func (x *index) outside(ps ...isolation.Place) error {
	for _, p := range ps {
		if x.shown(p).shows != others {
			return base.Faultf(x.what(p), "it is not of what others wrote")
		}
	}
	return nil
}

// writes reports whether a transaction writes an object.
func (x *index) writes(t, object int32) bool {
	all := x.h.Txns[t].Accesses
	x.work += len(all)
	return slices.ContainsFunc(all, func(a isolation.Access) bool {
		return a.Object == object && a.Kind != isolation.Read
	})
}

// bothWrite reports whether two transactions write one object.
func (x *index) bothWrite(a, b int32) bool {
	x.work += len(x.h.Txns[a].Accesses) + len(x.h.Txns[b].Accesses)
	x.round++
	for _, w := range x.h.Txns[a].Accesses {
		if w.Kind != isolation.Read {
			x.wrote[w.Object] = x.round
		}
	}
	return slices.ContainsFunc(x.h.Txns[b].Accesses, func(w isolation.Access) bool {
		return w.Kind != isolation.Read && x.wrote[w.Object] == x.round
	})
}

// writers lists who leaves the value of p, or appended an element of its list, without the reader.
func (x *index) writers(p isolation.Place, value int32) []int32 {
	all := x.of[left{x.access(p).Object, value}].by
	if k, ok := slices.BinarySearch(all, p.Txn); ok {
		return slices.Concat(all[:k], all[k+1:])
	}
	return all
}
