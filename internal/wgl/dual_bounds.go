package wgl

// What: the last phase of the search. It is depth first as before, but every child is first looked
// up in the relaxation of package dual. A child that is not there cannot reach the end. The
// multipliers give a lower bound on the cost of the rest; if that and what has been used exceed the
// capacity, the child fails, too. The other children are entered in the order of their costs.
//
// Source: branch and bound with Lagrangian bounds (Held and Karp, Math. Programming 1971).
//
// What we changed: it is combined with conflict analysis. The reason of a cut is what has been
// used, lowered as far as the inequality allows. And a way to a state t of the closure is cut if it
// costs more than another way to t found before, by more than the node can spare: whatever follows
// would have been too expensive by the other way, or the node itself is.
//
// Why the relaxation contains every configuration that the search reaches: both let the same
// operations follow a node, but the relaxation does not check whether one is left.
//
// Invariant: a cut child has no linearization from any usage at least as high as the reason says.
//
// Cost: one look-up for each child, and sorting the children of a node.

import (
	"cmp"

	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/inorder"
)

// nodeOf returns the node of the current configuration, -1 if it has none.
func (r *Run) nodeOf() dual.NodeID {
	if r.Final() {
		return r.bounds.Goal()
	}
	return r.bounds.Node(r.Depth, r.State, r.Mask)
}

// Restart returns to the beginning, keeps what has been learned, and uses bounds from now on.
func (r *Run) Restart(b *dual.Bounds) {
	r.Undo(0)
	r.frames, r.cands, r.pendingClosure, r.blocked, r.targets = r.frames[:0], r.cands[:0], r.pendingClosure[:0],
		r.blocked[:0], r.targets[:0]
	r.bounds, r.Targets = b, true
	r.cheapest = make([]int64, r.Space.States)
}

// Bounded reports whether the search uses bounds.
func (r *Run) Bounded() bool { return r.bounds != nil }

// spare returns what the frame on top can spend beyond the lower bound of the rest.
func (r *Run) spare() int64 {
	free := r.bounds.Capacity
	for c, n := range r.Used {
		free -= int64(n) * r.bounds.Multipliers[c]
	}
	return free
}

// proceedBounded is proceed under bounds.
func (r *Run) proceedBounded(f *frame) Outcome {
	if !f.listed {
		if !r.listChildren(f) {
			return GaveUp
		}
		f.listed = true
	}
	if int(f.child) < len(r.children) {
		c := r.children[f.child]
		f.child++
		f.current = c.through
		return r.child(f, c.op, c.state)
	}
	if !r.explainBlocked(f) {
		return GaveUp
	}
	return r.pop()
}

// listChildren finds and sorts the children of the frame on top. It returns false if the search has
// to stop.
func (r *Run) listChildren(f *frame) bool {
	node, free := r.nodeOf(), r.spare()
	for i := range r.cheapest {
		r.cheapest[i] = dual.Far
	}
	f.spare = free
	if node >= 0 {
		f.spare -= r.bounds.Rest(node)
	}
	for f.current = f.closure; int(f.current) < len(r.pendingClosure); f.current++ {
		l := f.current
		s, pure := r.pendingClosure[l].state, false
		cost := r.costOf(l)
		if l != f.closure {
			switch r.anyReadOnly(f, s) {
			case Stopped:
				return false
			case Taken:
				pure = true
				r.pendingClosure[l].closed = true
				if !r.addChild(f, child{l, -1, s, cost}, free) {
					return false
				}
			}
		}
		for _, v := range r.cands[f.cands:f.readOnly] {
			if pure {
				break
			}
			code := r.Apply(s, v)
			if code == 0 {
				return false
			}
			for i := int32(0); ; i++ {
				t, ok := r.Table.Next(code, i)
				if !ok {
					break
				}
				if l == f.closure || !r.Leads(r.Lookup(r.pendingClosure[f.closure].state, v), t) {
					if !r.addChild(f, child{l, v, t, cost}, free) {
						return false
					}
				}
			}
		}
		f.expanded = l
		if !r.expand(f) {
			return false
		}
	}
	inorder.Sort(r.children[f.child:], func(a, b child) int { return cmp.Compare(a.cost, b.cost) })
	return true
}

// addChild lists a child unless the bounds exclude it; free is what the node may spend. It returns
// false if the search has to stop.
func (r *Run) addChild(f *frame, c child, free int64) bool {
	r.takePending(c.through)
	if c.op >= 0 {
		r.Take(c.op, c.state)
	}
	if !r.Settle() {
		return false
	}
	node := r.nodeOf()
	r.Undo(f.mark)
	if node < 0 {
		return true
	}
	c.cost += r.bounds.Rest(node)
	if c.cost <= free {
		r.children = append(r.children, c)
		return true
	}
	r.exclude(f, c.cost-free)
	return true
}
