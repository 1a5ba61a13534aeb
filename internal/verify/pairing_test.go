package verify_test

import (
	"context"
	"errors"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/require"
)

// TestPairingsRefuteViolationsOnly compares the verifier of pairings with the definition: histories
// with initial contents, peeks, empty results, operations that never returned, and completed ones
// of which some results are forgotten.
func TestPairingsRefuteViolationsOnly(t *testing.T) {
	queue, _ := specs.Lookup("queue")
	counts := map[bool]int{}
	rounds := testenv.Scale(10_000, 300_000)
	for seed := range uint64(rounds) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{NoEdges: true, Keys: 1, Values: 1 + int(seed%3)})
		require.NoError(t, err)
		b, err := queue.Bind(model.Whole(h))
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
			continue // several queues, or a process that went on after a pending operation
		}
		want, w := oracle.Linearizable(weak)
		counts[want]++
		cases, err := verify.Paired(context.Background(), b, weakening, 1_000_000)
		require.Equal(t, want, err != nil, "seed %d: %v: %v, %v", seed, w, err, weak.Partition.Ops)
		require.NotErrorIs(t, err, base.ErrTooLarge)
		if want || cases == 0 {
			continue
		}
		p := &proof.Pairing{Weakening: weakening, Cases: cases}
		require.NoError(t, verify.Proof(context.Background(), nil, b, p))
		if p.Cases--; p.Cases > 0 {
			require.ErrorIs(t, verify.Proof(context.Background(), nil, b, p), base.ErrTooLarge)
		}
	}
	require.Greater(t, counts[true], rounds/10)
	require.Greater(t, counts[false], rounds/10)
}

// TestPairingsAreOfOneQueue: what a pairing says nothing about is refused.
func TestPairingsAreOfOneQueue(t *testing.T) {
	for _, name := range []string{"stack", "register"} {
		h, err := gen.Small(name, 1, gen.SmallOptions{NoEdges: true, Keys: 1})
		require.NoError(t, err)
		s, _ := specs.Lookup(name)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		_, err = verify.Paired(context.Background(), b, &proof.Weakening{Cut: history.Never}, 10)
		require.Equal(t, errors.New("pairs are those of one queue without explicit order"), err)
	}
}
