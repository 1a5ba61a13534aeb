package verify_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/require"
)

// TestSelectedOperationsOfLinearizableHistoriesAreLinearizable: what is left of a linearizable
// history, when a weakening about few operations is made one about these alone, is linearizable.
func TestSelectedOperationsOfLinearizableHistoriesAreLinearizable(t *testing.T) {
	for _, name := range []string{"queue", "stack", "priority-queue", "unordered-queue"} {
		s, _ := specs.Lookup(name)
		selected, cut := 0, 0
		for seed := range uint64(8000) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, NoEdges: true})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			c, ok := b.Theory.(*model.CollectionTheory)
			if !ok {
				continue
			}
			if linearizable, _ := oracle.Linearizable(b); !linearizable {
				continue
			}
			r := rand.New(rand.NewPCG(seed, 3))
			weakening := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
			if r.IntN(2) == 0 {
				weakening.Cut = history.Rank(r.IntN(2*b.Partition.Len() + 1))
			}
			some := r.Uint32()
			for i := range weakening.Retain {
				v := c.Value[i]
				switch {
				case v == model.Nothing && r.IntN(2) == 0, v >= 0 && some>>v&1 != 0:
					weakening.Retain[i] = proof.RetainNothing
				case r.IntN(8) == 0:
					weakening.Retain[i] = []proof.Retained{proof.RetainResponse, proof.RetainCall}[r.IntN(2)]
				}
			}
			few := verify.Select(b, weakening)
			if few == nil {
				continue
			}
			_, err = verify.Window(b, weakening)
			require.NoError(t, err, "%s, seed %d: the whole part takes the weakening, too", name, seed)
			selected++
			if weakening.Cut != history.Never {
				cut++
			}
			weak, err := base.Weakened(few.Instance, few.Weakening)
			require.NoError(t, err)
			linearizable, _ := oracle.Linearizable(weak)
			require.True(t, linearizable, "%s, seed %d: the weakening %+v refutes a linearizable history", name,
				seed, weakening)
			for k, i := range few.Left {
				require.Equal(t, i, few.Whole(history.OpID(k)))
				require.Equal(t, b.Partition.Ops[i], few.Instance.Partition.Ops[k])
			}
		}
		require.Greater(t, selected, 100, name)
		require.Greater(t, cut, 30, name)
	}
}

// TestSelectLeavesOtherClaimsAlone: a value of which only some operations are left out, and claims
// that keep much, are for Window to judge.
func TestSelectLeavesOtherClaimsAlone(t *testing.T) {
	s, _ := specs.Lookup("queue")
	g, err := gen.Generate(gen.Options{Spec: "queue", Operations: 40, Seed: 1})
	require.NoError(t, err)
	b, err := s.Bind(model.Whole(g.History))
	require.NoError(t, err)
	weakening := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
	require.Nil(t, verify.Select(b, weakening), "everything is kept")
	for i := range weakening.Retain {
		weakening.Retain[i] = proof.RetainNothing
	}
	c := b.Theory.(*model.CollectionTheory)
	var of []history.OpID // operations on one value
	for i, v := range c.Value {
		if v == 0 {
			of = append(of, history.OpID(i))
		}
	}
	require.Len(t, of, 2)
	weakening.Retain[of[0]] = proof.RetainAll
	require.Nil(t, verify.Select(b, weakening))
	_, err = verify.Window(b, weakening)
	require.Error(t, err)
	weakening.Retain[of[1]] = proof.RetainAll
	few := verify.Select(b, weakening)
	require.NotNil(t, few)
	require.Equal(t, of, few.Left)
	_, ok := few.Argument(&proof.Node{Steps: []proof.Step{{Axiom: proof.RT, Args: []history.OpID{of[0], of[1]}}}})
	require.True(t, ok)
	_, ok = few.Argument(&proof.Node{Steps: []proof.Step{{Axiom: proof.RT, Args: []history.OpID{of[0], of[1] + 1}}}})
	require.False(t, ok, "it names an operation that is not there")
	weakening.AnyStart = true
	require.Nil(t, verify.Select(b, weakening))
}
