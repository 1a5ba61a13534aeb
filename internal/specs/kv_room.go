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

// kvRoom is memory from which keys take pieces that they keep.
type kvRoom struct {
	ops    []kvOp
	values []history.Value
	texts  []stringPrefix
	edges  []stringEdge
	ends   []int32
}

var kvRooms spare.Memory[kvRoom]

// cut takes a piece for n elements, which are zero.
func cut[T any](room *[]T, n int) []T {
	if n > kvRoomOps/2 {
		return make([]T, n)
	}
	if len(*room) < n {
		*room = make([]T, kvRoomOps)
	}
	piece := (*room)[:n:n]
	*room = (*room)[n:]
	return piece
}

// roomForKV returns memory for n operations.
func roomForKV(n int) []kvOp {
	r := kvRooms.Get()
	ops := cut(&r.ops, n)
	kvRooms.Put(r, true)
	return ops
}

// valuesForKV returns a copy of values.
func valuesForKV(values []history.Value) []history.Value {
	r := kvRooms.Get()
	piece := cut(&r.values, len(values))
	kvRooms.Put(r, true)
	copy(piece, values)
	return piece
}
