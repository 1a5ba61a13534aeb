package charts_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/bench"
	"github.com/linsat/linsat/bench/internal/charts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rowsOf makes rows of one contender with the given medians in milliseconds; 0 stands for one that
// is not its kind.
func rowsOf(name string, ms ...int64) []bench.Row {
	var rows []bench.Row
	for i, m := range ms {
		r := bench.Row{File: string(rune('a' + i)), Engine: name, Verdict: "linearizable", Nanoseconds: []int64{9 * m * 1e6, m * 1e6, 0}}
		switch {
		case m == 0:
			r.Verdict, r.Cause = "unknown", "unsupported"
		case m >= 1000:
			r.Verdict, r.Cause = "unknown", "timeout"
		}
		rows = append(rows, r)
	}
	return rows
}

func TestChartsShowWhoDecided(t *testing.T) {
	rows := append(rowsOf("search", 1, 20, 0, 400, 1000), rowsOf("sat", 3, 3, 3, 3, 3)...)
	rows[0].File, rows[5].File = "<a>", "<a>"
	var svg, page bytes.Buffer
	require.NoError(t, charts.SVG(&svg, rows))
	require.NoError(t, charts.HTML(&page, rows))
	var texts []string
	paths := 0
	for d := xml.NewDecoder(bytes.NewReader(svg.Bytes())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "path" {
				paths++
			}
		case xml.CharData:
			texts = append(texts, string(e))
		}
	}
	for _, want := range []string{"search (3)", "sat (5)", "both decided (3)", "one gave up (1)", "sat against search", "10ms"} {
		assert.Contains(t, texts, want, "search decided three of five, one is not for it, a timeout is hollow")
	}
	assert.NotContains(t, svg.String(), "NaN")
	assert.NotContains(t, svg.String(), "Inf")
	var one bytes.Buffer
	require.NoError(t, charts.SVG(&one, rows[:5]))
	assert.Less(t, strings.Count(one.String(), "<path"), paths-8, "eight marks and more are those of the others")
	_, drawn, _ := strings.Cut(svg.String(), "<svg")
	assert.Contains(t, page.String(), drawn)
	assert.NotContains(t, page.String(), "src=")

	var nothing bytes.Buffer
	require.NoError(t, charts.SVG(&nothing, nil), "no rows")
	assert.NotContains(t, nothing.String(), "NaN")
}

func TestGrowthHasAChartForEachEngine(t *testing.T) {
	var svg bytes.Buffer
	ms := time.Millisecond
	require.NoError(t, charts.Growth(&svg, []charts.Curve{
		{Kind: "queue", Engine: "monitor", Slope: "1.00", Lengths: []int{1000, 10_000, 100_000}, Times: []time.Duration{ms, 10 * ms, 100 * ms}},
		{Kind: "stack", Engine: "monitor", Lengths: []int{1000}, Times: []time.Duration{ms}},
		{Kind: "counter", Engine: "monitor"},
		{Kind: "queue", Engine: "sat", Lengths: []int{1000, 3000}, Times: []time.Duration{50 * ms, 3000 * ms}},
	}))
	for _, want := range []string{"queue (slope 1.00)", ">stack<", "monitor: time against length", "sat: time against length", ">10s<", ">100000<"} {
		assert.Contains(t, svg.String(), want)
	}
	assert.NotContains(t, svg.String(), "counter", "nothing was decided")
	assert.NotContains(t, svg.String(), "NaN")
}
