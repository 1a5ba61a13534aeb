package monitor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
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

// arranged makes a bound history of an arrangement, without the ways of package history.
type arranged struct {
	t      *testing.T
	spec   model.Spec
	values *history.Values
	name   string
	tied   bool // of a priority queue: the values 1 and 2 go as well one before the other
}

func (a *arranged) element(v int) history.Value {
	if a.tied {
		return a.values.List([]history.Value{a.values.Int(int64((v + 1) / 2)), a.values.Int(int64(v))})
	}
	return a.values.Int(int64(v))
}

func (a *arranged) bind(events []collectionEvent, lo, hi []int) *model.Instance {
	h := &history.History{Values: a.values, Processes: make([]string, len(events))}
	rank := history.Rank(0)
	place := make([]int, len(events))
	for moment := 0; len(h.Ops) < len(events) || slices.Max(hi) >= moment; moment++ {
		for i, e := range events {
			if lo[i] != moment {
				continue
			}
			place[i] = len(h.Ops)
			o := history.Op{Process: int32(i), F: a.values.String(verbs[a.name][e.does]), Key: history.NoKey,
				Call: rank, Return: history.Never, Unknown: hi[i] < 0}
			switch {
			case e.does == model.Insert:
				o.Arg = a.element(e.value)
			case e.value > 0:
				o.Result = a.element(e.value)
			}
			h.Ops = append(h.Ops, o)
			h.Origins = append(h.Origins, history.Origin{Position: int32(i)})
			rank++
		}
		for i := range events {
			if hi[i] == moment {
				h.Ops[place[i]].Return = rank
				rank++
			}
		}
	}
	b, err := a.spec.Bind(model.Whole(h))
	require.NoError(a.t, err)
	return b
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
		name, tied := strings.CutSuffix(name, " with ties")
		s, _ := specs.Lookup(name)
		for _, c := range casts {
			t.Run(fmt.Sprintf("%s, ties %v: %s", name, tied, c.name), func(t *testing.T) {
				y := newCollectionTally()
				values := history.NewBuilder().Values
				a := &arranged{t, s, values, name, tied}
				pending := uint(0)
				for i, e := range c.events {
					if e.ret < 0 {
						pending |= 1 << i
					}
				}
				every := 1
				switch {
				case !testenv.Full() && len(c.events) > 6:
					t.Skip("millions, under LINSAT_FULL only")
				case len(c.events) > 6:
					every = 4
				case !testenv.Full():
					every = 29
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
						y.compare(t, a.bind(c.events, lo, hi), true, "%s: lo %v hi %v", c.name, lo, hi)
					}
				})
				t.Logf("%d arrangements, of which every %d.: %v", count, every, y)
				require.Positive(t, y.yes)
				if testenv.Full() {
					require.Positive(t, y.no)
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
