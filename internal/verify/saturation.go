package verify

// Stacks in which values repeat: what can be on top after which operations, listed again.
//
// What: a place is a value on any of certain other places, the lowest of which is the bottom. An
// item says that a place is on top after a certain set of operations, whichever contents it stands
// for. So contents are never listed, only items. There is a linearization if an item holds all
// completed operations. A set is looked at after all sets from which it follows: all places on
// which a value was pushed such that this set resulted are known then, and together they are what
// lies below one place.
//
// What is left out: what saturation_moves.go says, and of two items of the same place and the same
// next return, one that lacks only pushes and pops of the other one is enough: as many of each
// value, and all are open, so that they can take effect one after the other whenever they are due.
//
// Cost: items × open operations; at most MaxItems items.

import (
	"cmp"
	"context"
	"encoding/binary"
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
		return 0, errors.New("what is on top is asked of one stack without explicit order")
	}
	items, err := gone(b, weak, weakening)
	if err != nil {
		return 0, err
	}
	if items != nil {
		t = withoutItems(t, items)
	}
	s := &saturation{limit: limit, same: map[string]int32{}}
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

func saturationProof(ctx context.Context, b *model.Instance, p *proof.Saturation) error {
	switch {
	case p.Weakening == nil:
		return base.ErrNoWeakening
	case p.Cases <= 0:
		return errors.New("no case was tried")
	}
	_, err := Saturated(ctx, b, p.Weakening, min(p.Cases, MaxItems))
	return err
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

	value  []int32   // by place
	below  [][]int32 // by place: what it can lie on, ascending
	same   map[string]int32
	key    []byte
	layers []*stackLayer // by how many have returned, nil unless some item is there
	items  int
	late   bool        // a set was reached after it was expanded
	moves  []stackMove // after the set that is looked at
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
	known map[stackSet]*stackTops
	bySum [65][]*stackTops      // by how many open operations are in them
	kept  map[int32][]*stackTop // by place
}

// stackTops are the places that can be on top after a set of operations.
type stackTops struct {
	set      stackSet
	tops     []*stackTop
	pushed   []stackPushed
	expanded bool
}

// stackTop is a place on top after a set.
type stackTop struct {
	place int32
	set   stackSet
	gone  bool // another one is enough
}

// stackPushed is a value that was pushed such that a set resulted, and on what.
type stackPushed struct {
	value int32
	onto  []int32
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
			at, _ := slices.BinarySearchFunc(open, op, func(x, y history.OpID) int { return cmp.Compare(s.ops[x].Return, s.ops[y].Return) })
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
	top := s.place(model.Nothing, nil)
	for _, v := range slices.Backward(s.theory.Initial[0]) { // the top comes first
		top = s.place(v, []int32{top})
	}
	s.add(top, stackSet{})
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
				if err := s.expand(ctx, layer.bySum[n][k]); err != nil {
					return s.items, err
				}
			}
		}
		s.layers[returned] = nil
	}
	switch {
	case s.items > s.limit:
		return s.items, base.ErrTooLarge
	case s.late:
		return s.items, errOutOfTurn
	}
	return s.items, nil
}

var errOutOfTurn = errors.New("a set was reached after what follows from it was listed")

// expand adds what follows from a set.
func (s *saturation) expand(ctx context.Context, at *stackTops) error {
	s.arrive(at)
	at.expanded = true
	s.list(at.set)
	for _, x := range at.tops {
		switch {
		case s.items > s.limit:
			return base.ErrTooLarge
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case s.late:
			return errOutOfTurn
		case !x.gone:
			s.follow(x)
		}
	}
	return nil
}

// place returns the place of a value on others.
func (s *saturation) place(value int32, onto []int32) int32 {
	slices.Sort(onto)
	onto = slices.Compact(onto)
	s.key = binary.LittleEndian.AppendUint32(s.key[:0], uint32(value))
	for _, p := range onto {
		s.key = binary.LittleEndian.AppendUint32(s.key, uint32(p))
	}
	p, known := s.same[string(s.key)]
	if !known {
		p = int32(len(s.value))
		s.value, s.below = append(s.value, value), append(s.below, onto)
		s.same[string(s.key)] = p
	}
	return p
}

// tops returns what can be on top after a set.
func (s *saturation) tops(set stackSet) *stackTops {
	layer := s.layers[set.returned]
	if layer == nil {
		layer = &stackLayer{known: map[stackSet]*stackTops{}, kept: map[int32][]*stackTop{}}
		s.layers[set.returned] = layer
	}
	at := layer.known[set]
	if at == nil {
		at = &stackTops{set: set}
		layer.known[set] = at
		n := bits.OnesCount64(set.bits)
		layer.bySum[n] = append(layer.bySum[n], at)
	}
	return at
}

// arrive adds the items of what was pushed such that a set resulted.
func (s *saturation) arrive(at *stackTops) {
	for _, p := range at.pushed {
		s.add(s.place(p.value, p.onto), at.set)
	}
	at.pushed = nil
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

// add adds an item, unless another one is enough.
func (s *saturation) add(place int32, set stackSet) {
	at := s.tops(set)
	s.late = s.late || at.expanded
	groups := s.layers[set.returned].kept
	kept := groups[place]
	if slices.ContainsFunc(kept, func(x *stackTop) bool { return s.enough(x.set, set) }) {
		return
	}
	kept = slices.DeleteFunc(kept, func(x *stackTop) bool {
		x.gone = s.enough(set, x.set)
		return x.gone
	})
	x := &stackTop{place: place, set: set}
	groups[place] = append(kept, x)
	at.tops = append(at.tops, x)
	s.items++
}

// enough reports whether b is not needed where a is, on the same place and with as many returned.
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

// follow adds what follows from an item by the moves that are listed.
func (s *saturation) follow(x *stackTop) {
	top := s.value[x.place]
	r := s.theory.Value[s.returns[x.set.returned]]
	for _, m := range s.moves {
		switch m.kind {
		case seesTop:
			if m.value == top || m.value == model.Anything {
				s.add(x.place, m.after)
				return
			}
		case pushesTop:
			s.push(x.place, m.after, m.value)
		case passesTop:
			if r == model.Anything || m.value != top {
				s.add(x.place, m.after)
			}
		case popsTop:
			if top >= 0 && (m.value == top || m.value == model.Anything) {
				for _, p := range s.below[x.place] {
					s.add(p, m.after)
				}
			}
		case findsEmpty:
			if top < 0 {
				s.add(x.place, m.after)
			}
		}
	}
}

// push pushes a value onto a place.
func (s *saturation) push(onto int32, set stackSet, value int32) {
	at := s.tops(set)
	s.late = s.late || at.expanded
	k := slices.IndexFunc(at.pushed, func(p stackPushed) bool { return p.value == value })
	if k < 0 {
		k = len(at.pushed)
		at.pushed = append(at.pushed, stackPushed{value: value})
	}
	if p := &at.pushed[k]; !slices.Contains(p.onto, onto) {
		p.onto = append(p.onto, onto)
	}
}
