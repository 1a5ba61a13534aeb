package explore

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var treiberObject = &Object{Name: "treiber", Spec: "stack", New: treiber,
	Ops: []Call{{"push", 1}, {"push", 2}, {"pop", nil}}}
var msqueueObject = &Object{Name: "msqueue", Spec: "queue", New: msqueue,
	Ops: []Call{{"enq", 1}, {"enq", 2}, {"deq", nil}}}

// racyStack writes the head instead of swapping it.
func racyStack(m *mem.Memory) Instance {
	head := mem.NewAtomic[*stackNode](m, "head", nil)
	return func(f string, arg any) any {
		top := head.Load()
		switch f {
		case "push":
			head.Store(&stackNode{value: arg.(int), next: top})
			return nil
		case "pop":
			if top == nil {
				return nil
			}
			head.Store(top.next)
			return top.value
		}
		panic(f)
	}
}

var racyObject = &Object{Name: "racy", Spec: "stack", New: racyStack}

func parsed(t testing.TB, o *Object, text string) *Case {
	t.Helper()
	c, err := ParseCase(o, text)
	require.NoError(t, err)
	return c
}

func TestParseCase(t *testing.T) {
	for in, out := range map[string]string{
		"push(1) pop|pop()":             "push(1) pop() | pop()",
		`a; b("x|;)") c([1,{"k":2}])|d`: `a(); b("x|;)") c([1,{"k":2}]) | d()`,
		"a|b;c d":                       "",
		"a;b|c;d e":                     "a(); b() | c(); d() e()",
		";b;d":                          "; b(); d()",
		"a;b;c;d":                       "",
		"f(":                            "",
		"f(1":                           "",
		"f(1,2)":                        "",
		"f(1.5)":                        "",
		"f(x)":                          "",
		"push 1 | pop":                  "",
		"push -1":                       "",
		`push "a"`:                      "",
		"push [1]":                      "",
		"(3)":                           "",
		"":                              "",
		"a||b":                          "",
		"f( null ) g( -3 )":             "f() g(-3)",
	} {
		c, err := ParseCase(treiberObject, in)
		if out == "" {
			assert.ErrorContains(t, err, fmt.Sprintf("test %q", in), in)
			continue
		}
		if assert.NoError(t, err, in) {
			assert.Equal(t, out, c.String())
			assert.Equal(t, out, parsed(t, treiberObject, c.String()).String())
		}
	}
}

func TestParseCaseHints(t *testing.T) {
	_, err := ParseCase(treiberObject, "push 1 | pop")
	assert.EqualError(t, err,
		`test "push 1 | pop": 1 is not the name of an operation; write arguments in parentheses, as in push(1)`)
}

func TestCheckAccepts(t *testing.T) {
	for _, c := range []struct {
		object *Object
		test   string
		s      Strategy
	}{
		{treiberObject, "push(1) pop | push(2) pop", Exhaustive()},
		{treiberObject, "push(9); push(1) pop | pop push(2) | pop; pop pop", nil},
		{msqueueObject, "enq(1) deq enq(2) | deq enq(3) deq | enq(4) deq deq", nil},
		{msqueueObject, "enq(1) deq | deq", Exhaustive()},
	} {
		s, _ := specs.Lookup(c.object.Spec)
		r, err := Check(context.Background(), parsed(t, c.object, c.test), s, CheckOptions{Strategy: c.s})
		require.NoError(t, err)
		assert.Equal(t, engine.Linearizable, r.Verdict, "%s: %s", c.object.Name, r.Why)
		assert.Nil(t, r.Violation)
		assert.NotZero(t, r.Classes)
	}
}

