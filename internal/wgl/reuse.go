package wgl

// What: the stacks of a run, handed on from one part to the next, since a history may fall into
// many parts and growing a stack costs more than the search on it.
//
// Only runs without pending operations hand theirs on, whose frames hold no reasons; only up to a
// size; and nobody takes them under a memory limit of the caller's, where what a part takes must
// not depend on what came before.

import "sync"

// mostHandedOn is how many frames, candidates, labels and moves are handed on at most.
const mostHandedOn = 1 << 17

type stacks struct {
	frames []frame
	cands  []int32
	labels []label
	trail  []move
}

var spareStacks = sync.Pool{New: func() any { return new(stacks) }}

// takeStacks gives the run its stacks, with room for a trail of moves.
func (r *run) takeStacks(moves int) {
	if r.Classes == 0 && r.Budget.ByteLimit() == 0 && moves <= mostHandedOn {
		s := spareStacks.Get().(*stacks)
		r.frames, r.cands, r.labels, r.trail = s.frames[:0], s.cands[:0], s.labels[:0], s.trail[:0]
	}
	if cap(r.trail) < moves {
		r.trail = make([]move, 0, moves)
	}
}

// handOn gives the stacks back; the run is over.
func (r *run) handOn() {
	if r.Classes > 0 || max(cap(r.frames), cap(r.cands), cap(r.labels), cap(r.trail)) > mostHandedOn {
		return
	}
	spareStacks.Put(&stacks{r.frames, r.cands, r.labels, r.trail})
	r.frames, r.cands, r.labels, r.trail = nil, nil, nil, nil
}
