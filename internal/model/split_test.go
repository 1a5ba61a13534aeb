package model_test

import (
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/require"
)

// TestSplitAsDefined joins operations pair by pair until nothing changes, and compares.
func TestSplitAsDefined(t *testing.T) {
	for _, name := range gen.Specs() {
		s, ok := specs.Lookup(name)
		require.True(t, ok)
		split := 0
		for seed := range uint64(400) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 9, Keys: 3})
			require.NoError(t, err)
			for _, scope := range []model.Partitioning{model.ByKey, model.ByObject, model.Unpartitioned} {
				want := joined(s, h, scope)
				parts := model.Split(s, h, scope)
				require.Len(t, parts, len(want), "%s seed %d %v", name, seed, scope)
				edges := 0
				for k, p := range parts {
					for i := range p.Ops {
						require.Equal(t, h.Ops[want[k][i]], p.Ops[i])
						require.Equal(t, want[k][i], p.Global(history.OpID(i)))
					}
					require.Len(t, p.Ops, len(want[k]))
					for _, e := range p.Edges {
						require.True(t, slices.Contains(h.Edges, history.Edge{Before: p.Global(e.Before),
							After: p.Global(e.After)}))
					}
					edges += len(p.Edges)
				}
				require.Equal(t, len(h.Edges), edges)
				split += min(1, len(want)-1)
			}
		}
		require.Greater(t, split, 5, name)
	}
}

// joined lists the operations of every partition, the partitions by their first.
func joined(s model.Spec, h *history.History, scope model.Partitioning) [][]history.OpID {
	n := history.OpID(len(h.Ops))
	object := func(i history.OpID) history.Value {
		if s.Info().KeyIsPiece {
			return history.NoKey
		}
		return h.Ops[i].Key
	}
	touches := func(i history.OpID) []history.Value {
		if list := s.Footprint(h, i, nil); len(list) > 0 {
			return list
		}
		return []history.Value{history.NoKey}
	}
	joins := func(a, b history.OpID) bool {
		switch {
		case slices.Contains(h.Edges, history.Edge{Before: a, After: b}) || scope == model.Unpartitioned:
			return true
		case object(a) != object(b):
			return false
		case scope == model.ByObject:
			return true
		}
		for i := range n { // an operation touches the whole object
			if object(i) == object(a) && slices.Contains(touches(i), model.Everything) {
				return true
			}
		}
		for _, x := range touches(a) {
			if slices.Contains(touches(b), x) {
				return true
			}
		}
		return false
	}
	of := make([]history.OpID, n)
	for i := range of {
		of[i] = history.OpID(i)
	}
	for changed := true; changed; {
		changed = false
		for a := range n {
			for b := range n {
				if of[a] != of[b] && joins(a, b) {
					of[a], of[b] = min(of[a], of[b]), min(of[a], of[b])
					changed = true
				}
			}
		}
	}
	if n == 0 {
		return [][]history.OpID{nil}
	}
	var parts [][]history.OpID
	for root := range n {
		var part []history.OpID
		for i := range n {
			if of[i] == root {
				part = append(part, i)
			}
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts
}
