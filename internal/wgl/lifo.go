package wgl

// What: LIFO stacks whose values repeat. Plain search keeps whole contents: it decides the order of
// two concurrent pushes when the first returns, and learns that it was wrong when the stack has
// come down to them again. Here contents are not kept at all. A place is a value pushed when a
// certain set of operations had taken effect; an item says that this place can be on top when a
// certain set of operations has taken effect. What lies below depends on the place alone: every
// place that was on top of some item from which it was pushed. There are at most as many items as
// the square of the sets that can occur near each other, however deep the stack.
//
// Source: reachability of pushdown systems by saturation (Bouajjani, Esparza and Maler, CONCUR'97;
// Reps's summaries), with shared stacks as in Tomita's parser. Lee and Mathur (PLDI'26) reduce
// stacks to a context-free grammar over a frontier graph, which is the same reachability, and
// tabulate it bottom up, in cubic time.
//
// What we changed: we go forward from the start, so that only what can be reached is looked at, and
// the deepest first, so that a linearizable run is mostly walked through once.
//
// Normal form. Before the first return of an operation r that has not taken effect, only what r
// needs takes effect. This is just in time (just_in_time.go) for whole blocks: operations that
// follow one another and leave the stack as they found it, without r among them and without looking
// below, can be moved behind r. So what comes before r is some pops and then some pushes, and no
// pop takes a value pushed just then. If r pops, it is some pops, or one push of what r pops.
// Peeks, and pops that find nothing, are taken as soon as they are legal. Of operations that do the
// same only the one that returns first is tried (dfs.go).
//
// Saturation. An item is expanded once. When a place gets one more place below it, all pops of it
// that are known already lead there, too; and when a value is popped, the pop leads to all places
// below.
//
// Order. Items wait by layer. Usually the deepest layer is next. But where a pop finds another
// value on top, what waits in the layers in which that value was pushed comes first: another order
// there is what may help.
//
// Witness. An item remembers one way in which it was reached: a push from an item, or an operation
// on the same place, or a pop of a place above it from an item, with the item from which that was
// pushed. Followed backwards, with a stack of the latter, this is a linearization.
//
// Invariant: an item is added once, with a way back to the start.
//
// Cost: items × open operations. Linear in the length for a bounded concurrency, but with the
// square of the number of sets in a layer.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// lifo is a search on one stack.
type lifo struct {
	*engine.Account
	lane   *lane
	places []place
	items  []item
	byKey  map[uint64]int32 // items
	byPush map[placeKey]int32
	edges  []edge
	pops   []popped
	agenda []int32   // items that wait, the next one last
	waits  [][]int32 // by layer, items that may wait
	done   int32     // the item at the end, -1 before
	next   []int32   // scratch
	seen   []int32   // scratch
}

const (
	pushing = 1 // extra of a beginning: some push has taken effect since the last return
	bottom  = 0 // the place under everything
)

// place is a value on the stack, pushed such that the beginning resulted.
type place struct {
	begun int32
	value int32
	below int32 // first in edges, -1 for none
	pops  int32 // first in pops, -1 for none
}

// placeKey finds a place.
type placeKey struct{ begun, value int32 }

// edge reports that a place was pushed from an item by an operation.
type edge struct {
	item, op int32
	next     int32
}

// popped reports that a place was popped in an item by an operation, and what beginning resulted.
type popped struct {
	item, op int32
	begun    int32
	next     int32
}

// item is a place on top, and the beginning that has taken effect. It was reached from another
// item: by op, on the same place; or by first, all peeks of what it pushed that are open, and then
// op; or by the push op; or by the pop op, where edge says what the popped place was pushed from.
type item struct {
	place, begun int32
	from         int32 // -1 at the start
	op, first    int32
	edge         int32 // -1: no pop
	expanded     bool
}

