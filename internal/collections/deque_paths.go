package collections

// What: one deque, exactly, with values that repeat. All configurations before a return are kept
// together, as paths in a graph (deque_path_graph.go): its edges are items, and a path from a state
// of the front to a state of the back is a configuration. The state of an end says which of the
// open operations at that end have taken effect, and at which node the contents begin there.
//
// What an operation does depends on the state of its end and the next edge from there alone. An
// insertion leads over a new edge to the node where the contents began; a removal goes on to the
// node behind the first edge. States of an end in which the same operations have taken effect have
// one node, in which what follows them comes together. So contents that differ deep inside are not
// told apart until an end gets there, and no choice at one end multiplies the choices at the other.
// What finds the deque empty takes effect where a state of either end is at the same node, and goes
// to a node of which only the empty path is left.
//
// Before a return, each end in turn is closed under the open operations there, until neither
// changes. While more is inside than they can take out, that end alone is enough: what happens at
// the other end can as well happen later. Then the states in which the operation that returns has
// not taken effect are left out, and so is what lies on no path.
//
// Source: ours. For one end it is the graph-structured stack of Tomita (IJCAI'85) and the frontier
// graph of Lee and Mathur (PLDI'26); configurations are just in time (Lowe, CCPE'17).
//
// What we changed: of open operations that do the same, one takes effect only after those that
// return earlier. An end that was closed before is closed again from what is new.
//
// Invariants: the paths are the configurations to which linearizations of a beginning lead. Every
// node that is not dead lies on a path. States are by what took effect, which is distinct after a
// pass.
//
// Cost: with k operations open at an end, up to 2^k nodes a pass and k+2 passes a return; edges are
// between any two nodes, so it is polynomial for bounded k. Recordings and generated histories have
// two to ten edges a node.

