package eventlog

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history/internal/historytest"
)

// writtenEvent is a line of a random file. Operations are writes of the number of the line of their
// call.
type writtenEvent struct {
	process, what, time int
}

// precedences pairs events by process in the order given, and returns which operation, named by the
// line of its call, precedes which, of those that take effect; nil if the events are no history.
func precedences(events []writtenEvent, order []int) (pairs map[[2]int]bool, calls map[int]int, ends map[int]int) {
	open := map[int]int{}
	calls, ends = map[int]int{}, map[int]int{}
	failed := map[int]bool{}
	for k, i := range order {
		e := events[i]
		call, is := open[e.process]
		switch {
		case (e.what == 0) == is:
			return nil, nil, nil
		case e.what == 0:
			open[e.process] = i
			calls[i] = k
			continue
		case e.what == 1:
			ends[call] = k
		case e.what == 2:
			failed[call] = true
		}
		delete(open, e.process)
	}
	pairs = map[[2]int]bool{}
	for a, end := range ends {
		for b, call := range calls {
			if end < call && !failed[b] {
				pairs[[2]int{a, b}] = true
			}
		}
	}
	for b := range failed {
		delete(calls, b)
	}
	return pairs, calls, ends
}

// TestEventsAreOrderedByTheirTimes compares random files whose times are against their order with
// the definition.
func TestEventsAreOrderedByTheirTimes(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	counted := regexp.MustCompile(`, (\d+) precedences? differs?: .*\(line (\d+)\) .*\(line (\d+)\)`)
	seen := map[string]int{}
	for range testenv.Scale(800, 50000) {
		var events []writtenEvent
		busy := map[int]bool{}
		clock := 0
		for range 2 + r.Intn(10) {
			p := r.Intn(3)
			e := writtenEvent{p, 0, 0}
			if busy[p] {
				e.what = 1 + r.Intn(9)
				if e.what > 3 {
					e.what = 1
				}
			}
			busy[p] = !busy[p]
			clock += r.Intn(3)
			e.time = clock
			events = append(events, e)
		}
		for range r.Intn(4) { // lines that are written late, or times that are taken early
			k := r.Intn(len(events) - 1)
			if r.Intn(2) == 0 {
				events[k], events[k+1] = events[k+1], events[k]
			} else {
				events[k].time -= r.Intn(3)
			}
		}
		byFile, byTime := make([]int, len(events)), make([]int, len(events))
		var text strings.Builder
		for i, e := range events {
			byFile[i], byTime[i] = i, i
			value := "nil"
			if e.what == 0 {
				value = strconv.Itoa(i)
			}
			fmt.Fprintf(&text, "{:process %d :type %s :f :put :value %s :time %d}\n", e.process,
				eventKinds[e.what], value, e.time)
		}
		sort.SliceStable(byTime, func(x, y int) bool { return events[byTime[x]].time < events[byTime[y]].time })
		file, _, _ := precedences(events, byFile)
		timed, calls, ends := precedences(events, byTime)
		changes, first := 0, [2]int{-1, -1}
		if file != nil && timed != nil {
			for a, k := range ends { // pairs as the times say, in the lines of the file
				for b := range calls {
					file[[2]int{a, b}] = byTime[k] < b && a != b
				}
			}
			for a := range calls {
				for b := range calls {
					if _, ended := ends[a]; !ended {
						continue
					}
					if pair := [2]int{a, b}; file[pair] != timed[pair] {
						changes++
						if first[1] < 0 || b < first[1] || b == first[1] && a < first[0] {
							first = pair
						}
					}
				}
			}
		}
		h, err := history.Read(strings.NewReader(text.String()), history.ReadOptions{Format: "edn"})
		strict, strictErr := history.Read(strings.NewReader(text.String()),
			history.ReadOptions{Format: "edn", Strict: true})
		var warnings []string
		if err == nil {
			for _, w := range h.Warnings {
				if !strings.Contains(w.What, "nothing to check") {
					warnings = append(warnings, w.What)
				}
			}
		}
		want := timed
		switch {
		case file == nil && timed == nil:
			seen["neither"]++
			require.Error(t, err, text.String())
			continue
		case timed == nil:
			seen["file"]++
			want = file
			_, calls, ends = precedences(events, byFile)
			require.NoError(t, err, text.String())
			require.Contains(t, fmt.Sprint(warnings), "the order of the file counts", text.String())
		case file == nil:
			seen["time"]++
			require.NoError(t, err, text.String())
			require.Contains(t, fmt.Sprint(warnings), "another order than their times say", text.String())
		case changes == 0:
			seen["same"]++
			require.NoError(t, err, text.String())
			require.Empty(t, warnings, text.String())
		default:
			seen["changed"]++
			require.NoError(t, err, text.String())
			require.Len(t, warnings, 1, text.String())
			said := counted.FindStringSubmatch(warnings[0])
			require.NotNil(t, said, warnings[0])
			assert.Equal(t, []string{strconv.Itoa(changes), strconv.Itoa(first[0] + 1), strconv.Itoa(first[1] + 1)},
				said[1:], text.String())
		}
		if len(warnings) > 0 {
			require.Error(t, strictErr)
			require.Nil(t, strict)
		}
		got := map[[2]int]bool{}
		pending := 0
		for i := range h.Ops {
			x := int(h.Origins[i].Line) - 1
			require.Contains(t, calls, x, text.String())
			if h.Ops[i].Pending() {
				pending++
			} else {
				require.Contains(t, ends, x, text.String())
			}
			for j := range h.Ops {
				if i != j && h.Ops[i].Return < h.Ops[j].Call {
					got[[2]int{x, int(h.Origins[j].Line) - 1}] = true
				}
			}
		}
		require.Len(t, h.Ops, len(calls), text.String())
		require.Equal(t, len(calls)-len(ends), pending, text.String())
		require.Equal(t, want, got, text.String())
		for _, order := range []string{orderFile, orderTime} {
			by := byFile
			if order == orderTime {
				by = byTime
			}
			one, oneErr := history.Read(strings.NewReader(text.String()),
				history.ReadOptions{Format: "edn", Order: order})
			if pairs, _, _ := precedences(events, by); pairs == nil {
				require.Error(t, oneErr, order+text.String())
				continue
			}
			require.NoError(t, oneErr, text.String())
			for _, w := range one.Warnings {
				require.Contains(t, w.What, "nothing to check", order+text.String())
			}
		}
	}
	for _, kind := range []string{"neither", "file", "time", "same", "changed"} {
		assert.Greater(t, seen[kind], testenv.MoreThan(20), kind)
	}
}

