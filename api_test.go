package linsat_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// read parses a history of the operations.
func readHistory(t testing.TB, text string) *history.History {
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

// A call of the API that makes no sense is an error that says what to do: no panic, and no verdict.
func TestMistakesOfCallersAreErrors(t *testing.T) {
	queue := specs.Queue()
	h := readHistory(t,
		`{"operations": [{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "deq", "call": 2, "return": 3, "result": 1}]}`)
	request := func(text string) quasi.Question {
		r, err := quasi.Parse(queue.Info(), text)
		require.NoError(t, err)
		return r
	}
	by := func(bounds ...int32) linsat.Option { return linsat.Quasi(quasi.Question{Factor: bounds}) }
	ctx := context.Background()
	none := func() solver.Solver { return nil }
	for _, c := range []struct {
		name string
		ctx  context.Context
		s    model.Spec
		h    *history.History
		o    linsat.Option
		says string
	}{
		{"unknown engine", ctx, queue, h, linsat.Engine("serach"),
			`unknown engine "serach" (want auto, all, search, sat, monitor or smt)`},
		{"no engine", ctx, queue, h, linsat.Engine(""), `unknown engine ""`},
		{"nil context", nil, queue, h, nil, "context.Background()"},
		{"nil specification", ctx, nil, h, nil, "spec.MustLookup finds one"},
		{"nil history", ctx, queue, nil, nil, "history.ReadFile reads one"},
		{"history without values", ctx, queue, &history.History{}, nil, "it has no table of values"},
		{"history out of order", ctx, queue, &history.History{Values: h.Values, Processes: h.Processes,
			Origins: h.Origins, Ops: []history.Op{h.Ops[1], h.Ops[0]}}, nil, "operation 1 has the call"},
		{"pending with a result", ctx, queue, &history.History{Values: h.Values, Processes: h.Processes,
			Origins: h.Origins[:1], Ops: []history.Op{{F: h.Ops[0].F, Return: history.Never}}}, nil,
			"never returned, and has a known result"},
		{"nil specification behind a pointer", ctx, (*brokenSpec)(nil), h, nil, "invalid memory address"},
		{"specification that binds to nothing", ctx, &brokenSpec{}, h, nil,
			"Bind returns neither an Instance nor an error"},
		{"specification that binds to half", ctx,
			&brokenSpec{bound: &model.Instance{Spec: queue, NewMachine: func() model.Machine {
				return nil
			}}}, h, nil, "must have one entry for each operation"},
		{"empty factor", ctx, queue, h, by(), "a quasi factor with 0 bounds for the 3 classes of queue"},
		{"overlong factor", ctx, queue, h, by(0, 0, 0, 0),
			"a quasi factor with 4 bounds for the 3 classes of queue (insertions, removals, peeks); quasi.Parse " +
				"makes one"},
		{"negative factor", ctx, queue, h, by(-1, -1, -1), "the quasi bound -1 of class insertions is negative"},
		{"unknown meaning", ctx, queue, h, linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, 0, 0}, Meaning: 7}),
			"unknown quasi meaning 7"},
		{"factor for a mutex", ctx, specs.Mutex(), h, by(0), "mutex has no relaxable classes"},
		{"two factors for a register", ctx, specs.Register(), h, by(0, 0), "one bound of 0 or more"},
		{"empty request", ctx, queue, h, linsat.Quasi(quasi.Question{Free: []bool{true}}),
			"a quasi factor with 0 bounds"},
		{"request without a free class", ctx, queue, h, linsat.Quasi(request("min,enq=1,deq=1,peek=1")),
			"leaves no class free"},
		{"request half made", ctx, queue, h, linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, 0, 0},
			Free: []bool{true}}), "names 1 classes as free or not"},
		{"negative time", ctx, queue, h, linsat.Timeout(-time.Second), "Timeout(-1s) is negative"},
		{"negative memory", ctx, queue, h, linsat.Memory(-1), "Memory(-1) is negative"},
		{"negative steps", ctx, queue, h, linsat.Steps(-1), "Steps(-1) is negative"},
		{"negative workers", ctx, queue, h, linsat.Workers(-2), "Workers(-2) is negative"},
		{"negative time for reasons", ctx, queue, h, linsat.Explain(linsat.ExplainOptions{Time: -1}),
			"ExplainOptions.Time is -1ns"},
		{"unknown cores", ctx, queue, h, linsat.Explain(linsat.ExplainOptions{Cores: "two"}),
			`unknown choice of cores "two" (want all, any or none)`},
		{"unknown partitioning", ctx, queue, h, linsat.Partition("node"),
			`linsat: unknown partitioning "node" (want key, object or none)`},
		{"nil solver", ctx, queue, h, linsat.Solver(nil, "mine"), "Solver without a factory"},
	} {
		options := []linsat.Option{}
		if c.o != nil {
			options = append(options, c.o)
		}
		r, err := linsat.Check(c.ctx, c.s, c.h, options...)
		assert.ErrorContains(t, err, c.says, c.name)
		assert.Equal(t, engine.Unknown, r.Verdict, c.name)
	}
	_, err := linsat.Check(ctx, queue, h, linsat.Workers(1), nil)
	assert.EqualError(t, err, "linsat: option 2 of 2 is nil")
	_, err = linsat.Check(ctx, queue, h, by(0, 0, 0), linsat.Quasi(request("min")))
	assert.ErrorContains(t, err, "two options Quasi")
	_, err = linsat.Check(ctx, queue, h, linsat.Solver(none, "none"), linsat.Engine("sat"))
	assert.ErrorContains(t, err, "the solver factory made no solver")
	_, err = linsat.Certify(nil, nil)
	assert.Error(t, err)
}

