package collections

// What: stacks whose values repeat, layer by layer. It decides the same as lifo.go, by the same
// moves. But there is one item for all contents after a beginning, which are a set
// (stack_languages.go), and it is expanded after all that can lead to its beginning.
//
// Source: reachability of a pushdown system by sets of contents that automata accept (Bouajjani,
// Esparza and Maler, CONCUR'97), in topological order, so that no set grows once it was used.
//
// What we changed: the automata are deterministic and minimal. So the ways to the same contents
// are one, and equal contents of different beginnings are recognized.
//
// What it is for. Everything is visited, where lifo.go often finds a linearization before. So it is
// asked where there is likely no way through. It says how far any linearization comes: to the first
// return that no contents pass.
//
// Superfluous contents (lifo_superfluous.go) are left out by what is on top, where all that can
// lie below is the same.
//
// Witness. For each beginning the operations that led to it are kept, and the contents before
// them. Backwards from some contents at the goal, one of these operations leads to contents that
// were there.
//
// Invariants: when a beginning is in turn, no later one leads to it.
//
// Cost: beginnings × open operations × values, and the unions. Memory is that of the sets, of the
// ways back, and of the beginnings of a few layers.

import (
	"math"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// layered is a search on one stack.
type layered struct {
	*engine.Account
	superfluous
	lifoMoves
	languages
	lifoTops
	goal    int32 // how many returns to pass
	most    int   // beyond so many items, and each for every layer passed, nothing is decided
	each    int
	items   int         // values on top, of all stages
	counts  valueCounts // used if the initial contents are unknown
	waiting []stage     // by beginning, as far as it is known
	layers  [][]int32   // beginnings that were reached, by layer
	taken   [][]int32   // those of the layer in turn, by how many open operations have taken effect
	layer   int32       // in turn, -1 before the search
	deepest int32       // the last layer that was reached
	kept    int         // how many beginnings were kept last
	keep    int         // so many are kept in any case
	stages  []stage     // beginnings that were expanded
	edges   []stageEdge
	done    int32 // the beginning at the goal, -1 before
}

// stage is a beginning, by its contents and the first of the edges to it, -1 for none.
type stage struct {
	contents language
	edges    int32
}

// stageEdge says that a stage led on by an operation; or by first, all peeks of what it pushed that
// are open, and then the operation.
type stageEdge struct {
	stage     int32
	op, first opIndex
	next      int32
}

// lifoTops are values on top with all that can lie below, in the layer in turn.
type lifoTops struct {
	byTop layout.Numbering
	tops  []lifoTop
	same  []int32 // by number: the last one in tops
}

// lifoTop is a value on top after a beginning.
type lifoTop struct {
	value int32
	below language
	begun beginning
	next  int32 // the one before with the same value and the same below, -1 for none
}

// newLayered returns a search on one stack, as newLIFO does.
func newLayered(ops []laneOp, contents []int32, unknown bool, goal int32, budget *engine.Account,
	over *layered) *layered {
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
		return s.lane.bytes() + int64(cap(s.waiting)+cap(s.stages))*8 + int64(cap(s.edges))*16 + s.languages.bytes() +
			s.byTop.Bytes() + int64(cap(s.tops))*40 + int64(cap(s.layers))*32 + int64(cap(s.sights))*8
	}
	s.begin()
	start := emptyStack
	if unknown {
		start = anyContents
	}
	for _, v := range slices.Backward(contents) {
		start = s.onto(v, start)
	}
	s.reach(s.lane.first, start, stageEdge{stage: -1})
	return s
}

// takeMemory takes the memory of a search that is over.
func (s *layered) takeMemory(o *layered) {
	s.lane.takeMemory(o.lane)
	s.languages, s.byTop = o.languages.emptied(), o.byTop.Emptied()
	s.stages, s.edges, s.waiting = o.stages[:0], o.edges[:0], o.waiting[:0]
	s.tops, s.same = o.tops[:0], o.same[:0]
	s.moves, s.next, s.seen, s.sums = o.moves[:0], o.next[:0], o.seen[:0], o.sums[:0]
}

