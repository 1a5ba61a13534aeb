package wgl

// What: stacks whose values repeat, layer by layer. It decides the same as lifo.go, by the same
// moves, in another order: an item is expanded after all that can lead to its beginning. So all
// that a value can lie on is known when it is first looked at, and two places with the same value
// on the same places are one, however they came about (lifo_contents.go). Nothing that is known has
// to be led on later, and of what is behind only the way back to the start is kept.
//
// Source: the saturation of lifo.go, in topological order. That places are equal if what lies under
// them is, is hash-consing of the shared stacks of Tomita's parser (Scott and Johnstone, TOPLAS'06,
// share them by where they were pushed).
//
// What it is for. Everything is visited, where lifo.go often finds a linearization before. So it
// comes first where few items are to be expected, and where there is likely no way through. It says
// how far any linearization comes: to the first return that no item passes.
//
// Invariants: when a beginning is in turn, no later one leads to it. All contents of a place, any
// value of it on all contents of any place under it, are there after each beginning of its items.
//
// Cost: items × moves. Memory is that of the ways back, and of the beginnings of a few layers.

import (
	"math"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// layered is a search on one stack.
type layered struct {
	*engine.Account
	itemGroups
	lifoMoves
	lifoContents
	goal    int32 // how many returns to pass
	most    int   // beyond so many items, and each for every layer passed, nothing is decided
	each    int
	same    []int32 // by item: the next one of the same beginning, -1 for none
	pushed  []pushed
	edges   []pushEdge
	counts  valueCounts // used if the initial contents are unknown
	waiting []waiting   // by beginning
	layers  [][]int32   // beginnings that have items or pushes, by layer
	taken   [][]int32   // those of the layer in turn, by how many open operations have taken effect
	layer   int32       // in turn, -1 before the search
	deepest int32       // the last layer that has an item
	kept    int         // how many beginnings were kept last
	keep    int         // so many are kept in any case
	done    int32       // the item at the goal, -1 before
}

// pushed is a value pushed such that some beginning resulted.
type pushed struct {
	value int32
	edges int32 // first in edges
	next  int32 // of the same beginning, -1 for none
}

// pushEdge says that a value was pushed in an item by an operation.
type pushEdge struct {
	item, op int32
	next     int32
}

// waiting is what is known of a beginning whose turn has not come.
type waiting struct {
	items, pushed int32 // first, -1 for none
	queued        bool
}

// newLayered returns a search on one stack, as newLIFO does.
func newLayered(ops []laneOp, contents []int32, unknown bool, goal int32, budget *engine.Account, over *layered) *layered {
	s := &layered{Account: budget, done: -1, most: math.MaxInt, layer: -1, keep: keptBeginnings}
	if s.lane = newLane(ops); s.lane == nil {
		return nil
	}
	if over != nil {
		s.takeMemory(over)
	}
	s.goal = min(goal, int32(len(s.lane.returns)))
	s.prepare(unknown)
	s.layers = make([][]int32, len(s.lane.returns)+1)
	s.taken = make([][]int32, maxLane+1)
	s.Footprint = func() int64 {
		return s.lane.bytes() + int64(cap(s.items))*36 + int64(cap(s.edges)+cap(s.pushed)+cap(s.waiting))*12 + s.lifoContents.bytes() +
			s.byKey.Bytes() + int64(cap(s.layers))*32 + int64(cap(s.groups))*4 + int64(cap(s.sights))*8
	}
	top := s.begin(unknown)
	for _, v := range slices.Backward(contents) {
		top = s.onto(v, top)
	}
	s.add(item{place: top, begun: s.lane.first, from: -1, op: -1, first: -1, edge: -1})
	return s
}

// takeMemory takes the memory of a search that is over.
func (s *layered) takeMemory(o *layered) {
	s.lane.takeMemory(o.lane)
	s.items, s.same, s.edges, s.pushed = o.items[:0], o.same[:0], o.edges[:0], o.pushed[:0]
	s.lifoContents, s.byKey = o.lifoContents.emptied(), o.byKey.Emptied()
	s.moves, s.waiting = o.moves[:0], o.waiting[:0]
	s.next, s.seen, s.groups, s.sums = o.next[:0], o.seen[:0], o.groups[:0], o.sums[:0]
}

// search decides.
func (s *layered) search() outcome {
	for s.layer++; s.done < 0 && s.layer < s.goal; s.layer++ {
		for _, b := range s.layers[s.layer] {
			s.turn(b)
		}
		s.layers[s.layer] = nil
		for n := range s.taken {
			for k := 0; k < len(s.taken[n]); k++ {
				switch {
				case s.done >= 0:
					return found
				case len(s.items)-s.each*int(s.layer) > s.most:
					return undecided
				case !s.expand(s.taken[n][k]):
					return gaveUp
				}
			}
			s.taken[n] = s.taken[n][:0]
		}
		if len(s.lane.begun) > 2*s.kept+s.keep {
			s.forget()
		}
	}
	if s.done >= 0 {
		return found
	}
	return failed
}

// reached returns the first return that no item passes, after search has failed.
func (s *layered) reached() history.Rank { return s.lane.ops[s.lane.returns[s.deepest]].ret }

// turn puts a beginning of the layer in turn among those with as many operations.
func (s *layered) turn(b int32) {
	n := bits.OnesCount64(s.lane.begun[b].mask)
	s.taken[n] = append(s.taken[n], b)
}

// wait returns what is known of a beginning, and lets its turn come.
func (s *layered) wait(b int32) *waiting {
	for int(b) >= len(s.waiting) {
		s.waiting = append(s.waiting, waiting{-1, -1, false})
	}
	w := &s.waiting[b]
	if !w.queued {
		w.queued = true
		layer := s.lane.begun[b].layer
		if s.deepest = max(s.deepest, layer); layer == s.layer {
			s.turn(b)
		} else {
			s.layers[layer] = append(s.layers[layer], b)
		}
	}
	return w
}

// add adds an item unless another one makes it superfluous.
func (s *layered) add(x item) {
	w := s.wait(x.begun)
	if !s.admit(&x) {
		return
	}
	n := int32(len(s.items))
	s.same = append(s.same, w.items)
	w.items = n
	s.items = append(s.items, x)
	if s.done < 0 && s.lane.begun[x.begun].layer >= s.goal {
		s.done = n
	}
}

// push takes a move that pushes in item k.
func (s *layered) push(k int32, m *lifoMove) {
	w := s.wait(m.to)
	p := w.pushed
	for p >= 0 && s.pushed[p].value != m.value {
		p = s.pushed[p].next
	}
	if p < 0 {
		p = int32(len(s.pushed))
		s.pushed = append(s.pushed, pushed{m.value, -1, w.pushed})
		w.pushed = p
	}
	for e := s.pushed[p].edges; e >= 0; e = s.edges[e].next {
		if s.items[s.edges[e].item].place == s.items[k].place {
			return
		}
	}
	s.edges = append(s.edges, pushEdge{k, m.op, s.pushed[p].edges})
	s.pushed[p].edges = int32(len(s.edges) - 1)
	if s.done < 0 && s.lane.begun[m.to].layer >= s.goal {
		s.arrive(m.to)
	}
}

// arrive makes items of what was pushed such that a beginning resulted: nothing more will be, or
// the search is over.
func (s *layered) arrive(b int32) {
	for p := s.waiting[b].pushed; p >= 0; p = s.pushed[p].next {
		s.below = s.below[:0]
		for e := s.pushed[p].edges; e >= 0; e = s.edges[e].next {
			s.below = append(s.below, s.items[s.edges[e].item].place)
		}
		s.add(item{place: s.place(s.pushed[p].value), begun: b, from: -1, op: -1, first: -1, edge: p})
	}
}

// expand applies the operations that can come next after a beginning to its items. It returns false
// if the search has to stop.
func (s *layered) expand(b int32) bool {
	s.arrive(b)
	s.moves = s.moves[:0]
	s.list(s.lane, b)
	for k := s.waiting[b].items; k >= 0; k = s.same[k] {
		if s.items[k].expanded {
			continue
		}
		if !s.Spend(int64(len(s.moves))) {
			return false
		}
		s.follow(k)
	}
	return true
}

// follow applies the moves after a beginning to one of its items.
func (s *layered) follow(k int32) {
	x := s.items[k]
	top := s.value[x.place]
	reach := func(m *lifoMove, place int32) {
		s.add(item{place: place, begun: m.to, from: k, op: m.op, first: m.first, edge: -1})
	}
	for i := range s.moves {
		m := &s.moves[i]
		atOnce := m.value == top || m.value == model.Anything || top == model.Anything && m.value != model.Nothing
		switch m.kind {
		case looks:
			if atOnce {
				reach(m, x.place)
				return
			}
			if top == model.Anything {
				reach(m, bottom)
			}
		case passes:
			reach(m, x.place)
		case through:
			if m.value != top {
				reach(m, x.place)
			}
		case pushes:
			s.push(k, m)
		case pops:
			switch {
			case top == model.Anything:
				if m.value < 0 || s.counts.atMost(s.lane, x.begun, m.value) > 0 {
					reach(m, x.place)
				}
			case x.place == bottom:
				if m.value == model.Anything && s.lane.ops[m.op].ret != history.Never {
					reach(m, x.place)
				}
			case atOnce:
				for _, p := range s.under.Of(x.place) {
					reach(m, p)
				}
			}
		}
	}
}

// forget forgets the beginnings before the next layer, and the groups of their items.
func (s *layered) forget() {
	begun, waits := slices.Clone(s.lane.begun), slices.Clone(s.waiting)
	s.lane.begun, s.lane.index = s.lane.begun[:0], s.lane.index.Emptied()
	s.waiting, s.groups, s.byKey = s.waiting[:0], s.groups[:0], s.byKey.Emptied()
	for l := s.layer + 1; l <= s.deepest; l++ {
		for i, b := range s.layers[l] {
			at := s.lane.intern(begun[b])
			s.layers[l][i] = at
			s.waiting = append(s.waiting, waits[b])
			for k := waits[b].items; k >= 0; k = s.same[k] {
				if x := &s.items[k]; !x.expanded {
					x.begun = at
					g := s.group(x)
					x.next, s.groups[g] = s.groups[g], k
				}
			}
		}
	}
	s.kept = len(s.lane.begun)
}

// linearization returns the operations in order, after search has found one.
func (s *layered) linearization() []history.OpID {
	type step struct{ op, first int32 }
	var steps []step
	var back []int32 // the places on which what was popped has to have been pushed
	for k := s.done; k >= 0; {
		x := &s.items[k]
		switch {
		case x.edge >= 0:
			e := s.pushed[x.edge].edges
			if n := len(back); n > 0 {
				for s.items[s.edges[e].item].place != back[n-1] {
					e = s.edges[e].next
				}
				back = back[:n-1]
			}
			steps = append(steps, step{s.edges[e].op, -1})
			k = s.edges[e].item
			continue
		case x.from < 0: // the start
		case s.items[x.from].place != x.place && x.first < 0:
			back = append(back, x.place)
			fallthrough
		default:
			steps = append(steps, step{x.op, x.first})
		}
		k = x.from
	}
	var order []history.OpID
	b := s.lane.intern(beginning{})
	take := func(o int32) {
		order = append(order, s.lane.ops[o].op)
		b = s.lane.with(b, o, 0)
	}
	for _, t := range slices.Backward(steps) {
		if t.first >= 0 {
			s.next = s.lane.next(b, s.next[:0])
			take(t.first)
			for _, i := range s.next {
				if s.lane.sees(i, s.lane.ops[t.first].value) {
					take(i)
				}
			}
		}
		take(t.op)
	}
	return order
}
