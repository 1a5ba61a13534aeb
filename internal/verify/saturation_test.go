package verify_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

func TestSaturationsRefuteViolationsOnly(t *testing.T) {
	refutesViolationsOnly(t, "stack", verify.Saturated, func(w *proof.Weakening, cases int) proof.Proof {
		return &proof.Saturation{Weakening: w, Cases: cases}
	})
}

// TestSaturationsAreOfOneStack: what a saturation says nothing about is refused.
func TestSaturationsAreOfOneStack(t *testing.T) {
	refuses(t, verify.Saturated, "the partition is not one stack without explicit order", "queue", "register")
}

// TestSaturationsWithoutAValue: without all operations on one value, a saturation refutes only what
// is a violation with them; without some of them only, it is refused.
func TestSaturationsWithoutAValue(t *testing.T) {
	stack, _ := specs.Lookup("stack")
	refuted, refused := 0, 0
	rounds := testenv.Scale(10_000, 300_000)
	for seed := range uint64(rounds) {
		h, err := gen.Small("stack", seed, gen.SmallOptions{NoEdges: true, Keys: 1, Values: 2 + int(seed%2),
			NoPending: seed%4 < 2})
		require.NoError(t, err)
		b, err := stack.Bind(model.Whole(h))
		require.NoError(t, err)
		theory, ok := b.Theory.(*model.CollectionTheory)
		if !ok || len(theory.Initial) != 1 || len(b.Partition.Edges) > 0 {
			continue
		}
		weakening := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, len(h.Ops))}
		left := 0
		for i, v := range theory.Value {
			if v == int32(seed%3) {
				weakening.Retain[i] = proof.RetainNothing
				left++
			}
		}
		cases, err := verify.Saturated(context.Background(), b, weakening, 1_000_000)
		if err == nil {
			refuted++
			want, _ := oracle.Linearizable(b)
			require.False(t, want, "seed %d: %v", seed, b.Partition.Ops)
			require.NoError(t, verify.Proof(context.Background(), nil, b, &proof.Saturation{Weakening: weakening,
				Cases: cases}))
		}
		for i, kept := range weakening.Retain {
			if kept == proof.RetainNothing && left > 1 {
				weakening.Retain[i] = proof.RetainAll
				_, err := verify.Saturated(context.Background(), b, weakening, 1_000_000)
				require.Error(t, err, "seed %d: operation %d of %v", seed, i, b.Partition.Ops)
				require.NotErrorIs(t, err, verify.ErrLinearizable)
				weakening.Retain[i] = kept
				refused++
			}
		}
	}
	require.Greater(t, refuted, rounds/20)
	require.Greater(t, refused, rounds/20)
}

// TestForgedSaturationsAreRefused: a linearizable stack has none, whatever is claimed.
func TestForgedSaturationsAreRefused(t *testing.T) {
	stack, _ := specs.Lookup("stack")
	forged := 0
	for seed := range uint64(500) {
		h, err := gen.Small("stack", seed, gen.SmallOptions{NoEdges: true, Keys: 1, Values: 2})
		require.NoError(t, err)
		b, err := stack.Bind(model.Whole(h))
		require.NoError(t, err)
		if linearizable, _ := oracle.Linearizable(b); !linearizable {
			continue
		}
		for _, p := range []*proof.Saturation{
			{Weakening: &proof.Weakening{Cut: history.Never}, Cases: 1_000_000},
			{Weakening: &proof.Weakening{Cut: history.Never}, Cases: 1},
			{Weakening: &proof.Weakening{Cut: 3}, Cases: 1000},
			{Weakening: &proof.Weakening{Cut: history.Never, From: 2}, Cases: 1000},
			{Weakening: &proof.Weakening{Cut: history.Never, AnyStart: true}, Cases: 1000},
			{Weakening: &proof.Weakening{Cut: history.Never, SomeOrder: true}, Cases: 1000},
			{Weakening: &proof.Weakening{Cut: history.Never}},
			{Cases: 1000},
		} {
			require.Error(t, verify.Proof(context.Background(), nil, b, p), "seed %d: %+v", seed, p)
			forged++
		}
	}
	require.Greater(t, forged, 800)
}
