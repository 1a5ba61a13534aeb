package wgl

// What: reuse of the stacks of a run for the next partition. A history may have many partitions,
// and growing a stack costs more than the search on a small one.
//
// What we changed: only runs without pending operations return their stacks, because their frames
// hold no reasons; and only stacks up to a size. A run under a memory limit of the caller takes
// none, because the memory of a partition must not depend on earlier ones.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/spare"
)

// buffers are the stacks of a run.
type buffers struct {
	frames  []frame
	cands   []history.OpID
	closure []closureState
	trail   []move
	rows    []int32 // of the table of transitions
}

var spareBuffers spare.Memory[buffers]

// takeBuffers gives the run its stacks, with room for a trail of moves.
func (r *run) takeBuffers(moves int) {
	if r.Classes == 0 && r.Budget.ByteLimit() == 0 && moves <= maxReused {
		s := spareBuffers.Get()
		r.frames, r.cands, r.pendingClosure, r.trail = s.frames[:0], s.cands[:0], s.closure[:0], s.trail[:0]
		r.TakeRoom(s.rows)
	}
	if cap(r.frames) == 0 {
		r.frames = make([]frame, 0, min(moves, firstFrames))
	}
	if cap(r.trail) < moves {
		r.trail = make([]move, 0, moves)
	}
}

// giveBuffers returns the stacks once the run is over.
func (r *run) giveBuffers() {
	if r.Classes > 0 || max(cap(r.frames), cap(r.cands), cap(r.pendingClosure), cap(r.trail)) > maxReused {
		return
	}
	rows := r.GiveRoom()
	if cap(rows) > maxReused {
		rows = nil
	}
	b := &buffers{r.frames, r.cands, r.pendingClosure, r.trail, rows}
	spareBuffers.Put(b, b.small())
	r.frames, r.cands, r.pendingClosure, r.trail = nil, nil, nil, nil
}

// small reports whether the buffers are no more than small partitions need, and kept for good.
func (b *buffers) small() bool {
	return max(cap(b.frames), cap(b.cands), cap(b.closure), cap(b.trail), cap(b.rows)) <= maxKept
}
