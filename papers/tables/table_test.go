package tables

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/papers/objects"
	"github.com/linsat/linsat/papers/objects/cds"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every row has a cell for each column, and an object that the catalogue has.
func TestRowsFit(t *testing.T) {
	rows := map[string]int{}
	for _, table := range All() {
		rows[table.Paper+" "+table.Name] = len(table.Rows)
		for _, r := range table.Rows {
			assert.Len(t, r.Labels, len(table.Labels), table.Name)
			if r.Paper != nil {
				assert.Len(t, r.Paper, len(table.Columns), "%s: %v", table.Name, r.Labels)
				for i, c := range table.Columns {
					assert.False(t, c.Paper == "" && r.Paper[i] != "", "%s, %v: %s", table.Name, r.Labels, c.Ours)
				}
			}
			_, relaxed := cds.Find(r.Object)
			known := r.Object == "" || r.Object == "sync.Map" || relaxed || len(objects.Find(r.Object)) > 0
			assert.True(t, known, r.Object)
			assert.Equal(t, r.Object != "", r.Run != nil, r.Labels)
		}
	}
	assert.Equal(t, map[string]int{"line-up Table 1": 13, "line-up Table 2": 32, "round-up Table I": 11,
		"round-up Table II": 16, "round-up Table III": 18, "round-up Table IV": 7, "round-up Table V": 21,
		"fgvt Table 2": 6, "p-compositionality Table 1": 18, "cdsspec Figure 6": 8, "cdsspec Figure 7": 8}, rows)
}

// The paper's totals of Figure 7, and of our injections that its drivers find.
func TestFigure7AddsUp(t *testing.T) {
	table := Select("cdsspec")[1]
	total, ours := make([]int, 5), 0
	lines, err := table.Lines(context.Background(), Options{})
	require.NoError(t, err)
	for _, l := range lines {
		for i := range total {
			total[i] += number(t, l.Paper[i])
			if i > 0 {
				ours += number(t, l.Ours[i])
			}
		}
		assert.Equal(t, l.Paper[0], l.Ours[0])
	}
	assert.Equal(t, []int{49, 2, 8, 7, 20}, total)
	assert.Equal(t, 35, ours)
}

func number(t *testing.T, text string) int {
	t.Helper()
	var n int
	require.NoError(t, json.Unmarshal([]byte(text), &n))
	return n
}

// A cell that differs is named, one that can't be compared is not, and a row without figures of the
// paper has none. A row that takes too long says its limit.
func TestDifferencesAreMarked(t *testing.T) {
	run := func(cells ...string) func(context.Context, bool) ([]string, error) {
		return func(context.Context, bool) ([]string, error) { return cells, nil }
	}
	table := &Table{Paper: "p", Name: "Table 9", About: "numbers", Labels: []string{"row"},
		Columns: []Column{{Paper: "a", Ours: "b", Equal: same}, {Paper: "time", Ours: "time", Aside: true},
			{Ours: "c"}},
		Rows: []Row{
			{Labels: []string{"equal"}, Object: "x", Paper: []string{"YES", "1s", ""}, Run: run("yes", "2s", "7")},
			{Labels: []string{"not"}, Object: "y", Paper: []string{"1", "1s", ""}, Run: run("2", "1s", "8")},
			{Labels: []string{"ours"}, Object: "z", Run: run("2", "1s", "9")},
			{Labels: []string{"theirs"}, Paper: []string{"3", "1s", ""}},
			{Labels: []string{"slow"}, Object: "s", Paper: []string{"4", "1s", ""},
				Run: func(ctx context.Context, _ bool) ([]string, error) { <-ctx.Done(); return nil, ctx.Err() }},
		}}
	lines, err := table.Lines(context.Background(), Options{Timeout: time.Millisecond})
	require.NoError(t, err)
	assert.Equal(t, `| row | paper: a | b | c | differs |
|---|---|---|---|---|
| equal | YES | yes | 7 |  |
| not | 1 | 2 | 8 | b |
| ours |  | 2 | 9 |  |
| theirs | 3 |  |  |  |
| slow | 4 | > 1ms | > 1ms |  |
`, table.Markdown(lines))
	var text strings.Builder
	require.NoError(t, table.WriteText(context.Background(), &text, Options{Timeout: time.Millisecond}))
	assert.Equal(t, `p, Table 9: numbers
row     paper: a  b    paper: time  time  c  differs
equal   YES       yes  1s           2s    7  -
not     1         2    1s           1s    8  b
ours    -         2    -            1s    9  -
theirs  3         -    1s           -     -  -
slow    4         > 1ms  1s           > 1ms  > 1ms  -
`, text.String())
	out, err := json.Marshal(table.JSON(&lines[1]))
	require.NoError(t, err)
	assert.JSONEq(t, `{"paper":"p","table":"Table 9","row":["not"],"object":"y","differs":["b"],"columns":[
		{"name":"a","paper":"1","as":"b","ours":"2"},{"name":"time","paper":"1s","ours":"1s"},
		{"name":"c","ours":"8"}]}`, string(out))
	ctx, stop := context.WithCancel(context.Background())
	stop()
	lines, err = table.Lines(ctx, Options{})
	assert.ErrorIs(t, err, context.Canceled)
	assert.EqualError(t, err, "Table 9, equal: context canceled")
	assert.Empty(t, lines)
	second, stop := context.WithCancel(context.Background())
	table.Rows[1].Run = func(context.Context, bool) ([]string, error) { stop(); return nil, context.Canceled }
	text.Reset()
	assert.EqualError(t, table.WriteText(second, &text, Options{}), "Table 9, not: context canceled")
	assert.Contains(t, text.String(), "\nequal   YES ", "rows before it are kept")
	assert.Equal(t, "> 10 min", over(10*time.Minute))
	assert.Equal(t, "7 of more than 10¹⁹", traces(7)+" of "+traces(math.MaxUint64))
}
