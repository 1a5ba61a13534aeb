package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomorder"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Operations are ordered in a circle iff no order of the completed ones extends times and edges,
// and what is returned is such a circle.
func TestContradictedOrder(t *testing.T) {
	yes, no := 0, 0
	for seed := range uint64(testenv.Scale(20_000, 400_000)) {
		p := randomorder.Partition(rand.New(rand.NewPCG(seed, 41)))
		circle := contradicted(p)
		if randomorder.Orderable(p) {
			yes++
			require.Empty(t, circle, "seed %d: %+v", seed, p)
			continue
		}
		no++
		require.NotEmpty(t, circle, "seed %d: %+v", seed, p)
		for k, i := range circle {
			require.False(t, p.Ops[i].Pending())
			if k > 0 {
				require.True(t, slices.Contains(p.Edges, history.Edge{Before: circle[k-1], After: i}),
					"seed %d: %v, %+v", seed, circle, p)
			}
		}
		first, last := circle[0], circle[len(circle)-1]
		require.True(t, p.Ops[last].Return < p.Ops[first].Call ||
			slices.Contains(p.Edges, history.Edge{Before: last, After: first}), "seed %d: %v, %+v", seed, circle, p)
	}
	assert.Greater(t, min(yes, no), testenv.MoreThan(500))
}

// TestNumbersAgainstTime: two operations are found exactly if their numbers contradict the times,
// or are the same where they must not be; then no linearization exists, and the verifier agrees
// that the two alone exclude one.
func TestNumbersAgainstTime(t *testing.T) {
	s := testkit.Spec(t, "fenced-mutex")
	refuted, yes, equal, reentrant := 0, 0, 0, 0
	for seed := range uint64(testenv.Scale(20_000, 200_000)) {
		h, err := gen.Small("fenced-mutex", seed, gen.SmallOptions{Least: 2, Most: 8, Keys: 1, NoEdges: true,
			NoPending: seed%2 == 0})
		require.NoError(t, err)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		lock, ops := model.As[*model.LockTheory](b), b.Partition.Ops
		require.NotNil(t, lock)
		a := lock.Tokens
		require.NotNil(t, a)
		if !a.Distinct {
			reentrant++
		}
		against := func(x, y history.OpID) bool {
			m, n := a.Numbers[x], a.Numbers[y]
			return x != y && m > 0 && n > 0 && !ops[x].Pending() && !ops[y].Pending() &&
				(m > n && ops[x].Return < ops[y].Call || m == n && a.Distinct)
		}
		want := false
		for x := range history.OpID(len(ops)) {
			for y := range history.OpID(len(ops)) {
				want = want || against(x, y)
			}
		}
		x, y, found := descending(b.Partition, a)
		require.Equal(t, want, found, "seed %d", seed)
		linearizable, _ := oracle.Linearizable(b)
		if !found {
			if linearizable {
				yes++
			}
			continue
		}
		refuted++
		if a.Numbers[x] == a.Numbers[y] {
			equal++
		}
		require.True(t, against(x, y), "seed %d", seed)
		require.False(t, linearizable, "seed %d\n%s", seed, randomspec.Show(b.Partition))
		evidence := onlyResponses(b.Partition, proof.RetainAll, x, y).(*proof.Exhaustion)
		evidence.Cases, err = verify.Exhausted(b, evidence.Weakening, 1)
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, verify.Proof(context.Background(), nil, b, evidence), "seed %d", seed)
	}
	t.Logf("%d refuted, %d by equal numbers, %d linearizable, %d reentrant", refuted, equal, yes, reentrant)
	require.Greater(t, refuted, testenv.MoreThan(1000))
	require.Greater(t, equal, testenv.MoreThan(100))
	require.Greater(t, reentrant, testenv.MoreThan(100))
	require.Greater(t, yes, testenv.MoreThan(1000))
}
