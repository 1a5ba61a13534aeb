package specs

// Memory that the keys of a kv share: most have a few operations, and there may be very many.

import "sync"

// kvScratch is memory for the next keys, of which a history may have very many with few operations
// each.
type kvScratch struct {
	ops  []kvOp // for their operations
	sigs signatures
	grow growScratch
}

var kvScratches = sync.Pool{New: func() any { return new(kvScratch) }}

// roomForKV returns memory for n operations.
func roomForKV(n int) []kvOp {
	if n > kvRoomOps/2 {
		return make([]kvOp, n)
	}
	r := kvScratches.Get().(*kvScratch)
	if len(r.ops) < n {
		r.ops = make([]kvOp, kvRoomOps)
	}
	ops := r.ops[:n:n]
	r.ops = r.ops[n:]
	kvScratches.Put(r)
	return ops
}
