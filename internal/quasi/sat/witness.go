package sat

// Witnesses: from a model to ρ′ and ρ″, checked against the definition before they are answered.
//
// ρ′ is the total order of the model, drains last. ρ″ has, under slots, the content of each place
// in that place; under classes each removal or drain in the order of slots, before it what is
// inserted and seen by then.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// decide solves what was built and reads the witness.
func (s *slots) decide() (engine.Answer, error) {
	a, err := s.b.Decide(s.bound.Partition)
	if err != nil || a.Verdict != engine.Linearizable {
		return a, err
	}
	r := &reading{s: s, b: s.b, first: a.Witness}
	if err = r.read(); err == nil {
		err = r.replay()
	}
	if err != nil {
		return engine.Answer{Effort: a.Effort}, fmt.Errorf("encode: %w", err)
	}
	a.Witness, a.Rearranged, a.Drains = r.first, r.then, int(r.drains)
	return a, nil
}

// reading is a model being read.
type reading struct {
	s           *slots
	b           *cnf.Builder
	first, then []int32 // ρ′ and ρ″
	drains      int32
	object      []int32 // by operation of the part and drain
	// by operation of the part and drain: the value that it takes, if it is a removal
	takes []int32
}

// value is the value of a number in the model.
func (r *reading) value(u *cnf.Unary) int32 {
	lo, hi := u.Lo, u.Hi
	for lo < hi {
		mid := lo + (hi-lo)/2
		if r.b.Holds(u.Le(mid)) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// content is what a model has in the slots of one object.
type content struct {
	slots []int32 // operation by slot, from 1 on
	puts  []int32 // insertions in the order of ρ″
	looks []int32 // peeks in the order of ρ″
}

// read makes ρ″ and adds the drains to ρ′.
func (r *reading) read() error {
	s := r.s
	part := s.bound.Partition
	r.object, _ = s.bound.Objects()
	r.takes = make([]int32, part.Len())
	contents := make([]content, len(s.objects))
	place := make([]int32, part.Len()) // in ρ′
	for k, i := range r.first {
		place[i] = int32(k)
	}
	for k, o := range s.objects {
		if err := r.contents(int32(k), o, place, &contents[k]); err != nil {
			return err
		}
	}
	for d := range r.drains {
		r.first = append(r.first, int32(part.Len())+d)
	}
	if s.relax.Meaning == quasi.Classes {
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
			return errors.New("the model of the solver leaves a place without content")
		}
		r.then = append(r.then, (*from)[0])
		*from = (*from)[1:]
	}
	return nil
}

// contents reads the slots of object k.
func (r *reading) contents(k int32, o *object, place []int32, c *content) error {
	b := r.b
	c.slots = make([]int32, r.value(&o.total)+1)
	for i := range c.slots {
		c.slots[i] = -1
	}
	put := func(slot, op, value int32) error {
		if int(slot) >= len(c.slots) || c.slots[slot] >= 0 {
			return errors.New("the model of the solver fills a slot twice")
		}
		c.slots[slot] = op
		r.takes[op] = value
		return nil
	}
	for d := range o.removals {
		t := &o.removals[d]
		if !r.b.Holds(t.in) {
			continue
		}
		value := model.Nothing
		for _, m := range t.from {
			if r.b.Holds(m.is) {
				value = o.items[m.with].value
			}
		}
		if err := put(r.value(&t.slot), b.Keep[t.op], value); err != nil {
			return err
		}
	}
	type leaving struct{ slot, value int32 }
	var drained []leaving
	for x := range o.items {
		it := &o.items[x]
		if r.b.Holds(it.drain) {
			drained = append(drained, leaving{r.value(&it.slot), it.value})
		}
		if it.op >= 0 && r.b.Holds(it.in) {
			c.puts = append(c.puts, b.Keep[it.op])
		}
	}
	slices.SortFunc(drained, func(x, y leaving) int { return cmp.Compare(x.slot, y.slot) })
	for _, l := range drained {
		r.object, r.takes = append(r.object, k), append(r.takes, 0)
		if err := put(l.slot, int32(len(r.object)-1), l.value); err != nil {
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
		return errors.New("the model of the solver leaves a slot empty")
	}
	r.sort(c.puts, o.puts, place)
	r.sort(c.looks, o.looks, place)
	return nil
}

// sort puts operations in their order in ρ″.
func (r *reading) sort(ops []int32, by *second, place []int32) {
	key := func(i int32) int32 { return place[i] }
	if by != nil {
		ranks := map[int32]int32{}
		for k, i := range by.ops {
			ranks[r.b.Keep[i]] = r.value(&by.then[k])
		}
		key = func(i int32) int32 { return ranks[i] }
	}
	slices.SortFunc(ops, func(x, y int32) int { return cmp.Compare(key(x), key(y)) })
}

// merge puts the contents of one object in order where the order between classes is free.
func (r *reading) merge(o *object, c *content) {
	item, view := map[int32]*stored{}, map[int32]*sight{}
	late := o.waits()
	for x := range o.items {
		if it := &o.items[x]; it.op >= 0 {
			item[r.b.Keep[it.op]] = it
		}
	}
	for p := range o.peeks {
		view[r.b.Keep[o.peeks[p].op]] = &o.peeks[p]
	}
	passed := func(i int32) int32 {
		it := item[i]
		if late {
			return r.value(&it.slot) - 1
		}
		return r.value(&it.passed)
	}
	for k := range len(c.slots) + 1 {
		limit := int32(k)
		if k == len(c.slots) { // no removal follows, whatever the numbers say
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

// index is the item that operation i of the part inserts.
func (r *reading) index(o *object, i int32) int32 {
	k, _ := slices.BinarySearch(r.b.Keep, i)
	return r.s.local[k]
}

// replay says why ρ′ and ρ″ are no answer to the question, or nil if they are one.
func (r *reading) replay() error {
	s := r.s
	ops := s.bound.Partition.Ops
	n := int32(len(ops))
	rank, place := make([]int32, len(r.object)), make([]int32, len(r.object))
	latest := int32(-1)
	for k, i := range r.first {
		place[i] = int32(k) + 1
		if i >= n {
			continue
		}
		if ops[i].Return < latest {
			return errors.New("ρ′ contradicts real time")
		}
		latest = max(latest, ops[i].Call)
	}
	for i := range ops {
		if !ops[i].Pending() && place[i] == 0 {
			return errors.New("ρ′ leaves out a completed operation")
		}
	}
	for _, e := range s.bound.Partition.Edges {
		if x, y := place[e.Before], place[e.After]; x > y && y > 0 {
			return errors.New("ρ′ contradicts the explicit order")
		}
	}
	if s.relax.Drain {
		if left := s.bound.LeftOver(r.first[:len(r.first)-int(r.drains)]); len(left) != int(r.drains) {
			return fmt.Errorf("%d drains where %d items are left over", r.drains, len(left))
		}
	}
	does := func(i int32) model.Action {
		if i >= n {
			return model.Remove
		}
		return s.theory.Does[i]
	}
	limits := [...]int32{model.Insert: s.bounds.insert, model.Remove: s.bounds.remove, model.Peek: s.bounds.peek}
	initial := r.initial()
	count := make([][3]int32, len(initial))
	inside := map[[2]int32]int{}
	for k := range initial {
		for _, v := range initial[k] {
			inside[[2]int32{int32(k), v}]++
		}
	}
	for _, i := range r.first {
		c := &count[r.object[i]][does(i)]
		*c++
		rank[i] = *c
		if !s.relax.Causal || i >= n {
			continue
		}
		switch does(i) {
		case model.Insert:
			inside[[2]int32{r.object[i], s.theory.Value[i]}]++
		case model.Remove:
			if v := r.takes[i]; v != model.Nothing {
				if inside[[2]int32{r.object[i], v}]--; inside[[2]int32{r.object[i], v}] < 0 {
					return errors.New("ρ′ removes a value before it is inserted")
				}
			}
		}
	}
	if len(r.first) != len(r.then) {
		return errors.New("ρ″ has another length than ρ′")
	}
	clear(count)
	for k, i := range r.then {
		c := &count[r.object[i]][does(i)]
		*c++
		if d := int64(*c) - int64(rank[i]); rank[i] == 0 || max(d, -d) > int64(limits[does(i)]) {
			return errors.New("ρ″ moves an operation too far, or twice")
		}
		rank[i] = 0
		if j := r.first[k]; s.relax.Meaning == quasi.Slots && (r.object[i] != r.object[j] || does(i) != does(j)) {
			return errors.New("ρ″ has another class in some place")
		}
	}
	return r.execute(does, initial)
}

// initial lists what is in each object at the start, next to leave first.
func (r *reading) initial() [][]int32 {
	out := make([][]int32, len(r.s.theory.Initial))
	for i := range r.s.bound.Partition.Len() {
		out[r.object[i]] = r.s.theory.Initial[r.s.theory.Object[i]]
	}
	return out
}

// execute runs ρ″ on collections of their discipline.
func (r *reading) execute(does func(i int32) model.Action, initial [][]int32) error {
	t := r.s.theory
	states := make([]store, len(initial))
	for k, values := range initial {
		states[k].discipline, states[k].rank = t.Discipline, t.Rank
		values = slices.Clone(values)
		if t.Discipline == model.LIFO {
			slices.Reverse(values)
		}
		for _, v := range values {
			states[k].put(v)
		}
	}
	n := int32(r.s.bound.Partition.Len())
	for _, i := range r.then {
		state := &states[r.object[i]]
		said := model.Anything
		if i < n {
			said = t.Value[i]
		}
		ok := true
		switch does(i) {
		case model.Insert:
			state.put(said)
		case model.Peek:
			ok = said == model.Anything || state.sees(said)
		default:
			v := r.takes[i]
			ok = (said == model.Anything || said == v) && !(i >= n && v == model.Nothing) && state.sees(v)
			if ok && v != model.Nothing {
				state.take(v)
			}
		}
		if !ok {
			return errors.New("ρ″ is not accepted")
		}
	}
	return nil
}

// store is the state of a collection; a priority queue is a heap.
type store struct {
	discipline model.Discipline
	rank       []int64
	values     []int32
	inside     map[int32]int // priority queues: how many of each value
}

func (s *store) less(i, j int) bool { return s.rank[s.values[i]] < s.rank[s.values[j]] }

func (s *store) put(v int32) {
	s.values = append(s.values, v)
	if s.discipline != model.ByPriority {
		return
	}
	if s.inside == nil {
		s.inside = map[int32]int{}
	}
	s.inside[v]++
	for i := len(s.values) - 1; i > 0 && s.less(i, (i-1)/2); i = (i - 1) / 2 {
		s.values[i], s.values[(i-1)/2] = s.values[(i-1)/2], s.values[i]
	}
}

// sees says whether v may leave next, or nothing is there if v is Nothing.
func (s *store) sees(v int32) bool {
	if len(s.values) == 0 || v == model.Nothing {
		return len(s.values) == 0 && v == model.Nothing
	}
	switch s.discipline {
	case model.FIFO:
		return s.values[0] == v
	case model.LIFO:
		return s.values[len(s.values)-1] == v
	}
	return s.inside[v] > 0 && s.rank[v] == s.rank[s.values[0]]
}

// take takes out v, which leaves next. A priority queue takes another value of the same priority
// from its heap, which is as good there.
func (s *store) take(v int32) {
	last := len(s.values) - 1
	switch s.discipline {
	case model.FIFO:
		s.values = s.values[1:]
		return
	case model.ByPriority:
		s.inside[v]--
		s.values[0] = s.values[last]
	}
	s.values = s.values[:last]
	if s.discipline != model.ByPriority {
		return
	}
	for i := 0; ; {
		k := 2*i + 1
		if k+1 < last && s.less(k+1, k) {
			k++
		}
		if k >= last || !s.less(k, i) {
			return
		}
		s.values[i], s.values[k] = s.values[k], s.values[i]
		i = k
	}
}
