package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/certify"
	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/gen"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
)

// showKeys is show with the objects.
func showKeys(p *spec.Part) string {
	s := show(p) + "keys"
	for i := range p.Ops {
		s += fmt.Sprint(" ", p.Ops[i].Key)
	}
	return s
}

// drawRelaxation draws a question without its bound: which classes are relaxed, and by how much more than others.
func drawRelaxation(rng *rand.Rand, info spec.Info) func(k int32) quasi.Relaxation {
	r := quasi.Relaxation{Drain: rng.IntN(2) == 0, Causal: rng.IntN(5) == 0}
	weights := make([]int32, len(info.Classes))
	shape := rng.IntN(3)
	for c := range weights {
		switch {
		case shape == 0 && info.Classes[c].Relaxable:
			weights[c] = 1
		case shape == 1: // every class
			weights[c] = 1
		case shape == 2: // per class
			weights[c] = []int32{0, 1, 1, 2, quasi.Unbounded}[rng.IntN(5)]
		}
	}
	return func(k int32) quasi.Relaxation {
		q := r
		q.Factor = make(quasi.Factor, len(weights))
		for c, w := range weights {
			q.Factor[c] = k * min(w, 2)
			if w == quasi.Unbounded && k > 0 {
				q.Factor[c] = quasi.Unbounded
			}
		}
		return q
	}
}

// slotTally counts what the random tests have met.
type slotTally struct{ yes, no, drained, pendingUsed, moved, causal int }

func judgeSlots(t require.TestingT, b *spec.Bound, relax quasi.Relaxation, seen *slotTally) bool {
	a, err := New().Check(context.Background(), &check.Problem{Bound: b, Relax: &relax}, nil)
	require.NoError(t, err)
	if relax.Causal && b.Flow == nil {
		require.Equal(t, check.NotMine, a.Cause)
		return false
	}
	want, first, second := oracle.SlotsLinearizable(b, relax)
	verdict := check.NotLinearizable
	if want {
		verdict = check.Linearizable
	}
	require.Equal(t, verdict, a.Verdict, "%+v: ρ′ %v ρ″ %v\n%s", relax, first, second, showKeys(b.Part))
	if !want {
		seen.no++
		return false
	}
	require.NoError(t, certify.Rearrangement(b, &relax, a.Witness, a.Rearranged, a.Drains), "%+v: %+v\n%s", relax, a, showKeys(b.Part))
	require.NoError(t, oracle.ReplayQuasi(b, relax, a.Witness, a.Rearranged), "%+v: %+v\n%s", relax, a, showKeys(b.Part))
	seen.yes++
	if a.Drains > 0 {
		seen.drained++
	}
	if relax.Causal {
		seen.causal++
	}
	if !slices.Equal(a.Witness, a.Rearranged) {
		seen.moved++
	}
	if slices.ContainsFunc(a.Witness, func(i int32) bool { return int(i) < b.Part.Len() && b.Part.Ops[i].Pending() }) {
		seen.pendingUsed++
	}
	return true
}

// relaxedHistory draws a small history, every fourth one with removals out of their places.
func relaxedHistory(t require.TestingT, name string, seed uint64) *history.History {
	if seed%4 != 0 || name == "counter" || name == "deque" {
		h, err := gen.Small(name, seed, gen.SmallOptions{Most: 4 + int(seed%4), NoEdges: seed%3 != 0})
		require.NoError(t, err)
		return h
	}
	c, err := gen.Generate(gen.Options{Spec: name, Operations: 4 + int(seed/4%4), Processes: 1 + int(seed/16%3), PendingRate: 0.1, Values: int(seed / 4 % 4),
		EmptyRate: 0.1, Relax: 1 + int(seed/8%2), Seed: seed})
	require.NoError(t, err)
	return c.History
}

var relaxedSpecs = []string{"queue", "stack", "priority-queue", "deque", "counter"}

func TestSlots(t *testing.T) {
	for _, name := range relaxedSpecs {
		s, _ := spec.Lookup(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen slotTally
			for seed := range uint64(rounds(400, 20000)) {
				rng := rand.New(rand.NewPCG(seed, 3))
				h := relaxedHistory(t, name, seed)
				p := spec.Whole(h)
				if seed%5 == 0 {
					p = forget(rng, p)
				}
				if seed%7 == 0 && name != "counter" {
					values := make([]history.Value, rng.IntN(3))
					for k := range values {
						values[k] = h.Values.Int(int64(rng.IntN(3)))
					}
					p.HasInitial, p.Initial = true, h.Values.List(values)
				}
				b, err := s.Bind(p)
				require.NoError(t, err)
				question := drawRelaxation(rng, s.Info())
				if !t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
					last := false
					for k := range int32(5) {
						ok := judgeSlots(t, b, question(k), &seen)
						require.True(t, ok || !last, "accepted at %d, not at %d", k-1, k)
						last = ok
					}
				}) {
					return
				}
			}
			t.Logf("%+v", seen)
			for _, n := range []int{seen.yes, seen.no, seen.pendingUsed, seen.moved} {
				assert.Greater(t, n, 25, "%+v", seen)
			}
		})
	}
}