// TestUnsortedFiles reads files that were written in another order than that of their times.
func TestUnsortedFiles(t *testing.T) {
	for file, want := range map[string][]string{
		"unsorted.edn":  {"1 read → 0 [1 2]", "0 write 1 → null [0 3]"},
		"unsorted.json": {"1 read → 0 [1 2]", "0 write 1 → null [0 3]"},
		"late.edn":      {"0 write 1 → null [0 1]"},
	} {
		h, err := history.ReadFile(filepath.Join("..", "..", "testdata", "order", file), history.ReadOptions{})
		require.NoError(t, err)
		assert.ElementsMatch(t, want, historytest.List(h), file)
		assert.Len(t, h.Warnings, 1, file)
	}
	text, err := os.ReadFile("../../testdata/order/unsorted.edn")
	require.NoError(t, err)
	for _, strange := range []string{"", ":time nil", ":time :soon", ":time 1.5"} {
		h, err := history.Read(strings.NewReader(strings.Replace(string(text), ":time 20", strange, 1)),
			history.ReadOptions{})
		require.NoError(t, err)
		assert.Empty(t, h.Warnings)
		assert.Less(t, h.Ops[0].Return, h.Ops[1].Call, "the order of the file: %s", strange)
	}
	seconds := regexp.MustCompile(`:time (\d\d)`).ReplaceAllString(string(text), ":time 1764261646.1$1")
	h, err := history.Read(strings.NewReader(seconds), history.ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, h.Warnings, 1)
}