// search decides.
func (s *layered) search() outcome {
	for s.layer++; s.done < 0 && s.layer < s.goal; s.layer++ {
		for _, b := range s.layers[s.layer] {
			s.turn(b)
		}
		s.layers[s.layer] = nil
		s.byTop, s.tops, s.same = s.byTop.Emptied(), s.tops[:0], s.same[:0]
		for n := range s.taken {
			for k := 0; k < len(s.taken[n]); k++ {
				switch {
				case s.short:
					return undecided
				case s.done >= 0:
					return found
				case s.items-s.each*int(s.layer) > s.most:
					return undecided
				case !s.expand(s.taken[n][k]):
					return gaveUp
				}
			}
			s.taken[n] = s.taken[n][:0]
		}
		if s.done < 0 && len(s.lane.begun) > 2*s.kept+s.keep {
			s.forget()
		}
	}
	switch {
	case s.short:
		return undecided
	case s.done >= 0:
		return found
	}
	return failed
}

// reached returns the first return that no contents pass, after search has failed.
func (s *layered) reached() history.Rank { return s.lane.ops[s.lane.returns[s.deepest]].ret }

// turn puts a beginning of the layer in turn among those with as many operations.
func (s *layered) turn(b int32) {
	n := bits.OnesCount64(s.lane.begun[b].mask)
	s.taken[n] = append(s.taken[n], b)
}

// reach adds contents after a beginning, and an edge to it unless it is from no stage.
func (s *layered) reach(b int32, contents language, e stageEdge) {
	if contents == noContents {
		return
	}
	for int(b) >= len(s.waiting) {
		s.waiting = append(s.waiting, stage{noContents, -1})
	}
	w := &s.waiting[b]
	layer := s.lane.begun[b].layer
	switch {
	case w.contents != noContents:
	case layer == s.layer:
		s.turn(b)
	default:
		s.layers[layer] = append(s.layers[layer], b)
		s.deepest = max(s.deepest, layer)
	}
	w.contents = s.union(w.contents, contents)
	if e.stage >= 0 {
		e.next = w.edges
		w.edges = int32(len(s.edges))
		s.edges = append(s.edges, e)
	}
	if s.done < 0 && layer >= s.goal {
		s.done = b
	}
}

// expand applies the operations that can come next after a beginning. It returns false if the
// search has to stop.
func (s *layered) expand(b int32) bool {
	s.left = longestUnion
	contents := s.needed(s.lane.begun[b], s.waiting[b].contents)
	if contents == noContents {
		return true
	}
	from := int32(len(s.stages))
	s.stages = append(s.stages, stage{contents, s.waiting[b].edges})
	s.moves = s.moves[:0]
	s.list(s.lane, b)
	tops := 0
	for x := contents; x != noContents; x = s.arcs[x].rest {
		tops++
	}
	s.items += tops
	for i := range s.moves {
		m := &s.moves[i]
		e := stageEdge{stage: from, op: m.op, first: m.first}
		switch m.kind {
		case looks:
			at := s.atOnce(m.value, contents)
			s.reach(m.to, at, e)
			if m.value == model.Nothing && s.having(model.Anything, contents) != noContents {
				s.reach(m.to, emptyStack, e)
			}
			for ; at != noContents; at = s.arcs[at].rest {
				contents = s.without(s.arcs[at].value, contents)
			}
		case passes:
			s.reach(m.to, contents, e)
		case through:
			s.reach(m.to, s.without(m.value, contents), e)
		case pushes:
			s.reach(m.to, s.onto(m.value, contents), e)
		case pops:
			s.reach(m.to, s.popped(m, b, contents), e)
		}
	}
	return s.Spend(int64(tops*len(s.moves) + longestUnion - s.left))
}

