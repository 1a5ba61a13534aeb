package specs_test

import (
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestObserving: the result of an operation either says that null stands for "not recorded", or has
// to be stated.
func TestObserving(t *testing.T) {
	for _, s := range specs.All() {
		for _, o := range s.Info().Operations {
			optional := o.Result == "" || strings.Contains(o.Result, "not recorded") ||
				strings.Contains(o.Result, "not reported")
			assert.Equal(t, !optional, specs.Observing(s, o.Name),
				"%s of %s: %q; spec/stated.go lists what has to be stated", o.Name, s.Info().Name, o.Result)
		}
	}
}

func TestCheckStated(t *testing.T) {
	for _, row := range []struct{ spec, f, arg, bad string }{
		{"queue", "deq", "", "deq returned, but the history does not state its result"},
		{"queue", "poll", "", "poll returned, but the history does not state its result"},
		{"queue", "enq", `"arg": 1, `, ""},
		{"stack", "peek", "", "peek returned, but"},
		{"register", "read", "", "read returned, but"},
		{"register", "write", `"arg": 1, `, ""},
		{"cas-register", "cas", `"arg": [1, 2], `, ""},
		{"kv", "get", `"key": "x", `, "get returned, but"},
		{"set", "add", `"arg": 1, `, ""},
		{"set", "size", "", "size returned, but"},
		{"counter", "fetch_add", "", "fetch_add returned, but"},
		{"mutex", "trylock", "", ""},
		{"log", "append", `"arg": 1, `, ""},
	} {
		s, ok := specs.Lookup(row.spec)
		require.True(t, ok)
		const first = `{"process": 1, "f": "nonsense", "call": 0}` + "\n"
		read := func(more string) *history.History {
			h, err := history.Read(strings.NewReader(first+`{"process": 0, "f": "`+row.f+`", `+row.arg+`"call": 1, `+
				more+`}`), history.ReadOptions{})
			require.NoError(t, err)
			return h
		}
		err := specs.CheckStated(s, read(`"return": 2`))
		if row.bad == "" {
			assert.NoError(t, err)
		} else {
			var e *history.Error
			require.ErrorAs(t, err, &e, "%s of %s", row.f, row.spec)
			assert.Contains(t, e.Error(), "2: "+row.bad)
			assert.Contains(t, e.Hint, "null")
		}
		for _, stated := range []string{`"return": 2, "result": null`, `"return": 2, "forgotten": true`,
			`"return": 2, "status": "info"`, `"id": "x"`} {
			assert.NoError(t, specs.CheckStated(s, read(stated)), "%s of %s: %s", row.f, row.spec, stated)
		}
		if row.bad != "" {
			err = specs.CheckStated(s, read(`"return": 2, "value": 3`))
			require.ErrorAs(t, err, new(*history.Error))
			assert.Contains(t, err.(*history.Error).Hint, `did you mean "result"`)
		}
	}
}

// TestStatedAside: of a long history, which is looked through in two halves, the first result that
// is not stated is named.
func TestStatedAside(t *testing.T) {
	const n = 80_000
	b := history.NewBuilder()
	for i := range int64(n) {
		_, err := b.Add(history.Record{Process: b.ProcessInt(0), F: b.Values.String("deq"), Key: history.NoKey,
			Call: 2 * i, Return: 2*i + 1, Line: int(i) + 1})
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	require.NoError(t, specs.CheckStated(specs.Queue(), h))
	for _, at := range [][]int{{0}, {n/2 - 1, n / 2}, {n / 2}, {n - 1}, {3, n - 3}} {
		for _, i := range at {
			h.Ops[i].NoResult = true
		}
		var wrong *history.Error
		require.ErrorAs(t, specs.CheckStated(specs.Queue(), h), &wrong)
		require.Equal(t, at[0]+1, wrong.Line, "%v", at)
		for _, i := range at {
			h.Ops[i].NoResult = false
		}
	}
}
