package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Files of one history are read side by side. What is told of them is told as of one after the
// other: the parts in their order, one sum of bytes, the first file that is wrong.
func TestFilesReadSideBySide(t *testing.T) {
	dir := t.TempDir()
	var files []string
	size := int64(0)
	for k := range 40 {
		line := fmt.Sprintf(`{"process": %d, "f": "write", "arg": %d, "call": %d, "return": %d, "result": true}`+"\n",
			k, 100+k, 10*k, 10*k+15)
		file := filepath.Join(dir, fmt.Sprintf("%02d.jsonl", k))
		require.NoError(t, os.WriteFile(file, []byte(line), 0o600))
		files = append(files, file)
		size += int64(len(line))
	}
	var told atomic.Int64
	h, err := history.ReadMerged(files, history.ReadOptions{Name: dir, Progress: func(bytes int64) {
		assert.GreaterOrEqual(t, bytes, told.Swap(bytes))
	}})
	require.NoError(t, err)
	assert.Equal(t, size, told.Load())
	require.Len(t, h.Ops, 40)
	for k := range h.Ops {
		assert.Equal(t, fmt.Sprint(100+k), h.Values.Format(h.Ops[k].Arg))
	}

	for _, k := range []int{31, 7, 19} {
		require.NoError(t, os.WriteFile(files[k], []byte("{\n"), 0o600))
	}
	for range 20 {
		_, err = history.ReadMerged(files, history.ReadOptions{Name: dir})
		require.ErrorContains(t, err, files[7])
	}
}

// Values that only the text of a file mentions are not kept: a report of etcd's tests has whole
// requests and responses, of which operations take some.
func TestMergedHistoriesKeepWhatOperationsName(t *testing.T) {
	line := `{"ClientId":1,"Input":{"Type":"range","Range":{"Start":"a","End":"","Limit":0,"Revision":0}},"Call":%d,"Output":{"Range":{"KVs":[],"Count":0},"ClientError":"","Revision":%d},"Return":%d}` + "\n"
	text := ""
	for k := range 100 {
		text += fmt.Sprintf(line, 10*k, k+2, 10*k+5)
	}
	h, err := history.ReadFile(report(t, map[int]string{1: text}), history.ReadOptions{})
	require.NoError(t, err)
	require.Len(t, h.Ops, 100)
	assert.Less(t, h.Values.Len(), 320, "a number and an object for each result, and few more")
}
