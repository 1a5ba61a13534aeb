package conformance_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCollectionsOfSeveralKeysAreExplained decides collections of two keys that explicit order
// holds together, and that hold something at the start: each key does, whatever the explanation
// forgets of the other.
func TestCollectionsOfSeveralKeysAreExplained(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "keys", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, file := range files {
		h, err := history.ReadFile(file, history.ReadOptions{})
		require.NoError(t, err)
		r, err := linsat.Check(context.Background(), spec.MustLookup(h.Spec), h)
		require.NoError(t, err, file)
		assert.Equal(t, engine.NotLinearizable, r.Verdict, file)
		assert.True(t, r.Certified, file)
	}
	refuted := 0
	for seed := range uint64(testenv.Scale(1000, 40_000)) {
		name := []string{"queue", "stack", "priority-queue", "unordered-queue", "deque"}[seed%5]
		h, err := gen.Small(name, seed, gen.SmallOptions{Least: 3, Most: 6, Keys: 2, Values: 2, Edged: true,
			NoInitial: true, NoEnds: true})
		require.NoError(t, err)
		v := h.Ops[0].Arg
		for i := range h.Ops {
			if h.Ops[i].Arg != history.Nil {
				v = h.Ops[i].Arg
			}
		}
		h.Initial, h.HasInitial = h.Values.List([]history.Value{v}), true
		about := fmt.Sprintf("%s, seed %d", name, seed)
		r, err := linsat.Check(context.Background(), spec.MustLookup(name), h)
		if err != nil {
			require.ErrorContains(t, err, "initial", about) // it may be none of this specification
			continue
		}
		s, _ := specs.Lookup(name)
		all, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		want, _ := oracle.Linearizable(all)
		require.Equal(t, want, r.Verdict == engine.Linearizable, about)
		if r.Verdict == engine.NotLinearizable {
			refuted++
			assert.True(t, r.Certified, about)
		}
	}
	assert.Greater(t, refuted, testenv.MoreThan(100))
}
