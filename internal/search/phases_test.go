package search

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plans make the late phases run: each of them alone, and in turn.
var plans = map[string]pending.Plan{
	"targets":    {FewValues: math.MaxInt, Plain: 1, PlainSteps: math.MaxInt64, Targets: math.MaxInt64},
	"relaxation": {FewValues: math.MaxInt, Plain: 1, PlainSteps: math.MaxInt64, Dual: math.MaxInt64, Updates: 30},
	"relaxation, one price": {FewValues: math.MaxInt, Plain: 1, PlainSteps: math.MaxInt64, Dual: math.MaxInt64,
		Updates: 1},
	"onward": {FewValues: math.MaxInt, Plain: 1, PlainSteps: math.MaxInt64, Onward: math.MaxInt64},
	"turns":  {FewValues: math.MaxInt, Plain: 1, PlainSteps: 2, Onward: 1, Targets: 1, Dual: 1, Updates: 3},
	"bounds": {FewValues: math.MaxInt, Plain: 1, PlainSteps: math.MaxInt64, Dual: math.MaxInt64},
}

// TestPlainSearchGoesOn decides what the first phase nearly does: without going on, the search ends
// without an answer after many more steps for the one, and takes twice as many for the other.
func TestPlainSearchGoesOn(t *testing.T) {
	for _, name := range []string{"multi-register", "cas-register"} {
		c, err := gen.Generate(gen.Options{Spec: name, Operations: 2000, Processes: 16, Values: 6,
			PendingRate: 0.03, Seed: 5})
		require.NoError(t, err)
		b, err := testkit.Spec(t, name).Bind(model.Whole(c.History))
		require.NoError(t, err)
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
		d := decide(r, pending.DefaultPlan)
		require.Equal(t, wgl.Found, d.Outcome, name)
		require.NoError(t, verify.Witness(b, d.Witness), name)
		assert.Less(t, r.Steps+d.Steps, int64(360_000), name)
	}
}

// stageTally counts what the comparisons have met.
type stageTally struct {
	yes, no, refuted, dead, relaxed, late int
}

// judgeStages compares every plan with what is known.
func judgeStages(t require.TestingT, b *model.Instance, want bool, seen *stageTally) {
	if want {
		seen.yes++
	} else {
		seen.no++
	}
	for name, p := range plans {
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
		r.Inspect = func() { require.NoError(t, r.CheckInvariants()) }
		d := decide(r, p)
		require.NoError(t, r.Broken)
		require.NotEqual(t, wgl.GaveUp, d.Outcome, "%s: %v", name, r.Cause)
		require.Equal(t, want, d.Outcome == wgl.Found, "brute force says %v, %s\n%s", want, name,
			randomspec.Show(b.Partition))
		if want {
			require.NoError(t, verify.Witness(b, d.Witness), "%s\n%s", name, randomspec.Show(b.Partition))
		}
		if d.Evidence != nil {
			require.NoError(t, verify.Proof(context.Background(), nil, b, d.Evidence), "%s\n%s", name,
				randomspec.Show(b.Partition))
		}
		if r.Space != nil && name == "bounds" {
			seen.late++
		}
		if !want && b.Partition.Len() <= 9 && seen.no%4 == 0 {
			a, err := (&Engine{plan: p}).Check(context.Background(), &engine.Problem{Instance: b}, nil)
			require.NoError(t, err)
			require.NotNil(t, a.Failure)
			testkit.JudgeFailure(t, b.Partition, b.Spec, a.Failure, wgl.MaxFrontier)
		}
	}
	judgeRelaxation(t, b, want, seen)
}

// judgeRelaxation looks at the relaxation alone.
func judgeRelaxation(t require.TestingT, b *model.Instance, want bool, seen *stageTally) {
	r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
	if !r.HasSpace() {
		return
	}
	x := pending.NewDual(r)
	defer x.Close()
	d, more := x.GoOn(math.MaxInt64, 40)
	require.False(t, more)
	seen.relaxed++
	switch d.Outcome {
	case wgl.Found:
		require.True(t, want, "%s", randomspec.Show(b.Partition))
		require.NoError(t, verify.Witness(b, d.Witness), "%s", randomspec.Show(b.Partition))
	case wgl.Failed:
		require.False(t, want, "%s", randomspec.Show(b.Partition))
		require.NoError(t, verify.Proof(context.Background(), nil, b, d.Evidence), "%s", randomspec.Show(b.Partition))
		if len(d.Evidence.(*proof.DualBound).Prices) == 0 {
			seen.dead++
		} else {
			seen.refuted++
		}
	default:
		require.Equal(t, wgl.Undecided, d.Outcome)
	}
	// Claims about what is linearizable are refused, whatever the prices.
	if want {
		refutation := &proof.DualBound{}
		for c := range r.Classes {
			refutation.Prices = append(refutation.Prices, proof.Price{Op: r.Members.Of(c)[0],
				Multiplier: 1 + int64(c*7%5)})
		}
		require.Error(t, verify.DualBound(context.Background(), b, refutation), "%s", randomspec.Show(b.Partition))
		require.Error(t, verify.DualBound(context.Background(), b, &proof.DualBound{}))
	}
}

