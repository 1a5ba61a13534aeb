package lineup

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counter is that of the paper's section 2.2: unlocked has Counter1's inc without lock, unreleased
// Counter2's get, which keeps the lock.
func counter(unlocked, unreleased bool) *explore.Object {
	return &explore.Object{Name: "counter", Ops: []explore.Call{{F: "inc"}, {F: "get"}, {F: "dec"}},
		New: func(m *mem.Memory) explore.Instance {
			lock := mem.NewMutex(m, "lock")
			count := mem.NewInt64(m, "count", 0)
			return func(f string, _ any) any {
				switch f {
				case "inc":
					if unlocked {
						count.Store(count.Load() + 1)
						return nil
					}
					lock.Lock()
					count.Add(1) // dec takes no lock
					lock.Unlock()
					return nil
				case "dec":
					for {
						n := count.Await(func(n int64) bool { return n > 0 })
						if count.CompareAndSwap(n, n-1) {
							return nil
						}
					}
				case "get":
					lock.Lock()
					n := count.Load()
					if !unreleased {
						lock.Unlock()
					}
					return n
				}
				panic("no " + f)
			}
		}}
}

func threads(columns ...string) [][]explore.Call {
	var t [][]explore.Call
	for _, c := range columns {
		var calls []explore.Call
		for _, f := range strings.Fields(c) {
			calls = append(calls, explore.Call{F: f})
		}
		t = append(t, calls)
	}
	return t
}

// replays checks that the schedule of an execution gives the same history again, byte for byte.
func replays(t *testing.T, c *explore.Case, x *explore.Execution) {
	t.Helper()
	schedule, err := explore.ParseSchedule(x.Schedule.String())
	require.NoError(t, err)
	n := 0
	_, err = explore.Run(c.Program(), explore.Replay(schedule), explore.Options{}, func(again *explore.Execution) bool {
		n++
		require.Equal(t, x.Outcome, again.Outcome)
		require.Equal(t, x.Schedule, again.Schedule)
		require.Equal(t, x.Ops, again.Ops)
		return true
	})
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// TestCounters: the two buggy counters of section 2.2 fail, the second one by a stuck history only.
func TestCounters(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		object  *explore.Object
		threads [][]explore.Call
		verdict Verdict
		kind    Kind
	}{
		{counter(false, false), threads("inc get", "inc dec"), Pass, 0},
		{counter(false, false), threads("dec", "inc dec", "inc"), Pass, 0},
		{counter(true, false), threads("inc get", "inc"), Fail, NoWitness},
		{counter(true, false), threads("inc", "get"), Pass, 0},
	} {
		for _, o := range []Options{{}, {Bound: -1}, {Inside: true}, {Strategy: explore.Exhaustive}} {
			r, err := Check(ctx, &explore.Case{Object: c.object, Threads: c.threads}, o)
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Verdict, "%s %s", r.Case.String(), r.Cause)
			if c.verdict == Fail {
				assert.Equal(t, c.kind, r.Failure.Kind)
				replays(t, r.Case, r.Failure.Run)
			}
		}
	}
	// Counter2 forgets to release the lock in serial runs, too: after get, inc blocks. With respect
	// to the specification that its serial runs give, that is not an error. With those of a correct
	// counter it is one (Figure 4).
	bad := &explore.Case{Object: counter(false, true), Threads: threads("get", "inc")}
	r, err := Check(ctx, bad, Options{})
	require.NoError(t, err)
	assert.Equal(t, Pass, r.Verdict)
	good, _, _, err := Synthesize(ctx, &explore.Case{Object: counter(false, false), Threads: bad.Threads}, Options{})
	require.NoError(t, err)
	r, err = CheckAgainst(ctx, bad, good, Options{Trace: true})
	require.NoError(t, err)
	require.Equal(t, Fail, r.Verdict)
	assert.Equal(t, Blocking, r.Failure.Kind)
	assert.Equal(t, "inc", r.Failure.Run.Ops[r.Failure.Op].F)
	assert.NotEmpty(t, r.Failure.Run.Events)
	replays(t, bad, r.Failure.Run)
	assert.False(t, byLinsat(t, good, r.Failure.Run))
	_, err = CheckAgainst(ctx, &explore.Case{Object: bad.Object, Threads: threads("inc", "inc")}, good, Options{})
	assert.ErrorContains(t, err, "operation 1 of thread A is inc(), but get() in the observations")
}

