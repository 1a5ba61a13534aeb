package gen_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGenerate(t *testing.T) {
	n := testenv.Scale(60, 1500)
	for _, name := range gen.Specs() {
		t.Run(name, func(t *testing.T) {
			no := map[gen.Violation]string{}
			for _, v := range append(gen.Violations(), gen.NoViolation) {
				certain, refuted, made := 0, 0, 0
				for seed := range uint64(n) {
					o := gen.Options{Spec: name, Operations: 16, Processes: 2 + int(seed%2), Seed: seed, Violation: v,
						PendingRate: float64(seed%3) / 20,
						EmptyRate:   float64(seed%4) / 10, Values: int(seed%2) * 3, Keys: 1 + int(seed%5)/4,
						Initial: seed%5 == 1}
					c, err := gen.Generate(o)
					if v != gen.NoViolation && err != nil {
						continue // too short for it, or there is no such thing
					}
					require.NoError(t, err)
					made++
					require.Len(t, c.History.Ops, 16)
					ok, _ := oracle.Linearizable(bind(t, name, c.History))
					switch c.Known {
					case gen.Yes:
						require.Equal(t, gen.NoViolation, v)
						require.True(t, ok, "%s, seed %d", v, seed)
					case gen.No:
						certain++
						require.False(t, ok, "%s, seed %d: %s", v, seed, c.Mutation)
					}
					if !ok {
						refuted++
					}
				}
				no[v] = fmt.Sprintf("%d made, %d refuted, %d for certain", made, refuted, certain)
			}
			t.Log(no)
		})
	}
}

// EmptyRate, PendingRate, Overlap and Keys mean what they say.
func TestGenerateRates(t *testing.T) {
	c, err := gen.Generate(gen.Options{Spec: "queue", Operations: 20000, Processes: 12, Overlap: 6, PendingRate: 0.05,
		EmptyRate: 0.2, Keys: 3, Seed: 1})
	require.NoError(t, err)
	h := c.History
	removed, empty, open, sum := 0, 0, 0, 0
	for i, o := range h.Ops {
		name, _ := h.Values.AsString(o.F)
		if name == "deq" && !o.Pending() {
			removed++
			if o.Result == history.Nil {
				empty++
			}
		}
		open = 0
		for j := max(0, i-400); j < i; j++ {
			if p := h.Ops[j]; !p.Pending() && p.Return > o.Call {
				open++
			}
		}
		sum += open
	}
	assert.InDelta(t, 0.05, float64(h.Pending())/20000, 0.01)
	assert.InDelta(t, 0.2, float64(empty)/float64(removed), 0.05)
	assert.InDelta(t, 6, float64(sum)/20000, 1.5)
	keys := map[history.Value]bool{}
	for _, o := range h.Ops {
		keys[o.Key] = true
	}
	assert.Len(t, keys, 3)
}

func TestGenerateRefuses(t *testing.T) {
	for what, o := range map[string]gen.Options{
		"quue":                 {Spec: "quue"},
		"negative":             {Spec: "queue", Operations: -1},
		"open at once":         {Spec: "queue", Processes: 2, Overlap: 3},
		"share of pending":     {Spec: "queue", PendingRate: 2},
		"relax needs removals": {Spec: "set", Relax: 1},
		"violation":            {Spec: "queue", Violation: "horrible"},
		"no place":             {Spec: "mutex", Violation: gen.Duplicate},
		"single object":        {Spec: "queue", Keys: 2, Initial: true},
	} {
		_, err := gen.Generate(o)
		assert.ErrorContains(t, err, what)
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	for _, name := range gen.Specs() {
		o := gen.Options{Spec: name, Operations: 300, Keys: 2, PendingRate: 0.02, Seed: 7, Violation: gen.Swap}
		c, err := gen.Generate(o)
		require.NoError(t, err, name)
		d, err := gen.Generate(o)
		require.NoError(t, err)
		assert.Equal(t, c.History.Ops, d.History.Ops)
		assert.Equal(t, c.Mutation, d.Mutation)
	}
}

// A run through a relaxed object is within its bound, drained and as it lies.
func TestGenerateRelaxed(t *testing.T) {
	n := testenv.Scale(60, 1500)
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "counter"} {
		beyond := 0
		for seed := range uint64(n) {
			k := 1 + int(seed%3)
			c, err := gen.Generate(gen.Options{Spec: name, Operations: 9, Processes: 2, Relax: k, Seed: seed,
				EmptyRate: float64(seed%2) / 5, PendingRate: float64(seed%3) / 20,
				Keys: 1 + int(seed%4)/3})
			require.NoError(t, err)
			require.Equal(t, k, c.Bound)
			b := bind(t, name, c.History)
			for _, drain := range []bool{true, false} {
				ok, _, _ := oracle.SlotsLinearizable(b, relaxed(b.Spec, int32(k), drain))
				require.True(t, ok, "%s, seed %d, drain %t", name, seed, drain)
			}
			if ok, _ := oracle.Linearizable(b); !ok {
				beyond++
			}
		}
		t.Logf("%s: %d of %d not linearizable", name, beyond, n)
		assert.Greater(t, beyond, testenv.MoreThan(0))
	}
}

func relaxed(s model.Spec, bound int32, drain bool) quasi.Question {
	r := quasi.Question{Drain: drain}
	for _, c := range s.Info().Classes {
		if !c.Relaxable {
			r.Factor = append(r.Factor, 0)
			continue
		}
		r.Factor = append(r.Factor, bound)
	}
	return r
}

func BenchmarkGenerate(b *testing.B) {
	for _, name := range []string{"register", "queue", "priority-queue", "set", "kv", "rwmutex"} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				start := time.Now()
				c, err := gen.Generate(gen.Options{Spec: name, Operations: 1_000_000, Processes: 8, Relax: 0, Seed: 1})
				require.NoError(b, err)
				require.Len(b, c.History.Ops, 1_000_000)
				b.ReportMetric(time.Since(start).Seconds(), "s/million")
			}
		})
	}
}
