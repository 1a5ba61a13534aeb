package bench_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/bench"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChartsShowWhoDecided(t *testing.T) {
	rows := append(rowsOf("search", 1, 20, 0, 400, 1000), rowsOf("sat", 3, 3, 3, 3, 3)...)
	rows[0].File, rows[5].File = "<a>", "<a>"
	var svg, page bytes.Buffer
	require.NoError(t, bench.SVG(&svg, rows))
	require.NoError(t, bench.NewReport(rows).HTML(&page, rows))
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
	for _, want := range []string{"search (3)", "sat (5)", "both decided (3)", "one gave up (1)",
		"sat against search", "10 ms"} {
		assert.Contains(t, texts, want, "search decided three of five, one is not for it, a timeout is hollow")
	}
	assert.NotContains(t, svg.String(), "NaN")
	assert.NotContains(t, svg.String(), "Inf")
	var one bytes.Buffer
	require.NoError(t, bench.SVG(&one, rows[:5]))
	assert.Less(t, strings.Count(one.String(), "<path"), paths/2, "one chart")
	_, drawn, _ := strings.Cut(svg.String(), "<svg")
	assert.Contains(t, page.String(), drawn)
	assert.NotContains(t, page.String(), "src=")

	var nothing bytes.Buffer
	require.NoError(t, bench.SVG(&nothing, nil), "no rows")
	assert.NotContains(t, nothing.String(), "NaN")
}
