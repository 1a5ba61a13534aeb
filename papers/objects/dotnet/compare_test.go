package dotnet

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestComparisonOfTheManual makes the table of testdata/compare.md anew: some of its
// rows, or all with LINSAT_FULL=1.
func TestComparisonOfTheManual(t *testing.T) {
	documented := comparedRows(t)
	quick := map[string]bool{"barrier": true, "barrier-seeded": true, "concurrentqueue-locked": true,
		"countdownevent-seeded": true, "taskcompletionsource-f": true}
	for _, c := range Classes() {
		if !testenv.Full() && !quick[c.Object.Name] {
			continue
		}
		k, err := lineup.Compare(context.Background(), c.Object, 3, 3, 20, lineup.Options{Seed: 1})
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, lineup.WriteComparison(&b, []*lineup.Comparison{k}))
		_, row, _ := strings.Cut(b.String(), "\n")
		cells := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(row))
		assert.Equal(t, documented[c.Object.Name], cells, c.Object.Name)
		if c.Linearizable {
			assert.Zero(t, k.Races.Runs, "a correct class has a data race")
			assert.Zero(t, k.Bad)
		}
	}
}

// comparedRows reads the rows of testdata/compare.md, of twelve cells: their words by the class.
func comparedRows(t *testing.T) map[string][]string {
	rows := map[string][]string{}
	for _, cells := range documentedLines(t, "testdata/compare.md") {
		if len(cells) == 12 {
			rows[cells[0]] = strings.Fields(strings.ReplaceAll(strings.Join(cells, " "), ",", ""))
		}
	}
	return rows
}
