package dual

// What: the layered graph of configurations in which every called class of pending operations may
// be used without limit. If the end cannot be reached there, the partition is not linearizable;
// multipliers on the classes (multipliers.go) say more.
//
// Source: the configurations are those of Lowe (CCPE'17); dropping the limits on pending operations
// is the usual Lagrangian relaxation (Held and Karp, Math. Programming 1971).
//
// What we changed: nodes are configurations (layer, mask, state) in which no read-only operation is
// legal and the next return waits for its operation, as in the search (package wgl). An edge stands
// for pending operations, none or more, that lead from state s to a target t, then a completed
// operation, then whatever is taken or passed at once. A pair (s, t, active) names the first of
// these: all ways from s to t by the first so many classes. If a read-only operation is legal in a
// target, it comes next. Targets are listed by open_operations.go.
//
// Order: nodes are made layer by layer, and within a layer by growing masks, so that every edge
// leads forward. A configuration whose mask holds the next return is passed on and becomes no node.
//
// Invariants: every linearization of the partition is, up to operations that it need not use, a
// path; ids ascend along edges; after trim the end is reached from every node.
//
// Cost: nodes × (open operations + targets), for at most maxNodes nodes. It needs a space, masks of
// one word and no explicit edges.

import (
	"math/bits"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// pair is the ways from a state to another by the classes below active.
type pair struct {
	from, to model.State
	active   layout.ClassID
}

// relaxation is the graph.
type relaxation struct {
	*Space
	*engine.Account
	now, then openOps // this layer and the next

	masks  []uint64 // by node
	state  []model.State
	layers []layout.LayerID // by node
	first  []int32          // by node: its first edge; one more for the end
	to     []NodeID         // by edge
	by     []int32          // by edge: its pair, 0 for none
	pairs  []pair           // by their active
	last   []int32          // state × state: the newest pair, 0 for none
	made   layout.LayerID   // layers
	dead   layout.LayerID   // the layer that nothing survives, -1 if the end is reached

	counted int64 // bytes of the above that the budget knows of

	// While the graph is made:
	here, next layerTable
	order      []NodeID // nodes as they are processed
	pass       []NodeID // by node: the one that it is passed on to, -1 for a real one
	// by node: the last node with an edge there, doubled, plus one if that edge has a pair
	marks []int32
}

// NodeID numbers the nodes of a relaxation.
type NodeID int32

// goal is the node at which everything has returned: the last one.
func (x *relaxation) goal() NodeID { return NodeID(len(x.masks)) - 1 }

// newRelaxation begins the graph.
func (s *Space) newRelaxation(b *engine.Account) *relaxation {
	x := &relaxation{Space: s, Account: b, dead: -1, pairs: make([]pair, 1),
		last: make([]int32, int(s.States)*int(s.States))}
	for _, n := range []*openOps{&x.now, &x.then} {
		n.legal, n.targets = make([]uint64, s.States), make([][]target, s.States)
		n.seen, n.targeted = make([]bool, s.States), make([]bool, s.States)
	}
	x.now.set(x, 0)
	start := s.Machine.Init()
	x.next.put(x, 0, x.now.settled(x, 0, start), start)
	x.here, x.next = x.next, x.here
	return x
}

// makeLayers makes the graph, until so many steps were spent (Paused). It returns Stopped if the
// search has to stop or the graph gets too large, Refuted if nothing reaches the end, and else
// Undecided.
func (x *relaxation) makeLayers(until int64) Outcome {
	for ; x.made < layout.LayerID(len(x.Returns)); x.made++ {
		if x.Steps >= until {
			return Paused
		}
		x.then.set(x, x.made+1)
		if !x.makeLayer(x.made) {
			return Stopped
		}
		if x.next.count == 0 {
			x.dead = x.made
			return Refuted
		}
		x.now, x.then = x.then, x.now
		x.here, x.next = x.next, x.here
	}
	// Whatever the end looks like, it is one node.
	end := NodeID(len(x.masks))
	for size := range x.here.bySize {
		for _, id := range x.here.bySize[size] {
			x.pass[id] = end
		}
	}
	x.masks, x.state, x.layers, x.pass = append(x.masks, 0), append(x.state, 0),
		append(x.layers, layout.LayerID(len(x.Returns))), append(x.pass, -1)
	x.first = append(x.first, int32(len(x.to)))
	x.order = append(x.order, end)
	x.trim()
	return Undecided
}

// makeLayer makes the edges of all nodes of layer j.
func (x *relaxation) makeLayer(j layout.LayerID) bool {
	x.next.reset()
	looked := len(x.to)
	for size := range x.here.bySize {
		// none is added to it on the way: masks grow
		for k := 0; k < len(x.here.bySize[size]); k++ {
			// a layer may be as large as all others together
			if k&1023 == 1023 || len(x.to)-looked >= 1<<14 {
				if !x.fits() || !x.Spend(int64(len(x.to)-looked)) {
					return false
				}
				looked = len(x.to)
			}
			id := x.here.bySize[size][k]
			if x.masks[id]&x.now.ret != 0 {
				x.pass[id] = x.next.put(x, j+1, x.then.settled(x, x.masks[id]&^x.now.ret, x.state[id]), x.state[id])
				continue
			}
			x.order = append(x.order, id)
			x.first = append(x.first, int32(len(x.to)))
			x.expand(j, id)
		}
	}
	return x.fits() && x.Spend(int64(len(x.to)-looked)) && x.Toil(int64(x.here.count))
}

// fits reports whether there is room and time for more.
func (x *relaxation) fits() bool {
	size := int64(cap(x.masks))*28 + int64(cap(x.order))*8 + int64(cap(x.to))*8 + int64(cap(x.pairs))*12 +
		int64(len(x.last))*4
	ok := len(x.masks) <= maxNodes && x.Grow(size-x.counted)
	x.counted = size
	return ok && x.Look()
}

// expand makes the edges of a node.
func (x *relaxation) expand(j layout.LayerID, id NodeID) {
	mask, s := x.masks[id], x.state[id]
	for m := x.now.other &^ mask; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m)
		if x.now.earlier[k]&^mask != 0 {
			continue
		}
		code := x.Lookup(s, x.now.ops[k])
		for i := int32(0); ; i++ {
			n, ok := x.Table.Next(code, i)
			if !ok {
				break
			}
			x.edge(j, mask|1<<k, n, 0)
		}
	}
	if x.now.active == 0 {
		return
	}
	for _, t := range x.now.targetsFrom(x, s) {
		if t.ops&^mask == 0 {
			continue
		}
		if pure := x.now.settled(x, mask, t.state); pure != mask {
			x.edge(j, pure, t.state, x.pairOf(s, t.state))
			continue
		}
		for m := t.ops &^ mask; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m)
			if x.now.earlier[k]&^mask != 0 {
				continue
			}
			code, from := x.Lookup(t.state, x.now.ops[k]), x.Lookup(s, x.now.ops[k])
			for i := int32(0); ; i++ {
				n, ok := x.Table.Next(code, i)
				if !ok {
					break
				}
				if isNew(x.Table, s, from, t.state, n) {
					x.edge(j, mask|1<<k, n, x.pairOf(s, t.state))
				}
			}
		}
	}
}

