package collections

// What: lanes: sequences of operations, and the sets of them that can be a beginning of such a
// sequence. The searches on queues and stacks with repeated values (fifo.go, lifo.go) traverse
// these sets; they add what else a configuration needs.
//
// Source: the frontier graph of Lee and Mathur (Fixed parameter tractable linearizability
// monitoring, PLDI'26), which is the just-in-time configuration of Lowe (CCPE'17) without the
// state.
//
// What we changed: there is no node for every event, and there are pending operations. A beginning
// is closed under precedence. It holds the operations that returned before the first completed one
// outside it, a bit for each operation that is open then, and perhaps pending ones. Any operation
// called before that return may come next. Beginnings are interned, so a configuration holds a
// number.
//
// Invariants: returns[layer] is not in a beginning of that layer; no two open operations share a
// bit, nor does an open one with a pending one.
//
// Cost: at most 2^c beginnings a layer, where c operations are open; building takes O(n (log n +
// c)).

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// maxLane is how many operations of a lane may be open at once, pending ones included.
const maxLane = 64

// laneOp is one operation of a lane.
type laneOp struct {
	op        history.OpID // of the partition; negative for the insertion of an initial value
	call, ret history.Rank
	does      model.Action
	value     int32
	end       int8 // of a deque
	bit       uint8
	early     bool // it may have taken effect before the start
}

// wild reports whether the operation removes or sees an unknown value.
func (o *laneOp) wild() bool { return o.does != model.Insert && o.value == model.Anything }

// beginning is an interned set of operations.
type beginning struct {
	layer int32
	mask  uint64
	extra uint32 // further information of a search
}

// opIndex is the position of an operation in its lane.
type opIndex int32

// lane is a sequence of operations and its beginnings.
type lane struct {
	ops     []laneOp                     // by call
	returns []opIndex                    // completed operations by return
	open    layout.Lists[int32, opIndex] // layer → completed operations open then, by return
	pending []opIndex                    // by call
	first   int32                        // the number of the empty beginning
	begun   []beginning
	index   layout.Numbering
}

// newLane returns a lane of operations, or nil if too many are open at once.
func newLane(ops []laneOp) *lane {
	sort.SliceStable(ops, func(a, b int) bool { return ops[a].call < ops[b].call })
	l := &lane{ops: ops}
	for i := range ops {
		if ops[i].ret == history.Never {
			l.pending = append(l.pending, opIndex(i))
		} else {
			l.returns = append(l.returns, opIndex(i))
		}
	}
	byReturn := func(a, b opIndex) int { return cmp.Compare(ops[a].ret, ops[b].ret) }
	slices.SortFunc(l.returns, byReturn)
	if len(l.pending) >= maxLane {
		return nil
	}
	var free []uint8
	for k := range maxLane - len(l.pending) {
		free = append(free, uint8(maxLane-1-k))
	}
	for k, p := range l.pending {
		ops[p].bit = uint8(k)
	}
	l.open.First = make([]int32, 1, len(l.returns)+1)
	var open []opIndex // by return
	next := 0
	for _, r := range l.returns {
		for ; next < len(ops) && ops[next].call < ops[r].ret; next++ {
			if ops[next].ret == history.Never {
				continue
			}
			if len(free) == 0 {
				return nil
			}
			ops[next].bit = free[len(free)-1]
			free = free[:len(free)-1]
			open = inorder.Insert(open, opIndex(next), byReturn)
		}
		l.open.Items = append(l.open.Items, open...)
		l.open.First = append(l.open.First, int32(len(l.open.Items)))
		free = append(free, ops[r].bit)
		open = open[:copy(open, open[1:])]
	}
	l.first = l.intern(beginning{})
	return l
}

// takeMemory takes the memory of the beginnings of a lane that is not used any more.
func (l *lane) takeMemory(over *lane) {
	begun := l.begun
	l.begun, l.index = over.begun[:0], over.index.Emptied()
	for _, b := range begun {
		l.intern(b)
	}
}

// bytes estimates the memory of the lane.
func (l *lane) bytes() int64 {
	return int64(cap(l.ops))*24 + int64(cap(l.returns)+cap(l.open.Items)+cap(l.open.First))*4 + int64(cap(l.begun))*24 +
		l.index.Bytes()
}

// intern returns the number of a beginning.
func (l *lane) intern(b beginning) int32 {
	n := int32(len(l.begun))
	h := uint32(layout.Mix(b.mask, uint64(uint32(b.layer))<<32|uint64(b.extra)) >> 32)
	k := l.index.Find(h, n, func(k int32) bool { return l.begun[k] == b })
	if k == n {
		l.begun = append(l.begun, b)
	}
	return k
}

// complete reports whether all completed operations are in beginning b.
func (l *lane) complete(b int32) bool { return int(l.begun[b].layer) == len(l.returns) }

// due returns the rank of the first return outside b.
func (l *lane) due(b int32) history.Rank {
	if l.complete(b) {
		return history.Never
	}
	return l.ops[l.returns[l.begun[b].layer]].ret
}

// next appends to dst the operations that may come next after b: completed ones by return, then
// pending ones.
func (l *lane) next(b int32, dst []opIndex) []opIndex {
	at := l.begun[b]
	due := l.due(b)
	if due != history.Never {
		for _, o := range l.open.Of(at.layer) {
			if at.mask>>l.ops[o].bit&1 == 0 {
				dst = append(dst, o)
			}
		}
	}
	for _, p := range l.pending {
		if l.ops[p].call >= due {
			break
		}
		if at.mask>>l.ops[p].bit&1 == 0 {
			dst = append(dst, p)
		}
	}
	return dst
}

// with returns the beginning b and operation o, which may come next, with the given extra; in a new
// layer extra is 0.
func (l *lane) with(b int32, o opIndex, extra uint32) int32 {
	at := l.begun[b]
	layer := at.layer
	at.mask |= 1 << l.ops[o].bit
	for int(at.layer) < len(l.returns) {
		bit := uint64(1) << l.ops[l.returns[at.layer]].bit
		if at.mask&bit == 0 {
			break
		}
		at.mask &^= bit
		at.layer++
	}
	if at.extra = extra; at.layer > layer {
		at.extra = 0
	}
	return l.intern(at)
}

// stackOps lists the operations of one stack, without pending peeks.
func stackOps(b *model.Instance, t *model.CollectionTheory) []laneOp {
	ops := make([]laneOp, 0, len(b.Partition.Ops))
	for i := range b.Partition.Ops {
		if o := &b.Partition.Ops[i]; t.Does[i] != model.Peek || !o.Pending() {
			ops = append(ops, laneOp{op: history.OpID(i), call: o.Call, ret: o.Return, does: t.Does[i],
				value: t.Value[i]})
		}
	}
	return ops
}

// dequeOps lists the operations of one deque, and the initial values from the front.
func dequeOps(b *model.Instance) (ops []laneOp, initial []int32, ok bool) {
	t := model.As[*model.DequeTheory](b)
	if t == nil || len(b.Partition.Edges) > 0 {
		return nil, nil, false
	}
	ops = make([]laneOp, len(b.Partition.Ops))
	for i := range ops {
		o := &b.Partition.Ops[i]
		ops[i] = laneOp{op: history.OpID(i), call: o.Call, ret: o.Return, does: t.Moves.Does[i],
			value: t.Moves.Value[i]}
		if t.Back[i] {
			ops[i].end = 1
		}
	}
	return ops, t.Moves.Initial[0], true
}

// placed is an operation and the moment at which it takes effect.
type placed struct {
	at history.Rank
	op history.OpID
}