// brokenSpec is a specification of the caller that breaks its contract.
type brokenSpec struct {
	bound *model.Instance
}

func (b *brokenSpec) Info() model.Info {
	_ = b.bound
	return model.Info{Name: "broken"}
}

func (b *brokenSpec) Footprint(_ *history.History, _ history.OpID, dst []history.Value) []history.Value {
	return append(dst, model.Everything)
}

func (b *brokenSpec) Bind(p *model.Partition) (*model.Instance, error) {
	if b.bound != nil {
		b.bound.Partition = p
	}
	return b.bound, nil
}

// naturalRegister is a register as people write it who know nothing of pending operations.
func naturalRegister(t testing.TB) model.Spec {
	s, err := spec.Define(spec.Definition[int64]{
		Name: "my-register",
		Step: func(s int64, c spec.Call) []spec.Outcome[int64] {
			switch c.F {
			case "write":
				return []spec.Outcome[int64]{{Next: c.Arg.(int64), AnyOutput: true}}
			case "read":
				return []spec.Outcome[int64]{{Output: s, Next: s}}
			case "swap":
				return []spec.Outcome[int64]{{Output: s, Next: c.Arg.(int64)}}
			}
			return nil
		},
	})
	require.NoError(t, err)
	return model.Full(s)
}

// A pending operation may return anything, whatever the specification's author thought of.
func TestPendingOperationsUnderANaturalStep(t *testing.T) {
	s := naturalRegister(t)
	for text, want := range map[string]engine.Verdict{
		`{"process": 0, "f": "swap", "arg": 1, "call": 0}, {"process": 1, "f": "read", "call": 2, "return": 3, "result": 1}`:                               engine.Linearizable,
		`{"process": 0, "f": "swap", "arg": 1, "call": 0}, {"process": 1, "f": "read", "call": 2, "return": 3, "result": 2}`:                               engine.NotLinearizable,
		`{"process": 0, "f": "read", "call": 0}, {"process": 1, "f": "write", "arg": 5, "call": 1, "return": 2}`:                                           engine.Linearizable,
		`{"process": 1, "f": "write", "arg": 5, "call": 1, "return": 2, "result": "ok"}, {"process": 0, "f": "read", "call": 3, "return": 4, "result": 5}`: engine.Linearizable,
		`{"process": 1, "f": "write", "arg": 5, "call": 1, "return": 2}, {"process": 0, "f": "read", "call": 3, "return": 4, "result": null}`:              engine.NotLinearizable,
		`{"process": 1, "f": "swap", "arg": 5, "call": 1, "return": 8, "result": 0}, {"process": 0, "f": "swap", "arg": 6, "call": 3}`:                     engine.Linearizable,
		`{"process": 1, "f": "swap", "arg": 5, "call": 1, "return": 8, "result": 6}, {"process": 0, "f": "swap", "arg": 6, "call": 3}`:                     engine.Linearizable,
		`{"process": 1, "f": "swap", "arg": 5, "call": 1, "return": 8, "result": 7}, {"process": 0, "f": "swap", "arg": 6, "call": 3}`:                     engine.NotLinearizable,
		`{"process": 1, "f": "swap", "arg": 5, "call": 1, "return": 2, "result": 6}, {"process": 0, "f": "swap", "arg": 6, "call": 3}`:                     engine.NotLinearizable,
	} {
		for _, e := range []string{"auto", "all"} {
			r, err := linsat.Check(context.Background(), s, readHistory(t, `{"operations": [`+text+`]}`),
				linsat.Engine(linsat.Engines(e)))
			require.NoError(t, err, text)
			assert.Equal(t, want, r.Verdict, text)
		}
	}
	_, err := linsat.Check(context.Background(), s,
		readHistory(t,
			`{"operations": [{"process": 1, "f": "write", "arg": 5, "call": 1, "return": 2}, {"process": 0, "f": "read", "call": 3, "return": 4}]}`))
	assert.ErrorContains(t, err, "read returned, but the history does not state its result")
}

