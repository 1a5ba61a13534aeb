package lineup

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// TestSpecSpeaks: states and refusals in words.
func TestSpecSpeaks(t *testing.T) {
	c := figure7()
	c.After = []explore.Call{{F: "TryTake"}}
	o, _, _, err := Synthesize(context.Background(), c, Options{})
	require.NoError(t, err)
	at := func(calls ...spec.Call) int32 {
		node := int32(0)
		for _, c := range calls {
			next := o.step(node, c)
			require.Len(t, next, 1, c.F)
			node = next[0]
		}
		return node
	}
	add := spec.Call{F: "Add", Process: "0", Arg: int64(200), Known: true}
	take := spec.Call{F: "Take", Process: "B", Result: int64(200), Known: true}
	block := spec.Call{F: "Take", Process: "1", Result: map[string]any{Blocks: true}, Known: true}
	assert.Equal(t, "next A: Add(200) or B: Take() blocks", o.describeNode(at()))
	assert.Equal(t, "next A: Add(400) or B: Take() → 200", o.describeNode(at(add)))
	assert.Equal(t, "blocked for ever", o.describeNode(at(block)))
	add2 := spec.Call{F: "Add", Process: "A", Arg: 400, Known: true}
	try := spec.Call{F: "TryTake", Process: "B", Result: int64(400), Known: true}
	last := spec.Call{F: "TryTake", Process: "main", Result: "Fail", Known: true}
	assert.Equal(t, "the end", o.describeNode(at(add, add2, take, try, last)))

	unknown := spec.Call{F: "Take", Process: "1"} // it is pending: it may have returned, not blocked
	assert.Empty(t, o.step(at(), unknown))
	assert.Len(t, o.step(at(add), unknown), 1)
	for _, r := range []struct {
		node int32
		c    spec.Call
		says string
	}{
		{at(block), add, "nothing comes after an operation that blocks"},
		{at(), add2, "no serial run goes on with Add(400) of thread A here"},
		{at(), take, "Take() blocks in the serial run that goes so far"},
		{at(add), block, "Take() does not block in the serial run that goes so far"},
		{at(add, take), try, "the serial run that goes so far has TryTake() → Fail"},
	} {
		assert.Empty(t, o.step(r.node, r.c))
		assert.Equal(t, r.says, o.refusal(r.node, r.c))
	}
	for _, bad := range []struct {
		c    spec.Call
		says string
	}{
		{spec.Call{F: "Take", Process: "2"}, "process 2 is none of the threads that were observed: A, B, main"},
		{spec.Call{F: "Take", Process: "0"}, "thread A of the observed test does not call Take()"},
		{spec.Call{F: "Add", Process: "A", Arg: int64(5)}, "thread A of the observed test does not call Add(5)"},
	} {
		assert.EqualError(t, o.known(bad.c), bad.says)
	}
}

// TestSpecOnPendingOperations: in a history that is not stuck, a pending operation may have taken effect or not.
func TestSpecOnPendingOperations(t *testing.T) {
	o, _, _, err := Synthesize(context.Background(), figure7(), Options{})
	require.NoError(t, err)
	for _, c := range []struct {
		take any
		want check.Verdict
	}{{200, check.Linearizable}, {400, check.NotLinearizable}} {
		r := history.NewRecorder()
		r.Call(0, "Add", 200)
		r.Call(1, "Take", nil).Return(c.take)
		h, err := r.History()
		require.NoError(t, err)
		result, err := linsat.Check(context.Background(), o.Spec(), h, linsat.Engine(linsat.All))
		require.NoError(t, err)
		assert.Equal(t, c.want, result.Verdict)
	}
	_, err = StuckHistory(&explore.Execution{Ops: []explore.Op{{F: "Take", Return: 1}}}, 0)
	assert.EqualError(t, err, "operation 0 is not pending")
}
