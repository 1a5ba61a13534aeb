package specs

// Memory that the keys of a kv share: most have a few operations, and there may be very many.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/spare"
)

// kvScratch is memory for the next keys, of which a history may have very many with few operations
// each.
type kvScratch struct {
	values []history.Value
	sigs   signatures
	grow   growScratch
}

var kvScratches spare.Memory[kvScratch]

// giveKVScratch gives memory back once a key is bound, unless that was a large one.
func giveKVScratch(s *kvScratch) {
	if n := max(cap(s.values), s.sigs.empty(), s.grow.empty()); n <= maxGrowScratch {
		kvScratches.Put(s, n <= keptScratch)
	}
}

// kvRoom is memory for operations.
type kvRoom struct{ ops []kvOp }

var kvRooms spare.Memory[kvRoom]

// roomForKV returns memory for n operations.
func roomForKV(n int) []kvOp {
	if n > kvRoomOps/2 {
		return make([]kvOp, n)
	}
	r := kvRooms.Get()
	if len(r.ops) < n {
		r.ops = make([]kvOp, kvRoomOps)
	}
	ops := r.ops[:n:n]
	r.ops = r.ops[n:]
	kvRooms.Put(r, true)
	return ops
}