// edge adds an edge to a configuration that is not settled yet.
func (x *relaxation) edge(j layout.LayerID, mask uint64, s model.State, by int32) {
	mask = x.now.settled(x, mask, s)
	var id NodeID
	if mask&x.now.ret != 0 {
		id = x.next.put(x, j+1, x.then.settled(x, mask&^x.now.ret, s), s)
	} else {
		id = x.here.put(x, j, mask, s)
	}
	free := int32(len(x.first)) * 2
	if x.marks[id] == free || by != 0 && x.marks[id] == free+1 && x.by[len(x.by)-1] == by && x.to[len(x.to)-1] == id {
		return
	}
	x.marks[id] = free
	if by != 0 {
		x.marks[id] = free + 1
	}
	x.to, x.by = append(x.to, id), append(x.by, by)
}

// pairOf returns the pair of two states by the classes called so far.
func (x *relaxation) pairOf(s, t model.State) int32 {
	at := &x.last[int(s)*int(x.States)+int(t)]
	if *at == 0 || x.pairs[*at].active != x.now.active {
		*at = int32(len(x.pairs))
		x.pairs = append(x.pairs, pair{s, t, x.now.active})
	}
	return *at
}

// trim leaves only nodes from which the end is reached, numbered in their order. Without the root
// the end is not reached at all.
func (x *relaxation) trim() {
	resolve := func(id NodeID) NodeID {
		for x.pass[id] >= 0 {
			id = x.pass[id]
		}
		return id
	}
	x.first = append(x.first, int32(len(x.to)))
	place := make([]NodeID, len(x.masks)) // number plus one
	end := x.order[len(x.order)-1]
	place[end] = 1
	for k := len(x.order) - 1; k >= 0; k-- {
		for e := x.first[k]; e < x.first[k+1]; e++ {
			if x.to[e] = resolve(x.to[e]); place[x.to[e]] != 0 {
				place[x.order[k]] = 1
			}
		}
	}
	n, edges := NodeID(0), int32(0)
	masks, state, layers := make([]uint64, 0, len(x.order)), make([]model.State, 0, len(x.order)),
		make([]layout.LayerID, 0, len(x.order))
	for k, id := range x.order {
		if place[id] == 0 {
			continue
		}
		from, to := x.first[k], x.first[k+1]
		n++
		place[id] = n
		masks, state, layers = append(masks, x.masks[id]), append(state, x.state[id]), append(layers, x.layers[id])
		x.first[n-1] = edges
		for e := from; e < to; e++ {
			if place[x.to[e]] != 0 {
				x.to[edges], x.by[edges] = x.to[e], x.by[e]
				edges++
			}
		}
	}
	x.first[n] = edges
	x.first, x.to, x.by = x.first[:n+1], x.to[:edges], x.by[:edges]
	for e, id := range x.to {
		x.to[e] = place[id] - 1
	}
	x.masks, x.state, x.layers = masks, state, layers
	x.order, x.pass, x.marks = nil, nil, nil
	x.here, x.next = layerTable{}, layerTable{}
}
