package localize

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counter has a faulty increment, which returns what it read.
var counter = &explore.Object{Name: "counter", Spec: "counter", New: func(m *mem.Memory) explore.Instance {
	n := mem.NewInt64(m, "n", 0)
	return func(f string, _ any) any {
		switch f {
		case "inc":
			n.Store(n.Load() + 1)
			return nil
		case "read":
			return n.Load()
		}
		panic(f)
	}
}}

var inc, readCounter = explore.Call{F: "inc"}, explore.Call{F: "read"}

// TestThreeThreads: a lost update among three, with operations before and after them.
func TestThreeThreads(t *testing.T) {
	c := &explore.Case{Object: counter, Before: []explore.Call{inc}, Threads: [][]explore.Call{{inc}, {inc}, {inc}},
		After: []explore.Call{readCounter}}
	r, err := Find(context.Background(), c, testkit.Spec(t, "counter"), Options{})
	require.NoError(t, err)
	assert.True(t, r.Complete)
	assert.Equal(t, uint64(90), r.Traces, "6!/2!³")
	assert.Equal(t, uint64(84), r.Failing, "all but the serial ones")
	assert.Equal(t, GreyGrey, r.Root)
	assert.True(t, r.Trace.Races.WellFormed())
	threeWay := false
	for _, s := range r.Trace.Steps {
		threeWay = threeWay || len(s.Branches) == 3
	}
	assert.True(t, threeWay)
	var b bytes.Buffer
	require.NoError(t, r.Text(&b))
	assert.Contains(t, b.String(), "inc() ; inc() | inc() | inc() ; read()")
	assert.Contains(t, b.String(), "localize/find_test.go:")
}

// TestBounds: a search that was cut short says so, and what it says holds for its part.
func TestBounds(t *testing.T) {
	c := &explore.Case{Object: counter, Threads: [][]explore.Call{{inc, inc}, {inc, inc}, {inc}},
		After: []explore.Call{readCounter}}
	s := testkit.Spec(t, "counter")
	whole, err := Find(context.Background(), c, s, Options{})
	require.NoError(t, err)
	require.True(t, whole.Complete)
	for _, x := range []struct {
		o       Options
		stopped string
	}{{Options{MaxRuns: 40}, "runs"}, {Options{MaxStates: 60}, "states"}, {Options{MaxTime: time.Nanosecond}, "time"}} {
		r, err := Find(context.Background(), c, s, x.o)
		require.NoError(t, err, x.stopped)
		assert.False(t, r.Complete, x.stopped)
		assert.Equal(t, x.stopped, r.Stopped)
		assert.Less(t, r.Traces, whole.Traces)
		assert.LessOrEqual(t, r.Failing, whole.Failing)
		assert.NotEmpty(t, r.limits())
		if x.stopped == "time" {
			assert.Zero(t, r.Traces)
			continue
		}
		assert.Positive(t, r.Failing, x.stopped)
		assert.True(t, r.g.nodes[0].open)
		assert.Contains(t, r.verdict(), "interleavings explored")
		var b bytes.Buffer
		require.NoError(t, r.Text(&b))
		assert.Contains(t, b.String(), "not every interleaving was explored")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Find(ctx, c, s, Options{})
	require.NoError(t, err)
	assert.Equal(t, "cancelled", r.Stopped)
	assert.Contains(t, r.limits(), "cancelled")
	// In the middle: what fails by then is shown, with its reasons.
	ctx, cancel = context.WithCancel(context.Background())
	f := &finder{ctx: ctx, c: c, spec: s}
	f.classify = func(e *explore.Execution) (outcome, error) {
		o, err := f.check(e)
		if o.fails {
			cancel()
		}
		return o, err
	}
	r, err = f.search()
	require.NoError(t, err)
	assert.Equal(t, "cancelled", r.Stopped)
	assert.Equal(t, uint64(1), r.Failing)
	trace, err := f.trace(r)
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, trace.Check.Verdict)
}

// TestSteps: a spin loop without Yield never ends; the result says that not everything was seen.
func TestSteps(t *testing.T) {
	object := &explore.Object{Name: "spin", Spec: "register", New: func(m *mem.Memory) explore.Instance {
		ready := mem.NewInt64(m, "ready", 0)
		return func(f string, _ any) any {
			if f == "write" {
				ready.Store(1)
				return nil
			}
			for ready.Load() == 0 {
			}
			return nil
		}
	}}
	c := &explore.Case{Object: object, Threads: [][]explore.Call{{{F: "read"}}, {{F: "write", Arg: 1}}}}
	r, err := Find(context.Background(), c, testkit.Spec(t, "register"), Options{MaxSteps: 20})
	require.NoError(t, err)
	assert.False(t, r.Complete)
	assert.Equal(t, "steps", r.Stopped)
	assert.Equal(t, 2, r.Leaves[explore.CutOff], "20 reads, or 19 and the write")
	assert.True(t, r.g.nodes[0].open)
	assert.Contains(t, r.limits(), "bound on steps")
}

