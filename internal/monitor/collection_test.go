package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

var collections = []string{"queue", "stack", "priority-queue"}

// verbs are insertion, removal and peek of each.
var verbs = map[string][3]string{"queue": {"enq", "deq", "peek"}, "stack": {"push", "pop", "peek"},
	"priority-queue": {"insert", "deletemin", "min"}}

// collectionEvent is an operation on a collection; value 0: nothing. Priority queues take a value's
// priority from priorities, if there are any.
type collectionEvent struct {
	does      model.Action
	value     int
	call, ret int // ret < 0: pending
}

// event is e as a call of a collection's operation.
func (e collectionEvent) event(f string) testkit.Event {
	x := testkit.Event{F: f, Result: e.value, Call: e.call, Return: e.ret}
	if e.does == model.Insert {
		x.Arg, x.Result = e.value, 0
	}
	return x
}

func bindEvents(t testing.TB, name string, initial []int, priorities map[int]int64,
	events []collectionEvent) *model.Instance {
	t.Helper()
	element := func(values *history.Values, v int) history.Value {
		if p, ok := priorities[v]; ok {
			return values.List([]history.Value{values.Int(p), values.Int(int64(v))})
		}
		return testkit.Number(values, v)
	}
	return testkit.Bind(t, testkit.Spec(t, name), initial, element, eventsOf(name, events))
}

func eventsOf(name string, events []collectionEvent) (out []testkit.Event) {
	for _, e := range events {
		out = append(out, e.event(verbs[name][e.does]))
	}
	return out
}

func bindTo(t testing.TB, name string, h *history.History) *model.Instance {
	t.Helper()
	return testkit.BindHistory(t, testkit.Spec(t, name), h)
}

func decideCollection(t testing.TB, b *model.Instance) engine.Answer {
	t.Helper()
	a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	return a
}

// collectionTally counts answers.
type collectionTally struct {
	yes, no, undecided, notMine, brute int
	rules                              map[proof.CollectionRule]int
	sizes                              map[int]int
}

func (y *collectionTally) String() string {
	return fmt.Sprintf(
		"yes %d, no %d, undecided %d, not mine %d; %d refutations refuted by brute force alone; rules %v, values %v",
		y.yes, y.no, y.undecided, y.notMine, y.brute, y.rules, y.sizes)
}

func newCollectionTally() *collectionTally {
	return &collectionTally{rules: map[proof.CollectionRule]int{}, sizes: map[int]int{}}
}

// compare decides b, and compares with brute force: the verdict, the witness, the refutation and
// what it names alone.
func (y *collectionTally) compare(t *testing.T, b *model.Instance, brute bool, name string, args ...any) engine.Answer {
	t.Helper()
	what := func() string { return fmt.Sprintf(name, args...) + "\n" + describe(b) }
	a := decideCollection(t, b)
	switch a.Verdict {
	case engine.Unknown:
		switch a.Cause {
		case engine.Unsupported:
			y.notMine++
			require.NotEmpty(t, a.Detail, "%s", what())
		default:
			require.Equal(t, engine.Undecided, a.Cause, "%s", what())
			c := b.Theory.(*model.CollectionTheory)
			require.True(t, slices.ContainsFunc(b.Partition.Ops, history.Op.Pending), "%s", what())
			require.Contains(t, c.Does, model.Remove)
			y.undecided++
		}
		return a
	case engine.Linearizable:
		y.yes++
		if err := verify.Witness(b, a.Witness); err != nil {
			require.NoError(t, err, "witness %v: %s", a.Witness, what())
		}
		return a
	}
	y.no++
	if a.Proof == nil { // of a queue in which values repeat
		cases, err := verify.Paired(context.Background(), b, proof.Everything(), verify.MaxPairs)
		require.NoError(t, err, "%s", what())
		require.Positive(t, cases)
		yes, w := oracle.Linearizable(b)
		require.False(t, yes, "%v is a linearization: %s", w, what())
		return a
	}
	r := a.Proof.(*proof.CollectionConflict)
	y.rules[r.Rule]++
	y.sizes[len(r.Values)]++
	if yes, w := oracle.Linearizable(b); yes {
		require.Fail(t, "wrong no", "%v, but %v is a linearization: %s", r, w, what())
	}
	if err := verify.Collection(b, r); err != nil {
		require.NoError(t, err, "%v: %s", r, what())
	}
	if brute && !b.Partition.HasInitial {
		y.brute++
		if yes, _ := oracle.Linearizable(restricted(t, b, r)); yes {
			require.Fail(t, "a refutation of something else", "%v: %s", r, what())
		}
	}
	return a
}

// restricted keeps the operations on the values that r names, its own one or two, and pending
// removals.
func restricted(t *testing.T, b *model.Instance, r *proof.CollectionConflict) *model.Instance {
	c := b.Theory.(*model.CollectionTheory)
	keep := append(slices.Clone(r.Values), r.Via)
	if r.Op >= 0 {
		keep = append(keep, c.Value[r.Op])
	}
	var positions []history.OpID
	for i := range b.Partition.Ops {
		v := c.Value[i]
		if v >= 0 && slices.Contains(keep, v) || history.OpID(i) == r.Op || c.Does[i] == model.Remove &&
			b.Partition.Ops[i].Pending() {
			positions = append(positions, history.OpID(i))
		}
	}
	out, err := b.Spec.Bind(b.Partition.Select(positions, "named"))
	require.NoError(t, err)
	return out
}