// TestCheckFindsTheLostUpdate finds it, and its schedule, its saved history and its text say the
// same.
func TestCheckFindsTheLostUpdate(t *testing.T) {
	c := parsed(t, racyObject, "push(3); push(1) | push(2); pop pop pop")
	r, err := Check(context.Background(), c, specs.Stack(), CheckOptions{All: true, Strategy: Exhaustive()})
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Verdict)
	assert.Equal(t, 6, r.Stats.Executions)
	assert.Equal(t, 4, r.BadRuns)
	assert.Equal(t, 2, r.Bad, "either of the two is lost")
	v := r.Violation
	require.NotNil(t, v)
	assert.Equal(t, "not linearizable", v.What)
	assert.Equal(t, 1, v.Preemptions)
	require.NotNil(t, v.Result.Core, "an argument")

	// The saved history is refuted, too.
	var b bytes.Buffer
	require.NoError(t, history.WriteJSON(&b, v.History))
	h, err := history.Read(&b, history.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, "stack", h.Spec)
	again, err := linsat.Check(context.Background(), specs.Stack(), h)
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, again.Verdict)

	var text bytes.Buffer
	r.WriteText(&text, TextStyle{})
	for _, want := range []string{
		"racy: not linearizable", "test: push(3); push(1) | push(2); pop() pop() pop()", "every schedule: 6 executions",
		"schedule 0110 (1 preemption)", "push(1)\n      read head: #1", "write head: #1 → #2", "check_test.go:",
		"→ null", "main",
	} {
		assert.Contains(t, text.String(), want)
	}
}

func TestCheckReportsPanicsAndDeadlocks(t *testing.T) {
	broken := &Object{Name: "broken", Spec: "register", New: func(m *mem.Memory) Instance {
		v, l := mem.NewInt64(m, "v", 0), mem.NewMutex(m, "l")
		return func(f string, _ any) any {
			switch f {
			case "boom":
				if v.Add(1) == 2 {
					panic("two at once")
				}
				v.Add(-1)
			case "lock":
				l.Lock()
			}
			return nil
		}
	}}
	ctx := context.Background()
	r, err := Check(ctx, parsed(t, broken, "boom | boom"), specs.Register(), CheckOptions{})
	require.Error(t, err, "register knows no boom")
	require.Nil(t, r)
	// A panic alone needs no judging: the first schedule panics.
	r, err = Check(ctx, parsed(t, broken, "boom boom | boom"), specs.Register(),
		CheckOptions{Strategy: Replay(Schedule{0, 1})})
	require.NoError(t, err)
	assert.Equal(t, "panic", r.Violation.What)
	var text bytes.Buffer
	r.WriteText(&text, TextStyle{})
	assert.Contains(t, text.String(),
		"panic: two at once\n  in boom() of thread 1\n  "+
			"github.com/linsat/linsat/explore.TestCheckReportsPanicsAndDeadlocks")
	assert.Contains(t, text.String(), "thread 1: boom() did not return")
	mutex := &Object{Name: "unfree", Spec: "mutex", New: func(m *mem.Memory) Instance {
		l := mem.NewMutex(m, "l")
		return func(f string, _ any) any {
			if f == "acquire" {
				l.Lock()
			}
			return nil
		}
	}}
	r, err = Check(ctx, parsed(t, mutex, "acquire release | acquire"), specs.Mutex(), CheckOptions{})
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Verdict)
	assert.Equal(t, "stuck", r.Violation.What)
	text.Reset()
	r.WriteText(&text, TextStyle{})
	assert.Contains(t, text.String(), "stuck: no thread can go on\nacquire() of thread 1 waits, although it could go on in "+
		"every order of what returned; for instance, after acquire() → null, release() → null the state is")
	r, err = Check(ctx, parsed(t, mutex, "acquire | acquire"), specs.Mutex(), CheckOptions{})
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict, "the second may wait for ever")
	assert.Equal(t, 2, r.Stats.Outcomes[Stuck])
}

func TestCheckSaysWhatIsMissing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := parsed(t, treiberObject, "push(1) pop | push(2) pop")
	r, err := Check(ctx, c, specs.Stack(), CheckOptions{Options: Options{MaxRuns: 3}})
	require.NoError(t, err)
	assert.Equal(t, engine.Unknown, r.Verdict)
	assert.Equal(t, "the bound of 3 executions", r.Why)
	r, err = Check(ctx, c, specs.Stack(), CheckOptions{Options: Options{MaxSteps: 3}})
	require.NoError(t, err)
	assert.Contains(t, r.Why, "reached the bound on steps")
	r, err = Check(ctx, c, specs.Stack(), CheckOptions{Options: Options{MaxTime: time.Nanosecond}})
	require.NoError(t, err)
	assert.Equal(t, "out of time", r.Why)
	cancel()
	r, err = Check(ctx, c, specs.Stack(), CheckOptions{})
	require.NoError(t, err)
	assert.Equal(t, engine.Unknown, r.Verdict)
	assert.Equal(t, "interrupted", r.Why)
}

