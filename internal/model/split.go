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
	if parts := pieceByPiece(s, h, scope); parts != nil {
		return parts
	}
	info := s.Info()
	object := func(i history.OpID) history.Value {
		if info.KeyIsPiece {
			return history.NoKey
		}
		return h.Ops[i].Key
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
	group, size := u.members()
	if len(size) == 1 {
		return []*Partition{Whole(h)}
	}
	parts := partitionsOf(h, group, size)
	namePartitions(h, parts, func(_ int, i history.OpID) (history.Value, history.Value) {
		return object(i), pieces(i)[0]
	})
	if len(h.Edges) > 0 {
		local := make([]history.OpID, len(h.Ops))
		for _, p := range parts {
			for k, i := range p.Index {
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

// partitionsOf makes a partition of every group of operations, of known size. Its operations
// ascend.
func partitionsOf(h *history.History, group, size []int32) []*Partition {
	parts, made := make([]*Partition, len(size)), make([]Partition, len(size))
	index, ops := make([]history.OpID, len(h.Ops)), make([]history.Op, len(h.Ops))
	from := int32(0)
	for g, n := range size { // from here on size says where the next operation of a group goes
		to := from + n
		made[g] = Partition{History: h, Index: index[from:to:to], Ops: ops[from:to:to], Initial: h.Initial,
			HasInitial: h.HasInitial}
		parts[g], size[g], from = &made[g], from, to
	}
	for i, g := range group {
		k := size[g]
		size[g]++
		index[k], ops[k] = history.OpID(i), h.Ops[i]
	}
	return parts
}

// pieceByPiece is Split in the simple case: one object, no explicit order, and every operation on
// one piece. Otherwise it returns nil.
func pieceByPiece(s Spec, h *history.History, scope Partitioning) []*Partition {
	if scope != ByKey || len(h.Edges) > 0 {
		return nil
	}
	key, byKey := h.Ops[0].Key, footprintsOf(s) == KeyFootprints
	keyIsPiece := byKey || s.Info().KeyIsPiece
	// by value and two more, NoKey and Everything: number of the piece plus one
	var few [fewNumbers]int32
	values := h.Values.Len() + 2
	numbers := few[:]
	if values+len(h.Ops) > len(few) {
		numbers = make([]int32, values+len(h.Ops))
	}
	numbers, group := numbers[:values], numbers[values:values+len(h.Ops)]
	size, pieces := make([]int32, 0, 16), make([]history.Value, 0, 16)
	var touched []history.Value
	for i := range h.Ops {
		piece := h.Ops[i].Key
		if !byKey {
			if touched = s.Footprint(h, history.OpID(i), touched[:0]); len(touched) != 1 || touched[0] == Everything ||
				!keyIsPiece && piece != key {
				return nil
			}
			piece = touched[0]
		}
		number := &numbers[piece+2]
		if *number == 0 {
			size, pieces = append(size, 0), append(pieces, piece)
			*number = int32(len(size))
		}
		group[i] = *number - 1
		size[group[i]]++
	}
	if len(size) == 1 {
		return []*Partition{Whole(h)}
	}
	if keyIsPiece {
		key = history.NoKey
	}
	parts := partitionsOf(h, group, size)
	namePartitions(h, parts, func(part int, _ history.OpID) (history.Value, history.Value) { return key, pieces[part] })
	return parts
}

// Footprints says what is known of all footprints of a specification.
type Footprints uint8

// What may be known.
const (
	AnyFootprints   Footprints = iota
	WholeFootprints            // each is Everything
	KeyFootprints              // each is the key of the operation, which names a piece (KeyIsPiece)
)

// Footprinted is implemented by specifications that may know something of all their footprints.
type Footprinted interface {
	Footprints() Footprints
}

func footprintsOf(s Spec) Footprints {
	if f, ok := s.(Footprinted); ok {
		return f.Footprints()
	}
	return AnyFootprints
}

// indivisible reports whether all operations concern one object, and each of them the whole of it:
// there is nothing to split.
func indivisible(s Spec, h *history.History, scope Partitioning) bool {
	switch f := footprintsOf(s); {
	case f == WholeFootprints:
		scope = ByObject
	case f == KeyFootprints && scope == ByKey:
		return false
	}
	key, keyIsPiece := h.Ops[0].Key, s.Info().KeyIsPiece
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
func namePartitions(h *history.History, parts []*Partition, touches func(part int, i history.OpID) (object,
	piece history.Value)) {
	var few [nameBytes]byte
	text := few[:0]
	ends := make([]int, len(parts))
	for g, p := range parts {
		object, piece := touches(g, p.Index[0])
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

// members returns the group of each operation and the size of each group; groups are ordered by
// first member.
func (g *groups) members() (group, size []int32) {
	group = make([]int32, len(g.parent))
	for i := range g.parent { // a root is the least of its group
		r := g.find(history.OpID(i))
		if r == history.OpID(i) {
			group[i] = int32(len(size))
			size = append(size, 0)
		}
		group[i] = group[r]
		size[group[i]]++
	}
	return group, size
}
