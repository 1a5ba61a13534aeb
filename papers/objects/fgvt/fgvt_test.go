package fgvt

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEntries(t *testing.T) {
	names := map[string]bool{}
	faulty := 0
	for _, e := range Entries() {
		o := e.Case.Object
		assert.False(t, names[o.Name], o.Name)
		names[o.Name] = true
		_, ok := specs.Lookup(o.Spec)
		assert.True(t, ok, o.Spec)
		assert.NotEmpty(t, e.Note)
		assert.Equal(t, e.Faulty, !e.Linearizable)
		assert.Equal(t, e.Faulty, e.Pattern != "")
		if e.Faulty {
			faulty++
		}
	}
	assert.Equal(t, 6, faulty)
	assert.Len(t, names, 12)
}

func verdict(t *testing.T, c *explore.Case, s explore.Strategy) *explore.Report {
	t.Helper()
	sp, ok := specs.Lookup(c.Object.Spec)
	require.True(t, ok)
	r, err := explore.Check(context.Background(), c, sp, explore.CheckOptions{Strategy: s})
	require.NoError(t, err)
	return r
}

// TestVerdicts: every schedule of the paper's tests.
func TestVerdicts(t *testing.T) {
	for _, e := range Entries() {
		t.Run(e.Case.Object.Name, func(t *testing.T) {
			want := engine.NotLinearizable
			if e.Linearizable {
				want = engine.Linearizable
			}
			// the pair needs three preemptions
			for _, s := range []explore.Strategy{explore.DPOR(), explore.Bounded(3)} {
				assert.Equal(t, want, verdict(t, e.Case, s).Verdict, schedule.Describe(s))
			}
		})
	}
}

// TestSerially: run by one thread at a time, every object does what its specification says, the
// faulty ones too: their faults need concurrency.
func TestSerially(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, e := range Entries() {
		for range 30 {
			c := random(r, e.Case.Object, 1, 8)
			assert.Equal(t, engine.Linearizable, verdict(t, c, schedule.Serial()).Verdict, "%s %v",
				e.Case.Object.Name, c.Threads)
		}
	}
}

// random draws a test of the object's operations.
func random(r *rand.Rand, o *explore.Object, threads, calls int) *explore.Case {
	c := &explore.Case{Object: o, Threads: make([][]explore.Call, threads)}
	for i := range c.Threads {
		for range calls {
			c.Threads[i] = append(c.Threads[i], o.Ops[r.IntN(len(o.Ops))])
		}
	}
	return c
}

// TestCorrected runs the corrected objects in other tests than the paper's.
func TestCorrected(t *testing.T) {
	tests, runs := 6, 4_000
	if testenv.Full() {
		tests, runs = 20, 40_000
	}
	r := rand.New(rand.NewPCG(6, 2))
	for _, e := range Entries() {
		if e.Faulty {
			continue
		}
		t.Run(e.Case.Object.Name, func(t *testing.T) {
			for range tests {
				for _, size := range [][2]int{{2, 1}, {3, 1}, {2, 2}, {2, 3}} {
					c := random(r, e.Case.Object, size[0], size[1])
					sp, _ := specs.Lookup(c.Object.Spec)
					for _, s := range []explore.Strategy{explore.DPOR(), explore.Bounded(2),
						explore.PCT(r.Uint64(), 3, runs/4)} {
						report, err := explore.Check(context.Background(), c, sp, explore.CheckOptions{Strategy: s,
							Options: explore.Options{MaxRuns: runs}})
						require.NoError(t, err)
						require.Nil(t, report.Violation, "%s %s", fmt.Sprint(c.Threads), schedule.Describe(s))
					}
				}
			}
		})
	}
}
