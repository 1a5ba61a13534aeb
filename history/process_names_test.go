package history

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history/internal/lex"
)

// Processes are named by their numbers.
func TestProcessesAreNamedByTheirNumbers(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11, 99, 100, 101, 12_345} {
		b := NewBuilder()
		b.nameProcesses(n)
		require.Len(t, b.processes, n)
		size := 0
		for i, name := range b.processes {
			require.Equal(t, strconv.Itoa(i), name)
			size += len(name)
		}
		require.EqualValues(t, lex.NameBytes*n+size, b.named)
	}
}
