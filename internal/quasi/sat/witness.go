package sat

// From a model to a witness: ρ′ and ρ″.
//
// ρ′ is the total order of the model, followed by the drains. Under slots, ρ″ has in every place
// the content of that place; under classes, it has the removals and drains in the order of slots,
// each preceded by the insertions and peeks that come before it.

import (
	"cmp"
	"errors"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// decide solves the formula and reads the witness.
func (s *slots) decide() (engine.Answer, error) {
	a, err := s.b.Decide(s.instance.Partition)
	if err != nil || a.Verdict != engine.Linearizable {
		return a, err
	}
	r := &reading{s: s, b: s.b, first: a.Witness}
	if err = r.read(); err != nil {
		return engine.Answer{Effort: a.Effort}, err
	}
	a.Witness, a.Rearranged, a.Drains = r.first, r.then, int(r.drains)
	return a, nil
}

// reading holds a model while a witness is read from it.
type reading struct {
	s           *slots
	b           *cnf.Builder
	first, then []history.OpID // ρ′ and ρ″
	drains      int32
	object      []model.ObjectID // by operation of the partition and drain
}

// value returns the value of a number in the model.
func (r *reading) value(u *cnf.Unary) int32 { return valueOf(r.b, u) }

// valueOf returns the value of a number in the model.
func valueOf(b *cnf.Builder, u *cnf.Unary) int32 {
	lo, hi := u.Lo, u.Hi
	for lo < hi {
		mid := lo + (hi-lo)/2
		if b.Holds(u.Le(mid)) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// content holds what a model puts in the slots of one object.
type content struct {
	slots []history.OpID // operation by slot, from 1 on
	puts  []history.OpID // insertions in the order of ρ″
	looks []history.OpID // peeks in the order of ρ″
}

// read builds ρ″ and appends the drains to ρ′.
func (r *reading) read() error {
	s := r.s
	part := s.instance.Partition
	r.object, _ = s.instance.Objects()
	contents := make([]content, len(s.objects))
	place := make([]int32, part.Len()) // in ρ′
	for k, i := range r.first {
		place[i] = int32(k)
	}
	for k, o := range s.objects {
		if err := r.contents(model.ObjectID(k), o, place, &contents[k]); err != nil {
			return err
		}
	}
	for d := range r.drains {
		r.first = append(r.first, history.OpID(part.Len()+int(d)))
	}
	if s.question.Meaning == quasi.Classes {
		for k, o := range s.objects {
			r.merge(o, &contents[k])
		}
		return nil
	}
	for _, i := range r.first {
		c := &contents[r.object[i]]
		from := &c.slots
		if int(i) < part.Len() {
			switch s.theory.Does[i] {
			case model.Insert:
				from = &c.puts
			case model.Peek:
				from = &c.looks
			}
		}
		if len(*from) == 0 {
			return errors.New("the solver returned an invalid model: it leaves a place without content")
		}
		r.then = append(r.then, (*from)[0])
		*from = (*from)[1:]
	}
	return nil
}

// contents reads the slots of object k.
func (r *reading) contents(k model.ObjectID, o *object, place []int32, c *content) error {
	b := r.b
	c.slots = make([]history.OpID, r.value(&o.total)+1)
	for i := range c.slots {
		c.slots[i] = -1
	}
	put := func(slot int32, op history.OpID) error {
		if int(slot) >= len(c.slots) || c.slots[slot] >= 0 {
			return errors.New("the solver returned an invalid model: it fills a slot twice")
		}
		c.slots[slot] = op
		return nil
	}
	for d := range o.removals {
		t := &o.removals[d]
		if !r.b.Holds(t.in) {
			continue
		}
		if err := put(r.value(&t.slot), b.Keep[t.op]); err != nil {
			return err
		}
	}
	var drained []int32 // slots
	for x := range o.items {
		it := &o.items[x]
		if r.b.Holds(it.drain) {
			drained = append(drained, r.value(&it.slot))
		}
		if it.op >= 0 && r.b.Holds(it.in) {
			c.puts = append(c.puts, b.Keep[it.op])
		}
	}
	slices.Sort(drained)
	for _, slot := range drained {
		r.object = append(r.object, k)
		if err := put(slot, history.OpID(len(r.object)-1)); err != nil {
			return err
		}
		r.drains++
	}
	for p := range o.peeks {
		if r.b.Holds(o.peeks[p].in) {
			c.looks = append(c.looks, b.Keep[o.peeks[p].op])
		}
	}
	c.slots = c.slots[1:]
	if slices.Contains(c.slots, -1) {
		return errors.New("the solver returned an invalid model: it leaves a slot empty")
	}
	r.sort(c.puts, o.puts, place)
	r.sort(c.looks, o.looks, place)
	return nil
}

// sort sorts operations by their order in ρ″.
func (r *reading) sort(ops []history.OpID, by *classOrder, place []int32) {
	key := func(i history.OpID) int32 { return place[i] }
	if by != nil {
		ranks := map[history.OpID]int32{}
		for k, i := range by.ops {
			ranks[r.b.Keep[i]] = r.value(&by.then[k])
		}
		key = func(i history.OpID) int32 { return ranks[i] }
	}
	slices.SortFunc(ops, func(x, y history.OpID) int { return cmp.Compare(key(x), key(y)) })
}

// merge orders the contents of one object if the order between classes is free.
func (r *reading) merge(o *object, c *content) {
	item, view := map[history.OpID]*stored{}, map[history.OpID]*sight{}
	late := o.waits()
	for x := range o.items {
		if it := &o.items[x]; it.op >= 0 {
			item[r.b.Keep[it.op]] = it
		}
	}
	for p := range o.peeks {
		view[r.b.Keep[o.peeks[p].op]] = &o.peeks[p]
	}
	passed := func(i history.OpID) int32 {
		it := item[i]
		if late {
			return r.value(&it.slot) - 1
		}
		return r.value(&it.passed)
	}
	for k := range len(c.slots) + 1 {
		limit := int32(k)
		if k == len(c.slots) { // no removal follows
			limit = cnf.Boundless
		}
		for {
			put := len(c.puts) > 0 && passed(c.puts[0]) <= limit
			if len(c.looks) > 0 {
				v := view[c.looks[0]]
				if r.value(&v.passed) <= limit && !(put && r.b.Holds(v.there[r.index(o, c.puts[0])])) {
					r.then = append(r.then, c.looks[0])
					c.looks = c.looks[1:]
					continue
				}
			}
			if !put {
				break
			}
			r.then = append(r.then, c.puts[0])
			c.puts = c.puts[1:]
		}
		if k < len(c.slots) {
			r.then = append(r.then, c.slots[k])
		}
	}
}

// index returns the item that operation i of the partition inserts.
func (r *reading) index(o *object, i history.OpID) int32 {
	k, _ := slices.BinarySearch(r.b.Keep, i)
	return r.s.local[k]
}
