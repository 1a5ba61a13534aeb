package wgl

// What: items of the saturation (lifo.go) that others make superfluous. Of two items of the same
// place and layer, a makes b superfluous if what has taken effect in b and not in a is pushes and
// as many pops of the same values, and if the peeks and empty results of a are those of b or more.
//
// Source: ours; subsumption of configurations, as in the antichain algorithms for automata (De
// Wulf, Doyen, Henzinger and Raskin, CAV'06).
//
// Why that is right. All of these operations are open. After a they can take effect at once, each
// pop right after a push of its value, and then the contents are those of b, whatever lies below.
// By the normal form they need not before they return, so that a follows the moves of b until the
// next return, with the operation of a kind that returns first in place of another one. If a has
// pushed since the last return, b must have, too, since a may not pop then. What makes an item
// superfluous has strictly fewer effects, or strictly more peeks, so that of any group something
// stays.
//
// Removals of whatever there is are not balanced by any push. In a window with unknown contents,
// operations that may have taken effect before the start need not be balanced, as each may pass;
// the bounds of what the contents may hold (value_counts.go) are the same after a and b then.
//
// Invariant: no item of a group makes another one of it superfluous.
//
// Cost: each new item is compared with those of its place and layer, a few on average.

import (
	"slices"

	"github.com/linsat/linsat/internal/model"
)

// superfluity groups items by place and layer.
type superfluity struct {
	groups []int32  // by number: the first item
	sights []uint64 // by layer: open operations that do not change the stack, by bit
	plain  bool     // balanced without a look
	sums   []valueSum
}

// valueSum is by how much more often a value is pushed than popped.
type valueSum struct{ value, sum int32 }

// newSuperfluity prepares for a lane; unknown says that the contents at the start are.
func newSuperfluity(l *lane, unknown bool) superfluity {
	s := superfluity{sights: make([]uint64, len(l.returns)+1)}
	s.plain = !unknown && !slices.ContainsFunc(l.ops, func(o laneOp) bool { return o.early || o.wild() })
	sights := func(ops []int32) (bits uint64) {
		for _, i := range ops {
			if o := &l.ops[i]; o.does == model.Peek || o.value == model.Nothing {
				bits |= 1 << o.bit
			}
		}
		return bits
	}
	pending := sights(l.pending)
	for layer := range l.returns {
		s.sights[layer] = pending | sights(l.open.Of(int32(layer)))
	}
	s.sights[len(l.returns)] = pending
	return s
}

// admit puts an item that is about to be added into its group, and lets go of what it makes
// superfluous there. It returns false if it is itself superfluous.
func (s *lifo) admit(x *item) bool {
	at := s.lane.begun[x.begun]
	number := int32(len(s.groups))
	g := s.byKey.find(hashOf(x.place, at.layer), number, func(k int32) bool {
		y := &s.items[s.groups[k]]
		return y.place == x.place && s.lane.begun[y.begun].layer == at.layer
	})
	if g == number {
		s.groups = append(s.groups, -1)
	}
	link := &s.groups[g]
	for *link >= 0 {
		y := &s.items[*link]
		b := s.lane.begun[y.begun]
		if s.replaces(b, at) {
			return false
		}
		if s.replaces(at, b) {
			y.expanded = true
			*link = y.next
		} else {
			link = &y.next
		}
	}
	x.next, s.groups[g] = s.groups[g], int32(len(s.items))
	return true
}

// replaces reports whether an item makes another one superfluous, on the same place and in the same
// layer, by their beginnings.
func (s *lifo) replaces(a, b beginning) bool {
	if a.extra > b.extra {
		return false
	}
	differ := a.mask ^ b.mask
	sights := s.sights[a.layer]
	return a.mask&differ == sights&differ && (s.plain || s.balanced(a.layer, differ&^sights))
}

// balanced reports whether operations that are open in a layer push as many of each value as they
// pop, apart from those that may have taken effect before the start.
func (s *lifo) balanced(layer int32, set uint64) bool {
	if set == 0 {
		return true
	}
	s.sums = s.sums[:0]
	if int(layer) < len(s.lane.returns) && !s.addUp(s.lane.open.Of(layer), set) || !s.addUp(s.lane.pending, set) {
		return false
	}
	return !slices.ContainsFunc(s.sums, func(x valueSum) bool { return x.sum != 0 })
}

// addUp adds to the sums what those operations of a set do that are listed. It returns false if one
// of them removes whatever there is.
func (s *lifo) addUp(ops []int32, set uint64) bool {
	for _, i := range ops {
		o := &s.lane.ops[i]
		if set>>o.bit&1 == 0 || o.early {
			continue
		}
		if o.wild() {
			return false
		}
		k := slices.IndexFunc(s.sums, func(x valueSum) bool { return x.value == o.value })
		if k < 0 {
			k = len(s.sums)
			s.sums = append(s.sums, valueSum{value: o.value})
		}
		s.sums[k].sum += o.adds()
	}
	return true
}
