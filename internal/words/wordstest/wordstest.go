// Package wordstest makes results for the tests of what shows them.
package wordstest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// Parse reads a history in linsat's JSON.
func Parse(t *testing.T, text string) *history.History {
	t.Helper()
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{Name: "h.json"})
	require.NoError(t, err)
	return h
}

// Checked decides h with the search alone, so that pictures of the same history are the same.
func Checked(t *testing.T, h *history.History, options ...linsat.Option) *words.Run {
	t.Helper()
	s, ok := specs.Lookup(h.Spec)
	require.True(t, ok, h.Spec)
	r, err := linsat.Check(context.Background(), s, h, append(options, linsat.Engine("search"),
		linsat.Timeout(30*time.Second))...)
	require.NoError(t, err)
	run := &words.Run{File: "h.json", History: h, Result: *result.Of(r)}
	run.Result.Took = 1234 * time.Microsecond
	return run
}

// Slots asks for quasi-linearizability of a queue under a bound, as --quasi takes it.
func Slots(t *testing.T, bound string) linsat.Option {
	t.Helper()
	queue, _ := specs.Lookup("queue")
	request, err := quasi.Parse(queue.Info(), bound)
	require.NoError(t, err)
	return linsat.Quasi(quasi.Question{Factor: request.Factor, Drain: true})
}
