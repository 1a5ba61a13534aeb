package model

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
)

// Partitioning says how far a history is split into partitions.
type Partitioning uint8

// The partitionings.
const (
	// by object and by the independent partitions of an object: keys of a map, elements of a set
	ByKey         Partitioning = iota
	ByObject                   // by object only; what a quasi factor allows
	Unpartitioned              // not at all
)

func (s Partitioning) String() string {
	if s > Unpartitioned {
		return fmt.Sprintf("partitioning %d", uint8(s))
	}
	return [...]string{"key", "object", "none"}[s]
}

// ParsePartitioning reads what String writes: key, object or none.
func ParsePartitioning(text string) (Partitioning, error) {
	for _, p := range [...]Partitioning{ByKey, ByObject, Unpartitioned} {
		if text == p.String() {
			return p, nil
		}
	}
	return 0, fmt.Errorf("unknown partitioning %q (want key, object or none)", text)
}

// Split divides h into partitions that can be decided separately: h is linearizable exactly when
// all of them are. Partitions joined by an explicit edge are decided together, since an edge can
// close a cycle through both of them.
//
// Locality [Herlihy-Wing, TOPLAS'90, §3.3] and P-compositionality [Horn-Kroening, FORTE'15, §3].
func Split(s Spec, h *history.History, scope Partitioning) []*Partition {
	if scope == Unpartitioned || len(h.Ops) == 0 || indivisible(s, h, scope) {
		return []*Partition{Whole(h)}
	}
	info := s.Info()
	object := func(i history.OpID) history.Value {
		if info.KeyIsPiece {
			return history.NoKey
		}
		return h.Ops[i].Key
	}
	if members := pieceByPiece(s, h, scope); len(members) == 1 {
		return []*Partition{Whole(h)}
	} else if len(members) > 1 {
		parts := partitionsOf(h, members)
		touched := make([]history.Value, 0, 1)
		namePartitions(h, parts, func(i history.OpID) (history.Value, history.Value) { return object(i), s.Footprint(h, i, touched)[0] })
		return parts
	}
	// by object and two more: some operation touches it as a whole
	all := make([]bool, h.Values.Len()+2)
	var touched []history.Value
	for i := range h.Ops {
		if scope != ByKey {
			break
		}
		touched = s.Footprint(h, history.OpID(i), touched[:0])
		if slices.Contains(touched, Everything) {
			all[object(history.OpID(i))+2] = true
		}
	}
	pieces := func(i history.OpID) []history.Value {
		touched = touched[:0]
		if scope == ByKey && !all[object(i)+2] {
			touched = s.Footprint(h, i, touched)
		}
		if len(touched) == 0 {
			touched = append(touched, Everything)
		}
		return touched
	}
	oneObject, onePiece := true, true
	one := pieces(0)[0]
	for i := range h.Ops {
		oneObject = oneObject && object(history.OpID(i)) == object(0)
		for _, t := range pieces(history.OpID(i)) {
			onePiece = onePiece && t == one
		}
	}
	u, first := newGroups(len(h.Ops)), newFirsts(h.Values.Len(), oneObject, onePiece)
	for i := range h.Ops {
		k := object(history.OpID(i))
		for _, t := range pieces(history.OpID(i)) {
			if f := first.of(k, t, history.OpID(i)); f != history.OpID(i) {
				u.join(f, history.OpID(i))
			}
		}
	}
	for _, e := range h.Edges {
		u.join(e.Before, e.After)
	}
	group, members := u.members()
	if len(members) == 1 {
		return []*Partition{Whole(h)}
	}
	parts := partitionsOf(h, members)
	namePartitions(h, parts, func(i history.OpID) (history.Value, history.Value) { return object(i), pieces(i)[0] })
	if len(h.Edges) > 0 {
		local := make([]history.OpID, len(h.Ops))
		for _, index := range members {
			for k, i := range index {
				local[i] = history.OpID(k)
			}
		}
		for _, e := range h.Edges {
			p := parts[group[e.Before]]
			p.Edges = append(p.Edges, history.Edge{Before: local[e.Before], After: local[e.After]})
		}
	}
	return parts
}

// partitionsOf makes a partition of every list of operations.
func partitionsOf(h *history.History, members [][]history.OpID) []*Partition {
	parts := make([]*Partition, len(members))
	made := make([]Partition, len(members))
	ops := make([]history.Op, 0, len(h.Ops))
	for g, index := range members {
		p := &made[g]
		parts[g] = p
		from := len(ops)
		for _, i := range index {
			ops = append(ops, h.Ops[i])
		}
		*p = Partition{History: h, Index: index, Ops: ops[from:len(ops):len(ops)], Initial: h.Initial, HasInitial: h.HasInitial}
	}
	return parts
}

