package linsattest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/linsattest"
)

// plainStack is an object without locks, as Golden asks for.
func plainStack() linsattest.Object {
	return linsattest.Object{
		Ops: []linsattest.Op{{F: "push", Arg: 1}, {F: "pop"}},
		New: func() func(f string, arg any) any {
			var items []any
			return func(f string, arg any) any {
				if f == "push" {
					items = append(items, arg)
					return nil
				}
				if len(items) == 0 {
					return "empty"
				}
				last := items[len(items)-1]
				items = items[:len(items)-1]
				return last
			}
		},
	}
}

func TestGoldenStates(t *testing.T) {
	sp := linsattest.Golden(plainStack())
	for _, c := range []struct {
		name, ops string
		want      linsat.Verdict
	}{
		{"what was pushed before is there", `
			{"process": 0, "f": "push", "arg": 1, "result": null, "call": 0, "return": 1}
			{"process": 0, "f": "push", "arg": 2, "result": null, "call": 2, "return": 3}
			{"process": 0, "f": "pop", "result": 2, "call": 4, "return": 5}
			{"process": 0, "f": "pop", "result": 1, "call": 6, "return": 7}
			{"process": 0, "f": "pop", "result": "empty", "call": 8, "return": 9}`, linsat.Linearizable},
		{"the first one first", `
			{"process": 0, "f": "push", "arg": 1, "result": null, "call": 0, "return": 1}
			{"process": 0, "f": "push", "arg": 2, "result": null, "call": 2, "return": 3}
			{"process": 0, "f": "pop", "result": 1, "call": 4, "return": 5}`, linsat.NotLinearizable},
		{"empty though an item is there", `
			{"process": 0, "f": "push", "arg": 1, "result": null, "call": 0, "return": 1}
			{"process": 0, "f": "pop", "result": "empty", "call": 2, "return": 3}`, linsat.NotLinearizable},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, err := history.Read(strings.NewReader(c.ops), history.ReadOptions{Format: "jsonl"})
			require.NoError(t, err)
			r, err := linsat.Check(context.Background(), sp, h)
			require.NoError(t, err)
			require.Equal(t, c.want, r.Verdict)
		})
	}
}
