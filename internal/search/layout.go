package search

// What: a part turned into what the search walks over, built once and never changed.
//
// Layers. Completed operations are numbered by return; layer j is the time between return
// j-1 and return j, and ends with operation returns[j]. Layer len(returns) comes after all
// of them. opened lists what is called in each layer.
//
// Slots. While it is open, a completed operation owns a bit of the configuration's mask;
// the bit is reused after its return, so the mask is as wide as the part is concurrent.
//
// The list of open completed operations, sorted by return, is a function of the layer alone. It is
// kept as a doubly linked list: a return removes its head, and an opened operation enters behind
// after[op], found here by unlinking the operations in the reverse of their call order from the
// list of all.
//
// Classes. Pending operations that are interchangeable (equal Sig, no explicit edge) form a class,
// used in the order of their calls: they never return, so the one that has been open longest can
// stand wherever another can. Each one with an explicit edge is a class of its own. Classes are
// numbered by their first call. Pure pending operations are dropped: leaving one out of a
// linearization never hurts.
//
// Edges. Only direct pairs matter, since a linearization is total: a completed operation waits for
// its completed predecessors (needs); a pending one too, and it may not follow any of its
// successors (bars). A completed operation with a pending predecessor is never taken at once, for
// that would bar the predecessor.
//
// Cost: O(n log n) for sorting by return, O(n + edges) otherwise.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

type layout struct {
	bound *model.Instance
	ops   []history.Op

	returns []int32 // completed operations by return
	layer   []int32 // op → the layer that it ends, -1 if pending
	from    []int32 // op → the layer in which it is called
	slot    []int32 // completed op → its bit
	words   int     // of a mask
	opened  csr     // layer → operations called in it, in call order, dropped ones left out
	after   []int32 // completed op → the open one that it is listed behind, len(ops) for the head

	atOnce  []bool  // op is pure and nothing pending wants to precede it
	class   []int32 // pending op → its class, -1 if dropped or completed
	members csr     // class → its operations, in call order
	classes int32

	// object numbers, for every operation, the independent piece of the object that it concerns
	// (model.Split); nil where there is one only.
	object []int32

	edged       bool // there are edges
	edgedAtOnce bool // some of them lead from a completed operation to one that is taken at once
	hasEdge     []bool
	needs       csr // op → completed operations that must come before it
	bars        csr // pending op → operations that it may not follow
}

// layoutBytes estimates what newLayout allocates for n operations.
func layoutBytes(n, edges int) int64 { return int64(n)*60 + int64(edges)*16 }

// newLayout lays out the first n operations of b's part.
func newLayout(b *model.Instance, n int) *layout {
	l := &layout{bound: b, ops: b.Partition.Ops[:n], atOnce: make([]bool, n), class: make([]int32, n),
		layer: make([]int32, n), from: make([]int32, n), slot: make([]int32, n)}
	l.sortReturns()
	l.listOpen()
	l.takeEdges(b.Partition.Edges)
	l.classify()
	l.opened = newCSR(int32(len(l.returns))+1, n, func(i int) (int32, int32) {
		if l.layer[i] < 0 && l.class[i] < 0 {
			return -1, 0
		}
		return l.from[i], int32(i)
	})
	l.assignSlots()
	l.separate()
	return l
}

// separate finds out whether a part that is a whole history has independent pieces.
func (l *layout) separate() {
	p := l.bound.Partition
	if p.Index != nil || len(p.Edges) > 0 || len(p.Ops) > len(p.History.Ops) {
		return
	}
	pieces := model.Split(l.bound.Spec, p.History, model.ByKey)
	if len(pieces) < 2 {
		return
	}
	l.object = make([]int32, len(l.ops))
	for k, piece := range pieces {
		for i := range int32(piece.Len()) {
			if g := int(piece.Global(i)); g < len(l.ops) {
				l.object[g] = int32(k)
			}
		}
	}
}