// TestEachPendingOperationNeedsAWitness: of several operations that block each needs a stuck serial
// witness of its own. That one of them has one (dec, before any inc) does not excuse the others.
func TestEachPendingOperationNeedsAWitness(t *testing.T) {
	o, _, _, err := Synthesize(context.Background(), &explore.Case{Object: counter(false, false),
		Threads: threads("dec", "get", "inc")}, Options{})
	require.NoError(t, err)
	for _, c := range []struct {
		inc int32 // when it returns
		op  int
	}{{-1, 2}, {2, -1}} {
		x := &explore.Execution{Outcome: explore.Stuck, Ops: []explore.Op{
			{Thread: 0, F: "dec", Call: 0, Return: -1}, {Thread: 2, F: "inc", Call: 1, Return: c.inc},
			{Thread: 1, F: "get", Call: 3, Return: -1}}}
		_, op, err := o.Accepts(x)
		require.NoError(t, err)
		switch c.op {
		case 2:
			// dec blocks alone, but get and inc never do: the first of them by thread is reported.
			assert.Equal(t, 2, op)
		default: // dec has no reason to block after inc
			assert.Equal(t, 0, op)
		}
		assert.False(t, byLinsat(t, o, x))
	}
}

// TestBlockingInTheMiddle: an operation that blocks with the lock in its hands keeps the others
// from being called. They do not block by themselves, and the object is deterministic.
func TestBlockingInTheMiddle(t *testing.T) {
	object := &explore.Object{Name: "holder", New: func(m *mem.Memory) explore.Instance {
		lock := mem.NewMutex(m, "lock")
		never := mem.NewAtomic(m, "never", false)
		return func(f string, _ any) any {
			lock.Lock()
			if f == "hold" {
				never.Await(func(v bool) bool { return v })
			}
			lock.Unlock()
			return nil
		}
	}}
	o, failure, _, err := Synthesize(context.Background(), &explore.Case{Object: object, Threads: threads("hold", "get",
		"get")}, Options{})
	require.NoError(t, err)
	require.Nil(t, failure)
	assert.Equal(t, map[string]bool{
		"A hold #": true, "B get <nil>, A hold #": true, "C get <nil>, A hold #": true,
		"B get <nil>, C get <nil>, A hold #": true, "C get <nil>, B get <nil>, A hold #": true,
	}, o.texts())
}

// TestNondeterminism: the two runs agree up to an operation with two outcomes.
func TestNondeterminism(t *testing.T) {
	object := func(blocks bool) *explore.Object {
		return &explore.Object{Name: "coin", New: func(m *mem.Memory) explore.Instance {
			never := mem.NewAtomic(m, "never", false)
			last := mem.NewVar(m, "last", 0)
			return func(f string, _ any) any {
				if f == "last" {
					return last.Load()
				}
				n := m.Choose(2)
				if blocks && n == 1 {
					never.Await(func(v bool) bool { return v })
				}
				if f == "toss" {
					last.Store(n + 5)
					return n
				}
				last.Store(n) // hidden: last shows it
				return nil
			}
		}}
	}
	for _, c := range []struct {
		blocks  bool
		threads [][]explore.Call
		op      string
	}{
		{false, threads("last", "toss last"), "toss"},
		{false, threads("last last", "hide"), "last"},
		{true, threads("last", "hide"), "hide"},
		{true, threads("toss"), "toss"},
	} {
		test := &explore.Case{Object: object(c.blocks), Threads: c.threads}
		r, err := Check(context.Background(), test, Options{})
		require.NoError(t, err)
		require.Equal(t, Fail, r.Verdict)
		require.Nil(t, r.Observations)
		f := r.Failure
		require.Equal(t, Nondeterminism, f.Kind)
		require.NotNil(t, f.Other)
		require.Equal(t, c.op, f.Run.Ops[f.Op].F)
		assert.Equal(t, f.Run.Ops[:f.Op], f.Other.Ops[:f.Op])
		a, b := f.Run.Ops[f.Op], f.Other.Ops[f.Op]
		assert.Equal(t, a.F, b.F)
		assert.Equal(t, a.Thread, b.Thread)
		assert.True(t, a.Return < 0 != (b.Return < 0) || a.Result != b.Result)
		replays(t, test, f.Run)
		replays(t, test, f.Other)
		var text strings.Builder
		require.NoError(t, r.WriteText(&text))
		assert.Contains(t, text.String(), "after the same operations "+c.op+"() has two outcomes")
		assert.Equal(t, 2, strings.Count(text.String(), "<history>"))
	}
}

