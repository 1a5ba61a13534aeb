package wgl

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tally counts what the random tests have met, so that they can insist on having met everything.
type tally struct{ yes, no, pendingUsed, completeFrontiers, galloped int }

// judge compares a run with brute force on one partition: verdict, witness, failure, invariants.
func judge(t require.TestingT, p *model.Partition, s model.Spec, seen *tally) {
	b, err := s.Bind(p)
	require.NoError(t, err)
	want, _ := oracle.Linearizable(b)

	r, answer := Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
	require.NotNil(t, r, "%+v", answer)
	r.Inspect = func() { require.NoError(t, r.CheckInvariants()) }
	got := r.Search()
	require.NoError(t, r.Broken)
	require.NotEqual(t, GaveUp, got, "cause %v", r.Cause)
	require.Equal(t, want, got == Found, "brute force says %v\n%s", want, randomspec.Show(p))
	if got == Found {
		seen.yes++
		require.NoError(t, oracle.Replay(b, r.Linearization()), "witness %v\n%s", r.Linearization(), randomspec.Show(p))
		seen.pendingUsed += len(r.Linearization()) - len(r.Returns)
		return
	}
	seen.no++
	deepest := int(r.Deepest)
	r.Undo(0)
	require.NoError(t, r.CheckInvariants())
	require.Equal(t, r.Machine.Init(), r.State)
	require.Empty(t, r.frames)
	require.Empty(t, r.pendingClosure)
	require.Empty(t, r.blocked)
	require.Empty(t, r.cands)
	f := newFailureSearch(context.Background(), b, nil, r.Returns, deepest, r.Steps, NewRun).failure()
	require.NotNil(t, f)
	if testkit.JudgeFailure(t, p, s, f, MaxFrontier) {
		seen.completeFrontiers++
	}
	if deepest < int(r.Layer[f.Op]) {
		seen.galloped++
	}
}

func TestRandomMachinesAgreeWithTheDefinition(t *testing.T) {
	var seen tally
	for seed := range uint64(testenv.Scale(6000, 40000)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := randomspec.New(rng, rng.IntN(2) == 0)
		p := model.Whole(randomspec.History(rng, s, 1+rng.IntN(9), max(0, rng.IntN(12)-7)))
		if rng.IntN(3) == 0 {
			p = randomspec.Forget(rng, p)
		}
		testkit.WithSeed(t, seed, func() { judge(t, p, s, &seen) })
	}
	t.Logf("%+v", seen)
	for _, n := range []int{seen.yes, seen.no, seen.pendingUsed, seen.completeFrontiers, seen.galloped} {
		assert.Greater(t, n, testenv.MoreThan(50), "%+v", seen)
	}
}

// Larger tables with many pending operations: there the learned nogoods matter.
func TestManyPendingOperationsAgreeWithTheDefinition(t *testing.T) {
	yes, no, learned := 0, 0, 0
	var seen tally
	for seed := range uint64(testenv.Scale(4000, 40000)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := randomspec.New(rng, rng.IntN(3) > 0)
		s.Distinct = s.Distinct && rng.IntN(2) == 0
		p := model.Whole(randomspec.History(rng, s, 9+rng.IntN(6), max(0, rng.IntN(20)-8)))
		testkit.WithSeed(t, seed, func() {
			b, err := s.Bind(p)
			require.NoError(t, err)
			want, _ := oracle.Linearizable(b)
			r, _ := Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
			got := r.Search()
			require.Equal(t, want, got == Found, "brute force says %v\n%s", want, randomspec.Show(p))
			if got == Found {
				yes++
				require.NoError(t, oracle.Replay(b, r.Linearization()))
			} else {
				no++
			}
			if len(r.memo.arena) > 1 {
				learned++
				if p.Len() < 12 {
					judge(t, p, s, &seen)
				}
			}
		})
	}
	t.Logf("%d yes, %d no, conditional nogoods in %d", yes, no, learned)
	for _, n := range []int{yes, no, learned} {
		assert.Greater(t, n, testenv.MoreThan(50))
	}
}

func TestSpecificationsAgreeWithTheDefinition(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		if name == "max-priority-queue" {
			continue // the generator knows it by the other order only
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen tally
			for seed := range uint64(testenv.Scale(500, 20000)) {
				rng := rand.New(rand.NewPCG(seed, 2))
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 5 + int(seed%4), NoEdges: seed%3 != 0})
				require.NoError(t, err)
				p := model.Whole(h)
				if seed%4 == 0 {
					p = randomspec.Forget(rng, p)
				}
				testkit.WithSeed(t, seed, func() { judge(t, p, s, &seen) })
			}
			t.Logf("%+v", seen)
			assert.Greater(t, seen.yes, testenv.MoreThan(20))
			assert.Greater(t, seen.no, testenv.MoreThan(20))
		})
	}
}
