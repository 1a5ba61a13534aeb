package charts_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/bench/internal/charts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGrowthHasAChartForEachEngine(t *testing.T) {
	var svg bytes.Buffer
	ms := time.Millisecond
	require.NoError(t, charts.Growth(&svg, []charts.Curve{
		{Kind: "queue", Engine: "monitor", Slope: "1.00", Lengths: []int{1000, 10_000, 100_000},
			Times: []time.Duration{ms, 10 * ms, 100 * ms}},
		{Kind: "stack", Engine: "monitor", Lengths: []int{1000}, Times: []time.Duration{ms}},
		{Kind: "counter", Engine: "monitor"},
		{Kind: "queue", Engine: "sat", Lengths: []int{1000, 3000}, Times: []time.Duration{50 * ms, 3000 * ms}},
	}))
	for _, want := range []string{"queue (slope 1.00)", ">stack<", "monitor: time against length",
		"sat: time against length", ">10s<", ">100000<"} {
		assert.Contains(t, svg.String(), want)
	}
	assert.NotContains(t, svg.String(), "counter", "nothing was decided")
	assert.NotContains(t, svg.String(), "NaN")
}

func TestAMapShowsEachStateInItsOwnWay(t *testing.T) {
	ms := time.Millisecond
	m := charts.Map{
		Title:   "a <map>",
		Names:   []string{"operations", "processes"},
		Columns: [][]string{{"1k", "2"}, {"1k", "4"}, {"10k", "2"}, {"10k", "4"}},
		Rows:    [][]string{{"correct", "0 %"}, {"correct", "1 %"}},
		Marks: [][]charts.Mark{
			{{State: charts.Decided, Took: ms / 2}, {State: charts.Decided, Took: 20 * ms, Flawed: true},
				{State: charts.Undecided}, {State: charts.Skipped}},
			{{}, {State: charts.LeftOut}, {State: charts.Decided, Took: time.Hour},
				{State: charts.Decided, Took: 2 * time.Hour}},
		},
	}
	var svg bytes.Buffer
	require.NoError(t, m.SVG(&svg))
	var texts []string
	cells := map[string]int{} // by colour
	for d := xml.NewDecoder(bytes.NewReader(svg.Bytes())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			attributes := map[string]string{}
			for _, a := range e.Attr {
				attributes[a.Name.Local] = a.Value
			}
			if e.Name.Local == "path" {
				cells[attributes["fill"]] += strings.Count(attributes["d"], "z")
			}
		case xml.CharData:
			texts = append(texts, string(e))
		}
	}
	// each colour is in the legend once more
	for color, n := range map[string]int{"#eff6fb": 1, "#86bbdd": 1, "#0b3c6d": 2, "#d55e00": 1, "#f6d5bd": 1,
		"#e69f00": 1, "#ddd": 1} {
		assert.Equal(t, n+1, cells[color], color)
	}
	for _, want := range []string{"a <map>", "processes", "correct", "1 %", "not certified"} {
		assert.Contains(t, texts, want)
	}
	correct := 0
	for _, s := range texts {
		if s == "correct" {
			correct++
		}
	}
	assert.Equal(t, 1, correct, "equal heads are joined")
	assert.NotContains(t, svg.String(), "NaN")
	assert.NotContains(t, svg.String(), "href")

	svg.Reset()
	require.NoError(t, (&charts.Map{}).SVG(&svg), "nothing")
}
