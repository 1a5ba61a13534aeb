package verify

// Stacks in which values repeat: what can be on top after which operations, listed again.
//
// What: a place is a value that was pushed such that a certain set of operations has taken effect
// then. An item says that a place can be on top after a certain set of operations. What lies below
// depends on the place alone: any place that was on top of an item from which it was pushed. So
// contents are never listed, only items. There is a linearization if an item holds all completed
// operations.
//
// What is left out. Let r be the completed operation that returns first and has not taken effect.
// Before r, only what r needs has to take effect: some pops and then some pushes, or, if r pops,
// some pops, or a push of what r pops, unless r finds the same value without it. Whatever else
// leaves the stack as it was can come right after r. Peeks, and pops that found nothing, take
// effect as soon as they are legal. Of operations that do the same, the one that returns first
// comes first. And of two items of the same place and the same r, one that lacks only pushes and
// pops of the other one is enough: as many of each value, and all are open, so that they can take
// effect one after the other whenever they are due.
//
// Cost: items × open operations; at most MaxItems items.

import (
	"cmp"
	"context"
	"errors"
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
	s := &saturation{limit: limit, sets: map[stackSet]int32{}, pushed: map[[2]int32]int32{}, groups: map[[2]int32][]int32{}}
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

	all    []stackSet // sets of operations, by number
	sets   map[stackSet]int32
	places []stackPlace
	pushed map[[2]int32]int32 // set and value → place
	items  []stackItem
	groups map[[2]int32][]int32 // place and how many have returned → items that are enough
	agenda []int32
}

// stackSet is a set of operations: those that return first, and open ones by bit. climbing says
// that one of them was a push since the last return.
type stackSet struct {
	returned int32
	bits     uint64
	climbing bool
}

// stackPlace is a value on the stack; below are the places that it can lie on, and popped the sets
// after which it was popped.
type stackPlace struct {
	value         int32
	below, popped []int32
}

// stackItem is a place on top and a set of operations.
type stackItem struct {
	place, set int32
	gone       bool // another one is enough
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
	const empty = int32(0)
	s.places = append(s.places, stackPlace{value: model.Nothing})
	start, top := s.number(stackSet{}), empty
	initial := slices.Clone(s.theory.Initial[0]) // the top comes first
	slices.Reverse(initial)
	for _, v := range initial {
		s.places = append(s.places, stackPlace{value: v, below: []int32{top}})
		top = int32(len(s.places) - 1)
	}
	s.add(top, start)
	for len(s.agenda) > 0 {
		k := s.agenda[len(s.agenda)-1]
		s.agenda = s.agenda[:len(s.agenda)-1]
		x := s.items[k]
		switch {
		case int(s.all[x.set].returned) == len(s.returns):
			return len(s.items), ErrLinearizable
		case x.gone:
			continue
		case len(s.items) > s.limit:
			return len(s.items), base.ErrTooLarge
		case len(s.agenda)%256 == 0 && ctx.Err() != nil:
			return len(s.items), context.Cause(ctx)
		}
		s.follow(x)
	}
	if len(s.items) > s.limit {
		return len(s.items), base.ErrTooLarge
	}
	return len(s.items), nil
}

// number names a set.
func (s *saturation) number(set stackSet) int32 {
	k, known := s.sets[set]
	if !known {
		k = int32(len(s.all))
		s.sets[set], s.all = k, append(s.all, set)
	}
	return k
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
func (s *saturation) add(place, set int32) {
	at := s.all[set]
	group := [2]int32{place, at.returned}
	kept := s.groups[group]
	if slices.ContainsFunc(kept, func(k int32) bool { return s.enough(s.all[s.items[k].set], at) }) {
		return
	}
	kept = slices.DeleteFunc(kept, func(k int32) bool {
		s.items[k].gone = s.enough(at, s.all[s.items[k].set])
		return s.items[k].gone
	})
	n := int32(len(s.items))
	s.items = append(s.items, stackItem{place: place, set: set})
	s.groups[group] = append(kept, n)
	s.agenda = append(s.agenda, n)
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

// follow adds what follows from an item.
func (s *saturation) follow(x stackItem) {
	set, top := s.all[x.set], s.places[x.place].value
	does, value := s.theory.Does, s.theory.Value
	r := s.returns[set.returned]
	var free []history.OpID
	for _, op := range s.open[set.returned] {
		if set.bits>>s.slot[op]&1 == 0 {
			free = append(free, op)
		}
	}
	for _, op := range s.pending {
		if s.ops[op].Call < s.ops[r].Return && set.bits>>s.slot[op]&1 == 0 {
			free = append(free, op)
		}
	}
	for _, op := range free {
		if v := value[op]; does[op] == model.Peek && (v == top || v == model.Anything) || v == model.Nothing && v == top {
			s.add(x.place, s.number(s.with(set, op, set.climbing)))
			return
		}
	}
	var met [][2]int32
	for _, op := range free {
		v := value[op]
		kind := [2]int32{int32(does[op]), v}
		if does[op] == model.Peek || v == model.Nothing || slices.Contains(met, kind) {
			continue
		}
		met = append(met, kind)
		switch {
		case does[op] == model.Insert && does[r] != model.Remove:
			s.push(x.place, s.with(set, op, true), v)
		case does[op] == model.Insert:
			if v == value[r] && v != top || value[r] == model.Anything {
				s.through(x.place, set, op, r, free)
			}
		case set.climbing:
		case v == top && v >= 0 || v == model.Anything && top >= 0:
			s.pop(x.place, s.number(s.with(set, op, false)))
		case v == model.Anything && !s.ops[op].Pending():
			s.add(x.place, s.number(s.with(set, op, false))) // it found nothing
		}
	}
}

// through pushes a value, lets all peeks see it, and pops it by r.
func (s *saturation) through(place int32, set stackSet, push, r history.OpID, free []history.OpID) {
	set = s.with(set, push, false)
	for _, op := range free {
		if s.theory.Does[op] == model.Peek && s.theory.Value[op] == s.theory.Value[push] {
			set = s.with(set, op, false)
		}
	}
	s.add(place, s.number(s.with(set, r, false)))
}

// push pushes a value onto a place.
func (s *saturation) push(onto int32, set stackSet, value int32) {
	number := s.number(set)
	key := [2]int32{number, value}
	p, known := s.pushed[key]
	if !known {
		p = int32(len(s.places))
		s.pushed[key] = p
		s.places = append(s.places, stackPlace{value: value})
	}
	if slices.Contains(s.places[p].below, onto) {
		return
	}
	s.places[p].below = append(s.places[p].below, onto)
	s.add(p, number)
	for _, after := range s.places[p].popped {
		s.add(onto, after)
	}
}

// pop pops a place, and leads to all that it can lie on.
func (s *saturation) pop(place, after int32) {
	if slices.Contains(s.places[place].popped, after) {
		return
	}
	s.places[place].popped = append(s.places[place].popped, after)
	for _, p := range s.places[place].below {
		s.add(p, after)
	}
}
