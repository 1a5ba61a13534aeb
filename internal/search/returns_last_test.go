package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// delay lets some completed operations return after everything else, which keeps a history
// linearizable.
func delay(ops []history.Op, some func(i int) bool) (delayed int) {
	end := history.Rank(0)
	for _, o := range ops {
		end = max(end, o.Call)
		if !o.Pending() {
			end = max(end, o.Return)
		}
	}
	for i := range ops {
		if !ops[i].Pending() && some(i) {
			delayed++
			ops[i].Return = end + history.Rank(delayed)
		}
	}
	return delayed
}

// What is decided of partitions in which some operations return last agrees with the definition.
func TestReturnsLastAgreesWithTheDefinition(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "kv", "queue", "counter", "mutex", "set",
		"log", "bank", ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			yes, no := 0, 0
			for seed := range uint64(testenv.Scale(1500, 100_000)) {
				rng := rand.New(rand.NewPCG(seed, 29))
				b := withDelays(t, name, seed, rng)
				r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
				if r == nil {
					continue
				}
				want, _ := oracle.Linearizable(b)
				testkit.WithSeed(t, seed, func() {
					d := decideReturnsLast(r, pending.DefaultPlan, 1, rng.IntN(2), decide)
					require.NoError(t, r.Broken)
					switch d.Outcome {
					case wgl.Found:
						yes++
						require.True(t, want, "%s", randomspec.Show(b.Partition))
						require.NoError(t, verify.Witness(b, d.Witness), "%s", randomspec.Show(b.Partition))
					case wgl.Failed:
						no++
						require.False(t, want, "%s", randomspec.Show(b.Partition))
					}
				})
			}
			t.Logf("%d linearizable, %d not", yes, no)
			assert.Greater(t, yes, testenv.MoreThan(20))
			assert.Greater(t, no, testenv.MoreThan(20))
		})
	}
}

// withDelays returns a small history of a specification, or else of a random one, in which some
// operations return last. Half of them have no theory.
func withDelays(t *testing.T, name string, seed uint64, rng *rand.Rand) *model.Instance {
	if name == "" {
		s := randomspec.New(rng, rng.IntN(3) == 0)
		p := model.Whole(randomspec.History(rng, s, 1+rng.IntN(8), max(0, rng.IntN(12)-7)))
		p.Ops = slices.Clone(p.Ops)
		delay(p.Ops, func(int) bool { return rng.IntN(5) < 2 })
		b, err := s.Bind(p)
		require.NoError(t, err)
		return b
	}
	h, err := gen.Small(name, seed, gen.SmallOptions{Most: 4 + int(seed%5), Keys: 1, NoEdges: seed%4 > 0,
		Values: 1 + int(seed%4)})
	require.NoError(t, err)
	delay(h.Ops, func(int) bool { return rng.IntN(5) < 2 })
	b, err := testkit.Spec(t, name).Bind(model.Whole(h))
	require.NoError(t, err)
	if seed%2 == 0 {
		b.Theory = nil
	}
	return b
}

// invented returns a history of n operations on a register by 16 clients, which pause between them.
// Every twentieth operation is of unknown outcome: such reads are left out, and half of the writes
// never take effect; all of them return at the end. In a third of the histories a read returns what
// is never written.
func invented(t *testing.T, n int, seed uint64) (h *history.History, linearizable bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 31))
	type operation struct {
		client, call, effect, end int
		write, unknown            bool
	}
	var all []operation
	for client := range 16 {
		at := rng.IntN(1000)
		for range n / 16 {
			takes := 100 + rng.IntN(1000)
			all = append(all, operation{client, at, at + 1 + rng.IntN(takes-1), at + takes, rng.IntN(2) == 0,
				rng.IntN(20) == 0})
			at += takes + 1 + rng.IntN(6000)
		}
	}
	slices.SortFunc(all, func(x, y operation) int { return x.effect - y.effect })
	wrong := -1
	if seed%3 == 2 {
		wrong = rng.IntN(len(all)/2) + len(all)/4
	}
	var text []string
	value, end, others := -1, 10_000*n, 16
	client := make([]int, 16) // a client whose operation does not return in time is replaced
	for c := range client {
		client[c] = c
	}
	slices.SortStableFunc(all, func(x, y operation) int { return x.effect - y.effect })
	for k, o := range all {
		if o.unknown && !o.write {
			continue
		}
		if wrong >= 0 && k >= wrong && !o.write {
			text = append(text, fmt.Sprintf(`{"process":%d,"f":"read","call":%d,"return":%d,"result":-5}`,
				client[o.client], o.call, o.end))
			wrong = -1
			continue
		}
		result := "null"
		if value >= 0 {
			result = strconv.Itoa(value)
		}
		switch {
		case !o.write:
			text = append(text, fmt.Sprintf(`{"process":%d,"f":"read","call":%d,"return":%d,"result":%s}`,
				client[o.client], o.call, o.end, result))
		case o.unknown:
			end++
			text = append(text, fmt.Sprintf(`{"process":%d,"f":"write","arg":%d,"call":%d,"return":%d}`,
				client[o.client], k, o.call, end))
			client[o.client] = others
			others++
		default:
			text = append(text, fmt.Sprintf(`{"process":%d,"f":"write","arg":%d,"call":%d,"return":%d}`,
				client[o.client], k, o.call, o.end))
		}
		if o.write && (!o.unknown || rng.IntN(2) == 0) {
			value = k
		}
	}
	h, err := history.Read(strings.NewReader(`{"operations":[`+strings.Join(text, ",\n")+`]}`), history.ReadOptions{})
	require.NoError(t, err)
	return h, seed%3 != 2
}

// TestInventedReturnsAreDecided: histories with invented returns are decided in few steps, though
// nothing is known of the model.
func TestInventedReturnsAreDecided(t *testing.T) {
	for seed := range uint64(testenv.Scale(24, 400)) {
		h, linearizable := invented(t, 640, seed)
		b, err := testkit.Spec(t, "register").Bind(model.Whole(h))
		require.NoError(t, err)
		b.Theory = nil
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
		r.Limit = inventedSteps * int64(len(r.Ops))
		d := decide(r, pending.DefaultPlan)
		if !linearizable {
			require.Equal(t, wgl.Failed, d.Outcome, "seed %d, after %d steps", seed, r.Steps+d.Steps)
			continue
		}
		require.Equal(t, wgl.Found, d.Outcome, "seed %d, after %d steps", seed, r.Steps+d.Steps)
		require.NoError(t, verify.Witness(b, d.Witness))
	}
}

// inventedSteps are enough for each operation of these histories.
const inventedSteps = 2000
