package lineup

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// either is an object whose operations choose which of two models they follow. Atomically, or, if
// sloppy, without synchronisation.
func either(models [2]*sequential, sloppy bool) *explore.Object {
	return &explore.Object{Name: "either", New: func(x *mem.Memory) explore.Instance {
		state := mem.NewAtomic(x, "state", 0)
		return func(f string, _ any) any {
			o := slices.Index(names[:], f)
			m := models[x.Choose(2)]
			for {
				s := state.Await(func(s int) bool { return m.next[s][o] >= 0 })
				if sloppy {
					state.Store(m.next[s][o])
					return m.results[s][o]
				}
				if state.CompareAndSwap(s, m.next[s][o]) {
					return m.results[s][o]
				}
			}
		}
	}}
}

// TestNondeterministicObjects: with Options.Nondeterministic an object whose operations are atomic
// never fails, and for all objects the witnesses found are those of the definition and of linsat
// with the synthesised specification, which a file keeps.
func TestNondeterministicObjects(t *testing.T) {
	rounds := testenv.Scale(60, 5000)
	verdicts, several := map[Verdict]int{}, 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 9))
		c := randomCase(r, either([2]*sequential{randomModel(r), randomModel(r)}, seed%2 == 1), 4)
		result, err := Check(context.Background(), c, Options{Bound: -1, Nondeterministic: true})
		require.NoError(t, err, "seed %d", seed)
		o := result.Observations
		require.NotNil(t, o, "seed %d", seed)
		if seed%2 == 0 {
			require.Equal(t, Pass, result.Verdict, "seed %d", seed)
		}
		verdicts[result.Verdict]++
		for _, edges := range o.nodes {
			for i := range edges[:max(0, len(edges)-1)] {
				if edges[i].thread == edges[i+1].thread {
					several++
				}
			}
		}
		var file bytes.Buffer
		require.NoError(t, o.WriteXML(&file))
		again, err := ReadXML(&file, "o.xml")
		require.NoError(t, err, "seed %d", seed)
		require.True(t, again.Nondeterministic)
		require.Equal(t, o.texts(), again.texts(), "seed %d", seed)
		want, classes := Pass, map[string]bool{}
		_, err = explore.Run(c.Program(), explore.DPOR(), explore.Options{}, func(x *explore.Execution) bool {
			key := string(x.Class(nil))
			if classes[key] {
				return true
			}
			classes[key] = true
			byDef := byDefinition(o, x)
			ok, _, err := o.Accepts(x)
			require.NoError(t, err, "seed %d", seed)
			require.Equal(t, byDef, ok, "seed %d", seed)
			if len(classes)%9 == 1 || !ok {
				require.Equal(t, byDef, byLinsat(t, again, x,
					linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})), "seed %d", seed)
			}
			if !ok {
				want = Fail
			}
			return true
		})
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, want, result.Verdict, "seed %d", seed)
	}
	assert.Greater(t, verdicts[Fail], testenv.MoreThan(0))
	assert.Greater(t, several, testenv.MoreThan(rounds))
	t.Log(verdicts, several)
}

// TestSequences: tests are made of the sequences that the user names, whole.
func TestSequences(t *testing.T) {
	o := Options{Seed: 3, Sequences: threads("inc get", "dec", "inc inc")}
	s, err := RandomCheck(context.Background(), counter(false, false), 2, 2, 12, o)
	require.NoError(t, err)
	require.Len(t, s.Results, 12)
	lengths := map[int]bool{}
	for _, r := range s.Results {
		assert.Equal(t, Pass, r.Verdict)
		for _, calls := range r.Case.Threads {
			words := strings.Fields(join(calls))
			lengths[len(words)] = true
			rest := strings.Join(words, " ")
			for range 2 {
				for _, sequence := range []string{"inc(), get()", "dec()", "inc(), inc()"} {
					if after, ok := strings.CutPrefix(rest, sequence); ok {
						rest = strings.TrimPrefix(after, ", ")
						break
					}
				}
			}
			assert.Empty(t, rest, "%v", words)
		}
	}
	assert.Equal(t, map[int]bool{2: true, 3: true, 4: true}, lengths)
	r, err := AutoCheck(context.Background(), counter(true, false), Options{Sequences: threads("inc get")})
	require.NoError(t, err)
	require.Equal(t, Fail, r.Verdict)
	assert.Equal(t, "inc() get() inc() get() | inc() get() inc() get()", r.Case.String(),
		"one sequence is drawn at dimension 2")
}

