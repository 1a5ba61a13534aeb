package verify

import (
	"context"
	"encoding/binary"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/verify/base"
)

// walk is what the searches of an exhaustion share: which operations have taken effect, which may
// come next, and the limits.
type walk struct {
	ctx   context.Context
	ops   []history.Op // by call
	limit int          // nodes
	work  int          // operations looked at
	done  []byte       // a bit for every operation
	low   int          // those before it are done
	left  int          // completed ones that are not done
}

func newWalk(ctx context.Context, ops []history.Op, limit int) walk {
	w := walk{ctx: ctx, ops: ops, limit: limit, done: make([]byte, len(ops)/8+1)}
	for i := range ops {
		if !ops[i].Pending() {
			w.left++
		}
	}
	return w
}

func (w *walk) is(k int) bool { return w.done[k/8]>>(k%8)&1 != 0 }

// do takes an operation (-1) or takes it back (1).
func (w *walk) do(k, by int) {
	w.done[k/8] ^= 1 << (k % 8)
	if by > 0 {
		w.low = min(w.low, k)
	}
	if !w.ops[k].Pending() {
		w.left += by
	}
}

// window bounds what is in question: all operations before low are done, those from end on are
// called only after one that is not done has returned, the first at rank first. It costs as much as
// the window has operations.
func (w *walk) window() (low, end int, first history.Rank) {
	for w.low < len(w.ops) && w.is(w.low) {
		w.low++
	}
	first = history.Never
	for end = w.low; end < len(w.ops) && w.ops[end].Call <= first; end++ {
		if !w.is(end) {
			first = min(first, w.ops[end].Return)
		}
	}
	return w.low, end, first
}

// key appends what is done; nothing after the window is.
func (w *walk) key(to []byte, end int) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(w.low))
	return append(to, w.done[w.low/8:(end+7)/8]...)
}

// spend counts another node, of so many before, with a window of so many operations.
func (w *walk) spend(nodes, window int) error {
	if w.work += window + 1; nodes >= w.limit || w.work > maxWork {
		return base.ErrTooLarge
	}
	return context.Cause(w.ctx)
}