// What goes wrong before any access of a thread has no schedule; the operation is named all the
// same.
func TestPanicBeforeAnyAccess(t *testing.T) {
	flying := &Object{Name: "flying", Spec: "stack", New: func(m *mem.Memory) Instance {
		instance := racyStack(m)
		return func(f string, arg any) any {
			if f == "fly" {
				panic(f)
			}
			return instance(f, arg)
		}
	}}
	for want, c := range map[string]*Case{
		"panic: fly\n  in fly() of thread 0\n  github.com/linsat/linsat/explore.TestPanicBeforeAnyAccess.func1.1 (": parsed(t, flying, "fly | pop"),
		"panic: fly\n  in fly() of thread 1\n":      parsed(t, flying, "pop | fly"),
		"panic: fly\n  in fly() of main\n":          parsed(t, flying, "fly; pop"),
		"panic: explore: object \"x\" has no New\n": parsed(t, &Object{Name: "x"}, "fly"),
		"panic: explore: New of object \"x\" returns no Instance\n": parsed(t,
			&Object{Name: "x", New: func(*mem.Memory) Instance { return nil }}, "fly"),
	} {
		r, err := Check(context.Background(), c, specs.Stack(), CheckOptions{})
		require.NoError(t, err)
		require.NotNil(t, r.Violation, want)
		var b bytes.Buffer
		r.WriteText(&b, TextStyle{})
		assert.Contains(t, b.String(), "\nno schedule: it happens before any access of the threads\n")
		assert.Contains(t, b.String(), want)
	}
	fly := parsed(t, flying, "fly | pop")
	t.Setenv(scheduleVariable, caseName(fly)+"/")
	r := record(func(t testing.TB) { Test(t, flying, nil, CheckOptions{}, "fly | pop") })
	assert.False(t, r.failed)
	assert.Contains(t, strings.Join(r.logged, "\n"),
		"no access of a thread: panicked\npanic: fly\n  in fly() of thread 0\n")
	// After an access of another operation, and in code that is none.
	report, err := Check(context.Background(), parsed(t, flying, "pop fly | pop"), specs.Stack(), CheckOptions{})
	require.NoError(t, err)
	e := report.Violation.Execution
	assert.Equal(t, &Op{Thread: 0, F: "fly", Call: -1, Return: -1}, e.PanicOp)
	e, err = once(func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		x.Go(func(t *Thread) {
			t.Do("f", nil, func() any { v.Load(); return nil })
			panic("between")
		})
	}, nil, Options{})
	require.NoError(t, err)
	assert.Equal(t, "between", e.Panic)
	assert.Nil(t, e.PanicOp)
}

// An operation that touches nothing shared has no line of the object's code.
func TestOperationsWithoutAccesses(t *testing.T) {
	idle := &Object{Name: "idle", Spec: "register", New: func(*mem.Memory) Instance {
		return func(string, any) any { return "ok" }
	}}
	e, err := once(parsed(t, idle, "write(0) | read").Program(), nil, Options{Trace: true})
	require.NoError(t, err)
	require.Len(t, e.Events, 2)
	assert.Empty(t, e.Events[0].File)
	var b bytes.Buffer
	e.WriteTrace(&b)
	assert.Equal(t,
		"  thread 0\n    write(0)\n      touches no shared memory\n      → \"ok\"\n  thread 1\n    read()\n      "+
			"touches no shared memory\n      → \"ok\"\n", b.String())
}

func TestBoundsBelowZeroAreRefused(t *testing.T) {
	for name, o := range map[string]Options{"MaxSteps": {MaxSteps: -1}, "MaxRuns": {MaxRuns: -1},
		"MaxTime": {MaxTime: -1}, "Hang": {Hang: -1}} {
		_, err := Run(adders(1, 1), Exhaustive(), o, func(*Execution) bool { return true })
		assert.EqualError(t, err, "options: "+name+" is negative")
		_, err = Check(context.Background(), parsed(t, racyObject, "pop"), specs.Stack(), CheckOptions{Options: o})
		assert.Error(t, err, name)
	}
}

