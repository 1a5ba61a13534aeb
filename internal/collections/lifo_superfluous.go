package collections

// What: items of a saturation (lifo.go, lifo_layers.go) that others make superfluous. Of two items
// of the same place and layer, a makes b superfluous if what has taken effect in b and not in a is
// pushes and as many pops of the same values, and if the peeks and empty results of a are those of
// b or more.
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

	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// lifoItemID numbers the items of a search, and lifoEdgeID its edges.
type (
	lifoItemID int32
	lifoEdgeID int32
)

// item is a place on top, and the beginning that has taken effect. It was reached from another
// item: by op, on the same place; or by first, all peeks of what it pushed that are open, and then
// op; or by the push op; or by the pop op, where edge says what the popped place was pushed from.
// In a search layer by layer edge says how it was pushed instead, and from is -1 then.
type item struct {
	place, begun int32
	from         lifoItemID // -1 at the start
	op, first    opIndex
	edge         lifoEdgeID // -1: no pop, or layer by layer no push
	next         int32      // in its group, -1 for none
	expanded     bool
}

// itemGroups are items, grouped by place and layer.
type itemGroups struct {
	superfluous
	items  []item
	byKey  layout.Numbering // of groups, apart from each place's own
	groups []itemGroup
}

// itemGroup is the first item of a place in a layer, -1 for none.
type itemGroup struct{ place, layer, first int32 }

// superfluous tells which beginnings make others superfluous.
type superfluous struct {
	lane   *lane
	sights []uint64 // by layer: open operations that do not change the stack, by bit
	plain  bool     // balanced without a look
	sums   []valueSum
}

// valueSum is by how much more often a value is pushed than popped.
type valueSum struct{ value, sum int32 }

// prepare prepares for the lane; unknown says that the contents at the start are.
func (s *superfluous) prepare(unknown bool) {
	l := s.lane
	s.sights = make([]uint64, len(l.returns)+1)
	s.plain = !unknown && !slices.ContainsFunc(l.ops, func(o laneOp) bool { return o.early || o.wild() })
	sights := func(ops []opIndex) (bits uint64) {
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
}

// admit puts an item that is about to be added into its group, and lets go of what it makes
// superfluous there. It returns false if it is itself superfluous.
func (s *itemGroups) admit(x *item, g int32) bool {
	at := s.lane.begun[x.begun]
	link := &s.groups[g].first
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
	first := &s.groups[g].first
	x.next, *first = *first, int32(len(s.items))
	return true
}

// group returns the number of the group of a place in a layer; own is that of the layer in which it
// was pushed.
func (s *itemGroups) group(place, layer, own int32) int32 {
	if s.groups[own].layer == layer {
		return own
	}
	number := int32(len(s.groups))
	g := s.byKey.Find(layout.HashOf(place, layer), number, func(k int32) bool {
		y := &s.groups[k]
		return y.place == place && y.layer == layer
	})
	if g == number {
		s.newGroup(place, layer)
	}
	return g
}

// newGroup adds a group and returns its number.
func (s *itemGroups) newGroup(place, layer int32) int32 {
	s.groups = append(s.groups, itemGroup{place, layer, -1})
	return int32(len(s.groups) - 1)
}

// replaces reports whether an item makes another one superfluous, on the same place and in the same
// layer, by their beginnings.
func (s *superfluous) replaces(a, b beginning) bool {
	if a.extra > b.extra {
		return false
	}
	differ := a.mask ^ b.mask
	sights := s.sights[a.layer]
	return a.mask&differ == sights&differ && (s.plain || s.balanced(a.layer, differ&^sights))
}

// balanced reports whether operations that are open in a layer push as many of each value as they
// pop, apart from those that may have taken effect before the start.
func (s *superfluous) balanced(layer int32, set uint64) bool {
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
func (s *superfluous) addUp(ops []opIndex, set uint64) bool {
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
