package verify

// Operations that say what they touch, tried only where they are connected.
//
// What: of the operations that may come next, exhaustion.go tries those that are connected to the
// one that returns first: by a key that both touch, or through others that may come next. If there
// is a linearization, there is one in which all others that come before this return come after it:
// they commute with all that is connected, and return later. And where an operation is allowed that
// changes no state, it comes next.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// pieces are what operations touch.
type pieces struct {
	touches  [][]int32
	readOnly []bool
	open     map[int32]bool // keys that are connected
}

func newPieces(b *model.Instance) *pieces { return &pieces{b.Touches, b.ReadOnly, map[int32]bool{}} }

// connected returns the operations among next, which may all come next in a state, that have to be
// tried.
func (x *pieces) connected(s *trial, next []history.OpID, state model.State) []history.OpID {
	first := history.OpID(-1) // of the completed ones, the one that returns first
	for _, i := range next {
		switch o := &s.b.Partition.Ops[i]; {
		case o.Pending():
		case x.readOnly[i] && len(s.machine.Step(state, i, nil)) > 0:
			return []history.OpID{i}
		case first < 0 || o.Return < s.b.Partition.Ops[first].Return:
			first = i
		}
	}
	if first < 0 {
		return next
	}
	clear(x.open)
	in := []history.OpID{first}
	for k := 0; k < len(in); k++ {
		if x.touches[in[k]] == nil {
			return next
		}
		for _, key := range x.touches[in[k]] {
			x.open[key] = true
		}
		for _, i := range next {
			if !slices.Contains(in, i) && (x.touches[i] == nil ||
				slices.ContainsFunc(x.touches[i], func(key int32) bool { return x.open[key] })) {
				in = append(in, i)
			}
		}
	}
	return in
}
