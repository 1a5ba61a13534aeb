package dual

// What: the layered graph of configurations in which every called class of pending operations may
// be used without limit. If the end cannot be reached there, the part is not linearizable; prices
// on the classes (prices.go) say more.
//
// Nodes are configurations (layer, mask, state) in which no pure operation is legal and the next
// return waits for its operation, as in dfs.go. An edge from there stands for pending operations,
// none or more, that lead from state s to a target state t, then a completed operation, then
// whatever is taken or passed at once. A pair (s, t, active) names the first of these: all ways
// from s to t by the first so many classes. Targets are the states in which an open operation acts
// otherwise than in s: any other target leads to nothing that the node itself does not lead to for
// less. An operation that keeps the state in both does not count either: it can come first. In a
// target where a pure operation is legal that comes next.
//
// Order: nodes are made layer by layer, and within a layer by growing masks, so that every edge
// leads forward. A configuration whose mask holds the next return is passed on: it becomes no node.
//
// Limits: specifications with a space, masks of one word, no explicit edges; at most maxNodes
// nodes.
//
// Invariants: every way to linearize the part is, up to operations that it need not use, a path;
// ids ascend along edges; from every node that is left by trim the end is reached.
//
// Cost: nodes × (open operations + targets).

import (
	"math/bits"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

const maxNodes = 1 << 22

// pair is the ways from a state to another by the classes below active.
type pair struct {
	from, to model.State
	active   int32
}

// target is a state worth going to from another one, and the open operations, by bits, that act
// otherwise there.
type target struct {
	state model.State
	ops   uint64
}

// openOps is what is open in a layer.
type openOps struct {
	ops      [64]int32  // by slot
	earlier  [64]uint64 // by slot: open operations of the same Sig that return earlier
	pure     uint64     // those taken at once
	other    uint64     // those that are not
	active   int32      // classes called
	ret      uint64     // the bit of the operation that returns
	legal    []uint64   // by state: pure operations that are legal, where seen says so
	targets  [][]target // by state, likewise
	seen     []bool
	targeted []bool
	touched  []model.State
}

type relaxation struct {
	*Space
	*engine.Account
	now, then openOps // this layer and the next

	masks  []uint64 // by node
	state  []model.State
	layers []int32 // by node
	first  []int32 // by node: its first edge; one more for the end
	to     []int32 // by edge
	by     []int32 // by edge: its pair, 0 for none
	pairs  []pair  // by their active
	last   []int32 // state × state: the newest pair, 0 for none
	dead   int32   // the layer that nothing survives, -1 if the end is reached

	counted int64 // bytes of the above that the budget knows of

	// While the graph is made:
	here, next layerTable
	order      []int32 // nodes as they are processed
	pass       []int32 // by node: the one that it is passed on to, -1 for a real one
	// by node: the last node with an edge there, doubled, and whether that has a price
	marks []int32
}

// layerTable finds the nodes of one layer and keeps them by the size of their masks.
type layerTable struct {
	index  []int32 // id plus one
	bySize [65][]int32
	count  int
}

// Goal is the node at which everything has returned: the last one.
func (x *relaxation) Goal() int32 { return int32(len(x.masks)) - 1 }

// relax makes the graph. It returns nil if the search has to stop or the graph gets too large.
func (s *Space) relax(b *engine.Account) *relaxation {
	x := &relaxation{Space: s, Account: b, dead: -1, pairs: make([]pair, 1), last: make([]int32, int(s.States)*int(s.States))}
	for _, n := range []*openOps{&x.now, &x.then} {
		n.legal, n.targets = make([]uint64, s.States), make([][]target, s.States)
		n.seen, n.targeted = make([]bool, s.States), make([]bool, s.States)
	}
	x.now.set(x, 0)
	start := s.Machine.Init()
	x.next.put(x, 0, x.now.settled(x, 0, start), start)
	x.here, x.next = x.next, x.here
	for j := range int32(len(s.Returns)) {
		x.then.set(x, j+1)
		if !x.makeLayer(j) {
			return nil
		}
		if x.next.count == 0 {
			x.dead = j
			return x
		}
		x.now, x.then = x.then, x.now
		x.here, x.next = x.next, x.here
	}
	// Whatever the end looks like, it is one node.
	end := int32(len(x.masks))
	for size := range x.here.bySize {
		for _, id := range x.here.bySize[size] {
			x.pass[id] = end
		}
	}
	x.masks, x.state, x.layers, x.pass = append(x.masks, 0), append(x.state, 0), append(x.layers, int32(len(s.Returns))), append(x.pass, -1)
	x.first = append(x.first, int32(len(x.to)))
	x.order = append(x.order, end)
	x.trim()
	return x
}

// set makes b the bench of layer j, given that of the layer before (or an empty one for the first).
func (b *openOps) set(x *relaxation, j int32) {
	for _, s := range b.touched {
		b.seen[s], b.targeted[s] = false, false
		b.targets[s] = b.targets[s][:0]
	}
	b.touched = b.touched[:0]
	before := &x.now
	if j == 0 {
		b.pure, b.other, b.active = 0, 0, 0
	} else {
		b.ops, b.earlier = before.ops, before.earlier
		b.pure, b.other, b.active = before.pure&^before.ret, before.other&^before.ret, before.active
		for m := b.other; m != 0; m &= m - 1 {
			b.earlier[bits.TrailingZeros64(m)] &^= before.ret
		}
	}
	for _, v := range x.Opened.Of(j) {
		if !x.Completed(v) {
			b.active = max(b.active, x.Class[v]+1)
			continue
		}
		k := x.Bit[v]
		b.ops[k], b.earlier[k] = v, 0
		if x.AtOnce[v] {
			b.pure |= 1 << k
			continue
		}
		for m := b.other; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			w := b.ops[i]
			switch {
			case x.Kind[w] != x.Kind[v]:
			case x.Layer[w] < x.Layer[v]:
				b.earlier[k] |= 1 << i
			default:
				b.earlier[i] |= 1 << k
			}
		}
		b.other |= 1 << k
	}
	b.ret = 0
	if int(j) < len(x.Returns) {
		b.ret = 1 << x.Bit[x.Returns[j]]
	}
}

