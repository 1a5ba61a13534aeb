package explore

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScheduleText(t *testing.T) {
	for _, s := range []Schedule{nil, {0, 1, 2}, {35, 36, 63, -1, -2, -37, 10}, {-1}, {1 << 30},
		{0, schedule.Again, 1, -1, 0}, {schedule.Again, 2}} {
		back, err := ParseSchedule(s.String())
		require.NoError(t, err)
		assert.Equal(t, s, back)
	}
	assert.Equal(t, "01z(36):2:(40)", Schedule{0, 1, 35, 36, -3, -41}.String())
	assert.Equal(t, "0[12]", Schedule{0, schedule.Again, 1, 2}.String())
	s, err := ParseSchedule(" 01 _1:1\t0")
	assert.ErrorContains(t, err, "no digit at 8", s)
	s, err = ParseSchedule(" 01 _1:1 0")
	require.NoError(t, err)
	assert.Equal(t, Schedule{0, 1, 1, -2, 0}, s)
	for text, want := range map[string]string{"0:": "ends after a colon", "(3": "is not closed", "(x)": "no number",
		"0-1": "no digit at 1", "::1": "no digit", "(99999999999)": "no number",
		"0[1": "the bracket is not closed", "0[]": "no digit at 2", "0[1]2": "no digit at 3", "[[1]": "no digit at 1",
		"0]": "no digit at 1", ":[1]": "no digit at 1"} {
		_, err := ParseSchedule(text)
		assert.ErrorContains(t, err, want, text)
	}
}

func written(t testing.TB, e *Execution) string {
	t.Helper()
	h, err := e.History()
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, history.WriteJSON(&b, h))
	return b.String()
}

// replayed runs a schedule from its text.
func replayed(t testing.TB, p Program, o Options, text string) *Execution {
	t.Helper()
	s, err := ParseSchedule(text)
	require.NoError(t, err)
	var got *Execution
	stats, err := Run(p, Replay(s), o, func(e *Execution) bool {
		got = e.Clone()
		return true
	})
	require.NoError(t, err)
	require.Equal(t, 1, stats.Executions)
	return got
}

// TestReplayRepeatsByteForByte replays every execution of random programs, with choices, deadlocks
// and all, from the text of its schedule: same history, same events with the same values, same
// outcome.
func TestReplayRepeatsByteForByte(t *testing.T) {
	count := 0
	check := func(p Program, s Strategy, o Options) {
		o.Trace = true
		var all []*Execution
		_, err := Run(p, s, o, func(e *Execution) bool {
			all = append(all, e.Clone())
			return len(all) < 60
		})
		require.NoError(t, err)
		for _, e := range all {
			again := replayed(t, p, o, e.Schedule.String())
			require.Equal(t, e.Outcome, again.Outcome)
			require.Equal(t, written(t, e), written(t, again), "%s", e.Schedule)
			require.Equal(t, e.Events, again.Events)
			require.Equal(t, e.Schedule, again.Schedule)
			count++
		}
	}
	for seed := range uint64(testenv.Scale(60, 500)) {
		r := rand.New(rand.NewPCG(seed, 7))
		lines := []dumbLine{randomDumbLine(r, 2, 3), randomDumbLine(r, 1, 4), randomDumbLine(r, 1, 2)}
		for _, s := range []Strategy{Exhaustive(), schedule.Serial(), Bounded(1), Random(seed, 10), PCT(seed, 3, 10)} {
			check(dumbProgram(lines), s, Options{})
		}
	}
	spin := func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		x.Go(func(t *Thread) { t.Do("wait", nil, func() any { return spinUntil(x.Memory(), v) }) })
		x.Go(func(t *Thread) { t.Do("set", nil, func() any { v.Store(int64(1 + x.Memory().Choose(2))); return nil }) })
	}
	check(spin, Exhaustive(), Options{})
	check(spin, Random(1, 50), Options{MaxSteps: 4})
	c := &Case{Object: &Object{New: msqueue}, Before: calls("enq", 9), Threads: [][]Call{calls("enq", 1, "deq"),
		calls("deq")}, After: calls("deq", "deq")}
	check(c.Program(), Bounded(2), Options{})
	t.Logf("%d executions replayed", count)
}

func spinUntil(m *mem.Memory, v *mem.Int64) any {
	for {
		if got := v.Load(); got != 0 {
			return int(got)
		}
		m.Yield()
	}
}

func TestReplayRefusesWhatDoesNotFit(t *testing.T) {
	for text, want := range map[string]string{
		"7":     "at step 0 it runs thread 7, which does not exist",
		"0000":  "at step 2 it runs thread 0, which does not exist or has ended",
		":1":    "which does not exist",
		"0:011": "which does not exist",
	} {
		s, err := ParseSchedule(text)
		require.NoError(t, err)
		_, err = Run(adders(2, 2), Replay(s), Options{}, func(*Execution) bool { return true })
		assert.ErrorContains(t, err, want, text)
	}
	_, err := Run(func(x *Exec) {
		x.Memory().Choose(2)
	}, Replay(Schedule{-5}), Options{}, func(*Execution) bool { return true })
	assert.ErrorContains(t, err, "choice 4 of 2")
	_, err = Run(func(x *Exec) {
		x.Memory().Choose(2)
	}, Replay(Schedule{0}), Options{}, func(*Execution) bool { return true })
	assert.ErrorContains(t, err, "choice")
}

func TestReplayOfAPrefixGoesOn(t *testing.T) {
	e := replayed(t, adders(2, 3), Options{}, "1")
	assert.Equal(t, "11100", e.Schedule.String())
}

// TestNondeterministicProgramsAreFound keeps state between executions, in four ways.
func TestNondeterministicProgramsAreFound(t *testing.T) {
	runs := 0
	var kept *mem.Int64
	for name, p := range map[string]Program{
		"another access": func(x *Exec) {
			runs++
			v := mem.NewInt64(x.Memory(), "v", 0)
			x.Go(func(*Thread) {
				v.Load()
				if runs > 1 {
					v.Store(2)
				} else {
					v.Load()
				}
			})
			x.Go(func(*Thread) { v.Load() })
		},
		"another choice": func(x *Exec) {
			runs++
			x.Memory().Choose(min(1+runs, 3))
		},
		"another thread": func(x *Exec) {
			runs++
			v := mem.NewInt64(x.Memory(), "v", 0)
			for range min(1+runs, 3) {
				x.Go(func(*Thread) { v.Load() })
			}
		},
		"another location": func(x *Exec) {
			runs++
			vs := []*mem.Int64{mem.NewInt64(x.Memory(), "v", 0), mem.NewInt64(x.Memory(), "w", 0)}
			x.Go(func(*Thread) { vs[min(1, runs-1)].Load() })
			x.Go(func(*Thread) { vs[0].Load() })
		},
	} {
		runs = 0
		_, err := Run(p, Exhaustive(), Options{}, func(*Execution) bool { return true })
		var nd *Nondeterministic
		require.ErrorAs(t, err, &nd, name)
		assert.Contains(t, err.Error(), "nondeterministic program", name)
	}
	stats, err := Run(func(x *Exec) {
		if kept == nil {
			kept = mem.NewInt64(x.Memory(), "kept", 0)
		}
		x.Go(func(*Thread) { kept.Load() })
		x.Go(func(*Thread) { kept.Load() })
	}, Exhaustive(), Options{}, func(*Execution) bool { return true })
	require.NoError(t, err)
	assert.Equal(t, 1, stats.Outcomes[Panicked], "a variable of another execution")
}
