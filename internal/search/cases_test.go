package search

import (
	"context"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Bounded queues with pending operations, repeated values, refused offers and explicit order: the
// search in which insertions wait, and that of the capacities one by one, agree with the
// definition.
func TestBoundedQueuesAgreeWithTheDefinition(t *testing.T) {
	s := testkit.Spec(t, "bounded-queue")
	waited, cases, possible, impossible := int64(0), 0, 0, 0
	for seed := range uint64(testenv.Scale(6000, 300_000)) {
		h, err := gen.Small("bounded-queue", seed, gen.SmallOptions{Most: 5 + int(seed%6), Distinct: seed%3 > 0,
			All: seed%2 == 1, NoEdges: seed%8 > 0})
		require.NoError(t, err)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		want, _ := oracle.Linearizable(b)
		testkit.WithSeed(t, seed, func() {
			plain, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
			plain.Search()
			r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
			r.Inspect = func() { require.NoError(t, r.CheckInvariants()) }
			pruneInsertions(r)
			checkOutcome(t, b, want, r.Search(), r.Linearization())
			waited += plain.Nodes - r.Nodes
			queue := model.As[*model.BoundedQueueTheory](b)
			if queue == nil || queue.Cases == nil {
				return
			}
			cases++
			r, _ = start(context.Background(), &engine.Problem{Instance: b}, nil)
			d := decideCases(r)
			checkOutcome(t, b, want, d.Outcome, d.Witness)
			for _, x := range queue.Cases() {
				if ok, _ := oracle.Linearizable(x); ok {
					possible++
				} else {
					impossible++
				}
			}
		})
	}
	t.Logf("%d nodes fewer; %d with cases, %d of them possible, %d not", waited, cases, possible, impossible)
	assert.Greater(t, int(waited), testenv.MoreThan(0))
	assert.Greater(t, cases, testenv.MoreThan(0))
	assert.Greater(t, possible, testenv.MoreThan(0))
	assert.Greater(t, impossible, testenv.MoreThan(0))
}

// checkOutcome compares an outcome with the definition.
func checkOutcome(t *testing.T, b *model.Instance, want bool, o wgl.Outcome, witness []history.OpID) {
	t.Helper()
	require.Contains(t, []wgl.Outcome{wgl.Found, wgl.Failed}, o)
	require.Equal(t, want, o == wgl.Found, "brute force says %v\n%s", want, randomspec.Show(b.Partition))
	if want {
		require.NoError(t, verify.Witness(b, witness), "%s", randomspec.Show(b.Partition))
	}
}
