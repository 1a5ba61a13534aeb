package rows

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/render"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func answer(file, hash, verdict string) *render.Object {
	return &render.Object{Version: render.Version, File: file, SHA256: hash, Verdict: verdict, Answer: verdict,
		Partitions: []render.PartitionVerdict{}}
}

// TestShardsDivide: every hash belongs to exactly one shard, and the shards are of similar size.
func TestShardsDivide(t *testing.T) {
	const of, files = 7, 7000
	count := map[int]int{}
	for k := range files {
		hash, owners := HashName(fmt.Sprint(k)), 0
		for i := 1; i <= of; i++ {
			if (Shard{i, of}).Holds(hash) {
				owners++
				count[i]++
			}
		}
		require.Equal(t, 1, owners)
		assert.True(t, Shard{}.Holds(hash))
	}
	for i := 1; i <= of; i++ {
		assert.InDelta(t, files/of, count[i], 150)
	}
	for _, bad := range []string{"", "1", "0/2", "3/2", "a/b", "-1/2", "1/0"} {
		_, err := ParseShard(bad)
		assert.Error(t, err, bad)
	}
}

// TestEveryTornFileIsContinued: whatever the length at which a file of rows ends, what it says is
// read, and the next run goes on after the last whole line.
func TestEveryTornFileIsContinued(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.jsonl")
	run := Run{Linsat: "x", Files: 3, Asked: map[string]string{"spec": "queue"}}
	f, err := Open(name, run)
	require.NoError(t, err)
	for k := range 3 {
		require.NoError(t, f.Add(answer(fmt.Sprint("h", k), HashName(fmt.Sprint(k)), "linearizable")))
	}
	require.NoError(t, f.Close())
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for length := range len(whole) + 1 {
		require.NoError(t, os.WriteFile(name, whole[:length], 0o600))
		f, err := Open(name, run)
		require.NoError(t, err, length)
		known := 0
		for k := range 3 {
			if _, ok := f.Known(fmt.Sprint("h", k), HashName(fmt.Sprint(k)), nil); ok {
				known++
			} else {
				require.NoError(t, f.Add(answer(fmt.Sprint("h", k), HashName(fmt.Sprint(k)), "linearizable")))
			}
		}
		require.NoError(t, f.Close())
		assert.Equal(t, max(0, strings.Count(string(whole[:length]), "\n")-1), known)
		after, err := os.ReadFile(name)
		require.NoError(t, err)
		all, _, err := Read(strings.NewReader(string(after)), name)
		require.NoError(t, err, length)
		assert.Len(t, all, 3)
	}
}

// TestMergeOrderDoesNotMatter: verdicts stay, whatever order the rows come in, and contradictions
// are found.
func TestMergeOrderDoesNotMatter(t *testing.T) {
	for _, c := range []struct {
		verdicts []string
		want     string
	}{
		{[]string{"linearizable", "unknown", "error"}, "linearizable"},
		{[]string{"not linearizable", "unknown", "not linearizable"}, "not linearizable"},
		{[]string{"not linearizable", "linearizable", "unknown"}, render.Disagreement},
		{[]string{"not linearizable", "linearizable", "linearizable"}, render.Disagreement},
		{[]string{render.Disagreement, "linearizable", "error"}, render.Disagreement},
	} {
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			var m Merger
			for _, k := range order {
				require.NoError(t, m.Add(fmt.Sprint(k), []Row{{answer("h", "00", c.verdicts[k]), nil}}, nil))
			}
			got := m.Merge().Objects
			require.Len(t, got, 1)
			assert.Equal(t, c.want, got[0].Verdict, "%v %v", c.verdicts, order)
		}
	}
	var m Merger // one content under two names
	require.NoError(t,
		m.Add("r", []Row{{answer("a", "00", "linearizable"), nil}, {answer("b", "00", "not linearizable"), nil}}, nil))
	got := m.Merge().Objects
	assert.Equal(t, []string{"linearizable", render.Disagreement}, []string{got[0].Verdict, got[1].Verdict})
}

// TestHashOfAJepsenTest: the description beside a history counts, other files do not.
func TestHashOfAJepsenTest(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "history.edn")
	require.NoError(t, os.WriteFile(file, []byte("[]"), 0o600))
	a, err := Hash(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o600))
	b, err := Hash(file)
	require.NoError(t, err)
	assert.Equal(t, a, b)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "test.edn"), []byte("{}"), 0o600))
	c, err := Hash(file)
	require.NoError(t, err)
	assert.NotEqual(t, a, c)
	_, err = Hash(filepath.Join(dir, "none"))
	assert.Error(t, err)
}
