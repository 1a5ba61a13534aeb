package verify

// Stacks in which values repeat: what can be on top after which operations, listed again.
//
// What: after a certain set of operations, the stack holds one of certain contents (contents.go),
// none of which is listed by itself. There is a linearization if some contents are left after all
// completed operations. A set of operations is looked at after all sets from which it follows, so
// that all contents after it are known then.
//
// What is left out: what saturation_moves.go says, and contents that are the same after another set
// with the same next return, which lacks only pushes and pops of the other one: as many of each
// value, and all are open, so that they can take effect one after the other whenever they are due.
// That is looked for by what is on top, where the set of what can be below is the same.
//
// Cost: values on top × open operations, and the unions of contents; at most MaxItems values on top
// and maxUnions unions.

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Saturated checks that no linearization is left of b's part, weakened, with at most so many items.
// It returns how many there are, and an error if there is a linearization or the limit is reached.
// Weakenings may forget the future, responses, results, and all operations on a value.
func Saturated(ctx context.Context, b *model.Instance, weakening *proof.Weakening, limit int) (cases int, err error) {
	if err := wholePast(weakening); err != nil {
		return 0, err
	}
	weak, err := base.Weakened(b, weakening)
	if err != nil {
		return 0, err
	}
	t, ok := weak.Theory.(*model.CollectionTheory)
	if !ok || t.Discipline != model.LIFO || len(t.Initial) != 1 || len(weak.Partition.Edges) > 0 {
		return 0, base.Faultf("", "the partition is not one stack without explicit order")
	}
	items, err := gone(b, weak, weakening)
	if err != nil {
		return 0, err
	}
	if items != nil {
		t = withoutItems(t, items)
	}
	s := &saturation{limit: limit, contents: newContentSets()}
	s.theory = &model.CollectionTheory{Initial: t.Initial}
	for i := range weak.Partition.Ops {
		if weakening.Of(history.OpID(i)) != proof.RetainNothing {
			s.ops = append(s.ops, weak.Partition.Ops[i])
			s.theory.Does, s.theory.Value = append(s.theory.Does, t.Does[i]), append(s.theory.Value, t.Value[i])
		}
	}
	if !s.arrange() {
		return 0, base.ErrTooLarge
	}
	return s.exhaust(ctx)
}

// saturation is what is known so far.
type saturation struct {
	theory  *model.CollectionTheory
	ops     []history.Op
	limit   int
	returns []history.OpID   // completed operations by return
	open    [][]history.OpID // by how many have returned: completed ones open then, by return
	pending []history.OpID   // by call
	slot    []uint8          // by operation: its bit while it is open
	fixed   []uint64         // by how many have returned: bits of all but pushes and pops of values
	wild    bool             // some operation pops whatever there is

	contents *contentSets
	layers   []*stackLayer // by how many have returned, nil unless some set is there
	kept     []int32       // by contents of one value on top: the last of needs, -1 for none
	needs    []needed
	items    int         // values on top that were looked at
	late     bool        // a set was reached after it was looked at
	moves    []stackMove // after the set that is looked at
	free     []history.OpID
	met      [][2]int32
}

// stackSet is a set of operations: those that return first, and open ones by bit. climbing says
// that one of them was a push since the last return.
type stackSet struct {
	returned int32
	bits     uint64
	climbing bool
}

// stackLayer holds what is known of the sets of as many that have returned.
type stackLayer struct {
	sets  numbering[stackSet]
	after []stackAfter
	bySum [65][]contentsID // by how many open operations are in them
}

// stackAfter is what the stack can hold after a set of operations.
type stackAfter struct {
	contents contentsID
	expanded bool
}

// needed says that contents are needed after a set, in the layer in turn.
type needed struct {
	set      stackSet
	contents contentsID
	next     int32 // the one before of the same contents, -1 for none
}

