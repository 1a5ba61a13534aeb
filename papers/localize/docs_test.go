package localize_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/papers/tables"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocs recomputes the table of papers/docs/localize.md; LINSAT_UPDATE=1 writes it anew.
func TestDocs(t *testing.T) {
	const file, from, to = "../docs/localize.md", "<!-- table 2 -->\n", "<!-- end of table 2 -->"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(text), from)
	require.True(t, ok)
	was, tail, ok := strings.Cut(rest, to)
	require.True(t, ok)
	table := tables.Select("fgvt")[0]
	lines, err := table.Lines(context.Background(), tables.Options{})
	require.NoError(t, err)
	made := table.Markdown(lines)
	assert.Len(t, lines, len(table2))
	for i := range lines {
		assert.Equal(t, table2[i].name, lines[i].Object)
		assert.Equal(t, strings.Join(table2[i].paper, " or "), lines[i].Paper[2])
		assert.Equal(t, table2[i].name == "simplelist", len(lines[i].Differs) > 0)
	}
	if testenv.Update() {
		require.NoError(t, os.WriteFile(file, []byte(head+from+made+to+tail), 0o644))
		return
	}
	assert.Equal(t, made, was, "LINSAT_UPDATE=1 go test ./localize writes it anew")
	simple := map[string]uint64{}
	for _, p := range find(t, entry(t, "simplelist"), localize.Options{}).Patterns(false) {
		simple[p.Sequence.String()] = p.Traces
	}
	assert.Contains(t, tail, fmt.Sprintf("sequences of %d and %d of our %d failing traces", simple["Bg"],
		simple["BgG"], 210))
}
