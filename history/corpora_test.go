package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRecordedHistoriesAreReadAndWritten reads every recorded history, counts, and writes and reads
// it.
func TestRecordedHistoriesAreReadAndWritten(t *testing.T) {
	dir := testenv.Recorded(t)
	for _, row := range []struct {
		folder, format    string
		specs             []string // that the files name, nil if they name none
		files             int
		operations, falls int // and how many of them failed
	}{
		{"porcupine/jepsen", "jepsen", nil, 102, 8523, 1765},
		{"porcupine/kv", "porcupine", nil, 6, 4574, 0},
		{"knossos", "edn", nil, 61, 12126, 5642},
		{"violin", "violin", []string{"queue", "stack"}, 514, 55018, 0},
		{"fastlin", "fastlin", []string{"queue", "stack", "priority-queue"}, 9, 51, 0},
	} {
		t.Run(row.folder, func(t *testing.T) {
			files, err := Files(filepath.Join(dir, filepath.FromSlash(row.folder)), nil)
			require.NoError(t, err)
			read, operations, failed := 0, 0, 0
			for _, f := range files {
				if info, err := os.Stat(f); err == nil && info.Size() == 0 {
					_, err = ReadFile(f, ReadOptions{})
					// etcd_095: the cluster did not start
					require.ErrorContains(t, err, "the input is empty")
					continue
				}
				h, err := ReadFile(f, ReadOptions{})
				require.NoError(t, err)
				assert.Equal(t, row.format, h.Format, f)
				if row.specs != nil {
					assert.Contains(t, row.specs, h.Spec, f)
				} else {
					assert.Empty(t, h.Spec, f)
				}
				assert.Positive(t, len(h.Ops)+h.Failed+len(h.Notes), "%s holds nothing", f)
				read++
				operations += len(h.Ops) + h.Failed
				failed += h.Failed
				if read%7 == 0 || len(files) < 100 {
					requireRoundTrip(t, h, f)
				}
			}
			assert.Equal(t, row.files, read)
			assert.Equal(t, row.operations, operations)
			assert.Equal(t, row.falls, failed)
		})
	}
}

// TestReturnsPrecedeCallsAtTheSameTime shows why a return comes before a call at the same time:
// only then does the file that calls itself not linearizable order its four operations.
func TestReturnsPrecedeCallsAtTheSameTime(t *testing.T) {
	h, err := ReadFile(testenv.Recorded(t, "fastlin", "queue", "nonlin_simple_0.log"), ReadOptions{})
	require.NoError(t, err)
	var names []string
	for i, line := range List(h) {
		names = append(names, strings.SplitN(line, " ", 2)[1])
		if i > 0 {
			assert.Less(t, h.Ops[i-1].Return, h.Ops[i].Call)
		}
	}
	assert.Equal(t, []string{"enq 2 → null [0 1]", "enq 1 → null [2 3]", "deq → 1 [4 5]", "deq → 2 [6 7]"}, names)
}