// arrange lists what is open when. It returns false if too much is.
func (s *saturation) arrange() bool {
	s.slot = make([]uint8, len(s.ops))
	var calls []history.OpID // completed, by call
	for i := range s.ops {
		s.wild = s.wild || s.theory.Does[i] == model.Remove && s.theory.Value[i] == model.Anything
		switch op := history.OpID(i); {
		case !s.ops[i].Pending():
			calls = append(calls, op)
		case s.theory.Does[i] != model.Peek: // a peek that never returns changes nothing
			s.pending = append(s.pending, op)
		}
	}
	if len(s.pending) >= 64 {
		return false
	}
	var free []uint8
	for k := uint8(64); int(k) > len(s.pending); k-- {
		free = append(free, k-1)
	}
	var forever uint64
	for k, op := range s.pending {
		s.slot[op] = uint8(k)
		forever |= s.fixedBit(op)
	}
	s.returns = slices.Clone(calls)
	slices.SortFunc(s.returns, func(x, y history.OpID) int { return cmp.Compare(s.ops[x].Return, s.ops[y].Return) })
	var open []history.OpID
	for _, r := range s.returns {
		for ; len(calls) > 0 && s.ops[calls[0]].Call < s.ops[r].Return; calls = calls[1:] {
			if len(free) == 0 {
				return false
			}
			op := calls[0]
			s.slot[op], free = free[len(free)-1], free[:len(free)-1]
			at, _ := slices.BinarySearchFunc(open, op, func(x, y history.OpID) int {
				return cmp.Compare(s.ops[x].Return, s.ops[y].Return)
			})
			open = slices.Insert(open, at, op)
		}
		s.open = append(s.open, slices.Clone(open))
		fixed := forever
		for _, op := range open {
			fixed |= s.fixedBit(op)
		}
		s.fixed = append(s.fixed, fixed)
		free = append(free, s.slot[r])
		open = open[1:]
	}
	return true
}

// fixedBit is the bit of an operation that is not a push or a pop of a value.
func (s *saturation) fixedBit(op history.OpID) uint64 {
	if s.theory.Does[op] != model.Peek && s.theory.Value[op] >= 0 {
		return 0
	}
	return 1 << s.slot[op]
}

// exhaust lists all items.
func (s *saturation) exhaust(ctx context.Context) (cases int, err error) {
	s.layers = make([]*stackLayer, len(s.returns)+1)
	start := contentsID(emptyStack)
	for _, v := range slices.Backward(s.theory.Initial[0]) { // the top comes first
		start = s.contents.onto(v, start)
	}
	s.add(stackSet{}, start)
	for returned, layer := range s.layers {
		switch {
		case layer == nil:
			continue
		case returned == len(s.returns):
			return s.items, ErrLinearizable
		}
		for n := range layer.bySum {
			// Sets of as many operations do not follow from each other.
			for k := 0; k < len(layer.bySum[n]); k++ {
				if err := s.expand(ctx, layer, layer.bySum[n][k]); err != nil {
					return s.items, err
				}
			}
		}
		s.layers[returned] = nil
		for _, n := range s.needs {
			s.kept[n.contents] = -1
		}
		s.needs = s.needs[:0]
	}
	switch {
	case s.items > s.limit:
		return s.items, base.ErrTooLarge
	case s.late:
		return s.items, errOutOfTurn
	}
	return s.items, nil
}

var errOutOfTurn = errors.New("internal ordering violated: a set of operations was extended after it was closed")

// expand adds what follows from a set.
func (s *saturation) expand(ctx context.Context, layer *stackLayer, n contentsID) error {
	layer.after[n].expanded = true
	set := layer.sets.keys[n]
	contents := s.needed(set, layer.after[n].contents)
	if contents != noContents {
		s.list(set)
		s.follow(contents, set)
	}
	switch {
	case s.items > s.limit || s.contents.tooBig:
		return base.ErrTooLarge
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case s.late:
		return errOutOfTurn
	}
	return nil
}

