package search

// What: other turns where the search gets no further.
//
// Depth-first search mostly goes straight on. Where it does not, the wrong move was made some
// dozens of moves before, and all that follows is tried before that one is taken back: hundreds of
// thousands of configurations, of which none gets further. So from the furthest configuration one
// goes back, move after move, makes each of the other moves there, and searches from there until
// that has got no further for a few nodes. What nearly gets as far is turned from again.
//
// Source: limited discrepancy search (Harvey and Ginsberg, IJCAI'95), the latest discrepancies
// first.
//
// What we changed: once the search gets further, discrepancies are counted anew. What was visited
// since then is not visited again, though not all that follows was tried. On a stack, moves much
// earlier are exchanged as well: what lies on top was pushed when the stack was as low as it never
// was again, and there another order may help (low water, as in
// collections/window_neighbourhoods.go).
//
// Invariants: it only finds. Afterwards the search is where it was before, with what it has
// visited.
//
// Cost: moves looked back × other moves × nodes, and turnsEach nodes for each operation at most.

import (
	"math/rand/v2"
	"slices"

	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// turns is how far the search has come, and what is tried where it gets no further.
type turns struct {
	path   []made // to the furthest configuration
	shared int    // the first ones are those of the trail
	at     int64  // the node at which it was reached
	tried  int    // how long the path was that could not be turned from

	patience int64 // nodes without getting further
	left     int64 // nodes

	round   turnRound
	end     int64      // the node at which they end
	waiting []way      // those that come furthest first
	chance  *rand.Rand // the same numbers in each run
	oneIn   int        // at one configuration in so many another move comes first; 0 for none
}

// made is a move, and the state after it.
type made struct {
	move
	after model.State
}

// way is a path: so many moves of that which is turned from, and others. Its moves are exchanged
// from one on.
type way struct {
	shared int
	rest   []made
	from   int
}

// turnRound says where other moves are made, and how far they are followed.
type turnRound struct {
	back  int   // among the last moves,
	low   int   // and where one of so many items on top was pushed,
	nodes int64 // until the search has got no further for so many nodes
}

// further notes the current configuration if it is the furthest.
func (r *run) further() {
	n, t := len(r.trail), &r.turns
	t.shared = min(t.shared, max(0, n-1))
	if n <= len(t.path) {
		return
	}
	t.path = t.path[:t.shared]
	for k := t.shared; k < n; k++ {
		t.path = append(t.path, r.made(k))
	}
	t.shared, t.at = n, r.nodes
}

// made returns a move of the trail.
func (r *run) made(k int) made {
	if k+1 < len(r.trail) {
		return made{r.trail[k].move, r.trail[k+1].before}
	}
	return made{r.trail[k].move, r.state}
}

// stuck reports whether the search should try other turns.
func (r *run) stuck() bool {
	t := &r.turns
	return r.nodes-t.at > t.patience && len(t.path) > t.tried && t.left > 0
}

// turn looks for an answer by other turns: found, gaveUp, or failed if there is none within the
// limits. Then the search can go on.
func (r *run) turn() outcome {
	t := &r.turns
	here := make([]made, len(r.trail))
	for k := range here {
		here[k] = r.made(k)
	}
	frames, moves, visited, begin := r.frames, r.moves, r.memo, r.nodes
	r.frames, r.moves, r.memo = nil, nil, memo{}
	t.end = begin + t.left
	o := opened
	for o == opened {
		for k := 0; k == 0 || o == failed && k < len(turnRounds); k++ {
			t.round = turnRounds[k]
			o = r.turnFrom(slices.Clone(t.path))
		}
		if o == failed {
			o = r.turnAtRandom(slices.Clone(t.path))
		}
	}
	t.left -= r.nodes - begin
	if o == failed {
		t.tried = len(t.path)
		r.goTo(here)
		r.frames, r.moves, r.memo = frames, moves, visited
	}
	return o
}

// turnFrom makes other moves on a path, and on what comes nearly as far then: opened if the search
// gets further.
func (r *run) turnFrom(path []made) outcome {
	t := &r.turns
	r.memo = r.memo.emptied()
	t.waiting = append(t.waiting[:0], way{len(path), nil, 0})
	var along []made
	for len(t.waiting) > 0 {
		w := t.waiting[0]
		t.waiting = slices.Delete(t.waiting, 0, 1)
		along = append(append(along[:0], path[:w.shared]...), w.rest...)
		for _, at := range r.turnsOf(along, w.from) {
			if o := r.exchange(&w, along, at, len(path)); o != failed {
				return o
			}
		}
	}
	return failed
}

// exchange makes other moves in place of one of a way, whose path is given: opened if the search
// gets beyond so many moves.
func (r *run) exchange(w *way, path []made, at, goal int) outcome {
	t := &r.turns
	r.goTo(path[:at])
	r.frames, r.moves = append(r.frames[:0], frame{mark: at}), r.moves[:0]
	if !r.meaning.children() {
		return gaveUp
	}
	r.moves = slices.DeleteFunc(r.moves, func(m move) bool { return m == path[at].move })
	for len(r.frames) > 0 && r.nodes < t.end {
		furthest, o := r.explore(goal - nearly)
		switch {
		case o == found || o == gaveUp:
			return o
		case len(t.path) > goal:
			return opened
		case furthest != nil:
			next := way{min(at, w.shared), nil, at + 1}
			next.rest = slices.Concat(path[next.shared:at], furthest)
			t.waiting = inorder.Insert(t.waiting, next, func(a, b way) int { return b.length() - a.length() })
		}
	}
	return failed
}

// length is how many moves a way has.
func (w *way) length() int { return w.shared + len(w.rest) }

// explore makes the next move of the frame on top, and searches from there until it has got no
// further for some nodes. If it comes to so many moves, it returns those to where it came furthest.
func (r *run) explore(least int) (furthest []made, o outcome) {
	base, at, mark := len(r.frames), r.nodes, len(r.trail)
	most := mark
	o = r.proceed()
	for o == opened || o == failed && len(r.frames) > base {
		if n := len(r.trail); n > most {
			most, at = n, r.nodes
			if n >= least {
				furthest = furthest[:0]
				for k := mark; k < n; k++ {
					furthest = append(furthest, r.made(k))
				}
			}
		}
		if r.nodes-at > r.turns.round.nodes {
			o = failed
			break
		}
		if o == failed && len(r.trail) > r.frames[len(r.frames)-1].mark {
			r.meaning.undo()
		}
		o = r.proceed()
	}
	if o != failed || len(r.frames) < base {
		return furthest, o
	}
	if len(r.frames) > base {
		r.moves, r.frames = r.moves[:r.frames[base].first], r.frames[:base]
	}
	for len(r.trail) > mark {
		r.meaning.undo()
	}
	return furthest, o
}

// turnsOf returns which moves of a path are exchanged from one on, the last one first.
func (r *run) turnsOf(path []made, first int) (all []int) {
	n, round := len(path), &r.turns.round
	marked := make([]bool, n)
	mark := func(from, to int) {
		for k := max(first, from); k < min(n, to); k++ {
			marked[k] = true
		}
	}
	mark(n-round.back, n)
	if t, ok := r.bound.Theory.(*model.CollectionTheory); ok && t.Discipline == model.LIFO {
		heights := make([]int32, n)
		height := int32(0)
		for k, m := range path {
			height += int32(r.bound.Items.Delta[r.sample[m.fill]])
			heights[k] = height
		}
		low := height
		for k := n - 1; k >= first; k-- {
			if low = min(low, heights[k]); height-low > int32(round.low) {
				break
			}
			if heights[k] <= low+1 {
				mark(k-nearLow, k+nearLow/2)
			}
		}
	}
	for k := n - 1; k >= first; k-- {
		if marked[k] {
			all = append(all, k)
		}
	}
	return all
}

// goTo makes the moves of a path.
func (r *run) goTo(path []made) {
	same := 0
	for same < min(len(path), len(r.trail)) && r.made(same) == path[same] {
		same++
	}
	for len(r.trail) > same {
		r.meaning.undo()
	}
	r.turns.shared = min(r.turns.shared, same)
	for _, m := range path[same:] {
		r.meaning.make(m.move, m.after)
	}
}