// newLIFO reads a partition of one stack; nil if it is too concurrent.
func newLIFO(b *model.Instance, t *model.CollectionTheory, budget *engine.Account) *lifo {
	s := &lifo{Account: budget, byKey: map[uint64]int32{}, byPush: map[placeKey]int32{}, done: -1}
	var ops []laneOp
	for i := range b.Partition.Ops {
		o := &b.Partition.Ops[i]
		if t.Does[i] == model.Peek && o.Pending() {
			continue
		}
		ops = append(ops, laneOp{op: int32(i), call: o.Call, ret: o.Return, does: t.Does[i], value: t.Value[i]})
	}
	if s.lane = newLane(ops); s.lane == nil {
		return nil
	}
	s.waits = make([][]int32, len(s.lane.returns)+1)
	s.places = append(s.places, place{s.lane.first, model.Nothing, -1, -1})
	s.add(item{place: bottom, begun: s.lane.first, from: -1, op: -1, first: -1, edge: -1})
	// The places of initial values lie in a row; only the last one is on top of an item that is
	// expanded.
	start := t.Initial[0]
	for k := len(start) - 1; k >= 0; k-- {
		n := int32(len(s.places))
		s.edges = append(s.edges, edge{item: int32(len(s.items) - 1), op: -1, next: -1})
		s.places = append(s.places, place{s.lane.first, start[k], int32(len(s.edges) - 1), -1})
		s.items = append(s.items, item{n, s.lane.first, int32(len(s.items) - 1), -1, -1, -1, false})
	}
	if len(start) > 0 {
		clear(s.byKey)
		clear(s.waits)
		s.agenda = []int32{int32(len(s.items) - 1)}
		s.byKey[s.key(&s.items[len(s.items)-1])] = int32(len(s.items) - 1)
	}
	s.Footprint = func() int64 {
		return s.lane.bytes() + int64(cap(s.places)+cap(s.pops))*16 + int64(cap(s.items))*24 + int64(cap(s.edges))*12 +
			int64(len(s.byKey))*40 + int64(len(s.byPush))*40 + int64(cap(s.waits))*24
	}
	return s
}

// key finds an item.
func (s *lifo) key(x *item) uint64 { return uint64(x.place)<<32 | uint64(uint32(x.begun)) }

// search decides.
func (s *lifo) search() outcome {
	for s.done < 0 {
		k := s.take()
		if k < 0 {
			return failed
		}
		if !s.expand(k) {
			return gaveUp
		}
	}
	return found
}

// take returns an item that waits, or -1.
func (s *lifo) take() int32 {
	for n := len(s.agenda); n > 0; n-- {
		k := s.agenda[n-1]
		s.agenda = s.agenda[:n-1]
		if !s.items[k].expanded {
			s.items[k].expanded = true
			return k
		}
	}
	return -1
}

// add adds an item unless it is known.
func (s *lifo) add(x item) {
	k := s.key(&x)
	if _, known := s.byKey[k]; known {
		return
	}
	n := int32(len(s.items))
	s.byKey[k] = n
	s.items = append(s.items, x)
	layer := s.lane.begun[x.begun].layer
	s.waits[layer] = append(s.waits[layer], n)
	s.agenda = append(s.agenda, n)
	if s.lane.complete(x.begun) && s.done < 0 {
		s.done = n
	}
}

// push lets operation o, which pushes, take effect in item k.
func (s *lifo) push(k, o int32, extra uint32) {
	begun := s.lane.with(s.items[k].begun, o, extra)
	key := placeKey{begun, s.lane.ops[o].value}
	p, known := s.byPush[key]
	if !known {
		p = int32(len(s.places))
		s.byPush[key] = p
		s.places = append(s.places, place{begun, key.value, -1, -1})
	}
	e := int32(len(s.edges))
	s.edges = append(s.edges, edge{k, o, s.places[p].below})
	s.places[p].below = e
	if !known {
		s.add(item{p, begun, k, o, -1, -1, false})
	}
	for i := s.places[p].pops; i >= 0; i = s.pops[i].next {
		s.add(item{s.items[k].place, s.pops[i].begun, s.pops[i].item, s.pops[i].op, -1, e, false})
	}
}

// pop lets operation o, which pops, take effect in item k.
func (s *lifo) pop(k, o int32, extra uint32) {
	begun, p := s.lane.with(s.items[k].begun, o, extra), s.items[k].place
	s.pops = append(s.pops, popped{k, o, begun, s.places[p].pops})
	s.places[p].pops = int32(len(s.pops) - 1)
	for e := s.places[p].below; e >= 0; e = s.edges[e].next {
		s.add(item{s.items[s.edges[e].item].place, begun, k, o, -1, e, false})
	}
}