func (l *layout) completed(i int32) bool { return l.layer[i] >= 0 }

func (l *layout) sortReturns() {
	keys := make([]uint64, 0, len(l.ops))
	for i := range l.ops {
		l.layer[i] = -1
		if !l.ops[i].Pending() {
			keys = append(keys, uint64(l.ops[i].Return)<<32|uint64(i))
		}
	}
	slices.Sort(keys)
	l.returns = make([]int32, len(keys))
	for j, k := range keys {
		l.returns[j] = int32(k & 0xffffffff)
		l.layer[l.returns[j]] = int32(j)
	}
	j := 0
	for i := range l.ops {
		for j < len(l.returns) && l.ops[l.returns[j]].Return < l.ops[i].Call {
			j++
		}
		l.from[i] = int32(j)
	}
}

func (l *layout) listOpen() {
	n := int32(len(l.ops))
	l.after = make([]int32, n)
	next, prev := make([]int32, n+1), make([]int32, n+1)
	last := n
	for _, v := range l.returns {
		next[last], prev[v] = v, last
		last = v
	}
	next[last], prev[n] = n, last
	for v := n - 1; v >= 0; v-- {
		if !l.completed(v) {
			continue
		}
		p := prev[v]
		next[p], prev[next[v]] = next[v], p
		if p != n && l.layer[p] < l.from[v] {
			p = n // it has returned before v is called
		}
		l.after[v] = p
	}
}

func (l *layout) takeEdges(edges []history.Edge) {
	n := int32(len(l.ops))
	copy(l.atOnce, l.bound.ReadOnly)
	l.hasEdge = make([]bool, n)
	inside := make([]history.Edge, 0, len(edges))
	for _, e := range edges {
		dropped := func(i int32) bool { return !l.completed(i) && l.bound.ReadOnly[i] }
		if e.Before < n && e.After < n && !dropped(e.Before) && !dropped(e.After) {
			inside = append(inside, e)
		}
	}
	l.edged = len(inside) > 0
	if !l.edged {
		return
	}
	for _, e := range inside {
		l.hasEdge[e.Before], l.hasEdge[e.After] = true, true
		if !l.completed(e.Before) {
			l.atOnce[e.After] = false
		}
	}
	for _, e := range inside {
		l.edgedAtOnce = l.edgedAtOnce || l.completed(e.Before) && l.completed(e.After) && l.atOnce[e.After]
	}
	l.needs = newCSR(n, len(inside), func(k int) (int32, int32) {
		if e := inside[k]; l.completed(e.Before) {
			return e.After, e.Before
		}
		return -1, 0
	})
	l.bars = newCSR(n, len(inside), func(k int) (int32, int32) {
		if e := inside[k]; !l.completed(e.Before) {
			return e.Before, e.After
		}
		return -1, 0
	})
}

func (l *layout) classify() {
	bySig := map[int32]int32{}
	for i := range l.ops {
		l.class[i] = -1
		if l.completed(int32(i)) || l.bound.ReadOnly[i] {
			continue
		}
		if c, ok := bySig[l.bound.EquivID[i]]; ok && !l.hasEdge[i] {
			l.class[i] = c
			continue
		}
		l.class[i] = l.classes
		if !l.hasEdge[i] {
			bySig[l.bound.EquivID[i]] = l.classes
		}
		l.classes++
	}
	l.members = newCSR(l.classes, len(l.ops), func(i int) (int32, int32) { return l.class[i], int32(i) })
}

func (l *layout) assignSlots() {
	var free []int32
	slots := int32(0)
	for j := range l.returns {
		for _, v := range l.opened.of(int32(j)) {
			if !l.completed(v) {
				continue
			}
			if k := len(free); k > 0 {
				l.slot[v], free = free[k-1], free[:k-1]
			} else {
				l.slot[v] = slots
				slots++
			}
		}
		free = append(free, l.slot[l.returns[j]])
	}
	l.words = max(1, int(slots+63)/64)
}
