package dual

// What: the operations that are open in one layer of the relaxation: which are read-only and legal
// in a state, and which states are targets of pending operations.
//
// A target of state s is a state in which an open operation acts otherwise than in s. Any other
// state leads to nothing that the node itself does not lead to for less. An operation that keeps
// the state in both does not count either, because it can come first.
//
// Invariant: earlier[k] holds the open operations of the same kind as operation k that return
// before it; only without them is k tried, because two such can be exchanged.
//
// Cost: each state is looked at once in a layer, with all open operations.

import (
	"math/bits"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

// target is a state that is worth reaching from another one, and the open operations, by bits, that
// act otherwise there.
type target struct {
	state model.State
	ops   uint64
}

// openOps is what is open in a layer.
type openOps struct {
	ops      [64]history.OpID // by bit
	earlier  [64]uint64       // by bit: open operations of the same kind that return earlier
	pure     uint64           // those taken at once
	other    uint64           // those that are not
	active   layout.ClassID   // classes called
	ret      uint64           // the bit of the operation that returns
	legal    []uint64         // by state: read-only operations that are legal, where seen says so
	targets  [][]target       // by state, likewise
	seen     []bool
	targeted []bool
	touched  []model.State
}

// set makes b the bench of layer j, given that of the layer before (or an empty one for the first).
func (b *openOps) set(x *relaxation, j layout.LayerID) {
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

// settled adds to a mask what is read-only and legal in state s.
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
			if l.state == s || x.reach[int(s)*int(x.States)+int(l.state)] > b.active ||
				!adds(x.Table, s, from, l.state, l.code) {
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

// adds reports whether an operation leads to anything new from state t, with code there, that going
// to t first is good for, when it leads from the node's own state s to what from says.
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

// isNew reports that of one of the states. What leaves the state as it is, in t as in s, need not
// wait for t: it can come first.
func isNew(t *transition.Table, s model.State, from int32, at, n model.State) bool {
	return !t.Leads(from, n) && (n != at || !t.Leads(from, s))
}
