package collections

// What: LIFO stacks whose values repeat. Plain search keeps whole contents: it decides the order of
// two concurrent pushes when the first returns, and finds out that it was wrong when they are
// popped. Here contents are not stored at all. A place is a value pushed when a certain set of
// operations had taken effect; an item says that this place can be on top when a certain set of
// operations has taken effect. What lies below depends on the place alone: every place that was on
// top of some item from which it was pushed. There are at most as many items as the square of the
// sets that can occur near each other, however deep the stack.
//
// Source: reachability of pushdown systems by saturation (Bouajjani, Esparza and Maler, CONCUR'97;
// Reps's summaries), with shared stacks as in Tomita's parser. Lee and Mathur (PLDI'26) reduce
// stacks to a context-free grammar over a frontier graph, which is the same reachability, and
// tabulate it bottom up, in cubic time.
//
// What we changed: the search goes forward from the start, so that only reachable items are
// visited, and the deepest first, so that a linearizable run is mostly traversed once.
//
// Normal form. Before the first return of an operation r that has not taken effect, only what r
// needs takes effect. This is just in time (just_in_time.go) for whole blocks: operations that
// follow one another and leave the stack as they found it, without r among them and without looking
// below, can be moved behind r. So what comes before r is some pops and then some pushes, and no
// pop takes a value pushed just then. If r pops, it is some pops, or one push of what r pops.
// And no value is pushed for r to pop it where r finds the same value without. Peeks, and pops that
// find nothing, are taken as soon as they are legal. Of operations that do the same only the one
// that returns first is tried (dfs.go).
//
// All of these rules hold for one linearization: the one in which the fewest operations that change
// the stack come before the first return, then before the second, and so on. Each exchange brings
// one return forward and no earlier one back.
//
// Items that others make superfluous are left out (lifo_superfluous.go).
//
// Unknown contents (window_search.go). At the bottom there can be a place that stands for any
// contents: a pop leaves it there if the value can be there (value_counts.go), a peek finds what it
// says, and what finds nothing leads to the bottom that is empty. Operations that were open at the
// start may also have taken effect before: they may pass, each when it returns.
//
// Saturation. An item is expanded once. When a place gets one more place below it, all pops of it
// that are known already lead there, too; and when a value is popped, the pop leads to all places
// below.
//
// Order. Items wait by layer. Usually the deepest layer is next. But if a pop finds another value
// on top, the items in the layers in which that value was pushed come first: another order there
// may help.
//
// Witness. An item stores one way in which it was reached: a push from an item, or an operation on
// the same place, or a pop of a place above it from an item, with the item from which that was
// pushed. Followed backwards, with a stack of the latter, this is a linearization.
//
// Invariants: an item is added once, with a way back to the start; no item of a group makes another
// one of it superfluous.
//
// Cost: items × open operations. That is linear in the length for a bounded concurrency, but
// quadratic in the number of sets in a layer. The operations that can come next after a beginning
// are listed once for all places.

