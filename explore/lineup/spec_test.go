package lineup

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// called is an operation of a serial run; result is never for one that is pending.
type called struct {
	process string
	f       string
	arg     any
	result  any
}

var never = new(int)

// serially binds the specification to a history that makes these calls one after the other.
func serially(t *testing.T, o *Observations, calls ...called) (*model.Instance, error) {
	var text strings.Builder
	text.WriteString(`{"operations": [`)
	for i, c := range calls {
		if i > 0 {
			text.WriteString(", ")
		}
		op := map[string]any{"process": c.process, "f": c.f, "arg": c.arg, "call": 2 * i}
		if c.result != never {
			op["return"], op["result"] = 2*i+1, c.result
		}
		require.NoError(t, json.NewEncoder(&text).Encode(op))
	}
	text.WriteString("]}")
	h, err := history.Read(strings.NewReader(text.String()), history.ReadOptions{})
	require.NoError(t, err)
	return model.Full(o.Spec()).Bind(model.Whole(h))
}

// TestSpecSpeaks: states and refusals in words.
func TestSpecSpeaks(t *testing.T) {
	c := figure7()
	c.After = []explore.Call{{F: "TryTake"}}
	o, _, _, err := Synthesize(context.Background(), c, Options{})
	require.NoError(t, err)
	// after runs all calls but the last, which all are allowed, and then tries the last one.
	after := func(calls ...called) (before string, next []model.State, refusal string) {
		b, err := serially(t, o, calls...)
		require.NoError(t, err)
		m := b.NewMachine()
		at, last := m.Init(), history.OpID(len(calls)-1)
		for i := range last {
			next := m.Step(at, i, nil)
			require.Len(t, next, 1, calls[i].f)
			at = next[0]
		}
		next = m.Step(at, last, nil)
		if len(next) == 0 {
			refusal = b.Refusal(m, at, last)
		}
		return m.Describe(at), next, refusal
	}
	add := called{"0", "Add", 200, nil}
	take := called{"B", "Take", nil, 200}
	block := called{"B", "Take", nil, map[string]any{Blocks: true}}
	add2 := called{"0", "Add", 400, nil}
	try := called{"B", "TryTake", nil, 400}
	last := called{"main", "TryTake", nil, "Fail"}
	for _, c := range []struct {
		calls  []called
		before string
		says   string
	}{
		{[]called{add}, "next A: Add(200) or B: Take() blocks", ""},
		{[]called{add, add2}, "next A: Add(400) or B: Take() → 200", ""},
		{[]called{block, add}, "blocked for ever", "nothing comes after an operation that blocks"},
		{[]called{add, add2, take, try, last, last}, "the end",
			"no serial run goes on with TryTake() of thread main here"},
		{[]called{add2}, "next A: Add(200) or B: Take() blocks",
			"no serial run goes on with Add(400) of thread 0 here"},
		{[]called{take}, "next A: Add(200) or B: Take() blocks", "Take() blocks in the serial run that goes so far"},
		{[]called{add, block}, "next A: Add(400) or B: Take() → 200",
			"Take() does not block in the serial run that goes so far"},
		{[]called{add, take, try}, "next A: Add(400) or B: TryTake() → Fail",
			"the serial run with this prefix continues with TryTake() → Fail"},
		{[]called{add, {"1", "Take", nil, never}}, "next A: Add(400) or B: Take() → 200", ""},
	} {
		before, next, refusal := after(c.calls...)
		assert.Equal(t, c.before, before, "%v", c.calls)
		assert.Equal(t, c.says, refusal, "%v", c.calls)
		assert.Equal(t, c.says == "", len(next) == 1, "%v", c.calls)
	}
	for _, bad := range []struct {
		c    called
		says string
	}{
		{called{"3", "Take", nil, nil}, "process 3 is not one of the observed threads: A, B, main"},
		{called{"0", "Take", nil, nil}, "thread A of the observed test does not call Take()"},
		{called{"0", "Add", 5, nil}, "thread A of the observed test does not call Add(5)"},
	} {
		_, err := serially(t, o, bad.c)
		assert.ErrorContains(t, err, bad.says)
	}
}

// TestSpecOnPendingOperations: in a history that is not stuck, a pending operation may have taken
// effect or not.
func TestSpecOnPendingOperations(t *testing.T) {
	o, _, _, err := Synthesize(context.Background(), figure7(), Options{})
	require.NoError(t, err)
	for _, c := range []struct {
		take any
		want engine.Verdict
	}{{200, engine.Linearizable}, {400, engine.NotLinearizable}} {
		r := new(history.Recorder)
		r.Call(0, "Add", 200)
		r.Call(1, "Take", nil).Return(c.take)
		h, err := r.History()
		require.NoError(t, err)
		result, err := linsat.Check(context.Background(), o.Spec(), h, linsat.Engine("all"))
		require.NoError(t, err)
		assert.Equal(t, c.want, result.Verdict)
	}
	_, err = StuckHistory(&explore.Execution{Ops: []explore.Op{{F: "Take", Return: 1}}}, 0)
	assert.EqualError(t, err, "operation 0 is not pending")
}