func TestPhasesAgreeOnRandomMachines(t *testing.T) {
	var seen stageTally
	for seed := range uint64(testenv.Scale(3000, 20000)) {
		rng := rand.New(rand.NewPCG(seed, 11))
		s := randomspec.New(rng, rng.IntN(3) > 0)
		p := model.Whole(randomspec.History(rng, s, 5+rng.IntN(9), 0))
		if rng.IntN(4) == 0 {
			p = randomspec.Forget(rng, p)
		}
		testkit.WithSeed(t, seed, func() {
			b, err := s.Bind(p)
			require.NoError(t, err)
			want, _ := oracle.Linearizable(b)
			judgeStages(t, b, want, &seen)
		})
	}
	t.Logf("%+v", seen)
	for _, n := range []int{seen.yes, seen.no, seen.refuted, seen.dead, seen.late} {
		assert.Greater(t, n, testenv.MoreThan(50), "%+v", seen)
	}
}

func TestPhasesAgreeOnSpecifications(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "kv", "mutex", "set", "queue", "counter", "semaphore"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			var seen stageTally
			for seed := range uint64(testenv.Scale(400, 8000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 5 + int(seed%5), NoEdges: true})
				require.NoError(t, err)
				testkit.WithSeed(t, seed, func() {
					b, err := s.Bind(model.Whole(h))
					require.NoError(t, err)
					want, _ := oracle.Linearizable(b)
					judgeStages(t, b, want, &seen)
				})
			}
			t.Logf("%+v", seen)
			assert.Greater(t, seen.yes, testenv.MoreThan(20))
			assert.Greater(t, seen.no, testenv.MoreThan(20))
		})
	}
}

// Histories too long for brute force, with many pending operations: against the plain search, where
// that ends.
func TestPhasesAgreeOnMediumHistories(t *testing.T) {
	var seen stageTally
	skipped := 0
	for seed := range uint64(testenv.Scale(250, 3000)) {
		rng := rand.New(rand.NewPCG(seed, 13))
		name := []string{"cas-register", "cas-register", "kv", "register"}[rng.IntN(4)]
		o := gen.Options{Spec: name, Operations: 20 + rng.IntN(61), Processes: 3 + rng.IntN(4), Values: 2 + rng.IntN(5),
			PendingRate: 0.1 + 0.3*rng.Float64(), Seed: seed}
		if rng.IntN(3) > 0 {
			o.Violation = []gen.Violation{gen.Swap, gen.Stale, gen.Lost}[rng.IntN(3)]
		}
		c, err := gen.Generate(o)
		if err != nil { // nothing to injure
			continue
		}
		b, err := testkit.Spec(t, name).Bind(model.Whole(c.History))
		require.NoError(t, err)
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, engine.NewBudget(500_000, 0))
		plain := r.Search()
		if plain == wgl.GaveUp {
			skipped++
			continue
		}
		testkit.WithSeed(t, seed, func() { judgeStages(t, b, plain == wgl.Found, &seen) })
	}
	t.Logf("%+v, %d skipped", seen, skipped)
	for _, n := range []int{seen.yes, seen.no, seen.late} {
		assert.Greater(t, n, testenv.MoreThan(20), "%+v", seen)
	}
}

func TestEvidence(t *testing.T) {
	ask := func(b *model.Instance, m *engine.Budget) proof.Proof {
		return Evidence(context.Background(), &engine.Problem{Instance: b}, m)
	}
	b := pigeons(t, 8)
	evidence := ask(b, nil)
	require.NotNil(t, evidence)
	require.NoError(t, verify.Proof(context.Background(), nil, b, evidence))
	assert.Nil(t, ask(b, engine.NewBudget(100, 0)), "no steps")
	m := engine.NewBudget(0, 1<<10)
	assert.Nil(t, ask(b, m), "no memory")
	assert.Zero(t, m.Bytes(), "everything is given back")
	yes, want := matching(t, 10, 5, 1)
	require.True(t, want)
	assert.Nil(t, ask(yes, nil))
	assert.Nil(t, ask(hopeless(t, 8), nil), "a queue has too many states")
}

// What is decided from both sides agrees with the definition.
func TestApproximationsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "kv", "mutex"} {
		t.Run(name, func(t *testing.T) {
			s, yes, no := testkit.Spec(t, name), 0, 0
			for seed := range uint64(testenv.Scale(8000, 60_000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 5 + int(seed%6), Keys: 1,
					Values: 1 + int(seed%4), NoEdges: true, All: seed%3 == 0})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
				r.Inspect = func() { require.NoError(t, r.CheckInvariants()) }
				d := pending.Approximated(r, pending.Plan{Approximate: math.MaxInt64, FewValues: -1})
				if d.Outcome == wgl.Undecided {
					continue
				}
				want, _ := oracle.Linearizable(b)
				require.Equal(t, want, d.Outcome == wgl.Found, "seed %d", seed)
				if want {
					yes++
					require.NoError(t, verify.Witness(b, d.Witness), "seed %d", seed)
				} else {
					no++
				}
			}
			assert.Greater(t, yes, testenv.MoreThan(0))
			assert.Greater(t, no, testenv.MoreThan(0))
			t.Logf("%d linearizable, %d not", yes, no)
		})
	}
}