func TestCheckFindsResultsThatDoNotRepeat(t *testing.T) {
	n := 0
	random := &Object{Name: "random", Spec: "counter", New: func(m *mem.Memory) Instance {
		return func(string, any) any { n++; return n }
	}}
	_, err := Check(context.Background(), parsed(t, random, "read | read"), specs.Counter(), CheckOptions{})
	var nd *Nondeterministic
	require.ErrorAs(t, err, &nd)
	assert.Contains(t, err.Error(), "the results of operations differ")
}

// recorder is a testing.TB that keeps what a failing test says.
type recorder struct {
	testing.TB
	logged []string
	failed bool
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "TestRacy" }
func (r *recorder) Log(args ...any) {
	r.logged = append(r.logged, fmt.Sprint(args...))
}
func (r *recorder) Fatal(args ...any) {
	r.Log(args...)
	r.failed = true
	runtime.Goexit()
}
func (r *recorder) Logf(f string, args ...any) { r.Log(fmt.Sprintf(f, args...)) }
func (r *recorder) Errorf(f string, args ...any) {
	r.Logf(f, args...)
	r.failed = true
}
func (r *recorder) Fatalf(f string, args ...any) { r.Fatal(fmt.Sprintf(f, args...)) }

// record runs f as a test of its own.
func record(f func(t testing.TB)) *recorder {
	r := &recorder{}
	var wait sync.WaitGroup
	wait.Go(func() { f(r) })
	wait.Wait()
	return r
}

func TestTestPassesAndFails(t *testing.T) {
	reports := Test(t, treiberObject, nil, CheckOptions{}, "push(1) pop | push(2) pop", "push(3); pop | pop")
	assert.Len(t, reports, 2)
	assert.Len(t, Test(t, msqueueObject, specs.Queue(), CheckOptions{Options: Options{MaxSteps: 500}}), 20,
		"drawn from the example operations")

	failing := func(t testing.TB) {
		Test(t, racyObject, nil, CheckOptions{}, "push(1) | pop", "push(3); push(1) | push(2); pop pop pop")
	}
	r := record(failing)
	require.True(t, r.failed)
	said := strings.Join(r.logged, "\n")
	assert.Contains(t, said, "racy: not linearizable")
	replay := regexp.MustCompile(
		"replay: LINSAT_SCHEDULE='([0-9a-f]{8}/0110/; push[^']*)' go test -run '\\^TestRacy\\$' -v\n").FindStringSubmatch(said)
	require.NotNil(t, replay, said)

	// The schedule is that of one test: others are not run by it, in whatever order they stand.
	t.Setenv(scheduleVariable, replay[1])
	r = record(func(t testing.TB) {
		assert.Nil(t, Test(t, treiberObject, nil, CheckOptions{}, "push(1) | pop",
			"push(3); push(1) | push(2); pop pop pop"))
		failing(t)
		Test(t, racyObject, nil, CheckOptions{}, "pop | pop")
	})
	require.False(t, r.failed)
	said = strings.Join(r.logged, "\n")
	assert.Equal(t, 1, strings.Count(said, "schedule 0110: completed"))
	assert.Contains(t, said, "test: ; push(1) | push(2); pop() pop()\n", "the smaller test")
	assert.Contains(t, said, "write head: nil → #1")
	assert.Equal(t, 2, strings.Count(said, "none of these: nothing is run"))
	name, _, _ := strings.Cut(replay[1], "/")
	for _, wrong := range []string{"0110", "2/0", "x/0", name + "/!", name + "/77", name + "/0110/push("} {
		t.Setenv(scheduleVariable, wrong)
		assert.True(t, record(failing).failed, wrong)
	}
	// One that fits only the second of two tests of one name is still shown.
	t.Setenv(scheduleVariable, caseName(parsed(t, racyObject, "push(1) | push(2)"))+"/0011")
	r = record(func(t testing.TB) {
		long := *racyObject
		long.New = func(m *mem.Memory) Instance { return func(string, any) any { return nil } }
		Test(t, &long, nil, CheckOptions{}, "push(1) | push(2)")
		Test(t, racyObject, nil, CheckOptions{}, "push(1) | push(2)")
	})
	assert.True(t, r.failed, "the first")
	assert.Contains(t, strings.Join(r.logged, "\n"), "schedule 0011: completed")
}