func describe(b *model.Instance) string {
	var s string
	p := b.Partition
	if p.HasInitial {
		s = "initial " + p.History.Values.Format(p.Initial) + "\n"
	}
	for i, o := range p.Ops {
		s += fmt.Sprintf("%d: %s %s → %s [%d,%d] value %d\n", i, p.History.Values.Format(o.F),
			p.History.Values.Format(o.Arg), p.History.Values.Format(o.Result), o.Call, o.Return,
			b.Theory.(*model.CollectionTheory).Value[i])
	}
	return s
}

// collectionShape says what a random history may have.
type collectionShape struct{ empties, peeks, pendingIn, pendingOut, initial bool }

// randomEvents runs a collection, in which operations take effect at random moments of random
// intervals with many ties, and then changes up to three results or times.
func randomEvents(rng *rand.Rand, name string, most int, s collectionShape) (initial []int, priorities map[int]int64,
	events []collectionEvent) {
	n := 1 + rng.IntN(most)
	span, long := 1+rng.IntN(3*n), 1+rng.IntN(2*n)
	next := 0
	fresh := func() int {
		next++
		if name == "priority-queue" {
			priorities[next] = int64(rng.IntN(4))
		}
		return next
	}
	priorities = map[int]int64{}
	var items []int
	if s.initial && rng.IntN(2) == 0 {
		initial = []int{}
		for range rng.IntN(3) {
			initial = append(initial, fresh())
		}
		items = slices.Clone(initial)
	}
	type timed struct {
		collectionEvent
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
	front := func() int {
		switch name {
		case "queue":
			return 0
		case "stack":
			return len(items) - 1
		}
		best := rng.IntN(len(items))
		for k, v := range items {
			if priorities[v] < priorities[items[best]] {
				best = k
			}
		}
		return best
	}
	for i := range all {
		e := &all[i]
		kind := rng.IntN(10)
		switch {
		case len(items) == 0 && !s.empties, kind < 5:
			e.does, e.value = model.Insert, fresh()
			items = append(items, e.value)
			if s.pendingIn && rng.IntN(6) == 0 {
				e.ret = -1
			}
			continue
		case kind < 7 && s.peeks:
			e.does = model.Peek
		default:
			e.does = model.Remove
		}
		if len(items) > 0 {
			k := front()
			e.value = items[k]
			if e.does == model.Remove {
				items = slices.Delete(items, k, k+1)
			}
		}
		if s.pendingOut && e.does == model.Remove && rng.IntN(3) == 0 {
			e.ret = -1
			if rng.IntN(3) == 0 && e.value != 0 { // it never happened
				items = append(items, e.value)
			}
		}
	}
	for range 1 + rng.IntN(5) {
		x, y := &all[rng.IntN(n)], &all[rng.IntN(n)]
		switch rng.IntN(4) {
		case 0:
			x.call, x.ret, y.call, y.ret = y.call, y.ret, x.call, x.ret
		case 1:
			if x.does != model.Insert && y.does != model.Insert {
				x.value, y.value = y.value, x.value
			}
		case 2:
			if x.ret >= 0 {
				d := rng.IntN(5) - 2
				x.call, x.ret = max(0, x.call+d), max(0, x.ret+d)
			}
		case 3:
			if x.does != model.Insert && (s.empties || y.value != 0) && rng.IntN(2) == 0 {
				x.value = y.value
			}
		}
	}
	for _, e := range all {
		if e.ret < 0 && e.does != model.Insert {
			e.value = 0
		}
		if e.value == 0 && e.does != model.Insert && !s.empties && e.ret >= 0 {
			continue
		}
		events = append(events, e.collectionEvent)
	}
	return initial, priorities, events
}

func compareRandom(t *testing.T, name string, rounds int, s collectionShape) {
	t.Run(fmt.Sprintf("%s%+v", name, s), func(t *testing.T) {
		y := newCollectionTally()
		for seed := range sample(rounds) {
			rng := rand.New(rand.NewPCG(uint64(seed), 17))
			most := 7 + seed%4
			initial, priorities, events := randomEvents(rng, name, most, s)
			for contradictory(events) && seed%4 > 0 { // such are refuted at once
				initial, priorities, events = randomEvents(rng, name, most, s)
			}
			y.compare(t, bindEvents(t, name, initial, priorities, events), true, "%s %+v seed %d", name, s, seed)
		}
		t.Log(y)
		require.Greater(t, y.yes, sample(rounds)/10)
		require.Greater(t, y.no, testenv.MoreThan(sample(rounds)/100))
		require.Less(t, y.undecided, 1+sample(rounds)/50)
	})
}

func TestCollectionsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range collections {
		for _, s := range []collectionShape{
			{},
			{empties: true},
			{peeks: true},
			{empties: true, peeks: true, pendingIn: true, initial: true},
			{pendingOut: true},
			{empties: true, pendingOut: true},
			{empties: true, peeks: true, pendingIn: true, pendingOut: true, initial: true},
		} {
			compareRandom(t, name, 30_000, s)
		}
	}
}

// TestSmallCollectionsAgreeWithTheDefinition takes the histories of package gen, in which all sorts
// of things occur.
func TestSmallCollectionsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range collections {
		y := newCollectionTally()
		for seed := range sample(40_000) {
			h, err := gen.Small(name, uint64(seed), gen.SmallOptions{Distinct: seed%8 != 0,
				NoEdges: seed%8 != 1, Keys: 1})
			require.NoError(t, err)
			y.compare(t, bindTo(t, name, h), true, "%s seed %d", name, seed)
		}
		t.Log(name, y)
		require.Greater(t, y.no, sample(2_000))
		require.Greater(t, y.yes, sample(10_000))
	}
}
