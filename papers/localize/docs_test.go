package localize_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/internal/testenv"
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
	var b strings.Builder
	b.WriteString(localize.Header)
	for _, row := range table2 {
		b.WriteString(find(t, entry(t, row.name), localize.Options{}).Row(strings.Join(row.paper, " or ")))
	}
	if testenv.Update() {
		require.NoError(t, os.WriteFile(file, []byte(head+from+b.String()+to+tail), 0o644))
		return
	}
	assert.Equal(t, b.String(), was, "LINSAT_UPDATE=1 go test ./explore/localize writes it anew")
	simple := map[string]uint64{}
	for _, p := range find(t, entry(t, "simplelist"), localize.Options{}).Patterns(false) {
		simple[p.Sequence.String()] = p.Traces
	}
	assert.Contains(t, tail, fmt.Sprintf("sequences of %d and %d of our %d failing traces", simple["Bg"],
		simple["BgG"], 210))
}