// settled adds to a mask what is pure and legal in state s.
func (b *openOps) settled(x *relaxation, mask uint64, s model.State) uint64 {
	if !b.seen[s] {
		b.seen[s] = true
		b.touched = append(b.touched, s)
		b.legal[s] = 0
		for m := b.pure; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m)
			if x.Lookup(s, b.ops[k]) != transition.None {
				b.legal[s] |= 1 << k
			}
		}
	}
	return mask | b.legal[s]
}

// targetsFrom returns the targets from state s.
func (b *openOps) targetsFrom(x *relaxation, s model.State) []target {
	if b.targeted[s] {
		return b.targets[s]
	}
	b.settled(x, 0, s) // so that it is touched
	b.targeted[s] = true
	list := b.targets[s]
	for m := b.pure | b.other; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m)
		v := b.ops[k]
		from := x.Lookup(s, v)
		if from != transition.None && b.pure>>k&1 == 1 { // taken already
			continue
		}
		for _, l := range x.legal[x.Kind[v]] {
			if l.state == s || x.reach[int(s)*int(x.States)+int(l.state)] > b.active || !adds(x.Table, s, from, l.state, l.code) {
				continue
			}
			at := 0
			for at < len(list) && list[at].state != l.state {
				at++
			}
			if at == len(list) {
				list = append(list, target{state: l.state})
			}
			list[at].ops |= 1 << k
		}
	}
	b.targets[s] = list
	return list
}

// adds says whether an operation leads to anything new from state t, with code there, that going to
// t first is good for, when it leads from the node's own state s to what from says.
func adds(t *transition.Table, s model.State, from int32, at model.State, code int32) bool {
	if code == from {
		return false
	}
	for i := int32(0); ; i++ {
		n, ok := t.Next(code, i)
		if !ok {
			return false
		}
		if isNew(t, s, from, at, n) {
			return true
		}
	}
}

// isNew says that of one of the states. What leaves the state as it is, in t as in s, need not wait
// for t: it can come first.
func isNew(t *transition.Table, s model.State, from int32, at, n model.State) bool {
	return !t.Leads(from, n) && (n != at || !t.Leads(from, s))
}

func (t *layerTable) reset() {
	clear(t.index)
	for k := range t.bySize {
		t.bySize[k] = t.bySize[k][:0]
	}
	t.count = 0
}

// put returns the node of a configuration of a layer, a new one if it is not there.
func (t *layerTable) put(x *relaxation, layer int32, mask uint64, s model.State) int32 {
	if 2*t.count >= len(t.index) {
		t.index = make([]int32, max(64, 2*len(t.index)))
		for k := range t.bySize {
			for _, id := range t.bySize[k] {
				*t.place(x, x.masks[id], x.state[id]) = id + 1
			}
		}
	}
	slot := t.place(x, mask, s)
	if *slot == 0 {
		id := int32(len(x.masks))
		x.masks, x.state, x.layers = append(x.masks, mask), append(x.state, s), append(x.layers, layer)
		x.pass, x.marks = append(x.pass, -1), append(x.marks, -1)
		*slot = id + 1
		size := bits.OnesCount64(mask)
		t.bySize[size] = append(t.bySize[size], id)
		t.count++
	}
	return *slot - 1
}

func (t *layerTable) place(x *relaxation, mask uint64, s model.State) *int32 {
	h := layout.Mix(mask, uint64(uint32(s))+0x5851f42d4c957f2d)
	for k := int(h>>32) & (len(t.index) - 1); ; k = (k + 1) & (len(t.index) - 1) {
		if id := t.index[k]; id == 0 || x.masks[id-1] == mask && x.state[id-1] == s {
			return &t.index[k]
		}
	}
}

// makeLayer makes the edges of all nodes of layer j.
func (x *relaxation) makeLayer(j int32) bool {
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

// fits says whether there is room and time for more.
func (x *relaxation) fits() bool {
	size := int64(cap(x.masks))*28 + int64(cap(x.order))*8 + int64(cap(x.to))*8 + int64(cap(x.pairs))*12 + int64(len(x.last))*4
	ok := len(x.masks) <= maxNodes && x.Grow(size-x.counted)
	x.counted = size
	return ok && x.Look()
}

// expand makes the edges of a node.
func (x *relaxation) expand(j, id int32) {
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
func (x *relaxation) edge(j int32, mask uint64, s model.State, by int32) {
	mask = x.now.settled(x, mask, s)
	var id int32
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
	resolve := func(id int32) int32 {
		for x.pass[id] >= 0 {
			id = x.pass[id]
		}
		return id
	}
	x.first = append(x.first, int32(len(x.to)))
	place := make([]int32, len(x.masks)) // number plus one
	end := x.order[len(x.order)-1]
	place[end] = 1
	for k := len(x.order) - 1; k >= 0; k-- {
		for e := x.first[k]; e < x.first[k+1]; e++ {
			if x.to[e] = resolve(x.to[e]); place[x.to[e]] != 0 {
				place[x.order[k]] = 1
			}
		}
	}
	n, edges := int32(0), int32(0)
	masks, state, layers := make([]uint64, 0, len(x.order)), make([]model.State, 0, len(x.order)), make([]int32, 0, len(x.order))
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
