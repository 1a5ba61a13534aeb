package spec_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/report"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOperationsWithoutResults: an operation that never has a result is named if some state gives
// it one, also where the history allows null.
func TestOperationsWithoutResults(t *testing.T) {
	const set, get, take = `{"process":0,"f":"set","arg":1,"call":0,"return":1}`,
		`{"process":1,"f":"get","call":2,"return":3`, `{"process":2,"f":"take","call":0,"return":5`
	null := func(s int64, c spec.Call) bool { return c.F == "set" || c.F == "take" && s == 0 }
	next := func(s int64, c spec.Call) []int64 {
		switch c.F {
		case "set":
			return []int64{spec.As[int64](c.Arg)}
		case "get":
			return []int64{s}
		}
		return []int64{0}
	}
	accepts := func(s int64, c spec.Call, result any) []int64 {
		if result == nil && null(s, c) || result == s && !null(s, c) {
			return next(s, c)
		}
		return nil
	}
	for _, row := range []struct{ lines, want string }{
		{set, ""},
		{set + "\n" + get + `,"result":1}`, ""},
		{set + "\n" + get + `,"forgotten":true}`, "get"},
		{set + "\n" + get + `,"forgotten":true}` + "\n" + `{"process":3,"f":"get","call":2,"return":3,"result":1}`, ""},
		{set + "\n" + `{"process":1,"f":"get","call":2}`, ""},
		{set + "\n" + take + `,"forgotten":true}`, "take"},
		{take + `}`, ""}, // nothing puts anything in
		{set + "\n" + take + `,"forgotten":true}` + "\n" + get + `,"forgotten":true}`, "get or take"},
	} {
		for _, d := range []spec.Definition[int64]{{Name: "cell", Step: cell},
			{Name: "cell", Accept: accepts, Open: next}} {
			s, err := spec.Define(d)
			require.NoError(t, err)
			h, err := history.Read(strings.NewReader(row.lines), history.ReadOptions{})
			require.NoError(t, err)
			r, err := linsat.Check(context.Background(), s, h)
			require.NoError(t, err, row.lines)
			var text strings.Builder
			require.NoError(t, report.Text(&text, h, r))
			if row.want == "" {
				assert.NotContains(t, text.String(), "note:", row.lines)
			} else {
				assert.Contains(t, text.String(), "note: no "+row.want+
					" has a result in this history, though cell gives it one", row.lines)
			}
		}
	}
}
