package linsat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Bad input in one partition is an error although another partition, judged first, is a violation.
func TestErrorsOfAPartitionAreReportedDespiteViolations(t *testing.T) {
	kv, _ := specs.Lookup("kv")
	for _, keys := range []int{0, 50} {
		var b strings.Builder
		b.WriteString(
			`{"spec": "kv", "operations": [{"process": 0, "f": "get", "key": "a", "call": 0, "return": 1, "result": 5}`)
		for k := range keys {
			fmt.Fprintf(&b, `, {"process": 1, "f": "get", "key": "k%d", "call": %d, "return": %d, "result": null}`, k,
				2*k, 2*k+1)
		}
		b.WriteString(`, {"process": 2, "f": "append", "key": "z", "call": 0, "return": 1, "arg": 4}]}`)
		h, err := history.Read(strings.NewReader(b.String()), history.ReadOptions{})
		require.NoError(t, err)
		for range 20 {
			_, err = linsat.Check(context.Background(), kv, h)
			var bad *history.Error
			require.ErrorAs(t, err, &bad)
			assert.Contains(t, bad.What, "append")
		}
	}
}

// A limit that is over before an engine is asked is the cause, not that the engine asked first does
// not take the question.
func TestTimeoutTooShortIsACause(t *testing.T) {
	stack, _ := specs.Lookup("stack")
	h, err := history.Read(strings.NewReader(`{"spec": "stack", "operations": [
		{"process": 0, "f": "push", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "push", "arg": 1, "call": 2, "return": 3},
		{"process": 0, "f": "pop", "call": 4, "return": 5, "result": 1}, {"process": 0, "f": "pop", "call": 6, "return": 7, "result": 1}]}`), history.ReadOptions{})
	require.NoError(t, err)
	request, err := quasi.Parse(stack.Info(), "min")
	require.NoError(t, err)
	for _, o := range []linsat.Option{linsat.Workers(1), linsat.Quasi(quasi.Question{Factor: request.Factor}),
		linsat.Quasi(request)} {
		r, err := linsat.Check(context.Background(), stack, h, linsat.Timeout(time.Nanosecond), o)
		require.NoError(t, err)
		assert.Equal(t, engine.Unknown, r.Verdict)
		assert.Equal(t, engine.Timeout, r.Cause)
	}
	r, err := linsat.Check(context.Background(), stack, h, linsat.Workers(0))
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)
}
