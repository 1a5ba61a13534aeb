package collections

// What: a linearization from the passes of deque_paths.go, from the last one back. One
// configuration is taken back, operation by operation: what took effect at the end of a pass, the
// node at which the contents begin there, and the path. An operation can have been the last if one
// of the states of the pass lacks it, and leads to the path by it.
//
// Source: ours.
//
// Invariants: a state that fits was there in the pass, since all nodes of the path were, and edges
// are as old as their nodes. There is a way back, since all that is in a state got there by some
// operation.
//
// Cost: operations × (open operations × edges of a node + length of the path).

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// pathConfig is one configuration.
type pathConfig struct {
	mask  [2]uint64
	nodes []pathNodeID // from the front
	items []int32      // between them
}

// outer returns the number of the node at an end.
func (w *pathConfig) outer(e int8) int { return int(e) * (len(w.nodes) - 1) }

// next returns the number of the node next to that.
func (w *pathConfig) next(e int8) int { return 1 + int(e)*(len(w.nodes)-3) }

// item returns the number of the item at an end.
func (w *pathConfig) item(e int8) int { return int(e) * (len(w.items) - 1) }

// linearization returns the operations in order, after search has found one: some that lead to one
// of the last states.
func (s *dequePaths) linearization() []history.OpID {
	x := s.sides[0][0]
	w := pathConfig{nodes: []pathNodeID{x.node}}
	w.mask[0] = x.mask
	n := x.node
	for s.nodes[n].states[1] == 0 {
		d := &s.edges[s.first(0, n)]
		n = d.at[1]
		w.nodes, w.items = append(w.nodes, n), append(w.items, d.value)
	}
	w.mask[1] = s.sides[1][slices.IndexFunc(s.sides[1], func(x pathState) bool { return x.node == n })].mask
	at := len(s.moves)
	for j := len(s.lane.returns) - 1; j >= 0; j-- {
		r := &s.lane.ops[s.lane.returns[j]]
		w.mask[r.end] |= 1 << r.bit
		for ; at > 0 && s.moves[at-1].layer == int32(j); at-- {
			m := &s.moves[at-1]
			for !slices.ContainsFunc(m.before, func(x pathState) bool {
				return x.mask == w.mask[m.end] && s.fits(&w, m, x.node)
			}) {
				if !s.takeBack(&w, m) {
					panic("collections: no way back to where the contents of a deque came from")
				}
			}
		}
	}
	slices.Reverse(s.order)
	return s.order
}

// takeBack takes back one operation, and reports whether there was one.
func (s *dequePaths) takeBack(w *pathConfig, m *pathMove) (taken bool) {
	s.eachOpen(int(m.layer), func(i opIndex) bool {
		o := &s.lane.ops[i]
		bit := uint64(1) << o.bit
		if o.end != m.end || w.mask[o.end]&bit == 0 {
			return true
		}
		k := slices.IndexFunc(m.after, func(x pathState) bool { return x.mask == w.mask[o.end]&^bit })
		if k < 0 || !s.leads(w, m, o, m.after[k].node) {
			return true
		}
		w.mask[o.end] &^= bit
		s.order = append(s.order, o.op)
		taken = true
		return false
	})
	return taken
}

// leads reports whether an operation leads from a node to a configuration, and takes that back
// then.
func (s *dequePaths) leads(w *pathConfig, m *pathMove, o *laneOp, n pathNodeID) bool {
	e := o.end
	empty := len(w.items) == 0
	is := !empty && (o.wild() || w.items[w.item(e)] == o.value)
	switch {
	case o.does == model.Insert:
		if !is || w.nodes[w.next(e)] != n {
			return false
		}
		k := w.outer(e)
		w.nodes = slices.Delete(w.nodes, k, k+1)
		k = w.item(e)
		w.items = slices.Delete(w.items, k, k+1)
		return true
	case empty && o.maySeeNothing() && s.fits(w, m, n):
		return true
	case o.does == model.Peek:
		return is && s.fits(w, m, n)
	case o.value == model.Nothing:
		return false
	}
	return s.list(e, n, func(d *pathEdge) bool {
		if d.value != o.value && !o.wild() || !s.fits(w, m, d.at[1-e]) {
			return false
		}
		w.nodes, w.items = slices.Insert(w.nodes, int(e)*len(w.nodes), n),
			slices.Insert(w.items, int(e)*len(w.items), d.value)
		return true
	})
}

// fits reports whether the contents of a configuration began at a node, and has them begin there
// then.
func (s *dequePaths) fits(w *pathConfig, m *pathMove, n pathNodeID) bool {
	e := m.end
	if len(w.items) == 0 {
		if !slices.Contains(m.far, pathState{w.mask[1-e], n}) {
			return false
		}
	} else {
		value, next := w.items[w.item(e)], w.nodes[w.next(e)]
		if !s.list(e, n, func(d *pathEdge) bool { return d.value == value && d.at[1-e] == next }) {
			return false
		}
	}
	w.nodes[w.outer(e)] = n
	return true
}

// list reports whether a function answers true for some edge inward from an end that there is or
// was.
func (s *dequePaths) list(e int8, n pathNodeID, f func(d *pathEdge) bool) bool {
	for _, i := range [2]pathEdgeID{s.nodes[n].edges[e], s.nodes[n].gone[e]} {
		for ; i >= 0; i = s.edges[i].next[e] {
			if f(&s.edges[i]) {
				return true
			}
		}
	}
	return false
}