import (
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

const (
	bottom = 0 // the place under everything
	wild   = 1 // the place under everything that was pushed since the start, if that is unknown
)

// lifo is a search on one stack.
type lifo struct {
	*engine.Account
	itemGroups
	lifoMoves
	goal    int32 // how many returns to pass
	most    int   // beyond so many items nothing is decided
	places  []place
	byPush  layout.Numbering // places
	edges   []edge
	pops    []popped
	counts  valueCounts    // used if the initial contents are unknown
	movesAt []span         // by beginning: moves; to < 0 before they are listed
	agenda  []lifoItemID   // waiting items, the next one last
	waits   [][]lifoItemID // by layer, items that may wait
	done    lifoItemID     // the item at the goal, -1 before
}

// place is a value on the stack, pushed such that the beginning resulted.
type place struct {
	begun int32
	value int32
	below lifoEdgeID // first in edges, -1 for none
	pops  int32      // first in pops, -1 for none
	group int32      // of items in the layer in which it was pushed
}

// edge says that a place was pushed from an item by an operation.
type edge struct {
	item lifoItemID
	op   opIndex
	next lifoEdgeID
}

// popped says that a place was popped in an item by an operation, and which beginning resulted.
type popped struct {
	item  lifoItemID
	op    opIndex
	begun int32
	next  int32
}

// span is a range of a list.
type span struct{ from, to int32 }

// newLIFO returns a search on one stack with the given contents, top first; unknown says that
// anything may lie below. It has to pass goal returns. It takes the memory of a search that is over
// and not used any more, or nil. It returns nil if too many operations are concurrent.
func newLIFO(ops []laneOp, contents []int32, unknown bool, goal int32, budget *engine.Account, over *lifo) *lifo {
	s := &lifo{Account: budget, done: -1, goal: goal, most: math.MaxInt}
	l := newLane(ops)
	if l == nil {
		return nil
	}
	s.lane = l
	if over != nil {
		s.takeMemory(over)
	}
	s.goal = min(goal, int32(len(s.lane.returns)))
	s.prepare(unknown)
	s.waits = make([][]lifoItemID, len(s.lane.returns)+1)
	s.newPlace(s.lane.first, model.Nothing, -1)
	base := int32(bottom)
	if unknown {
		s.newPlace(s.lane.first, model.Anything, -1)
		base = wild
	}
	s.Footprint = func() int64 {
		return s.lane.bytes() + int64(cap(s.places))*20 + int64(cap(s.pops))*16 + int64(cap(s.items))*32 +
			int64(cap(s.edges))*12 +
			s.byKey.Bytes() + s.byPush.Bytes() + int64(cap(s.waits))*24 + int64(cap(s.moves))*20 +
			int64(cap(s.movesAt))*8 +
			int64(len(s.items)+cap(s.agenda))*4 + int64(cap(s.groups))*12 + int64(cap(s.sights))*8
	}
	if len(contents) == 0 {
		s.add(item{place: base, begun: s.lane.first, from: -1, op: -1, first: -1, edge: -1, next: -1})
		return s
	}
	// The initial places are in a row; only the last one is on top of an item that is expanded.
	s.items = append(s.items, item{place: base, begun: s.lane.first, from: -1, op: -1, first: -1, edge: -1, next: -1})
	for k := len(contents) - 1; k >= 0; k-- {
		n := int32(len(s.places))
		s.edges = append(s.edges, edge{item: lifoItemID(len(s.items) - 1), op: -1, next: -1})
		s.newPlace(s.lane.first, contents[k], lifoEdgeID(len(s.edges)-1))
		x := item{n, s.lane.first, lifoItemID(len(s.items) - 1), -1, -1, -1, -1, false}
		if k > 0 {
			s.items = append(s.items, x)
		} else {
			s.add(x)
		}
	}
	return s
}

// newPlace adds a place.
func (s *lifo) newPlace(begun, value int32, below lifoEdgeID) {
	group := s.newGroup(int32(len(s.places)), s.lane.begun[begun].layer)
	s.places = append(s.places, place{begun, value, below, -1, group})
}

// takeMemory takes the memory of a search that is over.
func (s *lifo) takeMemory(o *lifo) {
	s.lane.takeMemory(o.lane)
	s.places, s.items, s.edges, s.pops = o.places[:0], o.items[:0], o.edges[:0], o.pops[:0]
	s.byKey, s.byPush = o.byKey.Emptied(), o.byPush.Emptied()
	s.moves, s.movesAt, s.agenda = o.moves[:0], o.movesAt[:0], o.agenda[:0]
	s.next, s.seen, s.groups, s.sums = o.next[:0], o.seen[:0], o.groups[:0], o.sums[:0]
}

// search decides.
func (s *lifo) search() outcome {
	for s.done < 0 {
		if len(s.items) > s.most {
			return undecided
		}
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

// take returns a waiting item, or -1.
func (s *lifo) take() lifoItemID {
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

// add adds an item unless another one makes it superfluous.
func (s *lifo) add(x item) {
	n := lifoItemID(len(s.items))
	layer := s.lane.begun[x.begun].layer
	if !s.admit(&x, s.group(x.place, layer, s.places[x.place].group)) {
		return
	}
	s.items = append(s.items, x)
	s.waits[layer] = append(s.waits[layer], n)
	s.agenda = append(s.agenda, n)
	if layer >= s.goal && s.done < 0 {
		s.done = n
	}
}

// push takes a move that pushes in item k.
func (s *lifo) push(k lifoItemID, m *lifoMove) {
	n := int32(len(s.places))
	p := s.byPush.Find(layout.HashOf(m.to, m.value), n, func(p int32) bool {
		return s.places[p].begun == m.to && s.places[p].value == m.value
	})
	if p == n {
		s.newPlace(m.to, m.value, -1)
	}
	e := lifoEdgeID(len(s.edges))
	s.edges = append(s.edges, edge{k, m.op, s.places[p].below})
	s.places[p].below = e
	if p == n {
		s.add(item{p, m.to, k, m.op, -1, -1, -1, false})
	}
	for i := s.places[p].pops; i >= 0; i = s.pops[i].next {
		s.add(item{s.items[k].place, s.pops[i].begun, s.pops[i].item, s.pops[i].op, -1, e, -1, false})
	}
}

// pop takes a move that pops in item k.
func (s *lifo) pop(k lifoItemID, m *lifoMove) {
	p := s.items[k].place
	s.pops = append(s.pops, popped{k, m.op, m.to, s.places[p].pops})
	s.places[p].pops = int32(len(s.pops) - 1)
	for e := s.places[p].below; e >= 0; e = s.edges[e].next {
		s.add(item{s.items[s.edges[e].item].place, m.to, k, m.op, -1, e, -1, false})
	}
}

// list lists the moves after a beginning, once.
func (s *lifo) list(b int32) span {
	for int(b) >= len(s.movesAt) {
		s.movesAt = append(s.movesAt, span{0, -1})
	}
	if s.movesAt[b].to < 0 {
		from := int32(len(s.moves))
		s.lifoMoves.list(s.lane, b)
		s.movesAt[b] = span{from, int32(len(s.moves))}
	}
	return s.movesAt[b]
}

// expand applies the operations that can come next after item k. It returns false if the search has
// to stop.
func (s *lifo) expand(k lifoItemID) bool {
	x := s.items[k]
	b := s.lane.begun[x.begun]
	if b.layer >= s.goal {
		return true
	}
	top := s.places[x.place]
	all := s.list(x.begun)
	if !s.Spend(int64(all.to - all.from)) {
		return false
	}
	r := s.lane.returns[b.layer]
	from := len(s.agenda)
	for i := all.from; i < all.to; i++ {
		m := &s.moves[i]
		atOnce := m.value == top.value || m.value == model.Anything || top.value == model.Anything &&
			m.value != model.Nothing
		switch m.kind {
		case looks:
			if atOnce {
				s.add(item{x.place, m.to, k, m.op, -1, -1, -1, false})
				return true
			}
			if top.value == model.Anything {
				s.add(item{bottom, m.to, k, m.op, -1, -1, -1, false})
			}
		case passes:
			s.add(item{x.place, m.to, k, m.op, -1, -1, -1, false})
		case through:
			if m.value == top.value {
				continue
			}
			s.add(item{x.place, m.to, k, m.op, m.first, -1, -1, false})
		case pushes:
			s.push(k, m)
		case pops:
			switch {
			case top.value == model.Anything:
				if m.value < 0 || s.counts.atMost(s.lane, x.begun, m.value) > 0 {
					s.add(item{x.place, m.to, k, m.op, -1, -1, -1, false})
				}
			case x.place == bottom:
				if m.value == model.Anything && s.lane.ops[m.op].ret != history.Never {
					s.add(item{x.place, m.to, k, m.op, -1, -1, -1, false})
				}
			case atOnce:
				s.pop(k, m)
			}
		}
	}
	slices.Reverse(s.agenda[from:])
	if o := &s.lane.ops[r]; o.does == model.Remove && x.place != bottom && top.value != model.Anything &&
		o.value != top.value && !o.wild() {
		s.prefer(top.begun)
	}
	return true
}

// prefer lets the items in the layers around a beginning come first.
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
func (s *lifo) linearization() []history.OpID {
	var order []history.OpID
	var back []lifoEdgeID // edges that pushed the places further down
	place := func(o opIndex) {
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
					if s.lane.sees(i, s.lane.ops[x.first].value) {
						place(i)
					}
				}
				place(x.first)
			}
			k = x.from
		case x.from < 0:
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