// TestLivelock: operations that prevent each other from ending under a fair scheduler are stuck.
func TestLivelock(t *testing.T) {
	polite := &explore.Object{Name: "polite", New: func(m *mem.Memory) explore.Instance {
		wants := [2]*mem.Atomic[bool]{mem.NewAtomic(m, "wants left", false), mem.NewAtomic(m, "wants right", false)}
		return func(f string, _ any) any {
			me := 0
			if f == "right" {
				me = 1
			}
			wants[me].Store(true)
			for wants[1-me].Load() {
				m.Yield()
			}
			wants[me].Store(false)
			return nil
		}
	}}
	c := &explore.Case{Object: polite, Threads: threads("left", "right")}
	r, err := Check(context.Background(), c, Options{MaxSteps: 200})
	require.NoError(t, err)
	require.Equal(t, Fail, r.Verdict)
	require.Equal(t, Blocking, r.Failure.Kind)
	assert.Equal(t, explore.CutOff, r.Failure.Run.Outcome)
	h, err := r.Failure.History()
	require.NoError(t, err)
	verdict, err := linsat.Check(context.Background(), r.Observations.Spec(), h)
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, verdict.Verdict)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	assert.Contains(t, text.String(), "does not end")

	// A loop that waits for what never comes is stuck serially, and so it may be concurrently.
	spin := &explore.Object{Name: "spin", New: func(m *mem.Memory) explore.Instance {
		flag := mem.NewAtomic(m, "flag", false)
		return func(f string, _ any) any {
			if f == "set" {
				flag.Store(true)
			}
			for f == "spin" && !flag.Load() {
				m.Yield()
			}
			return nil
		}
	}}
	r, err = Check(context.Background(), &explore.Case{Object: spin, Threads: threads("spin", "set spin")},
		Options{MaxSteps: 200})
	require.NoError(t, err)
	assert.Equal(t, Pass, r.Verdict, r.Cause)
	full, stuck := r.Observations.Histories()
	assert.Equal(t, []int{2, 1}, []int{full, stuck})
}

// TestPeriod compares with the definition.
func TestPeriod(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		n, base := r.IntN(14), 1+r.IntN(4)
		x := make([]int, n)
		for i := range x {
			if i < base || r.IntN(30) == 0 {
				x[i] = r.IntN(2)
			} else {
				x[i] = x[i-base]
			}
		}
		want := n
		for p := n - 1; p >= 1; p-- {
			if slices.Equal(x[p:], x[:n-p]) {
				want = p
			}
		}
		require.Equal(t, want, schedule.Period(n, func(i, j int) bool { return x[i] == x[j] }), "%v", x)
	}
}

// TestSequentialConsistencyAlone: a write that reaches two copies one after the other. That two
// threads see it in the wrong order violates linearizability, but not sequential consistency; that
// one thread does violates both.
func TestSequentialConsistencyAlone(t *testing.T) {
	copies := &explore.Object{Name: "copies", New: func(m *mem.Memory) explore.Instance {
		first, second := mem.NewAtomic(m, "first", 0), mem.NewAtomic(m, "second", 0)
		return func(f string, _ any) any {
			switch f {
			case "first":
				return first.Load()
			case "second":
				return second.Load()
			}
			first.Store(1)
			second.Store(1)
			return nil
		}
	}}
	for _, c := range []struct {
		threads    [][]explore.Call
		sequential Verdict
	}{
		{threads("write", "first", "second"), Pass},
		{threads("write", "first second"), Fail},
	} {
		test := &explore.Case{Object: copies, Threads: c.threads}
		r, err := Check(context.Background(), test, Options{})
		require.NoError(t, err)
		assert.Equal(t, Fail, r.Verdict)
		r, err = Check(context.Background(), test, Options{Sequential: true})
		require.NoError(t, err)
		assert.Equal(t, c.sequential, r.Verdict)
		if r.Failure != nil {
			var text strings.Builder
			require.NoError(t, r.WriteText(&text))
			assert.Contains(t, text.String(), "not sequentially consistent")
		}
	}
}
