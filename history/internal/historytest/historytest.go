// Package historytest has what tests of histories share.
package historytest

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
)

// List shows a history as short lines: process f(key: arg) → result [call, return].
func List(h *history.History) []string {
	var out []string
	for i := range h.Ops {
		o := &h.Ops[i]
		s := h.Processes[o.Process] + " "
		f, _ := h.Values.AsString(o.F)
		s += f
		if o.Key != history.NoKey {
			s += " " + h.Values.Format(o.Key) + ":"
		}
		if o.Arg != history.Nil {
			s += " " + h.Values.Format(o.Arg)
		}
		switch {
		case o.Pending():
			s += " pending"
		case o.Unknown:
			s += " → ?"
		default:
			s += " → " + h.Values.Format(o.Result)
		}
		if o.Pending() {
			s += fmt.Sprintf(" [%d]", o.Call)
		} else {
			s += fmt.Sprintf(" [%d %d]", o.Call, o.Return)
		}
		out = append(out, s)
	}
	return out
}

// OperationTexts are the operations of a history, with values as text: their numbers are those of
// one table.
func OperationTexts(h *history.History) []string {
	texts := make([]string, len(h.Ops))
	for i := range h.Ops {
		o := h.Ops[i]
		text := fmt.Sprint(o.Process, h.Values.Format(o.F), h.Values.Format(o.Arg), h.Values.Format(o.Result), o.Call,
			o.Return, o.Unknown, o.NoResult, h.Origins[i].CallTime)
		if o.Key != history.NoKey {
			text += " key " + h.Values.Format(o.Key)
		}
		if h.Revisions != nil && h.Revisions[i] != nil {
			text += fmt.Sprint(" revision ", h.Values.Format(h.Revisions[i].Chain), h.Revisions[i].Number)
		}
		texts[i] = text
	}
	return texts
}

// RequireRanks checks what Op promises of ranks.
func RequireRanks(t *testing.T, h *history.History, seed uint64) {
	used := map[history.Rank]bool{}
	for i := range h.Ops {
		o := &h.Ops[i]
		fine := !used[o.Call] && o.Call < o.Return && !used[o.Return] && (i == 0 || h.Ops[i-1].Call < o.Call)
		used[o.Call], used[o.Return] = true, !o.Pending()
		if !fine {
			require.Fail(t, "wrong ranks", "seed %d, operation %d\n%+v", seed, i, h.Ops)
		}
	}
}

// Fuzzed reads data as the format. It must not panic, an error must be of the kind that the command
// line shows, and what is read must survive writing and reading.
func Fuzzed(t *testing.T, data []byte, format string, limit int64) {
	h, err := history.Read(bytes.NewReader(data), history.ReadOptions{Format: format, MemoryLimit: limit})
	if err != nil {
		var e *history.Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.What)
		require.NotContains(t, err.Error(), "\n")
		require.Nil(t, h)
		return
	}
	RequireRanks(t, h, 0)
	for _, write := range []func(io.Writer, *history.History) error{history.WriteJSON, history.WriteJSONL} {
		requireWritten(t, h, write)
	}
}

// requireWritten reads back what is written of a history, and compares operations, and their order
// where no revisions are stated, which may be ranks in one and edges in the other.
func requireWritten(t *testing.T, h *history.History, write func(io.Writer, *history.History) error) {
	if len(h.Ops) == 0 && len(h.Notes) == 0 {
		return // nothing was left to write
	}
	var out bytes.Buffer
	require.NoError(t, write(&out, h))
	back, err := history.Read(bytes.NewReader(out.Bytes()), history.ReadOptions{})
	require.NoError(t, err, "%s", &out)
	require.Equal(t, h.Spec, back.Spec)
	require.Equal(t, h.HasInitial, back.HasInitial)
	require.Equal(t, h.Values.Format(h.Initial), back.Values.Format(back.Initial))
	require.Len(t, back.Ops, len(h.Ops))
	require.Len(t, back.Notes, len(h.Notes))
	for i := range h.Notes {
		require.Equal(t, h.Notes[i].Text, back.Notes[i].Text)
	}
	at := make([]history.OpID, len(h.Ops)) // operation of h → operation of back
	for i := range back.Ops {
		at[back.Origins[i].Position] = history.OpID(i)
	}
	for i := range at {
		require.Equal(t, content(h, history.OpID(i)), content(back, at[i]), "%s", &out)
	}
	if h.Revisions != nil || len(h.Ops) > 2000 {
		return
	}
	for i := range at {
		for j := range at {
			require.Equal(t, h.Ops[i].Return < h.Ops[j].Call, back.Ops[at[i]].Return < back.Ops[at[j]].Call,
				"order of %d and %d: %s", i, j, &out)
		}
	}
	edges := map[history.Edge]bool{}
	for _, e := range back.Edges {
		edges[e] = true
	}
	require.Len(t, edges, len(h.Edges))
	for _, e := range h.Edges {
		require.True(t, edges[history.Edge{Before: at[e.Before], After: at[e.After]}], "edge %v: %s", e, &out)
	}
}

// content is all that an operation says but its place and process.
func content(h *history.History, i history.OpID) string {
	o := h.Ops[i]
	key, result, revision, id := "", "", "", ""
	if h.IDs != nil {
		id = h.IDs[i]
	}
	if o.Key != history.NoKey {
		key = h.Values.Format(o.Key)
	}
	if !o.Unknown {
		result = h.Values.Format(o.Result)
	}
	if h.Revisions != nil && h.Revisions[i] != nil {
		revision = fmt.Sprint(h.Revisions[i].Number, " of ", h.Values.Format(h.Revisions[i].Chain))
	}
	return fmt.Sprintln(h.Values.Format(o.F), h.Values.Format(o.Arg), key, result, o.Pending(), revision, id)
}
