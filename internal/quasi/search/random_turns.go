package search

// What: several other turns at once, at random, where no single one helps (turns.go). From some
// moves back the search goes on, and at one configuration in a few it makes another move first.
//
// Source: random restarts of a search with a good order of moves, after heuristic-biased stochastic
// sampling (Bresina, AAAI'96).
//
// What we changed: it restarts from a few moves back, where all before is likely right, and how far
// back and how often another move comes first is drawn anew each time.
//
// Invariants: as in turns.go; the same partition has the same numbers each time.
//
// Cost: what is left of the nodes of all turns.

import (
	"math"
	"math/rand/v2"
)

// turnAtRandom makes other moves on a path at random: opened if the search gets further.
func (r *run) turnAtRandom(path []made) outcome {
	t := &r.turns
	t.round.nodes, r.memo = turnRounds[0].nodes, memo{}
	if t.chance == nil {
		t.chance = rand.New(rand.NewPCG(0, 0))
	}
	for r.nodes < t.end {
		back := randomBack << t.chance.IntN(randomTimes)
		at := max(0, len(path)-back-t.chance.IntN(back))
		r.goTo(path[:at])
		r.memo = r.memo.emptied()
		r.frames, r.moves = append(r.frames[:0], frame{mark: at}), r.moves[:0]
		if !r.meaning.children() {
			return gaveUp
		}
		t.oneIn = 2 << t.chance.IntN(randomOften)
		_, o := r.explore(math.MaxInt)
		t.oneIn = 0
		switch {
		case o == found || o == gaveUp:
			return o
		case len(t.path) > len(path):
			return opened
		}
	}
	return failed
}

// mayTurn lets another move of the frame on top come first, if it is drawn.
func (r *run) mayTurn() {
	t, first := &r.turns, r.frames[len(r.frames)-1].first
	if n := len(r.moves) - first; n > 1 && t.chance.IntN(t.oneIn) == 0 {
		k := first + 1 + t.chance.IntN(n-1)
		r.moves[first], r.moves[k] = r.moves[k], r.moves[first]
	}
}