// sloppy is the model without synchronization: it reads the state and writes the next one later,
// and sometimes looks twice.
func (m *sequential) sloppy(twice bool) *explore.Object {
	return &explore.Object{Name: "sloppy", New: func(x *mem.Memory) explore.Instance {
		state := mem.NewAtomic(x, "state", 0)
		return func(f string, _ any) any {
			o := slices.Index(names[:], f)
			s := state.Await(func(s int) bool { return m.next[s][o] >= 0 })
			if m.next[s][o] != s || !twice {
				state.Store(m.next[s][o])
			} else {
				s = state.Load()
			}
			return m.results[s][o]
		}
	}}
}

// TestCheckAgainstDefinition runs random tests of random objects that race and block, and compares
// for each class of executions the definitions, lineup and linsat; and the verdict of Check with
// all of them.
func TestCheckAgainstDefinition(t *testing.T) {
	rounds := testenv.Scale(120, 20000)
	verdicts := map[Verdict]int{}
	kinds := map[Kind]int{}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 4))
		m := randomModel(r)
		c := randomCase(r, m.sloppy(seed%2 == 0), 5)
		result, err := Check(context.Background(), c, Options{Bound: -1})
		require.NoError(t, err, "seed %d", seed)
		require.NotEqual(t, Unknown, result.Verdict)
		verdicts[result.Verdict]++
		want, classes := Pass, map[string]bool{}
		o := result.Observations
		require.NotNil(t, o, "seed %d", seed)
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
			if len(classes)%5 == 1 || !ok {
				require.Equal(t, byDef, byLinsat(t, o, x, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})),
					"seed %d", seed)
			}
			if !ok {
				want = Fail
			}
			return true
		})
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, want, result.Verdict, "seed %d", seed)
		if result.Failure != nil {
			kinds[result.Failure.Kind]++
			replays(t, c, result.Failure.Run)
		}
	}
	t.Log(verdicts, kinds)
	assert.Greater(t, verdicts[Pass], testenv.MoreThan(rounds/10))
	assert.Greater(t, kinds[NoWitness], testenv.MoreThan(rounds/20))
	assert.Greater(t, kinds[Blocking], testenv.MoreThan(0))
}

func TestBeforeAndAfter(t *testing.T) {
	c := &explore.Case{Object: counter(true, false), Before: threads("inc")[0], Threads: threads("inc", "inc"),
		After: threads("get")[0]}
	r, err := Check(context.Background(), c, Options{})
	require.NoError(t, err)
	require.Equal(t, Fail, r.Verdict)
	replays(t, c, r.Failure.Run)
	small, err := Shrink(context.Background(), r, Options{})
	require.NoError(t, err)
	assert.Equal(t, "; inc() | inc(); get()", small.Case.String())
	assert.False(t, byLinsat(t, r.Observations, r.Failure.Run))
	// An operation before the threads that blocks: one run, stuck.
	c = &explore.Case{Object: counter(false, false), Before: threads("dec")[0], Threads: threads("inc")}
	r, err = Check(context.Background(), c, Options{})
	require.NoError(t, err)
	assert.Equal(t, Pass, r.Verdict)
	full, stuck := r.Observations.Histories()
	assert.Equal(t, []int{0, 1}, []int{full, stuck})
}

func TestAutoCheck(t *testing.T) {
	r, err := AutoCheck(context.Background(), counter(true, false), Options{})
	require.NoError(t, err)
	require.Equal(t, Fail, r.Verdict)
	threads, operations := Dimension(r.Case)
	assert.Equal(t, []int{2, 2}, []int{threads, operations})
	r, err = AutoCheck(context.Background(), counter(false, false), Options{MaxDimension: 2})
	require.NoError(t, err)
	assert.Equal(t, Pass, r.Verdict)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	r, err = AutoCheck(ctx, counter(false, false), Options{})
	require.NoError(t, err)
	require.NotNil(t, r)
	assert.Equal(t, Pass, r.Verdict)
}

