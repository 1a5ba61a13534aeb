package fgvt

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// snark is the deque of Detlefs, Flood, Garthwaite, Martin, Shavit and Steele over double-word
// compare-and-swap. A node that was popped refers to itself on the side from which the others left
// it; the dummy does on both sides.
type snark struct {
	m                 *mem.Memory
	leftHat, rightHat *mem.Atomic[*snarkNode]
	dummy             *snarkNode
	faulty            bool
}

type snarkNode struct {
	value any
	// of the corrected deque: a pop owns the value only once it has claimed it
	claimed *mem.Atomic[bool]
	l, r    *mem.Atomic[*snarkNode]
}

func (d *snark) node(v any, l, r *snarkNode) *snarkNode {
	return &snarkNode{v, mem.NewAtomic(d.m, named("claimed", v), false), mem.NewAtomic(d.m, named("L", v), l),
		mem.NewAtomic(d.m, named("R", v), r)}
}

func (d *snark) pushRight(v any) {
	for {
		rh := d.rightHat.Load()
		rhR := rh.r.Load()
		if rhR == rh {
			n := d.node(v, d.dummy, d.dummy)
			lh := d.leftHat.Load()
			if mem.CompareAndSwap2(d.rightHat, d.leftHat, rh, lh, n, n) {
				return
			}
		} else {
			n := d.node(v, rh, d.dummy)
			if mem.CompareAndSwap2(d.rightHat, rh.r, rh, rhR, n, n) {
				return
			}
		}
	}
}

func (d *snark) pushLeft(v any) {
	for {
		lh := d.leftHat.Load()
		lhL := lh.l.Load()
		if lhL == lh {
			n := d.node(v, d.dummy, d.dummy)
			rh := d.rightHat.Load()
			if mem.CompareAndSwap2(d.leftHat, d.rightHat, lh, rh, n, n) {
				return
			}
		} else {
			n := d.node(v, d.dummy, lh)
			if mem.CompareAndSwap2(d.leftHat, lh.l, lh, lhL, n, n) {
				return
			}
		}
	}
}

func (d *snark) popRight() any {
	for {
		rh := d.rightHat.Load()
		lh := d.leftHat.Load()
		if rh.r.Load() == rh {
			// rh was the last node when the hat was read; it may have been popped from the left
			// since, behind newer ones.
			if d.faulty || d.rightHat.Load() == rh {
				return nil
			}
			continue
		}
		if rh == lh {
			if mem.CompareAndSwap2(d.rightHat, d.leftHat, rh, lh, d.dummy, d.dummy) {
				if v, ok := d.take(rh); ok {
					return v
				}
			}
			continue
		}
		rhL := rh.l.Load()
		if mem.CompareAndSwap2(d.rightHat, rh.l, rh, rhL, rhL, rh) {
			v, ok := d.take(rh)
			rh.r.Store(d.dummy)
			if ok {
				return v
			}
		}
	}
}

func (d *snark) popLeft() any {
	for {
		lh := d.leftHat.Load()
		rh := d.rightHat.Load()
		if lh.l.Load() == lh {
			if d.faulty || d.leftHat.Load() == lh {
				return nil
			}
			continue
		}
		if lh == rh {
			if mem.CompareAndSwap2(d.leftHat, d.rightHat, lh, rh, d.dummy, d.dummy) {
				if v, ok := d.take(lh); ok {
					return v
				}
			}
			continue
		}
		lhR := lh.r.Load()
		if mem.CompareAndSwap2(d.leftHat, lh.r, lh, lhR, lhR, lh) {
			v, ok := d.take(lh)
			lh.l.Store(d.dummy)
			if ok {
				return v
			}
		}
	}
}

// take returns the value of a node that its caller has popped; ok is false if the corrected deque
// finds that a pop from the other side has it, which two pops of one node can come to.
func (d *snark) take(n *snarkNode) (v any, ok bool) {
	return n.value, d.faulty || n.claimed.CompareAndSwap(false, true)
}

func newSnark(faulty bool) func(m *mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		d := &snark{m: m, faulty: faulty}
		d.dummy = d.node("dummy", nil, nil)
		d.dummy.l.Store(d.dummy)
		d.dummy.r.Store(d.dummy)
		d.leftHat = mem.NewAtomic(m, "leftHat", d.dummy)
		d.rightHat = mem.NewAtomic(m, "rightHat", d.dummy)
		d.pushRight(1)
		return func(f string, arg any) any {
			switch f {
			case "pushLeft":
				d.pushLeft(arg)
				return nil
			case "pushRight":
				d.pushRight(arg)
				return nil
			case "popLeft":
				return d.popLeft()
			case "popRight":
				return d.popRight()
			}
			panic(unknown(f))
		}
	}
}
