package layout

// What: a partition turned into what a search walks over, built once and never changed.
//
// Source: Lowe (CCPE'17) for layers and the list of open operations; the classes are ours.
//
// Layers. Completed operations are numbered by return. Layer j is the time between return j-1 and
// return j, and ends with operation Returns[j]. Layer len(Returns) comes after all of them. Opened
// lists what is called in each layer.
//
// Bits. While it is open, a completed operation owns a bit of the configuration's mask. The bit is
// used again after its return, so the mask is as wide as the partition is concurrent.
//
// The list of open completed operations, sorted by return, is a function of the layer alone. It is
// kept as a doubly linked list: a return removes its head, and an opened operation enters behind
// After[op]. That is found by unlinking the operations in the reverse of their call order from the
// list of all.
//
// Classes. Pending operations that are interchangeable (equal kind, no explicit edge) form a class,
// used in the order of their calls: they never return, so the one that has been open longest can
// stand wherever another can. Each one with an explicit edge is a class of its own. Classes are
// numbered by their first call. Read-only pending operations are dropped: leaving one out of a
// linearization never hurts.
//
// Edges. Only direct pairs matter, because a linearization is total. A completed operation waits
// for its completed predecessors (Needs). So does a pending one, which may not follow any of its
// successors either (Bars). A completed operation with a pending predecessor is never taken at
// once, because that would bar the predecessor.
//
// Invariant: no two open operations share a bit.
//
// Cost: O(n log n) for sorting by return, O(n + edges) otherwise.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// LayerID numbers the layers: 0, ..., len(Returns). ClassID numbers the classes of pending
// operations.
type (
	LayerID int32
	ClassID int32
)

// Layout is a partition as layers, bits, classes of pending operations and edges.
type Layout struct {
	Instance *model.Instance
	Ops      []history.Op

	Returns []history.OpID               // completed operations by return
	Layer   []LayerID                    // op → the layer that it ends, -1 if pending
	From    []LayerID                    // op → the layer in which it is called
	Bit     []int32                      // completed op → its bit
	Words   int                          // of a mask
	Opened  Lists[LayerID, history.OpID] // layer → its calls in order, dropped ones left out
	After   []history.OpID               // completed op → the open one before it, or len(ops)

	AtOnce  []bool                       // op is read-only and nothing pending wants to precede it
	Class   []ClassID                    // pending op → its class, -1 if dropped or completed
	Members Lists[ClassID, history.OpID] // class → its operations, in call order
	Classes ClassID

	// Component numbers, for every operation, the independent component that it concerns
	// (model.Split); nil where there is one only.
	Component []int32

	edged       bool // there are edges
	EdgedAtOnce bool // some of them lead from a completed operation to one that is taken at once
	HasEdge     []bool
	Needs       Lists[history.OpID, history.OpID] // op → completed ones that must precede it
	Bars        Lists[history.OpID, history.OpID] // pending op → operations that it may not follow
}

// Bytes estimates what New allocates for n operations.
func Bytes(n, edges int) int64 { return int64(n)*60 + int64(edges)*16 }

// New lays out the first n operations of b's partition.
func New(b *model.Instance, n int) *Layout {
	l := &Layout{Instance: b, Ops: b.Partition.Ops[:n]}
	layers, marks := make([]LayerID, 2*n), make([]bool, 2*n) // one piece of memory each
	l.Class, l.Layer, l.From, l.Bit = make([]ClassID, n), layers[:n:n], layers[n:], make([]int32, n)
	l.AtOnce, l.HasEdge = marks[:n:n], marks[n:]
	l.sortReturns()
	l.listOpen()
	l.takeEdges(b.Partition.Edges)
	l.classify()
	l.Opened = NewLists(LayerID(len(l.Returns))+1, n, func(i int) (LayerID, history.OpID) {
		if l.Layer[i] < 0 && l.Class[i] < 0 {
			return -1, 0
		}
		return l.From[i], history.OpID(i)
	})
	l.assignBits()
	l.Component = Components(b, n)
	return l
}

// Components numbers the independent components of the first n operations of a partition that is a
// whole history; nil if there is one only.
func Components(b *model.Instance, n int) []int32 {
	p := b.Partition
	if p.Index != nil || len(p.Edges) > 0 || len(p.Ops) > len(p.History.Ops) {
		return nil
	}
	pieces := model.Split(b.Spec, p.History, model.ByKey)
	if len(pieces) < 2 {
		return nil
	}
	component := make([]int32, n)
	for k, piece := range pieces {
		for i := range history.OpID(piece.Len()) {
			if g := int(piece.Global(i)); g < n {
				component[g] = int32(k)
			}
		}
	}
	return component
}