func TestPatternSelectsOneTest(t *testing.T) {
	t.Run("a.b+", func(t *testing.T) {
		assert.Equal(t, `^TestPatternSelectsOneTest$/^a\.b\+$`, pattern(t))
	})
}

func TestTestRefuses(t *testing.T) {
	for want, f := range map[string]func(t testing.TB){
		"names no specification of linsat": func(t testing.TB) {
			Test(t, &Object{Name: "x", New: treiber}, nil, CheckOptions{}, "a")
		},
		"no test is given, and object": func(t testing.TB) { Test(t, racyObject, nil, CheckOptions{}) },
		"one strategy for 2 tests": func(t testing.TB) {
			Test(t, racyObject, nil, CheckOptions{Strategy: Exhaustive()}, "pop", "pop")
		},
		"is not JSON": func(t testing.TB) { Test(t, racyObject, nil, CheckOptions{}, "push(x)") },
		"register has no operation": func(t testing.TB) {
			Test(t, treiberObject, specs.Register(), CheckOptions{}, "pop | pop")
		},
		"the bound of 1 executions": func(t testing.TB) {
			Test(t, treiberObject, nil, CheckOptions{Options: Options{MaxRuns: 1}}, "pop | pop")
		},
	} {
		r := record(f)
		assert.True(t, r.failed, want)
		assert.Contains(t, strings.Join(r.logged, "\n"), want)
	}
}

// Of many operations those are left that a violation takes, whatever way it was found.
func TestShrinkMuch(t *testing.T) {
	lost := &Object{Name: "lost", Spec: "counter", New: func(m *mem.Memory) Instance {
		n := mem.NewInt64(m, "n", 0)
		return func(f string, _ any) any {
			if f == "get" {
				return int(n.Load())
			}
			n.Store(n.Load() + 1)
			return nil
		}
	}}
	for text, most := range map[string]int{
		strings.Repeat("inc ", 15) + "get|" + strings.Repeat("inc ", 15):                                       3,
		"inc; " + strings.Repeat(strings.Repeat("inc ", 3)+"|", 9) + "inc inc inc; get":                        2,
		strings.Repeat("inc ", 10) + "|" + strings.Repeat("inc get ", 5) + "|" + strings.Repeat("get inc ", 5): 3,
	} {
		for _, s := range []Strategy{Random(1, 1_000), PCT(1, 5, 1_000)} {
			r, err := Check(context.Background(), parsed(t, lost, text), specs.Counter(),
				CheckOptions{Shrink: true, Strategy: s})
			require.NoError(t, err)
			require.Equal(t, engine.NotLinearizable, r.Verdict, text)
			n := 0
			for _, calls := range r.Case.Threads {
				n += len(calls)
			}
			t.Log(r.Case)
			assert.LessOrEqual(t, n, most, r.Case.String())
		}
	}
}

// A smaller test that fails in the same way is reported with Shrink: no call of it can be left out,
// values stay distinct, and its schedule replays.
func TestShrink(t *testing.T) {
	stack := specs.Stack()
	whole, err := ParseCase(racyObject, "push(30) pop; push(10) pop | push(20) pop push(5) | pop; pop pop")
	require.NoError(t, err)
	r, err := Check(context.Background(), whole, stack, CheckOptions{})
	require.NoError(t, err)
	require.Same(t, whole, r.Case)
	r, err = Check(context.Background(), whole, stack, CheckOptions{Shrink: true})
	require.NoError(t, err)
	require.Equal(t, engine.NotLinearizable, r.Verdict)
	assert.Equal(t, "not linearizable", r.Violation.What)
	calls := len(r.Case.Before) + len(r.Case.After)
	for _, thread := range r.Case.Threads {
		calls += len(thread)
	}
	assert.LessOrEqual(t, calls, 4, "%s", r.Case)
	again, err := r.Case.Replay(r.Violation.Execution.Schedule, Options{})
	require.NoError(t, err)
	assert.Equal(t, r.Violation.Execution.Ops, again.Ops)
	var b strings.Builder
	r.WriteText(&b, TextStyle{})
	assert.Contains(t, b.String(), "  test: "+whole.String()+"\n")
	assert.Contains(t, b.String(), "  a smaller test fails, too: "+r.Case.String()+"\n")
	t.Log(r.Case)
}
