package monitor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/require"
)

// intervalOrders yields every interval order on n operations once, as the least moments that make
// it: in every moment some operation begins and some ends. Operations marked pending do not end (hi
// -1), and the last moment need not have an end then.
func intervalOrders(n int, pending uint, yield func(lo, hi []int)) {
	lo, hi := make([]int, n), make([]int, n)
	for i := range hi {
		hi[i] = -1
	}
	all := uint(1)<<n - 1
	var step func(moment int, begun, ended uint)
	step = func(moment int, begun, ended uint) {
		if begun == all && ended == all&^pending {
			yield(lo, hi)
			return
		}
		rest := all &^ begun
		for begin := rest; begin > 0; begin = (begin - 1) & rest {
			for i := range n {
				if begin>>i&1 == 1 {
					lo[i] = moment
				}
			}
			open := (begun | begin) &^ ended &^ pending
			if begun|begin == all && open == 0 { // only pending ones begin in the last moment
				yield(lo, hi)
			}
			for end := open; end > 0; end = (end - 1) & open {
				for i := range n {
					if end>>i&1 == 1 {
						hi[i] = moment
					}
				}
				step(moment+1, begun|begin, ended|end)
			}
		}
	}
	step(0, 0, 0)
}

// cast is what the operations of an arrangement do.
type cast struct {
	name   string
	events []collectionEvent // without times; ret < 0: pending
	// operations (by index) whose order of beginnings does not matter: only ascending ones are
	// tried
	alike [][]int
}

func in(v int) collectionEvent   { return collectionEvent{does: model.Insert, value: v} }
func out(v int) collectionEvent  { return collectionEvent{does: model.Remove, value: v} }
func seen(v int) collectionEvent { return collectionEvent{does: model.Peek, value: v} }

var unfinished = collectionEvent{does: model.Remove, ret: -1}

// tied makes the values 1 and 2 of a priority queue go as well one before the other.
func tied(values *history.Values, v int) history.Value {
	if v == 0 {
		return history.Nil
	}
	return values.List([]history.Value{values.Int(int64((v + 1) / 2)), values.Int(int64(v))})
}

// TestEveryIntervalOrderAgreesWithTheDefinition compares the monitors with brute force on every
// interval order of a few operations.
func TestEveryIntervalOrderAgreesWithTheDefinition(t *testing.T) {
	casts := []cast{
		{"three values", []collectionEvent{in(1), in(2), in(3), out(1), out(2), out(3)}, [][]int{{0, 1, 2}}},
		{"two values, two empty", []collectionEvent{in(1), in(2), out(1), out(2), out(0), seen(0)}, [][]int{{0, 1}}},
		{"a peek each", []collectionEvent{in(1), in(2), out(1), out(2), seen(1), seen(2)}, [][]int{{0, 1}}},
		{"two peeks of one", []collectionEvent{in(1), in(2), out(1), out(2), seen(1), seen(1)}, [][]int{{4, 5}}},
		{"one stays", []collectionEvent{in(1), in(2), in(3), out(1), out(2), out(0)}, [][]int{{0, 1}}},
		{"peek of one that stays", []collectionEvent{in(1), in(2), in(3), out(1), seen(2), out(3)}, [][]int{{0, 2}}},
		{"a pending removal", []collectionEvent{in(1), in(2), out(1), unfinished, in(3), out(0)}, nil},
		{"two pending removals", []collectionEvent{in(1), in(2), unfinished, unfinished, in(3), out(1)},
			[][]int{{2, 3}, {1, 4}}},
		{"a pending insertion", []collectionEvent{{does: model.Insert, value: 1, ret: -1}, in(2), out(1), out(2),
			seen(1), out(0)}, nil},
		{"a pending removal and a peek", []collectionEvent{in(1), in(2), out(1), unfinished, seen(2), out(0)}, nil},
		{"three values and a peek", []collectionEvent{in(1), in(2), in(3), out(1), out(2), out(3), seen(1)},
			[][]int{{1, 2}}},
	}
	for _, name := range append(slices.Clone(collections), "priority-queue with ties") {
		name, ties := strings.CutSuffix(name, " with ties")
		element := testkit.Number
		if ties {
			element = tied
		}
		s := testkit.Spec(t, name)
		for _, c := range casts {
			t.Run(fmt.Sprintf("%s, ties %v: %s", name, ties, c.name), func(t *testing.T) {
				y := newCollectionTally()
				values := history.NewBuilder().Values
				events := eventsOf(name, c.events)
				pending := uint(0)
				for i, e := range c.events {
					if e.ret < 0 {
						pending |= 1 << i
					}
				}
				every := testenv.OneOf(29)
				if len(c.events) > 6 {
					if !testenv.Full() {
						t.Skip("millions, under LINSAT_FULL only")
					}
					every = 4
				}
				count := 0
				timed := slices.Clone(c.events)
				intervalOrders(len(c.events), pending, func(lo, hi []int) {
					if name != "priority-queue" || c.alike == nil || c.events[c.alike[0][0]].does != model.Insert {
						for _, alike := range c.alike {
							for k := 1; k < len(alike); k++ {
								if lo[alike[k-1]] > lo[alike[k]] {
									return
								}
							}
						}
					}
					for i := range timed {
						timed[i].call, timed[i].ret = lo[i], hi[i]
					}
					if count++; contradictory(timed) && count%16 > 0 {
						return
					}
					if count%every == 0 {
						b := testkit.Arrange(t, s, values, element, events, lo, hi)
						y.compare(t, b, true, "%s: lo %v hi %v", c.name, lo, hi)
					}
				})
				t.Logf("%d arrangements, of which every %d.: %v", count, every, y)
				require.Greater(t, y.yes, testenv.MoreThan(0))
				if testenv.Full() {
					require.Greater(t, y.no, testenv.MoreThan(0))
				}
				require.Zero(t, y.notMine)
			})
		}
	}
}

// contradictory reports whether two operations on one value cannot be: most arrangements are, and
// easily refuted.
func contradictory(events []collectionEvent) bool {
	for i, a := range events {
		for _, b := range events[i+1:] {
			if a.value == 0 || a.value != b.value {
				continue
			}
			first, second := a, b
			if a.does == model.Remove || b.does == model.Insert {
				first, second = b, a
			}
			if a.does == b.does && a.does != model.Peek || a.does != b.does && second.ret >= 0 &&
				second.ret < first.call {
				return true
			}
		}
	}
	return false
}

// TestIntervalOrdersAreCounted counts them: labelled interval orders, or (2+2)-free posets.
func TestIntervalOrdersAreCounted(t *testing.T) {
	for n, want := range []int{1, 1, 3, 19, 207, 3451, 81663} {
		got := 0
		intervalOrders(n, 0, func(_, _ []int) { got++ })
		require.Equal(t, want, got)
	}
}