// Completed reports whether operation i has returned.
func (l *Layout) Completed(i history.OpID) bool { return l.Layer[i] >= 0 }

// sortReturns fills in Returns, Layer and From, and makes room for After.
func (l *Layout) sortReturns() {
	keys := make([]uint64, 0, len(l.Ops))
	for i := range l.Ops {
		l.Layer[i] = -1
		if !l.Ops[i].Pending() {
			keys = append(keys, uint64(l.Ops[i].Return)<<32|uint64(i))
		}
	}
	slices.Sort(keys)
	room := make([]history.OpID, len(keys)+len(l.Ops))
	l.Returns, l.After = room[:len(keys):len(keys)], room[len(keys):]
	for j, k := range keys {
		l.Returns[j] = history.OpID(k & 0xffffffff)
		l.Layer[l.Returns[j]] = LayerID(j)
	}
	j := 0
	for i := range l.Ops {
		for j < len(l.Returns) && l.Ops[l.Returns[j]].Return < l.Ops[i].Call {
			j++
		}
		l.From[i] = LayerID(j)
	}
}

// listOpen fills in After.
func (l *Layout) listOpen() {
	n := history.OpID(len(l.Ops))
	links := make([]history.OpID, 2*(n+1))
	next, prev := links[:n+1], links[n+1:]
	last := n
	for _, v := range l.Returns {
		next[last], prev[v] = v, last
		last = v
	}
	next[last], prev[n] = n, last
	for v := n - 1; v >= 0; v-- {
		if !l.Completed(v) {
			continue
		}
		p := prev[v]
		next[p], prev[next[v]] = next[v], p
		if p != n && l.Layer[p] < l.From[v] {
			p = n // it has returned before v is called
		}
		l.After[v] = p
	}
}

// takeEdges takes in the explicit edges, and finds what is taken at once.
func (l *Layout) takeEdges(edges []history.Edge) {
	n := history.OpID(len(l.Ops))
	copy(l.AtOnce, l.Instance.ReadOnly)
	inside := make([]history.Edge, 0, len(edges))
	for _, e := range edges {
		dropped := func(i history.OpID) bool { return !l.Completed(i) && l.Instance.ReadOnly[i] }
		if e.Before < n && e.After < n && !dropped(e.Before) && !dropped(e.After) {
			inside = append(inside, e)
		}
	}
	l.edged = len(inside) > 0
	if !l.edged {
		return
	}
	for _, e := range inside {
		l.HasEdge[e.Before], l.HasEdge[e.After] = true, true
		if !l.Completed(e.Before) {
			l.AtOnce[e.After] = false
		}
	}
	for _, e := range inside {
		l.EdgedAtOnce = l.EdgedAtOnce || l.Completed(e.Before) && l.Completed(e.After) && l.AtOnce[e.After]
	}
	l.Needs = NewLists(n, len(inside), func(k int) (history.OpID, history.OpID) {
		if e := inside[k]; l.Completed(e.Before) {
			return e.After, e.Before
		}
		return -1, 0
	})
	l.Bars = NewLists(n, len(inside), func(k int) (history.OpID, history.OpID) {
		if e := inside[k]; !l.Completed(e.Before) {
			return e.Before, e.After
		}
		return -1, 0
	})
}

// classify sorts pending operations into classes.
func (l *Layout) classify() {
	var bySig map[int32]ClassID // made for the first pending operation
	for i := range l.Ops {
		l.Class[i] = -1
		if l.Completed(history.OpID(i)) || l.Instance.ReadOnly[i] {
			continue
		}
		if c, ok := bySig[l.Instance.EquivID[i]]; ok && !l.HasEdge[i] {
			l.Class[i] = c
			continue
		}
		if bySig == nil {
			bySig = map[int32]ClassID{}
		}
		l.Class[i] = l.Classes
		if !l.HasEdge[i] {
			bySig[l.Instance.EquivID[i]] = l.Classes
		}
		l.Classes++
	}
	l.Members = NewLists(l.Classes, len(l.Ops), func(i int) (ClassID, history.OpID) {
		return l.Class[i], history.OpID(i)
	})
}

// assignBits gives every completed operation a bit while it is open.
func (l *Layout) assignBits() {
	var free []int32
	bits := int32(0)
	for j := range l.Returns {
		for _, v := range l.Opened.Of(LayerID(j)) {
			if !l.Completed(v) {
				continue
			}
			if k := len(free); k > 0 {
				l.Bit[v], free = free[k-1], free[:k-1]
			} else {
				l.Bit[v] = bits
				bits++
			}
		}
		free = append(free, l.Bit[l.Returns[j]])
	}
	l.Words = max(1, int(bits+63)/64)
}