// TestSquareTests: as many tests as there are multisets of columns, none of them twice.
func TestSquareTests(t *testing.T) {
	next := squareTests(counter(false, false), 2, Options{})
	seen := map[string]bool{}
	for c := next(); c != nil; c = next() {
		seen[sorted(c).String()] = true
		require.LessOrEqual(t, len(seen), 10)
	}
	assert.Len(t, seen, 10) // 2 of 2 operations: 4 columns, 4·5/2 pairs
}

func TestRandomCheck(t *testing.T) {
	o := Options{Seed: 7, Workers: 2}
	s, err := RandomCheck(context.Background(), counter(true, false), 3, 3, 20, o)
	require.NoError(t, err)
	assert.Equal(t, 20, s.Passed+s.Failed)
	assert.Greater(t, s.Failed, 2)
	again, err := RandomCheck(context.Background(), counter(true, false), 3, 3, 20, Options{Seed: 7, Workers: 1})
	require.NoError(t, err)
	for i := range s.Results {
		assert.Equal(t, s.Results[i].Case.String(), again.Results[i].Case.String())
		assert.Equal(t, s.Results[i].Verdict, again.Results[i].Verdict)
	}
	small, err := Shrink(context.Background(), s.First(), o)
	require.NoError(t, err)
	threads, operations := Dimension(small.Case)
	assert.LessOrEqual(t, threads*operations, 4)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err = RandomCheck(ctx, counter(true, false), 3, 3, 20, o)
	require.NoError(t, err)
	assert.Empty(t, s.Results)
	_, err = RandomCheck(context.Background(), &explore.Object{Name: "x"}, 1, 1, 1, o)
	assert.ErrorContains(t, err, "object x lists no operations")
}

// TestShrinkFindsASmallest compares with all sub-tests, and shrinks a test that is too large for
// that.
func TestShrinkFindsASmallest(t *testing.T) {
	ctx := context.Background()
	rounds := testenv.Scale(3, 30)
	for seed := range uint64(rounds) {
		s, err := RandomCheck(ctx, counter(true, false), 2, 3, 6, Options{Seed: seed})
		require.NoError(t, err)
		r := s.First()
		if r == nil {
			continue
		}
		small, err := Shrink(ctx, r, Options{})
		require.NoError(t, err)
		for _, c := range subTests(r.Case) {
			if area(c) < area(small.Case) || area(c) == area(small.Case) && count(c) < count(small.Case) {
				again, err := Check(ctx, c, Options{})
				require.NoError(t, err)
				require.False(t, again.Verdict == Fail && again.Failure.Kind == r.Failure.Kind, "seed %d: %s",
					seed, c.String())
			}
		}
	}
	large := &explore.Case{Object: counter(true, false), Before: threads("inc inc inc inc inc inc get get get get")[0],
		Threads: threads("inc get", "inc get"), After: threads("get get")[0]}
	r, err := Check(ctx, large, Options{})
	require.NoError(t, err)
	require.Equal(t, Fail, r.Verdict)
	small, err := Shrink(ctx, r, Options{})
	require.NoError(t, err)
	assert.Equal(t, 3, count(small.Case), small.Case.String())
}

// TestShrinkKeepsTheKind: a smaller test fails in another way, which is not what was asked about.
func TestShrinkKeepsTheKind(t *testing.T) {
	object := &explore.Object{Name: "watcher", New: func(m *mem.Memory) explore.Instance {
		x := mem.NewInt64(m, "x", 0)
		return func(f string, _ any) any {
			if f == "add" {
				x.Add(1)
				return nil
			}
			seen := x.Load()
			more := x.Load() - seen
			if more > 1 {
				x.Await(func(int64) bool { return false })
			}
			return more
		}
	}}
	for _, c := range []struct {
		test       [][]explore.Call
		kind       Kind
		threads    int
		operations int
	}{
		{threads("watch", "add add add"), Blocking, 2, 2},
		{threads("watch", "add add", "add"), Blocking, 3, 1},
		{threads("watch", "add"), NoWitness, 2, 1},
	} {
		r, err := Check(context.Background(), &explore.Case{Object: object, Threads: c.test}, Options{})
		require.NoError(t, err)
		require.Equal(t, Fail, r.Verdict)
		require.Equal(t, c.kind, r.Failure.Kind)
		small, err := Shrink(context.Background(), r, Options{})
		require.NoError(t, err)
		assert.Equal(t, c.kind, small.Failure.Kind)
		threads, operations := Dimension(small.Case)
		assert.Equal(t, []int{c.threads, c.operations}, []int{threads, operations})
	}
}

