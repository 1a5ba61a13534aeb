package modelspec_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/usermodel"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// enqueued are operations of clients on a queue, some of unknown outcome. From some operation on,
// what a dequeue returned may be exchanged with the next.
func enqueued(operations int, unknown float64, wrongFrom int) []op {
	rng := rand.New(rand.NewPCG(uint64(operations), 5))
	var ops []op
	var items []int
	last := -1
	for n := range operations {
		in := call{F: "deq"}
		if n%2 == 0 {
			in = call{F: "enq", Value: n + 1}
		}
		o := op{Client: -1, Input: in, Call: int64(100*n) - rng.Int64N(300), Return: int64(100*n) +
			rng.Int64N(300)}
		switch {
		case in.F == "enq":
			if o.Pending = rng.Float64() < unknown; !o.Pending || rng.IntN(2) == 0 {
				items = append(items, in.Value)
			}
		case len(items) > 0:
			o.Output, items = found{Value: items[0], OK: true}, items[1:]
			if n >= wrongFrom && last >= 0 && ops[last].Return+1000 < o.Call {
				o.Output, ops[last].Output = ops[last].Output, o.Output
				wrongFrom = operations
			}
			if last < 0 || n < wrongFrom-30 {
				last = n
			}
		}
		ops = append(ops, o)
	}
	return ops
}

// A queue of which only the steps are known leaves another state for every set of operations of
// unknown outcome. As a queue it is decided at once, and its answers are about its operations.
func TestModelsAsSpecificationsDecideUnknownOutcomes(t *testing.T) {
	ctx := context.Background()
	m := usermodel.Queue()
	m.As = usermodel.As(spec.MustLookup("queue"))
	n := 4000
	if testing.Short() {
		n = 400
	}
	good := enqueued(n, 0.03, n)
	out, err := linsat.CheckOps(ctx, m, good)
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, out.Verdict)
	require.True(t, out.Certified)
	assert.Greater(t, len(out.Witness), n-n/40)

	bad := enqueued(n, 0.03, n-n/20)
	out, err = linsat.CheckOps(ctx, m, bad)
	require.NoError(t, err)
	require.Equal(t, engine.NotLinearizable, out.Verdict)
	require.True(t, out.Certified)
	require.NotEmpty(t, out.Core)
	assert.Less(t, len(out.Core), 10)
	for _, i := range out.Core {
		assert.False(t, bad[i].Pending)
	}
	assert.Equal(t, "queue", out.Spec.Info().Name)
	certificate, err := linsat.Certify(out.History, &out.Result)
	require.NoError(t, err)
	require.NoError(t, linsat.Verify(ctx, spec.MustLookup("queue"), out.History, certificate), "without the model")

	later, err := linsat.CheckOps(ctx, m, bad, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	require.NoError(t, err)
	require.Empty(t, later.Core)
	later, err = later.Explain(ctx)
	require.NoError(t, err)
	assert.Equal(t, out.Core, later.Core)
	assert.Equal(t, out.Explanation, later.Explanation)

	s, h, err := m.Prepare(bad)
	require.NoError(t, err)
	require.NoError(t, linsat.Verify(ctx, s, h, certificate))
}

// Without As, Unknown says that it helps.
func TestUnknownOfModelsSaysWhatHelps(t *testing.T) {
	out, err := linsat.CheckOps(context.Background(), usermodel.Queue(), enqueued(1000, 0.1, 900),
		linsat.Timeout(100*time.Millisecond))
	require.NoError(t, err)
	require.Equal(t, engine.Unknown, out.Verdict)
	assert.Regexp(t,
		`^unknown: timeout[^\n]*\n\d+ operations of unknown outcome leave many states possible; it helps to say more of the model: As `, out.Explanation)
}

