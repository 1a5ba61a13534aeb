package collections

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dequePart draws contents, and operations from there on that took effect in order of their
// numbers, except that now and then one has another value.
func dequePart(rng *rand.Rand) (ops []laneOp, contents []int32) {
	values := int32(2 + rng.IntN(2))
	for range 1 + rng.IntN(10) {
		contents = append(contents, rng.Int32N(values))
	}
	ops = make([]laneOp, 3+rng.IntN(8))
	type event struct {
		at float64
		of *history.Rank
	}
	var events []event
	now := slices.Clone(contents)
	for i := range ops {
		o := &ops[i]
		o.op, o.end, o.value = history.OpID(i), int8(rng.IntN(2)), rng.Int32N(values)
		lasts := []float64{1.5, 1.5, 1.5, 6}[rng.IntN(4)]
		events = append(events, event{float64(i) - lasts*rng.Float64(), &o.call},
			event{float64(i) + lasts*rng.Float64(), &o.ret})
		switch o.does = model.Remove; {
		case len(now) == 0:
			o.value = model.Nothing
		case rng.IntN(2) == 0:
			o.does = model.Insert
			now = slices.Insert(now, int(o.end)*len(now), o.value)
		default:
			at := int(o.end) * (len(now) - 1)
			o.value = now[at]
			now = slices.Delete(now, at, at+1)
		}
	}
	if o := &ops[rng.IntN(len(ops))]; o.value >= 0 && rng.IntN(2) == 0 {
		o.value = rng.Int32N(values)
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	for rank, e := range events {
		*e.of = history.Rank(rank + 1)
	}
	return ops, contents
}

// takes returns the contents after an operation, and whether it is legal.
func takes(o *laneOp, contents []int32) ([]int32, bool) {
	if o.does == model.Insert {
		return slices.Insert(slices.Clone(contents), int(o.end)*len(contents), o.value), true
	}
	if len(contents) == 0 || o.value == model.Nothing {
		return contents, len(contents) == 0 && o.value == model.Nothing
	}
	at := int(o.end) * (len(contents) - 1)
	return slices.Delete(slices.Clone(contents), at, at+1), contents[at] == o.value
}

// everyOrder reports whether some order of the operations is legal, by trying all.
func everyOrder(ops []laneOp, contents []int32, done uint) bool {
	if done == 1<<len(ops)-1 {
		return true
	}
	due := history.Never
	for i := range ops {
		if done>>i&1 == 0 {
			due = min(due, ops[i].ret)
		}
	}
	for i := range ops {
		if done>>i&1 == 1 || ops[i].call > due {
			continue
		}
		if next, ok := takes(&ops[i], contents); ok && everyOrder(ops, next, done|1<<i) {
			return true
		}
	}
	return false
}

// Parts of deques against brute force: what is found is legal, and nearly all that there is is
// found. Under restrictions of when operations take effect, what is found is legal, too.
func TestPartsOfDequesAgreeWithTheDefinition(t *testing.T) {
	yes, no, missed, restricted := 0, 0, 0, 0
	for seed := range uint64(testenv.Scale(20_000, 300_000)) {
		rng := rand.New(rand.NewPCG(seed, 5))
		ops, contents := dequePart(rng)
		search := func(restrict bool) bool {
			s := newDequeContents(slices.Clone(ops), contents, math.MaxInt32, math.MaxInt64,
				&engine.Account{Ctx: context.Background(), Limit: math.MaxInt64})
			if restrict {
				s.moments, s.mostOdd = newDequeMoments(s.lane, 1+rng.IntN(2), history.Rank(rng.IntN(3))), rng.Int32N(2)
				if rng.IntN(2) == 0 {
					moments := make([]history.Rank, len(ops))
					for i := range ops {
						moments[i] = ops[i].call + history.Rank(1+rng.IntN(int(ops[i].ret-ops[i].call)))
					}
					s.moments.keep(s.lane, moments)
				}
			}
			if s.search() != found {
				return false
			}
			requireLegalDeque(t, ops, contents, s.linearization(), seed)
			return true
		}
		want, got := everyOrder(ops, contents, 0), search(false)
		switch {
		case !want:
			require.False(t, got, "seed %d", seed)
			no++
		case !got:
			missed++
			fallthrough
		default:
			yes++
		}
		if search(true) {
			restricted++
		}
	}
	t.Logf("%d yes, %d no, %d missed, %d sdFound under restrictions", yes, no, missed, restricted)
	assert.Greater(t, no, testenv.MoreThan(1000))
	assert.Greater(t, restricted, yes/2)
	assert.LessOrEqual(t, missed, yes/10_000)
}

// requireLegalDeque checks that an order of all operations is legal and respects the times.
func requireLegalDeque(t *testing.T, ops []laneOp, contents []int32, order []history.OpID, seed uint64) {
	t.Helper()
	require.Len(t, order, len(ops), "seed %d", seed)
	latest, now, ok := history.Rank(0), contents, false
	for _, i := range order {
		latest = max(latest, ops[i].call)
		require.Less(t, latest, ops[i].ret, "seed %d", seed)
		now, ok = takes(&ops[i], now)
		require.True(t, ok, "seed %d", seed)
	}
}

// All configurations of deques at once against brute force, which they decide exactly.
func TestPathsOfDequesAgreeWithTheDefinition(t *testing.T) {
	yes, no := 0, 0
	for seed := range uint64(testenv.Scale(20_000, 300_000)) {
		rng := rand.New(rand.NewPCG(seed, 5))
		ops, contents := dequePart(rng)
		if rng.IntN(2) == 0 {
			contents = contents[:rng.IntN(len(contents))]
		}
		s := newDequePaths(slices.Clone(ops), contents, &engine.Account{Ctx: context.Background(),
			Limit: math.MaxInt64})
		got := s.search()
		if !everyOrder(ops, contents, 0) {
			require.Equal(t, failed, got, "seed %d", seed)
			no++
			continue
		}
		require.Equal(t, found, got, "seed %d", seed)
		requireLegalDeque(t, ops, contents, s.linearization(), seed)
		yes++
	}
	t.Logf("%d yes, %d no", yes, no)
	assert.Greater(t, no, testenv.MoreThan(1000))
	assert.Greater(t, yes, testenv.MoreThan(1000))
}