// TestUndecided: what is cut off has no verdict, unless it failed before.
func TestUndecided(t *testing.T) {
	ctx := context.Background()
	spin := &explore.Object{Name: "spin", New: func(m *mem.Memory) explore.Instance {
		flag, n := mem.NewAtomic(m, "flag", false), mem.NewInt64(m, "n", 0)
		return func(f string, _ any) any {
			switch f {
			case "set":
				flag.Store(true)
			case "spin":
				for !flag.Load() {
					m.Yield()
				}
			case "count":
				for n.Add(1) < 1000 {
					m.Yield()
				}
			case "panic":
				if flag.Load() {
					panic("flag is set")
				}
			}
			return nil
		}
	}}
	r, err := Check(ctx, &explore.Case{Object: spin, Threads: threads("spin", "set")}, Options{MaxSteps: 5})
	require.NoError(t, err)
	assert.Equal(t, Unknown, r.Verdict, "five steps show no livelock")
	r, err = Check(ctx, &explore.Case{Object: spin, Threads: threads("count")}, Options{MaxSteps: 100})
	require.NoError(t, err)
	assert.Equal(t, Unknown, r.Verdict, "a loop with progress")
	assert.Equal(t, "serial runs: 1 executions were cut off at the bound on steps", r.Cause)
	r, err = Check(ctx, &explore.Case{Object: spin, Threads: threads("panic", "set")}, Options{})
	require.NoError(t, err)
	require.Equal(t, Fail, r.Verdict)
	assert.Equal(t, Panic, r.Failure.Kind)
	r, err = Check(ctx, &explore.Case{Object: counter(true, false), Threads: threads("inc get", "inc get")},
		Options{MaxRuns: 20, Inside: true})
	require.NoError(t, err)
	assert.Equal(t, Fail, r.Verdict)
	r, err = Check(ctx, &explore.Case{Object: counter(false, false), Threads: threads("inc dec", "inc dec")},
		Options{MaxRuns: 8, Inside: true})
	require.NoError(t, err)
	assert.Equal(t, Unknown, r.Verdict)
	assert.Equal(t, "concurrent runs: runs after 8 executions", r.Cause)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	r, err = Check(gone, &explore.Case{Object: counter(false, false), Threads: threads("inc", "inc")}, Options{})
	require.NoError(t, err)
	assert.Equal(t, "serial runs: interrupted", r.Cause)
	r, err = Check(ctx, &explore.Case{Object: counter(false, false), Threads: threads("inc inc inc inc",
		"inc inc inc inc", "inc inc inc inc", "inc inc inc inc")}, Options{MaxTime: 50 * time.Millisecond})
	require.NoError(t, err)
	assert.Equal(t, "serial runs: time", r.Cause)
	strange := &explore.Object{Name: "strange", New: func(*mem.Memory) explore.Instance {
		return func(string, any) any { return 1.5 }
	}}
	_, err = Check(ctx, &explore.Case{Object: strange, Threads: threads("f")}, Options{})
	assert.ErrorContains(t, err, "result of f(): a value of type float64")
}

// TestText: a failure is told as in the paper's Figure 7.
func TestText(t *testing.T) {
	r, err := Check(context.Background(), &explore.Case{Object: counter(true, false),
		Threads: threads("inc get", "inc")}, Options{})
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	for _, line := range []string{
		"counter: fail", "thread A inc(), get()", "phase 1: 3 serial runs, 3 histories, 0 of them stuck",
		"Line-Up encountered a non-linearizable history:", `<thread id="A">1 2</thread>`,
		`<op id="2" name="get">result="1"</op>`, "schedule ",
	} {
		assert.Contains(t, text.String(), line)
	}
}

// One of a kind is written as one.
func TestCountsInWords(t *testing.T) {
	r, err := Check(context.Background(), &explore.Case{Object: counter(false, false), Threads: threads("get")},
		Options{})
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	assert.Contains(t, text.String(),
		"phase 1: 1 serial run, 1 history, 0 of them stuck\nphase 2: 1 run, 1 class of histories, 0 of them stuck\n")
}