// The initial state, keys and revisions are those of the specification, too.
func TestModelsAsSpecificationsWithStates(t *testing.T) {
	ctx := context.Background()
	m := usermodel.Register()
	m.Init = found{Value: 7, OK: true}
	m.As = usermodel.As(spec.MustLookup("register"))
	read := []op{{Client: 0, Input: call{F: "read"}, Call: 0, Output: found{Value: 7, OK: true}, Return: 1}}
	_, err := linsat.CheckOps(ctx, m, read)
	require.ErrorContains(t, err, "what As says is not so: on operation 0")
	m.As.Initial = 7
	out, err := linsat.CheckOps(ctx, m, read)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, out.Verdict)

	m.As.Initial = struct{}{}
	_, err = linsat.CheckOps(ctx, m, read)
	require.ErrorContains(t, err, "the initial state of As")

	kv := usermodel.KVByKey()
	kv.As = usermodel.As(spec.MustLookup("kv"))
	operation := kv.As.Operation
	kv.As.Operation = func(c call) (f string, key, arg any) {
		f, _, arg = operation(c)
		return f, nil, arg // that of Key
	}
	out, err = linsat.CheckOps(ctx, kv, []op{
		{Client: 0, Input: call{F: "put", Key: "a", Value: 1}, Call: 0, Return: 1},
		{Client: 0, Input: call{F: "get", Key: "a"}, Call: 2, Output: found{Value: 1, OK: true}, Return: 3},
		{Client: 0, Input: call{F: "get", Key: "b"}, Call: 4, Return: 5},
	})
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, out.Verdict)
	assert.Equal(t, 2, out.Partitions)

	first, second := int64(1), int64(2)
	ordered := []op{
		{Client: 0, Input: call{F: "write", Value: 1}, Call: 0, Return: 9, Revision: &second},
		{Client: 1, Input: call{F: "write", Value: 2}, Call: 0, Return: 9, Revision: &first},
		{Client: 0, Input: call{F: "read"}, Call: 10, Output: found{Value: 2, OK: true}, Return: 11},
	}
	m.As.Initial = 7
	out, err = linsat.CheckOps(ctx, m, ordered)
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, out.Verdict)
}

// exchangedAtTheEnd is a correct history of a queue, and then a value that leaves before an older
// one.
func exchangedAtTheEnd() []op {
	ops := enqueued(2000, 0, 2000)
	for k, in := range []call{{F: "enq", Value: 5001}, {F: "enq", Value: 5002}, {F: "deq"}, {F: "deq"}} {
		o := op{Client: -1, Input: in, Call: int64(1_000_000 + 10*k), Return: int64(1_000_001 + 10*k)}
		if in.F == "deq" {
			o.Output = found{Value: []int{5002, 5001}[k-2], OK: true}
		}
		ops = append(ops, o)
	}
	return ops
}

// What As says wrongly is found, also where it shows late or only in the core.
func TestWrongSpecificationsOfModelsAreFaults(t *testing.T) {
	ctx := context.Background()
	fault := func(m linsat.Model[[]int, call, found], ops []op) *meta.Fault {
		_, err := linsat.CheckOps(ctx, m, ops)
		var f *meta.Fault
		require.True(t, errors.As(err, &f), "%v", err)
		assert.Equal(t, "As", f.Func)
		assert.NotEmpty(t, f.Untrue)
		return f
	}
	m := usermodel.Queue()
	m.As = usermodel.As(spec.MustLookup("stack"))
	operation := m.As.Operation
	m.As.Operation = func(c call) (f string, key, arg any) {
		f, key, arg = operation(c)
		return map[string]string{"enq": "push", "deq": "pop"}[f], key, arg
	}
	ops := enqueued(40, 0, 40)
	f := fault(m, ops)
	assert.Contains(t, f.Error(), "specification my-queue: what As says is not so: on operation ")
	assert.Regexp(t,
		`the model allows it, and stack does not \(in state .*\)|stack allows it, and the model does not \(in state .*\)`, f.Untrue)

	// a bounded queue refuses what a queue takes
	m = usermodel.Queue()
	m.As = usermodel.As(spec.MustLookup("queue"))
	step := m.Step
	m.Step = func(s []int, c call) []linsat.Outcome[[]int, found] {
		if c.F == "enq" && len(s) >= 3 {
			return nil
		}
		return step(s, c)
	}
	fault(m, ops)

	// an old value is lost when the thirtieth operation's value is inserted
	m.Step = func(s []int, c call) []linsat.Outcome[[]int, found] {
		if c.F == "enq" && c.Value == 31 && len(s) > 0 {
			return linsat.Returns(found{}, append(s[:len(s)-1:len(s)-1], 31))
		}
		return step(s, c)
	}
	fault(m, ops)

	// what the beginning does not show, a witness does
	m.Step = func(s []int, c call) []linsat.Outcome[[]int, found] {
		if c.F == "deq" && len(s) > 0 && s[0] == 1801 {
			return linsat.Returns(found{}, s)
		}
		return step(s, c)
	}
	late := fault(m, enqueued(2000, 0, 2000))
	assert.Contains(t, late.Untrue,
		"queue allows a linearization that the model does not: rule specification, operation 1801")

	// and so does a core
	m.Step = func(s []int, c call) []linsat.Outcome[[]int, found] {
		if c.F == "deq" && len(s) > 1 && s[0] > 5000 {
			return append(step(s, c), linsat.Outcome[[]int, found]{Output: found{Value: s[1], OK: true},
				Next: append([]int{s[0]}, s[2:]...)})
		}
		return step(s, c)
	}
	end := exchangedAtTheEnd()
	f = fault(m, end)
	assert.Contains(t, f.Error(), "on operation 2002 ({F:deq")
	assert.Contains(t, f.Untrue,
		"the model allows it, and queue does not (in state [5001, 5002]: the front is 5001, not 5002)")
}