// expand lets what can come next after item k take effect. It returns false if the search has to
// stop.
func (s *lifo) expand(k int32) bool {
	x := s.items[k]
	top := s.places[x.place]
	extra := s.lane.begun[x.begun].extra
	s.next = s.lane.next(x.begun, s.next[:0])
	if !s.Spend(int64(len(s.next))) {
		return false
	}
	for _, i := range s.next {
		if o := &s.lane.ops[i]; (o.does == model.Peek || o.value == model.Nothing) && (o.value == top.value || o.wild()) {
			s.add(item{x.place, s.lane.with(x.begun, i, extra), k, i, -1, -1, false})
			return true
		}
	}
	r := s.lane.returns[s.lane.begun[x.begun].layer]
	last := &s.lane.ops[r]
	s.seen = s.seen[:0]
	from, stuck := len(s.agenda), false
	for _, i := range s.next {
		o := &s.lane.ops[i]
		if kind := int32(o.does)<<28 ^ o.value; o.does == model.Peek || s.met(kind) {
			continue
		}
		switch {
		case o.does == model.Insert && last.does == model.Remove:
			if o.value == last.value || last.value == model.Anything {
				begun := s.lane.with(x.begun, i, extra)
				for _, p := range s.next {
					if s.sees(p, o.value) {
						begun = s.lane.with(begun, p, extra)
					}
				}
				s.add(item{x.place, s.lane.with(begun, r, 0), k, r, i, -1, false})
			}
		case o.does == model.Insert:
			s.push(k, i, pushing)
		case x.place == bottom:
			if o.wild() && o.ret != history.Never {
				s.add(item{x.place, s.lane.with(x.begun, i, extra), k, i, -1, -1, false})
			}
		case extra == pushing:
		case o.value == top.value || o.wild():
			s.pop(k, i, extra)
		case i == r:
			stuck = true
		}
	}
	slices.Reverse(s.agenda[from:])
	if stuck {
		s.prefer(top.begun)
	}
	return true
}

// sees reports whether operation i is a peek of a value.
func (s *lifo) sees(i, value int32) bool {
	o := &s.lane.ops[i]
	return o.does == model.Peek && o.value == value
}

// met reports whether a kind of operation has been seen before in this item.
func (s *lifo) met(kind int32) bool {
	for _, k := range s.seen {
		if k == kind {
			return true
		}
	}
	s.seen = append(s.seen, kind)
	return false
}

// prefer lets what waits in the layers around a beginning come first.
func (s *lifo) prefer(b int32) {
	layer := s.lane.begun[b].layer
	for l := max(0, layer-nearby); l <= layer; l++ {
		for _, k := range s.waits[l] {
			if !s.items[k].expanded {
				s.agenda = append(s.agenda, k)
			}
		}
		s.waits[l] = s.waits[l][:0]
	}
}

// linearization returns the operations in order, after search has found one.
func (s *lifo) linearization() []int32 {
	var order, back []int32 // back: edges that places further down were pushed by
	place := func(o int32) {
		if o >= 0 { // not of an initial value
			order = append(order, s.lane.ops[o].op)
		}
	}
	for k := s.done; k >= 0; {
		x := &s.items[k]
		switch {
		case x.edge >= 0:
			place(x.op)
			back = append(back, x.edge)
			k = x.from
		case x.from >= 0 && s.items[x.from].place == x.place:
			place(x.op)
			if x.first >= 0 {
				for _, i := range s.lane.next(s.items[x.from].begun, s.next[:0]) {
					if s.sees(i, s.lane.ops[x.first].value) {
						place(i)
					}
				}
				place(x.first)
			}
			k = x.from
		case x.place == bottom:
			k = -1
		default:
			e := s.places[x.place].below
			if n := len(back); n > 0 {
				e, back = back[n-1], back[:n-1]
			}
			place(s.edges[e].op)
			k = s.edges[e].item
		}
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}
