package verify_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/require"
)

// refutesViolationsOnly compares the verifier of a kind of proof that counts cases with the
// definition, on histories of one specification with initial contents, peeks, empty results,
// operations that never returned, and completed ones of which some results are forgotten.
func refutesViolationsOnly(t *testing.T, name string, count counter,
	of func(w *proof.Weakening, cases int) proof.Proof) {
	t.Helper()
	s, _ := specs.Lookup(name)
	counts := map[bool]int{}
	rounds := testenv.Scale(10_000, 300_000)
	for seed := range uint64(rounds) {
		h, err := gen.Small(name, seed, gen.SmallOptions{NoEdges: true, Keys: 1, Values: 1 + int(seed%3)})
		require.NoError(t, err)
		p := model.Whole(h)
		if seed%2 == 1 && len(p.Edges) == 0 {
			p = randomspec.Retimed(rand.New(rand.NewPCG(seed, 61)), p)
		}
		b, err := s.Bind(p)
		require.NoError(t, err)
		weakening := &proof.Weakening{Cut: history.Never}
		switch seed / 3 % 3 {
		case 1:
			weakening.Cut = history.Rank(seed % 16)
		case 2:
			weakening.Retain = make([]proof.Retained, len(h.Ops))
			for i := range weakening.Retain {
				if weakening.Retain[i] = proof.RetainAll; (seed+uint64(i))%4 == 0 {
					weakening.Retain[i] = proof.RetainResponse
				}
			}
		}
		weak, err := base.Weakened(b, weakening)
		require.NoError(t, err)
		if t, ok := weak.Theory.(*model.CollectionTheory); !ok || len(t.Initial) != 1 || len(weak.Partition.Edges) > 0 {
			continue // several objects, or a process that went on after a pending operation
		}
		want, w := oracle.Linearizable(weak)
		counts[want]++
		cases, err := count(context.Background(), b, weakening, 1_000_000)
		require.Equal(t, want, err != nil, "seed %d: %v: %v, %v", seed, w, err, weak.Partition.Ops)
		require.NotErrorIs(t, err, base.ErrTooLarge)
		if want || cases == 0 {
			continue
		}
		require.NoError(t, verify.Proof(context.Background(), nil, b, of(weakening, cases)))
		if cases > 1 {
			require.ErrorIs(t, verify.Proof(context.Background(), nil, b, of(weakening, cases-1)), base.ErrTooLarge)
		}
	}
	require.Greater(t, counts[true], rounds/10)
	require.Greater(t, counts[false], rounds/10)
}

// counter is a verifier that returns how many cases it went through.
type counter func(ctx context.Context, b *model.Instance, w *proof.Weakening, limit int) (int, error)

// refuses checks that a verifier refuses partitions of some specifications, saying why.
func refuses(t *testing.T, count counter, why string, names ...string) {
	t.Helper()
	for _, name := range names {
		h, err := gen.Small(name, 1, gen.SmallOptions{NoEdges: true, Keys: 1})
		require.NoError(t, err)
		s, _ := specs.Lookup(name)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		_, err = count(context.Background(), b, &proof.Weakening{Cut: history.Never}, 10)
		require.EqualError(t, err, why)
	}
}

func TestPairingsRefuteViolationsOnly(t *testing.T) {
	refutesViolationsOnly(t, "queue", verify.Paired, func(w *proof.Weakening, cases int) proof.Proof {
		return &proof.Pairing{Weakening: w, Cases: cases}
	})
}

// TestPairingsAreOfOneQueue: what a pairing says nothing about is refused.
func TestPairingsAreOfOneQueue(t *testing.T) {
	refuses(t, verify.Paired, "the partition is not one queue without explicit order", "stack", "register")
}

// TestVerifiersThatStartAtTheStartRefuseAnotherPast: the past, the start, single facts of order and
// views cannot be forgotten where cases are counted from the initial state.
func TestVerifiersThatStartAtTheStartRefuseAnotherPast(t *testing.T) {
	exhausted := func(ctx context.Context, b *model.Instance, w *proof.Weakening, limit int) (int, error) {
		n, _, err := verify.Tried(ctx, b, w, limit)
		return n, err
	}
	for name, count := range map[string]counter{"queue": verify.Paired, "stack": verify.Saturated,
		"register": exhausted} {
		for _, w := range []*proof.Weakening{
			{Cut: history.Never, From: 1}, {Cut: history.Never, AnyStart: true}, {Cut: history.Never, SomeOrder: true},
			{Cut: history.Never, View: 1},
		} {
			h, err := gen.Small(name, 1, gen.SmallOptions{NoEdges: true, Keys: 1})
			require.NoError(t, err)
			s, _ := specs.Lookup(name)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			_, err = count(context.Background(), b, w, 10)
			require.ErrorContains(t, err, "forgets neither the past", "%s: %+v", name, w)
		}
	}
}