// Mistakes in As are errors that say what to do, and no verdict.
func TestMistakesInAsAreErrors(t *testing.T) {
	ctx := context.Background()
	good := usermodel.As(spec.MustLookup("register"))
	for says, change := range map[string]func(m *linsat.Model[found, call, found]){
		"my-register has As without a specification: spec.MustLookup finds one": func(m *linsat.Model[found, call, found]) {
			m.As.Spec = nil
		},
		"has As without Operation or Result": func(m *linsat.Model[found, call, found]) {
			m.As.Operation = nil
		},
		"As without Operation or Result": func(m *linsat.Model[found, call, found]) {
			m.As.Result = nil
		},
		"has both As and Classes": func(m *linsat.Model[found, call, found]) {
			m.Classes, m.Class = []string{"all"}, func(call) int { return 0 }
		},
		"operation 0, {F:write Key: Value:1}: in the words of As, usermodel.Call is not a value of a history": func(m *linsat.Model[found, call, found]) {
			m.As.Operation = func(c call) (f string, key, arg any) { return c.F, nil, c }
		},
		"operation 0: register has no operation \"wrote\"": func(m *linsat.Model[found, call, found]) {
			m.As.Operation = func(call) (f string, key, arg any) { return "wrote", nil, 1 }
		},
		"As.Operation panics on operation 0": func(m *linsat.Model[found, call, found]) {
			m.As.Operation = func(call) (f string, key, arg any) { panic("no") }
		},
		"As.Result panics on operation 1": func(m *linsat.Model[found, call, found]) {
			m.As.Result = func(c call, _ found) any {
				if c.F == "read" {
					panic("no")
				}
				return nil
			}
		},
	} {
		m := usermodel.Register()
		as := *good
		m.As = &as
		change(&m)
		_, err := linsat.CheckOps(ctx, m, twoOps())
		assert.ErrorContains(t, err, says)
	}
}

