package verify_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// mutate changes a refutation a little, or mixes in steps of another one.
func mutate(rng *rand.Rand, r, other *proof.Displacement, bound int32) *proof.Displacement {
	m := &proof.Displacement{Bound: bound, Steps: append([]proof.DisplacementStep(nil), r.Steps...)}
	for range rng.IntN(4) {
		s := &m.Steps[rng.IntN(len(m.Steps))]
		switch rng.IntN(10) {
		case 0:
			s.Value += int32(rng.IntN(5)) - 2
		case 1:
			s.Edge += int32(rng.IntN(5)) - 2
		case 2:
			s.Op += history.OpID(rng.IntN(5)) - 2
		case 3:
			s.By += history.OpID(rng.IntN(5)) - 2
		case 4:
			s.Upper = !s.Upper
		case 5:
			s.Place = !s.Place
		case 6:
			s.Rule = proof.DisplacementRule(rng.IntN(12))
		case 7:
			*s = other.Steps[rng.IntN(len(other.Steps))]
		case 8:
			*[]*int32{&s.Value, &s.Edge, (*int32)(&s.Op), (*int32)(&s.By),
				&m.Bound}[rng.IntN(5)] = []int32{math.MinInt32, math.MaxInt32, int32(rng.Uint32())}[rng.IntN(3)]
		case 9:
			k := rng.IntN(len(m.Steps))
			m.Steps = append(m.Steps[:k:k], append([]proof.DisplacementStep{*s}, m.Steps[k:]...)...)
		}
	}
	return m
}

// Whatever is shown to the verifier for a history that is accepted at a bound, it refuses it; the
// true refutations of smaller bounds pass, and so do all mutants of them only where the bound is
// refuted.
func TestAlteredQuasiRefutationsAreRefused(t *testing.T) {
	n := testenv.Scale(1000, 20000)
	m := monitor.New()
	true_, refused, passed := 0, 0, 0
	var other *proof.Displacement
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		b := testkit.DistinctQueue(t, rng, 6)
		relax := quasi.Question{Meaning: quasi.Meaning(rng.IntN(2)), Drain: rng.IntN(2) == 0}
		ask := func(k int32) engine.Answer {
			r := relax
			r.Factor = quasi.Factor{0, k, 0}
			a, err := m.Check(context.Background(), &engine.Task{Instance: b, Quasi: &r}, nil)
			require.NoError(t, err)
			require.NotEqual(t, engine.Unknown, a.Verdict, "seed %d", seed)
			return a
		}
		for k := int32(0); k < 4; k++ {
			a := ask(k)
			if a.Verdict != engine.NotLinearizable {
				break
			}
			r, ok := a.Proof.(*proof.Displacement)
			if !ok {
				continue // the search tried everything
			}
			judge := func(r *proof.Displacement, bound int32) error {
				x := relax
				x.Factor = quasi.Factor{0, bound, 0}
				return verify.Displacement(context.Background(), b, &x, r)
			}
			require.NoError(t, judge(r, k), "seed %d, K %d", seed, k)
			true_++
			if other == nil {
				other = r
			}
			for range 30 {
				bound := k + int32(rng.IntN(3))
				err := judge(mutate(rng, r, other, bound), bound)
				if err != nil {
					refused++
					continue
				}
				passed++
				require.Equal(t, engine.NotLinearizable, ask(bound).Verdict, "seed %d, K %d, bound %d", seed, k, bound)
			}
			other = r
		}
	}
	t.Logf("%d refutations, %d mutants refused, %d passed rightly", true_, refused, passed)
	require.Greater(t, true_, testenv.MoreThan(0))
	require.Greater(t, refused, passed/4)
}

// Of a history that is accepted, no two steps by any rules empty a window: each is right only where
// the windows so far are as its rule says.
func TestNoTwoStepsEmptyAWindow(t *testing.T) {
	h, err := history.Read(strings.NewReader(`{"spec": "queue", "operations": [
		{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1},
		{"process": 0, "f": "enq", "arg": 2, "call": 2, "return": 3},
		{"process": 0, "f": "deq", "result": 2, "call": 4, "return": 7},
		{"process": 1, "f": "deq", "result": 1, "call": 5, "return": 6}]}`), history.ReadOptions{})
	require.NoError(t, err)
	b, err := testkit.Spec(t, "queue").Bind(model.Whole(h))
	require.NoError(t, err)
	var steps []proof.DisplacementStep
	for rule := proof.RuleDisplacement; rule <= proof.RuleEmptyAfter; rule++ {
		for k := range int32(2 * 2 * 4 * 4 * 4) {
			steps = append(steps, proof.DisplacementStep{Rule: rule, Place: k&1 > 0, Upper: k>>1&1 > 0,
				Op: history.OpID(k >> 2 & 3), Value: k >> 4 & 3, Edge: k >> 6 & 3})
		}
	}
	for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
		q := quasi.Question{Meaning: meaning, Factor: quasi.Factor{0, 1, 0}}
		passes := func(steps ...proof.DisplacementStep) bool {
			return verify.Displacement(context.Background(), b, &q, &proof.Displacement{Bound: 1, Steps: steps}) == nil
		}
		ok, _, _ := oracle.QuasiLinearizable(b, q)
		require.True(t, ok)
		rng := rand.New(rand.NewPCG(uint64(meaning), 5))
		for range testenv.Scale(40_000, 2_000_000) {
			first, second := steps[rng.IntN(len(steps))], steps[rng.IntN(len(steps))]
			last := proof.DisplacementStep{Rule: proof.RuleInverted, Place: second.Place, Op: second.Op}
			if passes(first, second, last) {
				require.Fail(t, "accepted and refuted", "%+v %+v", first, second)
			}
		}
	}
}
