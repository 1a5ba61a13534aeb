package monitor

import (
	"fmt"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/require"
)

// dequeCasts lists what up to seven operations on a deque may do: values with all choices of their
// ends, up to renaming and up to mirroring, and besides these what is said.
func dequeCasts(values int, besides ...dequeEvent) (casts [][]dequeEvent) {
	kinds := make([]int, values) // of each value, ascending: from, to
	for {
		var events []dequeEvent
		for v, k := range kinds {
			events = append(events, dequeEvent{in(v + 1), k & 1})
		}
		for v, k := range kinds {
			events = append(events, dequeEvent{out(v + 1), k >> 1})
		}
		events = append(events, besides...)
		if len(besides) > 0 || mirrored(kinds) >= 0 {
			casts = append(casts, events)
		}
		at := values - 1
		for at >= 0 && kinds[at] == 3 {
			at--
		}
		if at < 0 {
			return casts
		}
		next := kinds[at] + 1
		for ; at < values; at++ {
			kinds[at] = next
		}
	}
}

// mirrored compares the kinds with those at the other ends.
func mirrored(kinds []int) int {
	other := make([]int, len(kinds))
	for i, k := range kinds {
		other[i] = 3 - k
	}
	slices.Sort(other)
	return slices.Compare(other, kinds)
}

// TestEveryIntervalOrderOfADequeAgreesWithTheDefinition compares the monitor with brute force on
// every interval order of a few operations, with all choices of ends.
func TestEveryIntervalOrderOfADequeAgreesWithTheDefinition(t *testing.T) {
	empty, stays := dequeEvent{out(0), atFront}, dequeEvent{in(4), atFront}
	unfinishedPop := dequeEvent{unfinished, atFront}
	for _, c := range []struct {
		name  string
		casts [][]dequeEvent
		full  int // of 7 operations: one of how many, under LINSAT_FULL
	}{
		{"two values", dequeCasts(2), 1},
		{"two values, one stays", dequeCasts(2, stays), 1},
		{"two values, one empty", dequeCasts(2, empty), 1},
		{"two values, one stays, one empty", dequeCasts(2, stays, empty), 1},
		{"two values, two stay", dequeCasts(2, stays, dequeEvent{in(5), atBack}), 1},
		{"two values, one stays, a pending pop", dequeCasts(2, stays, unfinishedPop), 1},
		{"a value, two stay, two pending pops", dequeCasts(1, stays, dequeEvent{in(5), atBack}, unfinishedPop,
			dequeEvent{unfinished, atBack}), 1},
		{"three values", dequeCasts(3), 1},
		{"three values, one empty", dequeCasts(3, empty), 16},
		{"three values, one stays", dequeCasts(3, stays), 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := specs.Lookup("deque")
			values := history.NewBuilder().Values
			var y dequeTally
			n := len(c.casts[0])
			every := c.full
			switch {
			case !testenv.Full() && n > 6:
				t.Skip("millions, under LINSAT_FULL only")
			case !testenv.Full() && n > 5:
				every = testenv.OneOf(97)
			}
			count := 0
			for _, events := range c.casts {
				pending := uint(0)
				timed := make([]collectionEvent, n)
				for i, e := range events {
					if timed[i] = e.collectionEvent; e.ret < 0 {
						pending |= 1 << i
					}
				}
				intervalOrders(n, pending, func(lo, hi []int) {
					for i := range timed {
						timed[i].call, timed[i].ret = lo[i], hi[i]
					}
					if contradictory(timed) {
						return
					}
					if count++; count%every == 0 {
						b := testkit.Arrange(t, s, values, testkit.Number, dequeEvents(events), lo, hi)
						y.compare(t, b, func() string {
							return fmt.Sprintf("%v: lo %v hi %v\n%s", events, lo, hi, describeDeque(b))
						})
					}
				})
			}
			t.Logf("%d casts, %d arrangements, of which every %d.: %+v", len(c.casts), count, every, y)
			require.Greater(t, y.yes, testenv.MoreThan(0))
			require.Greater(t, y.no, testenv.MoreThan(0))
			require.Zero(t, y.notMine)
			require.Zero(t, y.undecided)
		})
	}
}