// TestDeadlock: two locks taken in two orders.
func TestDeadlock(t *testing.T) {
	object := &explore.Object{Name: "locks", Spec: "counter", New: func(m *mem.Memory) explore.Instance {
		a, b := mem.NewMutex(m, "a"), mem.NewMutex(m, "b")
		n := mem.NewInt64(m, "n", 0)
		return func(f string, _ any) any {
			first, second := a, b
			if f == "decr" {
				first, second = b, a
			}
			first.Lock()
			second.Lock()
			n.Add(map[string]int64{"inc": 1, "decr": -1}[f])
			second.Unlock()
			first.Unlock()
			return nil
		}
	}}
	c := &explore.Case{Object: object, Threads: [][]explore.Call{{inc}, {{F: "decr"}}}}
	r, err := Find(context.Background(), c, testkit.Spec(t, "counter"), Options{})
	require.NoError(t, err)
	assert.True(t, r.Linearizable(), "what is blocked is pending")
	assert.Positive(t, r.Leaves[explore.Stuck])
	r, err = Find(context.Background(), c, testkit.Spec(t, "counter"), Options{Deadlocks: true})
	require.NoError(t, err)
	assert.Equal(t, "deadlock", r.Trace.Why)
	assert.Equal(t, "G", r.Trace.Races.String())
	last := r.Trace.Steps[len(r.Trace.Steps)-1]
	assert.Equal(t, "b", last.Branches[last.Taken].Event.Name)
	assert.Equal(t, explore.Stuck, r.Trace.Execution.Outcome)
	var b bytes.Buffer
	require.NoError(t, r.Text(&b))
	assert.Contains(t, b.String(), "history: deadlock")
	require.NoError(t, r.HTML(&b))
}

// TestPanic: an index that another thread moves past the end.
func TestPanic(t *testing.T) {
	object := &explore.Object{Name: "index", Spec: "counter", New: func(m *mem.Memory) explore.Instance {
		n := mem.NewInt64(m, "n", 0)
		return func(f string, _ any) any {
			if f == "inc" {
				n.Add(1)
				return nil
			}
			if n.Load() == 0 {
				return []int64{0}[n.Load()]
			}
			return int64(1)
		}
	}}
	c := &explore.Case{Object: object, Threads: [][]explore.Call{{inc}, {readCounter}}}
	r, err := Find(context.Background(), c, testkit.Spec(t, "counter"), Options{})
	require.NoError(t, err)
	require.NotNil(t, r.Trace)
	assert.Contains(t, r.Trace.Why, "index out of range")
	assert.Equal(t, "WgG", r.Trace.Races.String())
	assert.Equal(t, uint64(1), r.Failing)
	var b bytes.Buffer
	require.NoError(t, r.HTML(&b))
	assert.Contains(t, b.String(), "index out of range")
}

// TestChoice: a coin of the object decides.
func TestChoice(t *testing.T) {
	object := &explore.Object{Name: "coin", Spec: "counter", New: func(m *mem.Memory) explore.Instance {
		n := mem.NewInt64(m, "n", 0)
		return func(f string, _ any) any {
			if f == "inc" {
				if m.Choose(3) != 1 {
					n.Add(1)
				}
				return nil
			}
			return n.Load()
		}
	}}
	c := &explore.Case{Object: object, Threads: [][]explore.Call{{inc}}, After: []explore.Call{readCounter}}
	r, err := Find(context.Background(), c, testkit.Spec(t, "counter"), Options{})
	require.NoError(t, err)
	assert.Equal(t, uint64(3), r.Traces)
	assert.Equal(t, uint64(1), r.Failing)
	assert.Equal(t, "G", r.Trace.Races.String())
	assert.Equal(t, Coin, r.Trace.Steps[0].Race)
	assert.Len(t, r.Trace.Steps[0].Branches, 3)
	assert.Equal(t, 1, r.Trace.Steps[0].Branches[r.Trace.Steps[0].Taken].Choice)
	var b bytes.Buffer
	require.NoError(t, r.Text(&b))
	assert.Contains(t, b.String(), "choose 1")
	require.NoError(t, r.HTML(&b))
}

