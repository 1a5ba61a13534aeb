package logs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/historytest"
)

// TestPriorityQueueNames: by whatever name a file in fastlin's or PolyLin's format calls a priority
// queue, the largest value comes first.
func TestPriorityQueueNames(t *testing.T) {
	const body = "insert 5 0 1\ninsert 6 2 3\npoll 6 4 5\n"
	for _, name := range []string{"priorityqueue", "pqueue", "pq", "PQueue", "priority-queue", "priority_queue",
		"max-heap", "atomic-pqueue"} {
		h, err := history.Read(strings.NewReader("# "+name+"\n"+body), history.ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, "priority-queue", h.Spec, name)
		assert.Equal(t, "2 poll → [-6, 6] [4 5]", historytest.List(h)[2], name)
	}
	// Without a name, the method poll tells; under a name that is not known the values turn around
	// as well, as --spec may name it.
	h, err := history.Read(strings.NewReader(body), history.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, "priority-queue", h.Spec)
	assert.Equal(t, "2 poll → [-6, 6] [4 5]", historytest.List(h)[2])
	h, err = history.Read(strings.NewReader("# skiplist\n"+body), history.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, "skiplist", h.Spec)
	assert.Equal(t, "2 poll → [-6, 6] [4 5]", historytest.List(h)[2])
	for _, name := range []string{"queue", "min-priority-queue"} {
		h, err = history.Read(strings.NewReader("# "+name+"\n"+body), history.ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, name, h.Spec)
		assert.Equal(t, "2 poll → 6 [4 5]", historytest.List(h)[2])
	}
	// Where the first block of lines has no poll, it is too late.
	defer func(bytes int) { fastlinBlockBytes = bytes }(fastlinBlockBytes)
	fastlinBlockBytes = 10
	_, err = history.Read(strings.NewReader(strings.Repeat("insert 5 0 1\n", 20_000)+body), history.ReadOptions{})
	assert.ErrorContains(t, err, "line 20003: poll, a method of priority queues")
}
