package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/papers/objects/sets"
	"github.com/stretchr/testify/require"
)

func TestSetsAreMeasured(t *testing.T) {
	o := sets.Recording{Threads: 4, Operations: 4000, Keys: 24}
	var rows []row
	for _, name := range []string{"lazylist", "skiplist-faulty1"} {
		r, err := measure(name, o, 3, time.Minute)
		require.NoError(t, err)
		rows = append(rows, r)
	}
	var out bytes.Buffer
	write(&out, rows, 3)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 4)
	require.Contains(t, lines[2], "| lazylist | 0 of 3 | ")
	require.NotContains(t, lines[2], "–")
	_, err := measure("bag", o, 1, time.Minute)
	require.EqualError(t, err, `there is no set "bag"`)
}