// needed returns the contents after a set without those on top for which another set is enough.
func (s *saturation) needed(set stackSet, contents contentsID) contentsID {
	left := contentsID(noContents)
	for contents != noContents {
		t := s.contents.at(contents)
		one := s.contents.only(t.value, contents)
		if contents = t.others; s.isEnough(one, set) {
			continue
		}
		s.needs = append(s.needs, needed{set, one, s.kept[one]})
		s.kept[one] = int32(len(s.needs) - 1)
		left = s.contents.union(left, one)
		s.items++
	}
	return left
}

// isEnough reports whether contents of one value on top are not needed after a set.
func (s *saturation) isEnough(contents contentsID, set stackSet) bool {
	for int(contents) >= len(s.kept) {
		s.kept = append(s.kept, -1)
	}
	for k := s.kept[contents]; k >= 0; k = s.needs[k].next {
		if s.enough(s.needs[k].set, set) {
			return true
		}
	}
	return false
}

// add adds contents after a set.
func (s *saturation) add(set stackSet, contents contentsID) {
	if contents == noContents {
		return
	}
	layer := s.layers[set.returned]
	if layer == nil {
		layer = new(stackLayer)
		s.layers[set.returned] = layer
	}
	climbing := uint64(0)
	if set.climbing {
		climbing = 1
	}
	n := layer.sets.find(set, hashOf(set.bits, climbing))
	if int(n) == len(layer.after) {
		layer.after = append(layer.after, stackAfter{})
		of := &layer.bySum[bits.OnesCount64(set.bits)]
		*of = append(*of, n)
	}
	at := &layer.after[n]
	s.late = s.late || at.expanded
	at.contents = s.contents.union(at.contents, contents)
}

// with returns a set and an operation that is open then.
func (s *saturation) with(set stackSet, op history.OpID, climbing bool) stackSet {
	set.bits |= 1 << s.slot[op]
	set.climbing = climbing
	for int(set.returned) < len(s.returns) {
		bit := uint64(1) << s.slot[s.returns[set.returned]]
		if set.bits&bit == 0 {
			break
		}
		set.bits &^= bit
		set.returned++
		set.climbing = false
	}
	return set
}

// enough reports whether the same contents are not needed after b where they are after a, with as
// many returned.
func (s *saturation) enough(a, b stackSet) bool {
	if a == b {
		return true
	}
	if int(a.returned) == len(s.returns) || a.climbing && !b.climbing {
		return false
	}
	more := a.bits ^ b.bits
	return a.bits&more == 0 && more&s.fixed[a.returned] == 0 && (!s.wild || s.balanced(a.returned, more))
}

// balanced reports whether operations that are open push as many of each value as they pop. That
// needs a look only where operations can pop whatever there is.
func (s *saturation) balanced(returned int32, set uint64) bool {
	count := map[int32]int{}
	for _, ops := range [][]history.OpID{s.open[returned], s.pending} {
		for _, op := range ops {
			switch {
			case set>>s.slot[op]&1 == 0:
			case s.theory.Does[op] == model.Insert:
				count[s.theory.Value[op]]++
			default:
				count[s.theory.Value[op]]--
			}
		}
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// follow adds what follows from contents by the moves that are listed.
func (s *saturation) follow(contents contentsID, set stackSet) {
	c := s.contents
	r := s.theory.Value[s.returns[set.returned]]
	for _, m := range s.moves {
		switch m.kind {
		case seesTop:
			seen := contents
			if m.value != model.Anything {
				seen = c.only(m.value, contents)
				contents = c.but(m.value, contents)
			} else {
				contents = noContents
			}
			s.add(m.after, seen)
		case pushesTop:
			s.add(m.after, c.onto(m.value, contents))
		case passesTop:
			if r != model.Anything {
				s.add(m.after, c.but(m.value, contents))
			} else {
				s.add(m.after, contents)
			}
		case popsTop:
			for x := contents; x != noContents; x = c.at(x).others {
				if t := c.at(x); t.value >= 0 && (m.value == t.value || m.value == model.Anything) {
					s.add(m.after, t.below)
				}
			}
		case findsEmpty:
			s.add(m.after, c.only(model.Nothing, contents))
		}
	}
}
