package history_test

import (
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMapsAndSetsOfEDNAreNumberedInOneOrder reads a file several times: values that stand in maps
// and sets, which have no order, get the same numbers each time.
func TestMapsAndSetsOfEDNAreNumberedInOneOrder(t *testing.T) {
	const file = `{:process 0 :type :invoke :f :read :value nil}
{:process 0 :type :ok :f :read :value {3 #{9 "x" 8 [1 2]} 1 10 "b" 5 :a 6 7 70 [0] 1}}
`
	var first string
	for range 20 {
		h, err := history.Read(strings.NewReader(file), history.ReadOptions{Format: "edn"})
		require.NoError(t, err)
		var numbers []string
		for v := range h.Values.Len() {
			numbers = append(numbers, h.Values.Format(history.Value(v)))
		}
		text := strings.Join(numbers, " ")
		if first == "" {
			first = text
		}
		require.Equal(t, first, text)
	}
	assert.Contains(t, first, "70")
}
