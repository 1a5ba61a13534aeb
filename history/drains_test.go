package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDrainsAreDequeuesOfTheirValues: a drain of Jepsen's is a dequeue for each of its values, one
// after the other, each between its call and its return.
func TestDrainsAreDequeuesOfTheirValues(t *testing.T) {
	h, err := Read(strings.NewReader(`{:process 0, :type :invoke, :f :enqueue, :value 1}
{:process 0, :type :ok, :f :enqueue, :value 1}
{:process 1, :type :invoke, :f :drain, :value nil}
{:process 2, :type :invoke, :f :drain, :value nil}
{:process 2, :type :ok, :f :drain, :value []}
{:process 3, :type :invoke, :f :drain, :value nil}
{:process 3, :type :fail, :f :drain, :value nil}
{:process 1, :type :ok, :f :drain, :value [1 2 3]}
{:process 2, :type :invoke, :f :dequeue, :value nil}
{:process 2, :type :ok, :f :dequeue, :value 4}
`), ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, 2, h.Failed)
	require.Len(t, h.Ops, 5)
	var drained []OpID
	for i := range h.Ops {
		if f, _ := h.Values.AsString(h.Ops[i].F); f == "dequeue" && h.Origins[i].CallTime == 2 {
			drained = append(drained, OpID(i))
		}
	}
	require.Len(t, drained, 3)
	for k, i := range drained {
		n, _ := h.Values.AsInt(h.Ops[i].Result)
		assert.Equal(t, int64(k+1), n)
		assert.Equal(t, "1", h.Processes[h.Ops[i].Process])
		assert.Equal(t, int32(3), h.Origins[i].Line)
		assert.Equal(t, int64(7), h.Origins[i].ReturnTime)
	}
	assert.Equal(t, []Edge{{drained[0], drained[1]}, {drained[1], drained[2]}}, h.Edges)
	for _, row := range []struct{ returns, what string }{
		{`{:process 1, :type :info, :f :drain, :value nil}`, "a drain never returned"},
		{``, "a drain never returned"},
		{`{:process 1, :type :ok, :f :drain, :value :exhausted}`, `a drain returned "exhausted", not the list`},
	} {
		_, err := Read(
			strings.NewReader(
				"{:process 0, :type :invoke, :f :enqueue, :value 1}\n{:process 1, :type :invoke, :f :drain, :value "+
					"nil}\n"+row.returns), ReadOptions{})
		var bad *Error
		require.ErrorAs(t, err, &bad)
		assert.Contains(t, bad.Error(), "2: "+row.what)
		assert.NotEmpty(t, bad.Hint)
	}
}

// TestDrainsAloneNeedNoEdges: where nothing happens during a drain, its dequeues follow each other,
// and what comes after them stays where it was.
func TestDrainsAloneNeedNoEdges(t *testing.T) {
	h, err := Read(strings.NewReader(`{:process 0, :type :invoke, :f :enqueue, :value 1}
{:process 1, :type :invoke, :f :drain, :value nil}
{:process :nemesis, :type :info, :f :stop, :value nil}
{:process 1, :type :ok, :f :drain, :value [1 2 3]}
{:process 2, :type :invoke, :f :drain, :value nil}
{:process 2, :type :ok, :f :drain, :value [4 5]}
{:process 0, :type :ok, :f :enqueue, :value 1}
{:process 0, :type :invoke, :f :dequeue, :value nil}
{:process 3, :type :invoke, :f :enqueue, :value 7}
{:process 0, :type :ok, :f :dequeue, :value 6}
`), ReadOptions{})
	require.NoError(t, err)
	assert.Empty(t, h.Edges)
	var told []string
	for i := range h.Ops {
		o := &h.Ops[i]
		told = append(told, h.Values.Format(o.F)+" "+h.Values.Format(o.Arg)+h.Values.Format(o.Result)+" "+
			h.Processes[o.Process])
	}
	assert.Equal(t, []string{`"enqueue" 1null 0`, `"dequeue" null1 1`, `"dequeue" null2 1`, `"dequeue" null3 1`,
		`"dequeue" null4 2`, `"dequeue" null5 2`, `"dequeue" null6 0`, `"enqueue" 7null 3`}, told)
	for i := 2; i < 6; i++ {
		assert.Less(t, h.Ops[i-1].Return, h.Ops[i].Call, "operation %d", i)
	}
	assert.Less(t, h.Ops[5].Return, h.Ops[0].Return)
	assert.Less(t, h.Ops[0].Return, h.Ops[6].Call)
}

// TestRepeatedArguments: a return that repeats the argument says nothing, unless the operation
// always has something to say.
func TestRepeatedArguments(t *testing.T) {
	for name, says := range map[string]bool{"add": false, "enqueue": false, "increment": false,
		"compare-and-swap": false, "addAndGet": true, "get-and-set": true, "fetch_add": true,
		"swap": true, "compareAndExchange": true, "incrementAndGet": true, "getset": true} {
		h, err := Read(strings.NewReader("{:process 0, :type :invoke, :f :"+name+
			", :value 1}\n{:process 0, :type :ok, :f :"+name+", :value 1}"), ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, says, h.Ops[0].Result != Nil, name)
	}
}
