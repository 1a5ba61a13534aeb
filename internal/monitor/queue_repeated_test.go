package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/require"
)

// agreesRepeated compares the verdict of the search for queues with repeated values with brute
// force, and replays its witness; what precedes Reached has to be linearizable, and the verifier
// finds no pairing exactly where there is none. It reports whether the history is linearizable.
func agreesRepeated(t *testing.T, b *model.Instance) bool {
	t.Helper()
	a := queueRepeated(context.Background(), b.Partition, model.As[*model.CollectionTheory](b), nil)
	want, w := oracle.Linearizable(b)
	switch {
	case a.Verdict == engine.Unknown:
		require.Fail(t, "no answer", "%v %s: %s", a.Cause, a.Detail, describe(b))
	case want != (a.Verdict == engine.Linearizable):
		require.Fail(t, "wrong verdict", "%v, but %v: %s", a.Verdict, w, describe(b))
	case want:
		require.NoError(t, verify.Witness(b, a.Witness), "witness %v: %s", a.Witness, describe(b))
	default:
		before, err := b.Spec.Bind(b.Partition.Prefix(a.Reached - 1))
		require.NoError(t, err)
		explained, _ := oracle.Linearizable(before)
		require.True(t, explained, "before %d: %s", a.Reached, describe(b))
	}
	_, err := verify.Paired(context.Background(), b, &proof.Weakening{Cut: history.Never}, verify.MaxPairs)
	require.Equal(t, want, err != nil, "pairings, %v: %s", err, describe(b))
	return want
}

// repeating lets values repeat: at most so many different ones are left.
func repeating(rng *rand.Rand, initial []int, events []collectionEvent) ([]int, []collectionEvent) {
	different := 1 + rng.IntN(3)
	as := func(v int) int {
		if v == 0 {
			return 0
		}
		return 1 + v%different
	}
	for k, v := range initial {
		initial[k] = as(v)
	}
	for k := range events {
		events[k].value = as(events[k].value)
	}
	return initial, events
}

// TestRandomQueuesOfRepeatedValuesAgreeWithTheDefinition draws histories with initial contents,
// peeks, empty results and pending operations of both kinds.
func TestRandomQueuesOfRepeatedValuesAgreeWithTheDefinition(t *testing.T) {
	for _, s := range []collectionShape{{}, {empties: true}, {empties: true, peeks: true, initial: true},
		{pendingIn: true, pendingOut: true},
		{empties: true, peeks: true, initial: true, pendingIn: true, pendingOut: true}} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			yes, rounds := 0, sample(400_000)
			for seed := range rounds {
				rng := rand.New(rand.NewPCG(uint64(seed), 77))
				initial, _, events := randomEvents(rng, "queue", 9, s)
				initial, events = repeating(rng, initial, events)
				if agreesRepeated(t, bindEvents(t, "queue", initial, nil, events)) {
					yes++
				}
			}
			t.Logf("%d of %d linearizable", yes, rounds)
			require.Less(t, rounds/10, yes)
			require.Less(t, yes, rounds*19/20)
		})
	}
}

// TestEveryIntervalOrderOfRepeatedValuesAgreesWithTheDefinition takes every interval order of a few
// operations.
func TestEveryIntervalOrderOfRepeatedValuesAgreesWithTheDefinition(t *testing.T) {
	pendingIn := func(v int) collectionEvent { return collectionEvent{does: model.Insert, value: v, ret: -1} }
	s := testkit.Spec(t, "queue")
	for name, events := range map[string][]collectionEvent{
		"one value three times":  {in(1), in(1), in(1), out(1), out(1), out(1)},
		"two values":             {in(1), in(2), in(1), out(1), out(2), out(1)},
		"in another order":       {in(1), in(2), in(1), out(2), out(1), out(1)},
		"two empty":              {in(1), in(1), out(1), out(1), out(0), seen(0)},
		"an empty one":           {in(1), in(2), in(1), out(1), out(2), out(0)},
		"peeks":                  {in(1), in(2), in(1), out(1), seen(1), seen(2)},
		"a pending removal":      {in(1), in(2), in(1), unfinished, out(1), out(1)},
		"pending and empty":      {in(1), in(1), unfinished, unfinished, out(1), out(0)},
		"a pending insertion":    {pendingIn(1), in(1), in(2), out(1), out(2), out(1)},
		"two pending insertions": {pendingIn(1), pendingIn(1), in(2), out(1), out(1), out(2)},
		"pending at both ends":   {pendingIn(1), in(1), unfinished, out(1), seen(1), out(0)},
	} {
		t.Run(name, func(t *testing.T) {
			every := testenv.OneOf(31)
			pending := uint(0)
			for i, e := range events {
				if e.ret < 0 {
					pending |= 1 << i
				}
			}
			values, calls := history.NewBuilder().Values, eventsOf("queue", events)
			count, yes := 0, 0
			intervalOrders(len(events), pending, func(lo, hi []int) {
				if count++; count%every == 0 &&
					agreesRepeated(t, testkit.Arrange(t, s, values, testkit.Number, calls, lo, hi)) {
					yes++
				}
			})
			t.Logf("%d arrangements, every %d., %d linearizable", count, every, yes)
			require.Greater(t, yes, testenv.MoreThan(0))
		})
	}
}