// TestSpinning: fairness looks at the order of the past, so states behind a Yield are not merged,
// and the tree is that of explore.Exhaustive.
func TestSpinning(t *testing.T) {
	object := &explore.Object{Name: "spin", Spec: "register", New: func(m *mem.Memory) explore.Instance {
		ready, x := mem.NewInt64(m, "ready", 0), mem.NewInt64(m, "x", 0)
		return func(f string, arg any) any {
			if f == "write" {
				x.Store(int64(arg.(int)))
				ready.Store(1)
				return nil
			}
			for ready.Load() == 0 {
				m.Yield()
			}
			return x.Load()
		}
	}}
	c := &explore.Case{Object: object, Threads: [][]explore.Call{{{F: "write", Arg: 1}}, {{F: "read"}},
		{{F: "write", Arg: 2}}}}
	r, err := Find(context.Background(), c, testkit.Spec(t, "register"), Options{})
	require.NoError(t, err)
	require.True(t, r.Complete)
	runs, failing := 0, 0
	f := &finder{ctx: context.Background(), c: c, spec: testkit.Spec(t, "register")}
	_, err = explore.Run(c.Program(), explore.Exhaustive(), explore.Options{}, func(e *explore.Execution) bool {
		runs++
		o, err := f.check(e)
		require.NoError(t, err)
		if o.fails {
			failing++
		}
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, uint64(runs), r.Traces)
	assert.Equal(t, uint64(failing), r.Failing)
	assert.Greater(t, runs, 50)
}

// TestErrors: operations that the specification does not know, programs that do not repeat
// themselves, sequences that no trace has.
func TestErrors(t *testing.T) {
	c := &explore.Case{Object: counter, Threads: [][]explore.Call{{inc}, {inc}}, After: []explore.Call{readCounter}}
	_, err := Find(context.Background(), c, testkit.Spec(t, "queue"), Options{})
	assert.ErrorContains(t, err, "schedule")
	_, err = Find(context.Background(), c, testkit.Spec(t, "counter"),
		Options{Sequence: Sequence{BlackGrey, BlackGrey, Grey}})
	assert.ErrorContains(t, err, "no failing trace has the critical sequence BgBgG")
	times := 0
	fickle := &explore.Object{Name: "fickle", Spec: "counter", New: func(m *mem.Memory) explore.Instance {
		times++
		n, other := mem.NewInt64(m, "n", 0), mem.NewInt64(m, "m", 0)
		return func(string, any) any {
			if times%2 == 0 {
				n.Store(other.Load())
			}
			n.Add(1)
			return nil
		}
	}}
	_, err = Find(context.Background(), &explore.Case{Object: fickle, Threads: [][]explore.Call{{inc}, {inc}}},
		testkit.Spec(t, "counter"), Options{})
	var nondeterministic *explore.Nondeterministic
	assert.True(t, errors.As(err, &nondeterministic), "%v", err)
}

// TestPanicBeforeAnyOperation: there is neither a schedule nor a history to show.
func TestPanicBeforeAnyOperation(t *testing.T) {
	c := &explore.Case{Object: counter, Threads: [][]explore.Call{{{F: "fly"}}, {inc}}}
	r, err := Find(context.Background(), c, testkit.Spec(t, "counter"), Options{})
	require.NoError(t, err)
	require.NotNil(t, r.Trace)
	assert.Nil(t, r.Trace.History)
	assert.Equal(t, "panic: fly", r.Trace.Why)
	var b bytes.Buffer
	require.NoError(t, r.Text(&b))
	assert.Contains(t, b.String(), "not linearizable in 1 of 1 interleaving\n")
	assert.Contains(t, b.String(),
		"critical data race sequence none\nno schedule: it fails before the threads make any access\n\nhistory: "+
			"panic: fly\n")
	b.Reset()
	require.NoError(t, r.HTML(&b))
	assert.Contains(t, b.String(), "panic: fly")
}

// TestCountsInWords: one interleaving, and two.
func TestCountsInWords(t *testing.T) {
	for want, threads := range map[string][][]explore.Call{
		"counter: linearizable in the only interleaving\n": {{readCounter}},
		"counter: linearizable in both interleavings\n":    {{readCounter}, {readCounter}},
		"counter: linearizable in all 6 interleavings\n":   {{readCounter}, {readCounter}, {readCounter}},
	} {
		r, err := Find(context.Background(), &explore.Case{Object: counter, Threads: threads},
			testkit.Spec(t, "counter"), Options{})
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, r.Text(&b))
		assert.Contains(t, b.String(), want)
	}
}

// TestManyLocations: variables of one name are told apart, however many there are.
func TestManyLocations(t *testing.T) {
	const many = 0xe000 // beyond the numbers that are not runes
	s := newInterleave(false, 100)
	_, err := explore.Run(func(x *explore.Exec) {
		s.memory = x.Memory()
		s.memory.KeepNames()
		for range many {
			mem.NewInt64(x.Memory(), "n", 0)
		}
	}, s, explore.Options{}, func(*explore.Execution) bool {
		seen := map[int32]bool{}
		for loc := range int32(many) {
			seen[s.variable(loc)] = true
		}
		assert.Len(t, seen, many)
		return false
	})
	require.NoError(t, err)
}
