package solve

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/inorder"
)

// minimal returns a contradiction of as few operations: none can be left out. Where operations are
// left out, an order of the rest is what is left of an order of all, since a read is from the same
// write. So a contradiction of some is one of all.
func (s *sources) minimal(ctx context.Context, q *consistency.Question, c *consistency.Conflict) *consistency.Conflict {
	kept := s.named(c)
	for k := len(kept) - 1; k >= 0; k-- {
		if k >= len(kept) || len(kept) > mostMinimized {
			continue
		}
		i := kept[k]
		less := slices.DeleteFunc(slices.Clone(kept), func(j history.OpID) bool {
			return j == i || s.Ops[j].Reads && s.of[j] == i
		})
		v := newView(s, q, c.Process, less)
		if ok, err := v.extend(ctx); !ok && err == nil {
			c = v.conflict()
			kept = s.named(c)
			k = len(kept)
		}
	}
	return c
}

// named lists the operations of a contradiction and the sources of its reads, ascending.
func (s *sources) named(c *consistency.Conflict) []history.OpID {
	ops := slices.Clone(c.Path)
	for _, o := range c.Overwrites {
		ops = append(ops, o.Path...)
	}
	for _, i := range slices.Clone(ops) {
		if s.Ops[i].Reads && s.of[i] != start {
			ops = append(ops, s.of[i])
		}
	}
	return inorder.Distinct(ops)
}
