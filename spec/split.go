package spec

import (
	"github.com/linsat/linsat/history"
)

// Scope says how far a history is split into parts.
type Scope uint8

// The scopes.
const (
	Pieces  Scope = iota // by object and by the independent pieces of an object: keys of a map, elements of a set
	Objects              // by object only; what a quasi factor allows
	None                 // not at all
)

func (s Scope) String() string { return [...]string{"pieces", "objects", "none"}[s] }

// Split divides h into parts that can be judged apart: h is linearizable
// exactly when all of them are. Parts joined by an explicit edge are judged together,
// since an edge can close a circle through both of them.
//
// Locality [Herlihy-Wing, TOPLAS'90, §3.3] and P-compositionality [Horn-Kroening, FORTE'15, §3].
func Split(s Spec, h *history.History, scope Scope) []*Part {
	whole := Whole(h)
	if scope == None || len(h.Ops) == 0 {
		return []*Part{whole}
	}
	info := s.Info()
	u := newGroups(len(h.Ops))
	type piece struct{ object, piece history.Value }
	first := map[piece]int32{}
	all := map[history.Value]bool{} // objects that some operation touches as a whole
	var touched []history.Value
	object := func(i int32) history.Value {
		if info.KeyIsPiece {
			return history.NoKey
		}
		return h.Ops[i].Key
	}
	if scope == Pieces {
		for i := range h.Ops {
			touched = s.Touches(h, int32(i), touched[:0])
			for _, t := range touched {
				if t == Everything {
					all[object(int32(i))] = true
				}
			}
		}
	}
	for i := range h.Ops {
		k := object(int32(i))
		touched = touched[:0]
		if scope == Pieces && !all[k] {
			touched = s.Touches(h, int32(i), touched)
		}
		if len(touched) == 0 {
			touched = append(touched, Everything)
		}
		for _, t := range touched {
			q := piece{k, t}
			if f, ok := first[q]; ok {
				u.join(f, int32(i))
			} else {
				first[q] = int32(i)
			}
		}
	}
	for _, e := range h.Edges {
		u.join(e.Before, e.After)
	}
	members, order := u.members()
	if len(order) == 1 {
		return []*Part{whole}
	}
	parts := make([]*Part, 0, len(order))
	edges := map[int32][]history.Edge{}
	for _, e := range h.Edges {
		edges[u.find(e.Before)] = append(edges[u.find(e.Before)], e)
	}
	for _, root := range order {
		p := &Part{History: h, Index: members[root], Initial: h.Initial, HasInitial: h.HasInitial}
		p.Ops = make([]history.Op, len(p.Index))
		local := map[int32]int32{}
		for k, i := range p.Index {
			p.Ops[k] = h.Ops[i]
			if len(edges[root]) > 0 {
				local[i] = int32(k)
			}
		}
		for _, e := range edges[root] {
			p.Edges = append(p.Edges, history.Edge{Before: local[e.Before], After: local[e.After]})
		}
		i := p.Index[0]
		touched = touched[:0]
		if scope == Pieces && !all[object(i)] {
			touched = s.Touches(h, i, touched)
		}
		p.Name = partName(h, object(i), touched)
		parts = append(parts, p)
	}
	return parts
}

func partName(h *history.History, object history.Value, touched []history.Value) string {
	name := ""
	if object != history.NoKey {
		name = h.Values.Format(object)
	}
	if len(touched) > 0 && touched[0] >= 0 {
		if name != "" {
			name += "/"
		}
		name += h.Values.Format(touched[0])
	}
	return name
}

// groups is a union-find over operations.
type groups struct{ parent []int32 }

func newGroups(n int) *groups {
	g := &groups{make([]int32, n)}
	for i := range g.parent {
		g.parent[i] = int32(i)
	}
	return g
}

func (g *groups) find(i int32) int32 {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

func (g *groups) join(a, b int32) {
	if a, b = g.find(a), g.find(b); a != b {
		g.parent[max(a, b)] = min(a, b)
	}
}

// members lists each group's operations, ascending, and the groups by first member.
func (g *groups) members() (map[int32][]int32, []int32) {
	size := make([]int32, len(g.parent))
	var order []int32
	for i := range g.parent {
		r := g.find(int32(i))
		if size[r] == 0 {
			order = append(order, r)
		}
		size[r]++
	}
	members := make(map[int32][]int32, len(order))
	for _, r := range order {
		members[r] = make([]int32, 0, size[r])
	}
	for i := range g.parent {
		r := g.find(int32(i))
		members[r] = append(members[r], int32(i))
	}
	return members, order
}