// A panic in any function of a specification, and in any goroutine, is an error that names
// specification, function, operation and state.
func TestPanicsOfSpecificationsAreErrors(t *testing.T) {
	h := readHistory(t,
		`{"initial": 0, "operations": [{"process": 0, "id": "w1", "f": "write", "arg": 1, "call": 0, "return": 4}, {"process": 1, "f": "read", "call": 1, "return": 3, "result": 2}]}`)
	step := func(s int, c spec.Call) []spec.Outcome[int] {
		if c.F == "write" {
			return []spec.Outcome[int]{{Next: int(c.Arg.(int64)), AnyOutput: true}}
		}
		return []spec.Outcome[int]{{Output: s, Next: s}}
	}
	zero := func(any) (int, error) { return 0, nil }
	for _, c := range []struct {
		d    spec.Definition[int]
		says []string
	}{
		{spec.Definition[int]{Init: zero, Step: func(s int, c spec.Call) []spec.Outcome[int] {
			if c.F == "write" {
				return []spec.Outcome[int]{{Next: c.Arg.(int), AnyOutput: true}}
			}
			return step(s, c)
		}}, []string{"specification mine: Step panics on operation w1 (write 1 → null) in state 0: interface conversion", "arguments are nil, bool, int64"}},
		{spec.Definition[int]{Init: zero, Step: func(s int, _ spec.Call) []spec.Outcome[int] {
			return []spec.Outcome[int]{{Output: struct{}{}, Next: s}}
		}}, []string{"Step panics on operation", "a result of type struct {}, which no history holds"}},
		{spec.Definition[int]{Init: func(any) (int, error) {
			panic("no start")
		}, Step: step}, []string{"Init panics: no start"}},
		{spec.Definition[int]{Init: zero, Step: step, Describe: func(int) string {
			panic("no words")
		}}, []string{"Describe panics in state", "no words"}},
		{spec.Definition[int]{Init: zero, Step: step, Refusal: func(int, spec.Call, spec.Result) string {
			panic("no reason")
		}}, []string{"Refusal panics on operation", "no reason"}},
		{spec.Definition[int]{Init: zero, Step: step, ReadOnly: func(spec.Call, spec.Result) bool {
			panic("not pure")
		}}, []string{"ReadOnly panics on operation w1", "not pure"}},
		{spec.Definition[int]{Init: zero, Step: step, Check: func(spec.Call, spec.Result) error {
			panic("no check")
		}}, []string{"Check panics on operation w1", "no check"}},
		{spec.Definition[int]{Init: zero, Step: step, Pieces: func(spec.Call) []any {
			panic("no pieces")
		}}, []string{"Pieces panics on operation w1", "no pieces"}},
		{spec.Definition[int]{Init: zero, Step: step, Weigh: func(int) int64 {
			panic("no weight")
		}}, []string{"Weigh panics in state 0: no weight"}},
		{spec.Definition[int]{Init: zero, Accept: func(int, spec.Call, any) []int {
			panic("no states")
		}}, []string{"Accept panics on operation", "in state 0: no states"}},
	} {
		c.d.Name = "mine"
		s, err := spec.Define(c.d)
		require.NoError(t, err)
		for _, e := range []string{"auto", "all", "search"} {
			r, err := linsat.Check(context.Background(), s, h, linsat.Engine(linsat.Engines(e)))
			var fault *model.Fault
			require.ErrorAs(t, err, &fault, "%v", c.says)
			assert.NotEmpty(t, fault.Stack)
			for _, says := range c.says {
				assert.ErrorContains(t, err, says)
			}
			assert.Equal(t, engine.Unknown, r.Verdict)
		}
	}
	// A state that cannot be compared, and a goroutine that ends.
	lists, err := spec.Define(spec.Definition[any]{Name: "lists", Step: func(s any, c spec.Call) []spec.Outcome[any] {
		return []spec.Outcome[any]{{Next: []int{1}, AnyOutput: true}}
	}, Init: func(any) (any, error) { return 0, nil }})
	require.NoError(t, err)
	_, err = linsat.Check(context.Background(), lists, h)
	assert.ErrorContains(t, err, "specification lists: Step panics on operation")
	assert.ErrorContains(t, err, "type []int")
	ending, err := spec.Define(spec.Definition[int]{Name: "ending", Init: zero,
		Step: func(int, spec.Call) []spec.Outcome[int] { runtime.Goexit(); return nil }})
	require.NoError(t, err)
	_, err = linsat.Check(context.Background(), ending, h)
	assert.ErrorContains(t, err, "runtime.Goexit")
}

