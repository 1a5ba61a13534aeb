package history_test

import (
	"io"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Calls that make no sense are errors, not panics.
func TestMisuseIsAnError(t *testing.T) {
	_, err := history.Read(nil, history.ReadOptions{})
	assert.ErrorContains(t, err, "the reader is nil")
	_, err = (*history.Values)(nil).Parse("1")
	assert.ErrorContains(t, err, "without a table of values")
	for _, write := range []func(io.Writer, *history.History) error{history.WriteJSON, history.WriteJSONL} {
		assert.ErrorContains(t, write(io.Discard, nil), "the history or the writer is nil")
		assert.ErrorContains(t, write(io.Discard, &history.History{}), "no table of values")
		assert.ErrorContains(t, write(nil, &history.History{}), "the history or the writer is nil")
	}
	b := history.NewBuilder()
	assert.ErrorContains(t, b.Invoke(7, history.Nil, history.NoKey, history.Nil, 0),
		"process number 7 was not returned")
	r := new(history.Recorder)
	h := r.Call(0, "read", nil)
	_, err = r.History()
	require.NoError(t, err)
	h.Return(1)
	h.Abandon()
	r.Call(1, "read", nil).Fail()
	_, err = r.History()
	assert.ErrorContains(t, err, "used after History")
}