// needed returns the contents after a beginning without those on top that are superfluous.
func (s *layered) needed(at beginning, contents language) language {
	if contents == noContents {
		return noContents
	}
	x := s.arcs[contents]
	rest := s.needed(at, x.rest)
	n := int32(len(s.same))
	k := s.byTop.Find(layout.HashOf(x.value, int32(x.below)), n, func(k int32) bool {
		y := &s.tops[s.same[k]]
		return y.value == x.value && y.below == x.below
	})
	if k == n {
		s.same = append(s.same, -1)
	}
	for i := s.same[k]; i >= 0; i = s.tops[i].next {
		if s.replaces(s.tops[i].begun, at) {
			return rest
		}
	}
	s.tops = append(s.tops, lifoTop{x.value, x.below, at, s.same[k]})
	s.same[k] = int32(len(s.tops) - 1)
	if rest == x.rest {
		return contents
	}
	return s.arc(x.value, x.below, rest)
}

// atOnce returns the contents on which what sees a value, or finds nothing, is legal at once.
func (s *layered) atOnce(value int32, contents language) language {
	if value == model.Anything {
		return contents
	}
	at := s.having(value, contents)
	if value != model.Nothing {
		at = s.union(at, s.having(model.Anything, contents))
	}
	return at
}

// popped returns the contents after a pop, which comes after a beginning.
func (s *layered) popped(m *lifoMove, b int32, contents language) language {
	left := noContents
	for ; contents != noContents; contents = s.arcs[contents].rest {
		switch x := s.arcs[contents]; {
		case x.value == model.Anything:
			if m.value < 0 || s.counts.atMost(s.lane, b, m.value) > 0 {
				left = s.union(left, anyContents)
			}
		case x.value == model.Nothing:
			if m.value == model.Anything && s.lane.ops[m.op].ret != history.Never {
				left = s.union(left, emptyStack)
			}
		case m.value == x.value || m.value == model.Anything:
			left = s.union(left, x.below)
		}
	}
	return left
}

// forget forgets the beginnings before the next layer.
func (s *layered) forget() {
	begun, waits := slices.Clone(s.lane.begun), slices.Clone(s.waiting)
	s.lane.begun, s.lane.index = s.lane.begun[:0], s.lane.index.Emptied()
	s.waiting = s.waiting[:0]
	for l := s.layer + 1; l <= s.deepest; l++ {
		for i, b := range s.layers[l] {
			s.layers[l][i] = s.lane.intern(begun[b])
			s.waiting = append(s.waiting, waits[b])
		}
	}
	s.kept = len(s.lane.begun)
	if s.crowded() {
		sets := make([]language, len(s.waiting))
		for b, w := range s.waiting {
			sets[b] = w.contents
		}
		s.retain(sets)
	}
}

// linearization returns the operations in order, after search has found one. What the stack held at
// the start is known.
func (s *layered) linearization() []history.OpID {
	var steps []stageEdge
	s.left = math.MaxInt
	contents := s.some(s.waiting[s.done].contents)
	for e := s.waiting[s.done].edges; e >= 0; {
		x := s.edges[e]
		before := s.before(&x, contents)
		if before == noContents {
			e = x.next
			continue
		}
		contents = before
		steps = append(steps, x)
		e = s.stages[x.stage].edges
	}
	var order []history.OpID
	b := s.lane.intern(beginning{})
	take := func(o opIndex) {
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

// before returns contents of the stage of an edge that become the given ones by its operation, no
// contents if there are none.
func (s *layered) before(e *stageEdge, contents language) language {
	all := s.stages[e.stage].contents
	o, top := &s.lane.ops[e.op], s.arcs[contents]
	switch {
	case e.first >= 0:
	case o.does == model.Insert:
		if top.value == o.value && s.has(all, top.below) {
			return top.below
		}
		return noContents
	case o.does == model.Peek || o.value == model.Nothing:
		if o.value != top.value && o.value != model.Anything {
			return noContents
		}
	default:
		for x := all; x != noContents; x = s.arcs[x].rest {
			v := s.arcs[x].value
			if v < 0 || v != o.value && o.value != model.Anything {
				continue
			}
			if before := s.onto(v, contents); s.has(all, before) {
				return before
			}
		}
		if o.value != model.Anything || o.ret == history.Never || contents != emptyStack {
			return noContents
		}
	}
	if s.has(all, contents) {
		return contents
	}
	return noContents
}