// What only relates results to states cannot say what a pending operation did, unless its author
// does.
func TestAcceptNeedsOpen(t *testing.T) {
	d := spec.Definition[int64]{
		Name: "ids", // an operation returns an identifier that is greater than all before
		Accept: func(s int64, _ spec.Call, result any) []int64 {
			if n, ok := result.(int64); ok && n > s {
				return []int64{n}
			}
			return nil
		},
	}
	s, err := spec.Define(d)
	require.NoError(t, err)
	complete := `{"process": 0, "f": "next", "call": 0, "return": 1, "result": 7}, {"process": 0, "f": "next", "call": 2, "return": 3, "result": %d}`
	for n, want := range map[int]engine.Verdict{8: engine.Linearizable, 6: engine.NotLinearizable} {
		r, err := linsat.Check(context.Background(), s,
			readHistory(t, `{"operations": [`+fmt.Sprintf(complete, n)+`]}`))
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict)
	}
	open := readHistory(t, `{"operations": [`+fmt.Sprintf(complete, 8)+`, {"process": 1, "f": "next", "call": 0}]}`)
	_, err = linsat.Check(context.Background(), s, open)
	var bad *history.Error
	require.True(t, errors.As(err, &bad))
	assert.Contains(t, bad.Error(),
		`the result of "next" is not known, and ids does not say what such an operation may do`)
	assert.Contains(t, bad.Hint, "Open")
	d.Open = func(s int64, _ spec.Call) []int64 { return []int64{s + 1} }
	s, err = spec.Define(d)
	require.NoError(t, err)
	r, err := linsat.Check(context.Background(), s, open)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)
}