// A step that never returns is named when time is up, and an answer under a factor is one of the
// specification.
func TestModelsAsSpecificationsWithOptions(t *testing.T) {
	ctx := context.Background()
	m := usermodel.Register()
	m.As = usermodel.As(spec.MustLookup("register"))
	hang := make(chan struct{})
	defer close(hang)
	step := m.Step
	m.Step = func(s found, c call) []linsat.Outcome[found, found] {
		if c.F == "read" {
			<-hang
		}
		return step(s, c)
	}
	out, err := linsat.CheckOps(ctx, m, twoOps(), linsat.Timeout(50*time.Millisecond))
	require.NoError(t, err)
	assert.Equal(t, engine.Unknown, out.Verdict)
	assert.Contains(t, out.Detail, "while a specification step was running: Step")

	q := usermodel.Queue()
	q.As = usermodel.As(spec.MustLookup("queue"))
	var ops []op
	for k, o := range []string{"enq 1", "enq 2", "deq 2", "deq 1"} {
		var f string
		var v int
		_, err := fmt.Sscan(o, &f, &v)
		require.NoError(t, err)
		one := op{Client: 0, Input: call{F: f}, Call: int64(10 * k), Return: int64(10*k + 1)}
		if f == "enq" {
			one.Input.Value = v
		} else {
			one.Output = found{Value: v, OK: true}
		}
		ops = append(ops, one)
	}
	for k, want := range []engine.Verdict{engine.NotLinearizable, engine.Linearizable} {
		out, err := linsat.CheckOps(ctx, q, ops, linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, int32(k), 0}}))
		require.NoError(t, err)
		assert.Equal(t, want, out.Verdict)
	}
}

// A violation that was not yet tried on the model when the time is up is not certified, and a model
// is not asked any more when it is up.
func TestModelsAsSpecificationsKeepTheTime(t *testing.T) {
	ctx := context.Background()
	m := usermodel.Queue()
	m.As = usermodel.As(spec.MustLookup("queue"))
	step := m.Step
	m.Step = func(s []int, c call) []linsat.Outcome[[]int, found] {
		if c.F == "deq" && len(s) > 1 && s[0] > 5000 {
			time.Sleep(2 * time.Second)
			return append(step(s, c), linsat.Outcome[[]int, found]{Output: found{Value: s[1], OK: true},
				Next: append([]int{s[0]}, s[2:]...)})
		}
		return step(s, c)
	}
	out, err := linsat.CheckOps(ctx, m, exchangedAtTheEnd(), linsat.Timeout(1500*time.Millisecond))
	require.NoError(t, err)
	assert.False(t, out.Certified)
	assert.Nil(t, out.Core)

	var calls atomic.Int64
	m.Step = func(s []int, c call) []linsat.Outcome[[]int, found] {
		calls.Add(1)
		time.Sleep(time.Millisecond)
		return step(s, c)
	}
	out, err = linsat.CheckOps(ctx, m, enqueued(1000, 0, 1000), linsat.Timeout(100*time.Millisecond))
	require.NoError(t, err)
	assert.Equal(t, engine.Unknown, out.Verdict)
	time.Sleep(500 * time.Millisecond) // a probe may be under way
	before := calls.Load()
	time.Sleep(200 * time.Millisecond)
	assert.Equal(t, before, calls.Load())
}

// Keys that == tells apart stay apart, whatever their type.
func TestModelsAsSpecificationsWithKeysOfAnyType(t *testing.T) {
	type room struct{ floor, number int }
	type write struct {
		key   any
		value int // 0 reads
	}
	m := linsat.Model[int, write, int]{
		Key: func(in write) any { return in.key },
		Step: func(s int, in write) []linsat.Outcome[int, int] {
			if in.value > 0 {
				return linsat.Returns(0, in.value)
			}
			return linsat.Returns(s, s)
		},
		As: &linsat.As[write, int]{
			Spec: spec.MustLookup("kv"),
			Operation: func(in write) (f string, key, arg any) {
				if in.value > 0 {
					return "put", nil, in.value
				}
				return "get", nil, nil
			},
			Result: func(_ write, out int) any {
				if out == 0 {
					return nil
				}
				return out
			},
		},
	}
	var ops []linsat.Op[write, int]
	for k, in := range []write{{1, 5}, {uint64(1), 0}, {"1", 0}, {room{1, 2}, 6}, {room{1, 3}, 0}, {1, 0}} {
		out := 0
		if in == (write{1, 0}) {
			out = 5
		}
		ops = append(ops, linsat.Op[write, int]{Client: 0, Input: in, Output: out, Call: int64(2 * k),
			Return: int64(2*k + 1)})
	}
	out, err := linsat.CheckOps(context.Background(), m, ops)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, out.Verdict)
	assert.Equal(t, 5, out.Partitions)
}
