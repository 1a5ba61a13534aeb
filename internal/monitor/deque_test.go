package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// dequeVerbs are insertion, removal and peek at each end.
var dequeVerbs = [ends][3]string{{"pushfront", "popfront", "peekfront"}, {"pushback", "popback", "peekback"}}

// dequeEvent is an operation on a deque; value 0: nothing.
type dequeEvent struct {
	collectionEvent
	end int
}

func bindDeque(t testing.TB, initial []int, events []dequeEvent) *model.Instance {
	t.Helper()
	return testkit.Bind(t, testkit.Spec(t, "deque"), initial, testkit.Number, dequeEvents(events))
}

func dequeEvents(events []dequeEvent) (out []testkit.Event) {
	for _, e := range events {
		out = append(out, e.event(dequeVerbs[e.end][e.does]))
	}
	return out
}

// dequeTally counts answers.
type dequeTally struct {
	yes, no, undecided, notMine int
	sizes                       map[int]int // operations that refutations keep
}

// compare decides b, and compares with brute force: the verdict, the witness and the refutation.
func (y *dequeTally) compare(t *testing.T, b *model.Instance, what func() string) engine.Answer {
	t.Helper()
	a := decideCollection(t, b)
	linearizable, _ := oracle.Linearizable(b)
	switch a.Verdict {
	case engine.Unknown:
		if a.Cause == engine.Unsupported {
			y.notMine++
		} else {
			require.Equal(t, engine.Undecided, a.Cause)
			y.undecided++
		}
	case engine.Linearizable:
		y.yes++
		require.True(t, linearizable, "%s", what())
		require.NoError(t, verify.Witness(b, a.Witness), "witness %v: %s", a.Witness, what())
	default:
		y.no++
		require.False(t, linearizable, "%s", what())
		if err := verify.Proof(context.Background(), nil, b, a.Proof); err != nil {
			require.NoError(t, err, "%s", what())
		}
		size := 0
		for i := range b.Partition.Ops {
			if a.Proof.Refutes().Of(history.OpID(i)) == 0 {
				size++
			}
		}
		if y.sizes == nil {
			y.sizes = map[int]int{}
		}
		y.sizes[size]++
	}
	return a
}

func describeDeque(b *model.Instance) string {
	var s string
	p := b.Partition
	if p.HasInitial {
		s = "initial " + p.History.Values.Format(p.Initial) + "\n"
	}
	for i, o := range p.Ops {
		s += fmt.Sprintf("%d: %s %s → %s [%d,%d]\n", i, p.History.Values.Format(o.F), p.History.Values.Format(o.Arg),
			p.History.Values.Format(o.Result), o.Call, o.Return)
	}
	return s
}

// randomDeque runs a deque, in which operations take effect at random moments of random intervals
// with many ties, and then changes up to three results or times.
func randomDeque(rng *rand.Rand, most int, s collectionShape) (initial []int, events []dequeEvent) {
	n := 1 + rng.IntN(most)
	span, long := 1+rng.IntN(3*n), 1+rng.IntN(2*n)
	cross := rng.Float64() // share of operations at the end where they lead to crossing
	next := 0
	var items []int
	if s.initial && rng.IntN(2) == 0 {
		initial = []int{}
		for range rng.IntN(3) {
			next++
			initial = append(initial, next)
		}
		items = slices.Clone(initial)
	}
	type timed struct {
		dequeEvent
		effect float64
	}
	all := make([]timed, n)
	for i := range all {
		c := rng.IntN(span)
		r := c + rng.IntN(long)
		all[i].collectionEvent = collectionEvent{call: c, ret: r}
		all[i].effect = float64(c) + rng.Float64()*float64(r-c)
	}
	slices.SortFunc(all, func(a, b timed) int {
		if a.effect < b.effect {
			return -1
		}
		return 1
	})
	for i := range all {
		e := &all[i]
		kind := rng.IntN(10)
		switch {
		case len(items) == 0 && !s.empties, kind < 5:
			next++
			e.does, e.value = model.Insert, next
			if e.end = atFront; rng.IntN(2) == 0 {
				e.end = atBack
				items = append(items, next)
			} else {
				items = slices.Insert(items, 0, next)
			}
			if s.pendingIn && rng.IntN(6) == 0 {
				e.ret = -1
			}
			continue
		case kind < 7 && s.peeks:
			e.does = model.Peek
		default:
			e.does = model.Remove
		}
		if e.end = rng.IntN(ends); rng.Float64() < cross && len(items) > 0 && items[0] > items[len(items)-1] {
			e.end = atBack
		}
		if len(items) > 0 {
			k := 0
			if e.end == atBack {
				k = len(items) - 1
			}
			e.value = items[k]
			if e.does == model.Remove {
				items = slices.Delete(items, k, k+1)
			}
		}
		if e.does == model.Remove && s.pendingOut && rng.IntN(5) == 0 {
			e.ret, e.value = -1, 0
		}
	}
	if rng.IntN(3) > 0 {
		for range 1 + rng.IntN(3) {
			i, j := rng.IntN(n), rng.IntN(n)
			a, b := &all[i], &all[j]
			switch rng.IntN(4) {
			case 0:
				if a.ret >= 0 {
					shift := rng.IntN(5) - 2
					if a.call+shift >= 0 {
						a.call, a.ret = a.call+shift, a.ret+shift
					}
				}
			case 1:
				a.call, b.call, a.ret, b.ret = b.call, a.call, b.ret, a.ret
			case 2:
				if a.does != model.Insert && b.does != model.Insert && a.ret >= 0 && b.ret >= 0 {
					a.value, b.value = b.value, a.value
				}
			case 3:
				a.end = 1 - a.end
			}
		}
	}
	for i := range all {
		events = append(events, all[i].dequeEvent)
	}
	return initial, events
}

// TestDequesAgreeWithTheDefinition compares the monitor with brute force on random histories.
func TestDequesAgreeWithTheDefinition(t *testing.T) {
	count := testenv.Scale(20_000, 400_000)
	for _, s := range []collectionShape{{}, {empties: true}, {peeks: true, empties: true},
		{pendingIn: true, empties: true}, {pendingOut: true}, {empties: true, pendingIn: true, pendingOut: true},
		{empties: true, peeks: true, pendingIn: true, pendingOut: true, initial: true}} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(7, 12))
			var y dequeTally
			for range count {
				initial, events := randomDeque(rng, 9, s)
				b := bindDeque(t, initial, events)
				y.compare(t, b, func() string { return describeDeque(b) })
			}
			t.Logf("%+v", y)
			require.Greater(t, y.yes, testenv.MoreThan(0))
			require.Greater(t, y.no, testenv.MoreThan(0))
		})
	}
}

// TestPendingPopsTakeEffectForOthers: the second pending pop has to take 3, though nothing that
// completed needs that by itself.
func TestPendingPopsTakeEffectForOthers(t *testing.T) {
	does := func(does model.Action, value, end, call, ret int) dequeEvent {
		return dequeEvent{collectionEvent{does: does, value: value, call: call, ret: ret}, end}
	}
	b := bindDeque(t, nil, []dequeEvent{
		does(model.Insert, 3, atBack, 0, 2), does(model.Insert, 1, atBack, 1, -1), does(model.Insert, 2, atFront, 3, 4),
		does(model.Remove, 0, atBack, 5, -1), does(model.Remove, 0, atBack, 6, 9), does(model.Remove, 0, atBack, 7, -1),
		does(model.Insert, 4, atFront, 8, 10),
	})
	a := new(dequeTally).compare(t, b, func() string { return describeDeque(b) })
	require.Equal(t, engine.Linearizable, a.Verdict)
}