// pieceByPiece lists the operations of each piece, ascending, with pieces ordered by first
// operation, in the simple case: one object, no explicit order, and every operation on one piece.
// Otherwise it returns nil.
func pieceByPiece(s Spec, h *history.History, scope Partitioning) [][]history.OpID {
	if scope != ByKey || len(h.Edges) > 0 {
		return nil
	}
	keyIsPiece, key := s.Info().KeyIsPiece, h.Ops[0].Key
	// by value and two more, NoKey and Everything: number of the piece plus one
	var few [fewNumbers]int32
	values := h.Values.Len() + 2
	numbers := few[:]
	if values+len(h.Ops) > len(few) {
		numbers = make([]int32, values+len(h.Ops))
	}
	numbers, group := numbers[:values], numbers[values:values+len(h.Ops)]
	size := make([]int32, 0, 16)
	touched := make([]history.Value, 0, 1)
	for i := range h.Ops {
		touched = s.Footprint(h, history.OpID(i), touched[:0])
		if len(touched) != 1 || touched[0] == Everything || !keyIsPiece && h.Ops[i].Key != key {
			return nil
		}
		number := &numbers[touched[0]+2]
		if *number == 0 {
			size = append(size, 0)
			*number = int32(len(size))
		}
		group[i] = *number - 1
		size[group[i]]++
	}
	return listed(group, size)
}

// listed lists the members of groups of known size, ascending.
func listed(group, size []int32) [][]history.OpID {
	members := make([][]history.OpID, len(size))
	list := make([]history.OpID, len(group))
	for k, n := range size {
		members[k], list = list[:0:n], list[n:]
	}
	for i, k := range group {
		members[k] = append(members[k], history.OpID(i))
	}
	return members
}

// Undivided is implemented by specifications that may know that every footprint is Everything.
type Undivided interface {
	Undivided() bool
}

// indivisible reports whether all operations concern one object, and each of them the whole of it:
// there is nothing to split.
func indivisible(s Spec, h *history.History, scope Partitioning) bool {
	key, keyIsPiece := h.Ops[0].Key, s.Info().KeyIsPiece
	if u, ok := s.(Undivided); ok && u.Undivided() {
		scope = ByObject
	}
	var touched []history.Value
	for i := range h.Ops {
		if h.Ops[i].Key != key && !keyIsPiece {
			return false
		}
		if scope == ByKey {
			touched = s.Footprint(h, history.OpID(i), touched[:0])
			if len(touched) != 1 || touched[0] != Everything {
				return false
			}
		}
	}
	return true
}

// firsts records the first operation on every piece of every object: in a slice if there is one
// object, or one piece of each.
type firsts struct {
	byObject, byPiece bool
	direct            []history.OpID // by value and two more, NoKey and Everything
	pairs             map[[2]history.Value]history.OpID
}

func newFirsts(values int, oneObject, onePiece bool) *firsts {
	f := &firsts{byPiece: oneObject, byObject: onePiece}
	if oneObject || onePiece {
		f.direct = make([]history.OpID, values+2)
	} else {
		f.pairs = map[[2]history.Value]history.OpID{}
	}
	return f
}

// of returns the first operation on a piece, i if there was none.
func (f *firsts) of(object, piece history.Value, i history.OpID) history.OpID {
	if f.direct == nil {
		k := [2]history.Value{object, piece}
		if first, ok := f.pairs[k]; ok {
			return first
		}
		f.pairs[k] = i
		return i
	}
	v := object
	if f.byPiece {
		v = piece
	}
	if f.direct[v+2] == 0 {
		f.direct[v+2] = i + 1
	}
	return f.direct[v+2] - 1
}

// namePartitions names partitions after what their first operations touch, with all names in one
// string.
func namePartitions(h *history.History, parts []*Partition, touches func(i history.OpID) (object, piece history.Value)) {
	var text []byte
	ends := make([]int, len(parts))
	for g, p := range parts {
		object, piece := touches(p.Index[0])
		if object != history.NoKey {
			text = h.Values.AppendJSON(text, object)
		}
		if piece >= 0 {
			if object != history.NoKey {
				text = append(text, '/')
			}
			text = h.Values.AppendJSON(text, piece)
		}
		ends[g] = len(text)
	}
	names, from := string(text), 0
	for g, end := range ends {
		parts[g].Name, from = names[from:end], end
	}
}

// groups is a union-find over operations.
type groups struct{ parent []history.OpID }

func newGroups(n int) *groups {
	g := &groups{make([]history.OpID, n)}
	for i := range g.parent {
		g.parent[i] = history.OpID(i)
	}
	return g
}

func (g *groups) find(i history.OpID) history.OpID {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

func (g *groups) join(a, b history.OpID) {
	if a, b = g.find(a), g.find(b); a != b {
		g.parent[max(a, b)] = min(a, b)
	}
}

// members returns the group of each operation, and lists each group's operations, ascending; groups
// are ordered by first member.
func (g *groups) members() (group []int32, members [][]history.OpID) {
	group = make([]int32, len(g.parent))
	var size []int32
	for i := range g.parent { // a root is the least of its group
		r := g.find(history.OpID(i))
		if r == history.OpID(i) {
			group[i] = int32(len(size))
			size = append(size, 0)
		}
		group[i] = group[r]
		size[group[i]]++
	}
	return group, listed(group, size)
}
