package tablespec

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/spectest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cell is an outcome of a drawn table, as the twin in Go has it: next -1 for none.
type cell struct {
	any          bool
	result, next int
}

// drawn is a table in memory, apart from its file.
type drawn struct {
	states, operations int
	cells              map[[2]int][]cell // operation and state
}

func draw(r *rand.Rand) drawn {
	t := drawn{states: 1 + r.IntN(20), operations: 1 + r.IntN(5), cells: map[[2]int][]cell{}}
	for o := range t.operations {
		several := r.IntN(3) == 0
		for s := range t.states {
			n := 1
			if several {
				n = r.IntN(4)
			}
			for range n {
				t.cells[[2]int{o, s}] = append(t.cells[[2]int{o, s}], cell{r.IntN(4) == 0, r.IntN(3), r.IntN(t.states)})
			}
		}
	}
	return t
}

// call is how operation o is spelled: even ones have arguments, of several kinds.
func call(o int) (f string, arg any) {
	if o%2 == 1 {
		return fmt.Sprint("f", o), nil
	}
	return "f", [...]any{int64(o), []any{int64(o), "x"}, map[string]any{"k": int64(o)}}[o%3]
}

// file writes the table.
func (t drawn) file(r *rand.Rand) []byte {
	type object = map[string]any
	names := make([]string, t.states)
	for s := range names {
		names[s] = fmt.Sprint("s", s)
	}
	var rows []any
	for o := range t.operations {
		in := object{}
		for s := range t.states {
			list := []any{}
			for _, c := range t.cells[[2]int{o, s}] {
				switch {
				case c.any && r.IntN(2) == 0:
					list = append(list, names[c.next])
				case c.any:
					list = append(list, object{"next": names[c.next]})
				case c.next == s && r.IntN(2) == 0:
					list = append(list, object{"result": c.result})
				default:
					list = append(list, object{"result": c.result, "next": names[c.next]})
				}
			}
			switch {
			case len(list) == 1 && r.IntN(2) == 0:
				in[names[s]] = list[0]
			case len(list) > 0 || r.IntN(2) == 0:
				in[names[s]] = list
			}
		}
		f, arg := call(o)
		rows = append(rows, object{"f": f, "arg": arg, "in": in})
	}
	text, err := json.Marshal(object{"name": "drawn", "states": names, "operations": rows})
	if err != nil {
		panic(err)
	}
	return text
}

// twin is the table as a definition in Go that looks at nothing of the file.
func (t drawn) twin() spec.Definition[int] {
	return spec.Definition[int]{Name: "drawn", Step: func(s int, c spec.Call) []spec.Outcome[int] {
		var out []spec.Outcome[int]
		for o := range t.operations {
			if f, arg := call(o); f != c.F || fmt.Sprint(arg) != fmt.Sprint(c.Arg) {
				continue
			}
			for _, x := range t.cells[[2]int{o, s}] {
				if x.any {
					out = append(out, spec.Outcome[int]{Next: x.next, AnyOutput: true})
				} else {
					out = append(out, spec.Outcome[int]{Output: x.result, Next: x.next})
				}
			}
		}
		return out
	}}
}

// history draws operations along a run, some pending, some with another result.
func (t drawn) history(r *rand.Rand) *history.History {
	b := history.NewBuilder()
	spread, s := int64(1+r.IntN(12)), 0
	for i := range 2 + r.IntN(6) {
		o := r.IntN(t.operations)
		f, arg := call(o)
		value, err := b.Values.Of(arg)
		if err != nil {
			panic(err)
		}
		rec := history.Record{Process: b.ProcessInt(int64(i)), F: b.Values.String(f), Key: history.NoKey, Arg: value,
			Result: b.Values.Int(int64(r.IntN(3))),
			Call:   4*int64(i) - r.Int64N(spread), Return: 4*int64(i) + r.Int64N(spread)}
		if cells := t.cells[[2]int{o, s}]; len(cells) > 0 && r.IntN(8) > 0 {
			c := cells[r.IntN(len(cells))]
			rec.Result, s = b.Values.Int(int64(c.result)), c.next
		}
		if r.IntN(7) == 0 {
			rec.Pending, rec.Result = true, history.Nil
		}
		if _, err := b.Add(rec); err != nil {
			panic(err)
		}
	}
	h, err := b.Finish()
	if err != nil {
		panic(err)
	}
	return h
}

// TestTablesAndTheirTwins: a table in a file gives on random histories the verdict of that table
// in Go, which is that of the definition by brute force.
func TestTablesAndTheirTwins(t *testing.T) {
	verdicts := map[linsat.Verdict]int{}
	theories := 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 16))
		table := draw(r)
		file, err := parse("drawn.json", table.file(r))
		require.NoError(t, err)
		twin, err := spec.Define(table.twin())
		require.NoError(t, err)
		for i := range testenv.Scale(8, 1000) {
			h := table.history(r)
			about := fmt.Sprintf("seed %d, history %d", seed, i)
			b, err := model.Full(file.Spec).Bind(model.Whole(h))
			require.NoError(t, err, about)
			other, err := model.Full(twin).Bind(model.Whole(h))
			require.NoError(t, err, about)
			want, _ := oracle.Linearizable(other)
			got, _ := oracle.Linearizable(b)
			require.Equal(t, want, got, about)
			if b.Axiomatic() != nil {
				theories++
			}
			for _, s := range []spec.Spec{file.Spec, twin} {
				result, err := linsat.Check(context.Background(), s, h, linsat.Engine("all"))
				require.NoError(t, err, about)
				require.Equal(t, want, result.Verdict == linsat.Linearizable, about)
				verdicts[result.Verdict]++
			}
		}
	}
	assert.Greater(t, verdicts[linsat.Linearizable], testenv.MoreThan(50))
	assert.Greater(t, verdicts[linsat.NotLinearizable], testenv.MoreThan(50))
	assert.Zero(t, verdicts[linsat.Unknown])
	assert.Greater(t, theories, testenv.MoreThan(50))
}

// TestLawsOfTables: drawn tables keep the laws that the engines rely on.
func TestLawsOfTables(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 17))
		file, err := parse("drawn.json", draw(r).file(r))
		require.NoError(t, err)
		kit := spectest.Kit{Initials: file.Initials(), Runs: 50}
		for _, s := range file.Samples() {
			kit.Samples = append(kit.Samples, spectest.Sample{F: s.Call.F, Arg: s.Call.Arg,
				Results: s.Results, More: s.More})
		}
		require.Empty(t, spectest.Check(file.Spec, kit), "seed %d", seed)
	}
}

// FuzzTable: no text makes the reader panic.
func FuzzTable(f *testing.F) {
	for _, text := range []string{form, `{"states": [1]}`, `[`,
		`{"states": ["a"], "operations": [{"f": "x", "arg": [1, {"y": null}], "in": {"a": ["a", {"result": 1}]}}]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if file, err := parse("t.json", text); err == nil && len(file.Samples()) == 0 {
			t.Error("a table without operations")
		}
	})
}
