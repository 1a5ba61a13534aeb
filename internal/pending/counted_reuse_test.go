package pending

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

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

// The search that uses pending operations again and again, and the plain one with the rules of
// counted states, agree with the definition on histories of etcd.
func TestCountedStatesAgreeWithTheDefinition(t *testing.T) {
	decided := [2]int{}
	histories := 0
	for seed := range uint64(testenv.Scale(20_000, 400_000)) {
		h, err := gen.Small("etcd", seed, gen.SmallOptions{Most: 5 + int(seed%5), Distinct: seed%3 > 0,
			All: seed%2 == 1})
		require.NoError(t, err)
		b, err := testkit.Spec(t, "etcd").Bind(model.Whole(h))
		require.NoError(t, err)
		if model.As[*model.RevisionTheory](b) == nil {
			continue
		}
		histories++
		want, _ := oracle.Linearizable(b)
		testkit.WithSeed(t, seed, func() {
			r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
			d := Reuse(r)
			switch d.Outcome {
			case wgl.Found:
				require.True(t, want, "%s", randomspec.Show(b.Partition))
				require.NoError(t, verify.Witness(b, d.Witness), "%s", randomspec.Show(b.Partition))
				decided[1]++
			case wgl.Failed:
				require.False(t, want, "%s", randomspec.Show(b.Partition))
				decided[0]++
			}
			r, _ = wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
			require.Equal(t, want, r.Search() == wgl.Found, "%s", randomspec.Show(b.Partition))
		})
	}
	t.Logf("%v decided of %d", decided, histories)
	assert.Greater(t, min(decided[0], decided[1]), histories/20)
}

// On longer histories they agree with each other.
func TestCountedReuseAgreesWithPlainSearch(t *testing.T) {
	decided, all := [2]int{}, 0
	for seed := range uint64(testenv.Scale(300, 20_000)) {
		rng := rand.New(rand.NewPCG(seed, 23))
		o := gen.Options{Spec: "etcd", Operations: 20 + rng.IntN(100), Processes: 3 + rng.IntN(6), Seed: seed,
			Values: []int{0, 0, 0, 4}[rng.IntN(4)], PendingRate: 0.05 * float64(1+rng.IntN(6))}
		if rng.IntN(3) > 0 {
			o.Violation = []gen.Violation{gen.Stale, gen.Lost, gen.Duplicate, gen.Gap}[rng.IntN(4)]
		}
		c, err := gen.Generate(o)
		if err != nil { // nothing to injure
			continue
		}
		b, err := testkit.Spec(t, o.Spec).Bind(model.Whole(c.History))
		require.NoError(t, err)
		testkit.WithSeed(t, seed, func() {
			plain, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, engine.NewBudget(20_000, 0),
				NewRun)
			want := plain.Search()
			if want == wgl.GaveUp {
				return
			}
			all++
			r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
			switch d := Reuse(r); d.Outcome {
			case wgl.Undecided:
			case wgl.Found:
				require.Equal(t, want, d.Outcome, fmt.Sprintf("%+v", o))
				require.NoError(t, verify.Witness(b, d.Witness))
				decided[1]++
			default:
				require.Equal(t, want, d.Outcome, fmt.Sprintf("%+v", o))
				decided[0]++
			}
		})
	}
	t.Logf("%v decided of %d", decided, all)
	assert.Greater(t, decided[0]+decided[1], all/2)
	assert.Greater(t, min(decided[0], decided[1]), testenv.MoreThan(20))
}

// In a witness, an operation fits every number that it leads to, and the lenient machine allows all
// of it at the same numbers.
func TestCountedFitsWitnesses(t *testing.T) {
	raised := 0
	for seed := range uint64(testenv.Scale(10_000, 200_000)) {
		h, err := gen.Small("etcd", seed, gen.SmallOptions{Most: 5 + int(seed%5), Distinct: seed%3 > 0,
			All: seed%2 == 1})
		require.NoError(t, err)
		b, err := testkit.Spec(t, "etcd").Bind(model.Whole(h))
		require.NoError(t, err)
		ok, witness := oracle.Linearizable(b)
		if model.As[*model.RevisionTheory](b) == nil || !ok {
			continue
		}
		testkit.WithSeed(t, seed, func() {
			lenient := model.As[*model.RevisionTheory](b).Lenient()
			m, l := b.NewMachine(), lenient.NewMachine()
			s, states := m.Init(), []model.State{l.Init()}
			for _, i := range witness {
				from := model.As[*model.RevisionTheory](b).Of(m, s)
				s = m.Step(s, i, nil)[0]
				to := model.As[*model.RevisionTheory](b).Of(m, s)
				if to > from {
					raised++
					require.True(t, model.As[*model.RevisionTheory](b).Fits(i, to), "%s", randomspec.Show(b.Partition))
				}
				var next []model.State
				for _, u := range states {
					for _, v := range l.Step(u, i, nil) {
						if model.As[*model.RevisionTheory](b).Of(l, v) == to {
							next = append(next, v)
						}
					}
				}
				require.NotEmpty(t, next, "%s", randomspec.Show(b.Partition))
				states = next
			}
		})
	}
	assert.Greater(t, raised, testenv.MoreThan(1000))
}