import (
	"math"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// dequePaths is the search.
type dequePaths struct {
	*engine.Account
	pathGraph
	lane   *lane
	steps  int64      // then it stops
	most   int64      // bytes, with which it stops; 0 for no limit of its own
	broken bool       // a limit was reached between two returns
	layer  int        // that is next
	least  int        // items after all returned operations, if each removal took one
	seen   [2]opIndex // by end: operations before this one were open when it was closed
	moves  []pathMove // all, for trace
	order  []history.OpID
	// scratch
	open  [2][]opIndex
	cells []pathCell
	of    []int32  // cells by the open operations that took effect
	set   []uint64 // where there is one
}

// pathMove is how an end was closed.
type pathMove struct {
	layer         int32
	end           int8
	before, after []pathState
	far           []pathState // of the other end, after
}

// newDequePaths makes a search on one deque, initial values from the front. It is nil if too many
// operations are concurrent.
func newDequePaths(ops []laneOp, initial []int32, budget *engine.Account) *dequePaths {
	s := &dequePaths{Account: budget, pathGraph: newPathGraph(initial), steps: math.MaxInt64, least: len(initial)}
	if s.lane = newLane(ops); s.lane == nil {
		return nil
	}
	s.Footprint = s.bytes
	return s
}

func (s *dequePaths) bytes() int64 {
	return s.lane.bytes() + s.pathGraph.bytes() + int64(cap(s.moves))*104 + int64(cap(s.of))*5
}

// large reports whether it takes more memory than it may.
func (s *dequePaths) large() bool { return s.most > 0 && s.bytes() > s.most }

// charge counts what was done since the last time, and reports whether to go on.
func (s *dequePaths) charge() bool {
	spent := s.work
	s.work = 0
	s.steps -= spent
	return s.Spend(spent)
}

// search goes on for about so many steps as it has. It answers found, failed, undecided or gaveUp.
func (s *dequePaths) search() outcome {
	for ; s.layer < len(s.lane.returns); s.layer++ {
		if s.steps < 0 || s.large() {
			return undecided
		}
		r := &s.lane.ops[s.lane.returns[s.layer]]
		removals := s.look(r)
		if max(len(s.open[0]), len(s.open[1])) > maxOpenAtEnd {
			return undecided
		}
		if s.close(r.end, removals); s.broken {
			if s.Cause != engine.NoCause {
				return gaveUp
			}
			return undecided
		}
		s.filter(r)
		if len(s.sides[0]) == 0 {
			return failed
		}
		switch {
		case r.does == model.Insert:
			s.least++
		case r.does == model.Remove && r.value != model.Nothing:
			s.least--
		}
		s.work++
		if !s.charge() {
			return gaveUp
		}
	}
	return found
}

// look lists the open operations before a return, those that return first in front, and counts the
// removals among them.
func (s *dequePaths) look(r *laneOp) (removals int) {
	s.open[0], s.open[1] = s.open[0][:0], s.open[1][:0]
	s.eachOpen(s.layer, func(i opIndex) bool {
		x := &s.lane.ops[i]
		if s.open[x.end] = append(s.open[x.end], i); x.does == model.Remove && x.value != model.Nothing {
			removals++
		}
		return true
	})
	return removals
}

// eachOpen calls f with the operations that are open before a return, until it answers false.
func (s *dequePaths) eachOpen(layer int, f func(i opIndex) bool) {
	for _, i := range s.lane.open.Of(int32(layer)) {
		if !f(i) {
			return
		}
	}
	for _, i := range s.lane.pending {
		if s.lane.ops[i].call >= s.lane.ops[s.lane.returns[layer]].ret || !f(i) {
			return
		}
	}
}

// close lets open operations take effect in all ways that matter before a return at an end.
func (s *dequePaths) close(e int8, removals int) {
	s.pass(e)
	if s.least > removals {
		return
	}
	// Each operation may need the one before it, at the other end.
	most := len(s.open[0]) + len(s.open[1])
	for same := 0; most > 0 && same < 2 && !s.broken; most-- {
		same++
		if e = 1 - e; s.pass(e) {
			same = 0
		}
	}
}

// pass closes an end, and reports whether there is more than before.
func (s *dequePaths) pass(e int8) (grew bool) {
	open := s.open[e]
	for len(s.of) < 1<<len(open) {
		s.of = append(s.of, none)
	}
	if words := (len(s.of) + 63) / 64; len(s.set) < words {
		s.set = append(s.set, make([]uint64, words-len(s.set))...)
	}
	s.cells = s.cells[:0]
	before := s.sides[e]
	for _, x := range before {
		k := 0
		for b, i := range open {
			k |= int(x.mask>>s.lane.ops[i].bit&1) << b
		}
		c := s.cell(k)
		c.sources = append(c.sources, x.node)
		c.own++
	}
	closed := s.begin(e)
	after := make([]pathState, 0, len(before))
	for word := range s.set[:(1<<len(open)+63)/64] {
		for s.set[word] != 0 {
			if s.work >= pathWork && (s.large() || !s.charge()) {
				s.broken = true
				return false
			}
			s.work++
			k := word<<6 + bits.TrailingZeros64(s.set[word])
			c := s.cell(k)
			n := s.settle(e, c, closed)
			s.set[word] &= s.set[word] - 1
			if s.of[k] = none; n == none {
				continue
			}
			mask := uint64(0)
			for b, i := range open {
				mask |= uint64(k) >> b & 1 << s.lane.ops[i].bit
			}
			after = append(after, pathState{mask, n})
			grew = grew || c.grew
			s.expand(e, k, n, c.fresh)
		}
	}
	for _, i := range open {
		s.seen[e] = max(s.seen[e], i+1)
	}
	if !slices.Equal(before, after) {
		s.moves = append(s.moves, pathMove{int32(s.layer), e, before, after, s.sides[1-e]})
		s.become(e, after)
	}
	return grew
}

// cell returns the cell of some open operations.
func (s *dequePaths) cell(k int) *pathCell {
	if s.of[k] == none {
		n := len(s.cells)
		s.of[k] = int32(n)
		s.set[k>>6] |= 1 << (k & 63)
		s.cells = slices.Grow(s.cells, 1)[:n+1]
		c := &s.cells[n]
		*c = pathCell{sources: c.sources[:0], empty: c.empty[:0], steps: c.steps[:0]}
	}
	return &s.cells[s.of[k]]
}

// expand lets one more operation take effect after those of a cell with a node: any if that is
// fresh, else those that were not open when the end was closed.
func (s *dequePaths) expand(e int8, k int, n pathNodeID, fresh bool) {
	for b, i := range s.open[e] {
		o := &s.lane.ops[i]
		if k>>b&1 == 1 || !fresh && i < s.seen[e] || s.waits(e, k, b) {
			continue
		}
		next := k | 1<<b
		if o.does == model.Insert {
			c := s.cell(next)
			c.steps = append(c.steps, pathStep{o.value, n})
			continue
		}
		if o.maySeeNothing() && s.nodes[n].states[1-e] > 0 {
			c := s.cell(next)
			c.empty = append(c.empty, n)
		}
		if o.value == model.Nothing {
			continue
		}
		for i := s.first(e, n); i >= 0; i = s.next(e, n, i) {
			x := &s.edges[i]
			if s.work++; x.value != o.value && !o.wild() {
				continue
			}
			if c := s.cell(next); o.does == model.Remove {
				c.sources = append(c.sources, x.at[1-e])
			} else {
				c.steps = append(c.steps, pathStep{x.value, x.at[1-e]})
			}
		}
	}
}

// waits reports whether an operation that does the same as one of the open ones returns earlier and
// has not taken effect.
func (s *dequePaths) waits(e int8, k, b int) bool {
	o := &s.lane.ops[s.open[e][b]]
	for a, i := range s.open[e][:b] {
		if x := &s.lane.ops[i]; k>>a&1 == 0 && x.does == o.does && x.value == o.value {
			return true
		}
	}
	return false
}

// maySeeNothing reports whether an operation that does not insert may take effect where there is
// nothing. A pending one needs not.
func (o *laneOp) maySeeNothing() bool {
	return o.value == model.Nothing || o.wild() && o.ret != history.Never
}

// filter keeps the states in which the operation that returns has taken effect.
func (s *dequePaths) filter(r *laneOp) {
	var with []pathState
	for _, x := range s.sides[r.end] {
		if x.mask>>r.bit&1 == 1 {
			with = append(with, pathState{x.mask &^ (1 << r.bit), x.node})
		}
	}
	s.become(r.end, with)
}
