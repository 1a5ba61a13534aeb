package explain_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestValuesOpenAtTheCutMayBeForgotten: whatever values the verifier lets a weakening forget
// together with the future, a history that is linearizable stays so. Operations of a forgotten
// value that are open at the cut are among them: the cut alone would make their values unknown.
func TestValuesOpenAtTheCutMayBeForgotten(t *testing.T) {
	for _, name := range []string{"queue", "stack", "priority-queue"} {
		s, _ := specs.Lookup(name)
		accepted, open := 0, 0
		for seed := range uint64(3000) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, NoEdges: true})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			if ok, _ := oracle.Linearizable(b); !ok || b.Partition.Len() == 0 {
				continue
			}
			c := b.Theory.(*model.CollectionTheory)
			r := rand.New(rand.NewPCG(seed, 1))
			weakening := &proof.Weakening{Cut: history.Rank(r.IntN(2*b.Partition.Len() + 1)),
				Retain: make([]proof.Retained, b.Partition.Len())}
			forgotten := r.Uint32()
			across := false
			for i := range weakening.Retain {
				v := c.Value[i]
				if v == model.Nothing && r.IntN(2) == 0 || v >= 0 && forgotten>>v&1 != 0 {
					weakening.Retain[i] = proof.RetainNothing
					across = across || v >= 0 && b.Partition.Ops[i].Call <= weakening.Cut &&
						b.Partition.Ops[i].Return > weakening.Cut
				}
			}
			if _, err := verify.Window(b, weakening); err != nil {
				continue
			}
			accepted++
			if across {
				open++
			}
			weak, _, err := explain.Weaken(b, weakening)
			require.NoError(t, err)
			ok, _ := oracle.Linearizable(weak)
			assert.True(t, ok, "%s, seed %d: the weakening %+v refutes a linearizable history", name, seed, weakening)
		}
		assert.Greater(t, accepted, 300, name)
		assert.Greater(t, open, 100, name)
	}
}

// TestNamedRemovalsKeepTheirInsertions: the operation that a monitor names keeps the insertion of
// what it takes.
func TestNamedRemovalsKeepTheirInsertions(t *testing.T) {
	b := history.NewBuilder()
	add := func(proc int32, f string, arg, result, call, ret int64) {
		r := history.Record{Process: proc, F: b.Values.String(f), Arg: history.Nil, Result: history.Nil,
			Call: call, Return: ret}
		if arg > 0 {
			r.Arg = b.Values.Int(arg)
		}
		if result > 0 {
			r.Result = b.Values.Int(result)
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	b.SetSpec("priority-queue")
	b.Process("a")
	add(0, "insert", 1, 0, 0, 1)
	add(0, "insert", 2, 0, 2, 3)
	add(0, "deletemin", 0, 2, 4, 5)
	h, err := b.Finish()
	require.NoError(t, err)
	s, _ := specs.Lookup("priority-queue")
	bound, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	values := bound.Theory.(*model.CollectionTheory).Value
	core, err := explain.FindAmong(context.Background(), bound,
		(&proof.CollectionConflict{Values: values[:1], Op: 2, Other: -1, Via: -1}).Operations(bound), bySearch)
	require.NoError(t, err)
	require.NotNil(t, core)
	require.NotNil(t, core.Argument, core.NoArgument)
	assert.NoError(t, verify.Argument(bound, core.Weakening, core.Argument))
	assert.Len(t, core.Facts, 3, "both values and that the first was there when the second left")
}
