package words

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/gen/randomtxn"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/isolation/solve"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
)

func decide(h *isolation.History, l isolation.Level) solve.Answer {
	return solve.Decide(context.Background(), h, l, func() solver.Solver { return gini.New() }, 0)
}

// TestAnomaliesByName has one history for each name, and what is said of it.
func TestAnomaliesByName(t *testing.T) {
	for _, c := range []struct{ history, level, kind, text string }{
		{"x=1 x:2", "rc", "internal", "internal inconsistency: T0 read 2 of x, and had written something else itself before. No level allows that."},
		{"x=1 | aborted\n x:1", "rc", "G1a", "G1a (aborted read): T1 read 1 of x, of which T0 wrote something, and aborted. No level allows that."},
		{"x+1 | aborted\n x+2\n x:[1 2]", "rc", "G1a", ""},
		{"x=1 x=2\n x:1", "rc", "G1b", "G1b (intermediate read): T1 read 1 of x, which is not all that T0 wrote there, or not as it left it. No level allows that."},
		{"x+3\n x+1 x+2\n x:[3 1]", "rc", "G1b", "G1b (intermediate read): T2 read [3 1] of x, which is not all that T1 wrote there, or not as it left it. No level allows that."},
		{"x:1 x=1", "rc", "future-read", ""},
		{"x:7", "rc", "garbage-read", "garbage read: T0 read 7 of x, which nobody wrote. No level allows that."},
		{"x+1\n x:[1 1]", "rc", "duplicate-elements", ""},
		{"x+1\n x+2\n x:[1 2]\n x:[2 1]", "rc", "incompatible-order", ""},
		{"x+1 y+1\n x+2 y+2\n x:[1 2] y:[2 1]", "rc", "G0",
			"G0 (dirty write): T2 read [1 2] of x, where 1 by T0 stands before 2 by T1, so T0 comes before T1. " +
				"T2 read [2 1] of y, where 2 by T1 stands before 1 by T0, so T1 comes before T0. No level allows that."},
		{"x=1 y:1\n y=1 x:1", "rc", "G1c",
			"G1c (circular information flow): T1 read 1 of x, which T0 wrote, so T0 comes before T1. " +
				"T0 read 1 of y, which T1 wrote, so T1 comes before T0. No level allows that."},
		{"x+1 y+1\n x:[1] y:[]", "ra", "G-single-item",
			"G-single (read skew): T1 read [] of y, without 1, which T0 appended, so T1 comes before T0. " +
				"T1 read [1] of x, the last of it appended by T0, so T0 comes before T1. No level allows that."},
		{"x+1 y+1\n y:[] x:[1]", "ra", "G-single-item", ""},
		{"x:0 x=1\n x:0 x=2", "si", "lost-update",
			"G-single (lost update): T0 read 0 of x, which T1 overwrote with 2, so T0 comes before T1. " +
				"T1 read 0 of x, which T0 overwrote with 1, and overwrote it with 2 itself, so T1 comes before T0. " +
				"Forbidden by parallel-snapshot, and by what implies that."},
		{"x:[] x+1\n x:[] x+2\n x:[1 2]", "psi", "lost-update", ""},
		{"x+1\n y+1\n x:[1] y:[]\n x:[] y:[1]", "si", "G-nonadjacent-item", ""},
		{"x:[] y+1\n y:[] x+1", "ser", "G2-item",
			"G2-item (write skew): T0 read [] of x, without 1, which T1 appended, so T0 comes before T1. " +
				"T1 read [] of y, without 1, which T0 appended, so T1 comes before T0. " +
				"Forbidden by serializable, and by what implies that."},
		{"x+1 | time 1 2\n x:[] | time 3 4", "strict-serializable", "G-single-item-realtime",
			"G-single-realtime (stale read): T1 read [] of x, without 1, which T0 appended, so T1 comes before T0. " +
				"T0 returned before T1 was called, so T0 comes before T1. Forbidden by strict-read-atomic, and by what implies that."},
		{"x+1 | session 1\n x:[] | session 1", "causal", "G-single-item-process", ""},
		{"x=1 a=1\n x=2 b=1\n x:1 b:1\n x:2 a:1", "ser", "no-order-of-writes", ""},
		{"x+1\n x+1\n x:[1] y+1\n x:[1 1] y:[]", "ser", "no-order-of-writes",
			"no order of writes: T3 read [] of y from the start, and T2 wrote there, too, so T3 comes before T2. " +
				"Suppose that what T0 appended to x is at place 1: T3 read [1 1] of x, to which T0 appended, so what T0 " +
				"appended to x is not at place 2. T3 read [1 1] of x, so what T1 appended to x is at place 2. T3 read [1 1] " +
				"of x from T1, so T1 comes before T3. T3 read [1 1] of x, to which T0, T1 appended, so T0 comes before T1. " +
				"T2 read [1] of x from T0, and T1 wrote there, too, so T2 comes before T1. T1 before T3 before T2 before T1 " +
				"is a cycle. Otherwise what T0 appended to x is not at place 1: T3 read [1 1] of x, so what T1 appended to x " +
				"is at place 1. T3 read [1 1] of x, to which T1 appended, so what T1 appended to x is not at place 2. T3 read " +
				"[1 1] of x, so what T0 appended to x is at place 2. T3 read [1 1] of x from T0, so T0 comes before T3. T3 " +
				"read [1 1] of x, to which T1, T0 appended, so T1 comes before T0. T2 read [1] of x from T1, and T0 wrote " +
				"there, too, so T2 comes before T0. T0 before T3 before T2 before T0 is a cycle. Forbidden by serializable, " +
				"and by what implies that."},
	} {
		h := isolationtest.Parse(c.history)
		l, err := isolation.ParseLevel(c.level)
		require.NoError(t, err)
		found := decide(h, l)
		require.True(t, found.Fails, "%s\n%s", c.level, c.history)
		a := Find(h, found.Certificate)
		require.NotNil(t, a, "%s\n%s", c.level, c.history)
		if c.kind != "" {
			assert.Equal(t, c.kind, a.Type, "%s\n%s", c.level, c.history)
		}
		if c.text != "" {
			assert.Equal(t, c.text, Text(h, found.Certificate))
		} else {
			t.Log(Text(h, found.Certificate))
		}
	}
}

// TestWhatIsForbiddenIs compares what is said to be forbidden with the definition.
func TestWhatIsForbiddenIs(t *testing.T) {
	types, without := map[string]int{}, 0
	for seed := range uint64(testenv.Scale(2000, 30000)) {
		h := randomtxn.History(rand.New(rand.NewPCG(seed, 4)), 5)
		for _, l := range isolation.Levels() {
			found := decide(h, l)
			if !found.Fails || found.Certificate == nil {
				continue
			}
			a := Find(h, found.Certificate)
			if a == nil {
				without++
				continue
			}
			types[a.Type]++
			covered := false
			for _, f := range a.Forbids {
				covered = covered || l.Implies(f)
				require.False(t, oracle.Isolated(h, f), "%s forbidden by %s, but it is at that level:\n%s%s", a.Type, f,
					isolationtest.Format(h), Text(h, found.Certificate))
			}
			require.True(t, covered, "%s at %s, forbidden by %v", a.Type, l, a.Forbids)
		}
	}
	t.Log(types, without)
	for _, name := range []string{"G0-process", "G1a", "G1b", "G-single-item", "G-nonadjacent-item", "G2-item", "lost-update",
		"internal", "incompatible-order"} {
		assert.Greater(t, types[name], testenv.MoreThan(0), name)
	}
}
