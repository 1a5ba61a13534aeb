package explore

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// returning runs one operation that returns v.
func returning(t *testing.T, arg, v any) *Execution {
	t.Helper()
	e, err := once(func(x *Exec) {
		x.Go(func(th *Thread) {
			assert.Zero(t, th.ID())
			th.Do("f", arg, func() any { return v })
		})
	}, nil, Options{Trace: true})
	require.NoError(t, err)
	return e
}

// TestDifferentValuesMakeDifferentHistories: what differs as a value differs in the class and in
// the history, and what a history can't hold is refused.
func TestDifferentValuesMakeDifferentHistories(t *testing.T) {
	values := []any{
		nil, false, true, 0, 1, -1, int64(1 << 40), "", "1", "true", []any{}, []any{1}, []any{"1"}, []any{1, 2},
		[]any{[]any{1}, 2}, []any{[]any{1, 2}},
		map[string]any{}, map[string]any{"1": 1}, map[string]any{"1": "1"}, map[string]any{"1": nil},
		map[string]any{"1": 1, "2": 2},
	}
	classes, histories := map[string]int{}, map[string]int{}
	for i, v := range values {
		e := returning(t, nil, v)
		classes[string(e.Class(nil))] = i
		histories[written(t, e)] = i
		assert.Equal(t, returning(t, nil, v).Class(nil), e.Class(nil), "%v", v)
		classes[string(returning(t, v, nil).Class([]byte("argument")))] = i
	}
	assert.Len(t, classes, 2*len(values))
	assert.Len(t, histories, len(values))
	assert.Equal(t, returning(t, nil, 7).Class(nil), returning(t, nil, int64(7)).Class(nil), "one integer")

	type own struct{ a int }
	for _, v := range []any{own{1}, errors.New("x"), 1.5, []any{own{}}, map[string]any{"k": own{}}} {
		e := returning(t, nil, v)
		_, err := e.History()
		assert.ErrorContains(t, err, "result of f()", "%v", v)
		assert.ErrorContains(t, err, "is not a value of a history")
		_, err = returning(t, v, nil).History()
		assert.ErrorContains(t, err, "argument of f(")
	}
	assert.NotEqual(t, returning(t, nil, own{1}).Class(nil), returning(t, nil, own{2}).Class(nil))
	assert.NotEqual(t, returning(t, nil, errors.New("x")).Class(nil), returning(t, nil, errors.New("y")).Class(nil))

	c := &Case{Object: &Object{Initial: own{}}}
	_, err := c.History(returning(t, nil, nil))
	assert.ErrorContains(t, err, "initial state")
	assert.Equal(t, "f() → null", returning(t, nil, nil).Ops[0].String())
	assert.Equal(t, "f(2) → ?", (&Op{F: "f", Arg: 2, Return: -1}).String())
	var trace strings.Builder
	returning(t, nil, nil).WriteTrace(&trace)
	assert.Contains(t, trace.String(), "thread 0\n    f()\n      touches no shared memory")
	assert.Contains(t, trace.String(), "\n      → null\n")
}

// TestInitialStatesReachTheSpecification: a queue that holds 1 and 2 from the start gives 1 and 2.
func TestInitialStatesReachTheSpecification(t *testing.T) {
	full := &Object{Name: "full", Spec: "queue", Initial: []any{1, 2}, New: func(m *mem.Memory) Instance {
		instance := msqueue(m)
		instance("enq", 1)
		instance("enq", 2)
		return instance
	}}
	r, err := Check(context.Background(), parsed(t, full, "deq | deq deq"), specs.Queue(),
		CheckOptions{Strategy: DPOR()})
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)
	full.Initial = nil
	r, err = Check(context.Background(), parsed(t, full, "deq | deq deq"), specs.Queue(), CheckOptions{})
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Verdict)
}

// TestQueueThatTakesTheSecondValueIsQuasiLinearizable judges a queue that takes the second value,
// if there is one.
func TestQueueThatTakesTheSecondValueIsQuasiLinearizable(t *testing.T) {
	second := &Object{Name: "second", Spec: "queue", New: func(m *mem.Memory) Instance {
		var values []int
		l := mem.NewMutex(m, "l")
		return func(f string, arg any) any {
			l.Lock()
			defer l.Unlock()
			if f == "enq" {
				values = append(values, arg.(int))
				return nil
			}
			if len(values) == 0 {
				return nil
			}
			i := min(1, len(values)-1)
			v := values[i]
			values = append(values[:i:i], values[i+1:]...)
			return v
		}
	}}
	c := parsed(t, second, "enq(1) enq(2); deq | deq")
	factor := func(bound string) *quasi.Question {
		request, err := quasi.Parse(specs.Queue().Info(), bound)
		require.NoError(t, err)
		return &quasi.Question{Factor: request.Factor, Drain: true}
	}
	for _, want := range []struct {
		relax   *quasi.Question
		engine  string
		verdict engine.Verdict
		text    string
	}{
		{nil, "", engine.NotLinearizable, "second: not linearizable"},
		{nil, "sat", engine.NotLinearizable, "second: not linearizable"},
		{factor("0"), "", engine.NotLinearizable, "second: not quasi-linearizable"},
		{factor("1"), "", engine.Linearizable, "second: every history is quasi-linearizable at removals=1"},
	} {
		r, err := Check(context.Background(), c, specs.Queue(), CheckOptions{Quasi: want.relax, Engine: want.engine})
		require.NoError(t, err)
		assert.Equal(t, want.verdict, r.Verdict)
		var text strings.Builder
		r.WriteText(&text, TextStyle{Brief: true})
		assert.Contains(t, text.String(), want.text)
		assert.NotContains(t, text.String(), "\nschedule ")
	}
}

// silent is a strategy that does not describe itself.
type silent struct{ schedule.Strategy }

func TestOnceNeedsAnExecution(t *testing.T) {
	_, err := once(adders(1), nil, Options{MaxTime: 1})
	assert.ErrorContains(t, err, "gives no execution within the bounds")
	assert.Equal(t, "explore.silent", schedule.Describe(silent{schedule.Exhaustive()}))
}

// A history has at least one operation; an execution that panics before the first has none.
func TestHistoryWithoutOperations(t *testing.T) {
	c := &Case{Object: racyObject, Threads: [][]Call{{{F: "fly"}}}}
	e, err := once((&Case{Object: &Object{New: func(*mem.Memory) Instance {
		panic("no object")
	}}}).Program(), nil, Options{})
	require.NoError(t, err)
	require.Equal(t, Panicked, e.Outcome)
	_, err = e.History()
	assert.ErrorIs(t, err, errNoOperation)
	_, err = c.History(e)
	assert.ErrorIs(t, err, errNoOperation)
}
