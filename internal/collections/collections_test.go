package collections

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The phases for collections against brute force: exact ones on queues and stacks, repairs only
// where they find.
func TestPhasesForCollectionsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range []string{"queue", "stack", "deque"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			yes, no, repaired, pending, unknown, initial := 0, 0, 0, 0, 0, 0
			for seed := range uint64(testenv.Scale(6000, 60000)) {
				rng := rand.New(rand.NewPCG(seed, 17))
				h, err := gen.Small(name, seed, gen.SmallOptions{Least: 3, Most: 6 + rng.IntN(5), Keys: 1,
					Values: 1 + rng.IntN(3), NoEdges: true,
					NoPending: rng.IntN(2) == 0})
				require.NoError(t, err)
				p := model.Whole(h)
				if p.Edges = nil; rng.IntN(4) == 0 {
					p = randomspec.Forget(rng, p)
				}
				if rng.IntN(2) == 0 {
					p = randomspec.Retimed(rng, p)
				}
				testkit.WithSeed(t, seed, func() {
					b, err := s.Bind(p)
					require.NoError(t, err)
					want, _ := oracle.Linearizable(b)
					for i := range p.Ops {
						if p.Ops[i].Pending() {
							pending++
						} else if p.Ops[i].Unknown {
							unknown++
						}
					}
					if b.Items.Stored > 0 {
						initial++
					}
					exact, found := judgeCollection(t, b, want)
					require.True(t, exact)
					switch {
					case !want:
						no++
					case found:
						repaired++
						fallthrough
					default:
						yes++
					}
				})
			}
			t.Logf("%d yes, %d no, %d yeses by repairs, %d pending, %d unknown, %d with initial values", yes, no,
				repaired, pending, unknown, initial)
			for _, n := range []int{yes, no, pending, unknown, initial} {
				assert.Greater(t, n, testenv.MoreThan(200))
			}
			if name != "queue" {
				assert.Greater(t, repaired, yes/2)
			}
		})
	}
}

// smallNeighbourhoods are those of a search with small windows.
var smallNeighbourhoods = []neighbourhood{
	{near: 1, depth: 1, values: 2, back: 1, items: 100},
	{near: 1, depth: 1, values: 3, back: 2, items: 100},
	{near: 1, depth: 1, slack: 1, back: 1, items: 100, asksAfter: 2},
	{near: 2, depth: 2, slack: 1, back: 2, items: 1000},
}

// smallRounds are those of searches on deques with small windows, of either kind.
var smallRounds = [][]dequeRound{
	{{free: []dequeNeighbourhood{{near: 1, pushes: 1, patience: 8}, {near: 2, depth: 2, slack: 1, pushes: 2,
		oneEnd: true, patience: 64}}}},
	{{moments: []dequeNeighbourhood{{near: 1, calls: 1, patience: 8}, {near: 2, depth: 2, pushes: 1, calls: 1,
		keep: true, odd: 1, patience: 64}}}},
}

// requireNoneSuperfluous checks that no item of a group makes another one superfluous.
func requireNoneSuperfluous(t *testing.T, s *itemGroups) {
	t.Helper()
	for _, g := range s.groups {
		for j := g.first; j >= 0; j = s.items[j].next {
			for k := g.first; k >= 0; k = s.items[k].next {
				a, b := s.lane.begun[s.items[j].begun], s.lane.begun[s.items[k].begun]
				require.Equal(t, [2]int32{g.layer, g.layer}, [2]int32{a.layer, b.layer})
				require.Equal(t, [2]int32{g.place, g.place}, [2]int32{s.items[j].place, s.items[k].place})
				require.True(t, j == k || !s.replaces(a, b))
			}
		}
	}
}

// layeredOn returns the search layer by layer on a stack of these operations, and its instance.
func layeredOn(t *testing.T, operations string) (*layered, *model.Instance) {
	h, err := history.Read(strings.NewReader(`{"spec": "stack", "operations": [`+operations+`]}`),
		history.ReadOptions{})
	require.NoError(t, err)
	b, err := testkit.Spec(t, "stack").Bind(model.Whole(h))
	require.NoError(t, err)
	theory := b.Theory.(*model.CollectionTheory)
	return newLayered(stackOps(b, theory), theory.Initial[0], false, math.MaxInt32,
		&engine.Account{Ctx: context.Background(), Limit: math.MaxInt64}, nil), b
}

// TestLayersAreInTurn: a value is popped on all places on which it was pushed, also where one of
// these is reached late in its layer.
func TestLayersAreInTurn(t *testing.T) {
	l, b := layeredOn(t, `
		{"process": 0, "f": "push", "arg": 3, "call": 1, "return": 6},
		{"process": 1, "f": "push", "arg": 2, "call": 2, "return": 5},
		{"process": 2, "f": "peek", "call": 3, "return": 10, "result": 3},
		{"process": 3, "f": "pop", "call": 4, "return": 11, "result": 3},
		{"process": 1, "f": "push", "arg": 4, "call": 7, "return": 9},
		{"process": 0, "f": "pop", "call": 8, "return": 14, "result": 5},
		{"process": 4, "f": "push", "arg": 5, "call": 12, "return": 13}`)
	want, _ := oracle.Linearizable(b)
	require.True(t, want)
	require.Equal(t, found, l.search())
}

// TestWaysBackPassWhatWasSeen: the way to some contents does not lead through a peek of others.
func TestWaysBackPassWhatWasSeen(t *testing.T) {
	l, b := layeredOn(t, `
		{"process": 0, "f": "pop", "call": 0, "return": 1, "result": null},
		{"process": 1, "f": "push", "arg": 1, "call": 2, "return": 8},
		{"process": 2, "f": "pop", "call": 3, "return": 10, "result": 1},
		{"process": 3, "f": "push", "arg": 3, "call": 4, "return": 13},
		{"process": 4, "f": "peek", "call": 5, "return": 6, "result": null},
		{"process": 4, "f": "push", "arg": 2, "call": 7, "return": 11},
		{"process": 5, "f": "peek", "call": 9, "return": 15, "result": 2},
		{"process": 6, "f": "pop", "call": 12, "return": 14, "result": 3}`)
	require.Equal(t, found, l.search())
	require.NoError(t, oracle.Replay(b, l.linearization()))
}

// requireWay checks that operations that can refute alone do not, by either search.
func requireWay(t *testing.T, b *model.Instance, p onlyOps, format string, args ...any) {
	t.Helper()
	what := fmt.Sprintf(format, args...) + "\n" + randomspec.Show(b.Partition)
	account := &engine.Account{Ctx: context.Background(), Limit: math.MaxInt64}
	s := p.deepestFirst(account, nil)
	require.Equal(t, found, s.search(), what)
	requireNoneSuperfluous(t, &s.itemGroups)
	l := p.byLayer(account, nil)
	require.Equal(t, found, l.search(), what)
}

// judgeCollection compares what there is for the partition with brute force, and reports whether an
// exact phase took it, and whether repairs found.
func judgeCollection(t *testing.T, b *model.Instance, want bool) (exact, repaired bool) {
	t.Helper()
	fresh := func() *engine.Account { return &engine.Account{Ctx: context.Background(), Limit: math.MaxInt64} }
	judge := func(s collectionSearch) outcome {
		o := s.search()
		require.NotEqual(t, gaveUp, o)
		if o == found {
			require.True(t, want, "%T found what is not there\n%s", s, randomspec.Show(b.Partition))
			require.NoError(t, oracle.Replay(b, s.linearization()), "%T\n%s", s, randomspec.Show(b.Partition))
		}
		return o
	}
	if ops, initial, ok := dequeOps(b); ok {
		// The search of a part, of the whole: as good as exact (deque_nogoods.go).
		exact := judge(newDequeContents(slices.Clone(ops), initial, math.MaxInt32, math.MaxInt64, fresh()))
		require.Equal(t, want, exact == found, "brute force says %v\n%s", want, randomspec.Show(b.Partition))
		o := judge(newDequePaths(slices.Clone(ops), initial, fresh()))
		require.Contains(t, []outcome{found, failed}, o)
		require.Equal(t, want, o == found, "brute force says %v\n%s", want, randomspec.Show(b.Partition))
		w := newDequeSearch(ops, initial, fresh())
		w.paths.steps = 0
		require.Equal(t, o, judge(w))
		if repaired = w.by == collectionSearch(w.windows); o == failed {
			require.Contains(t, w.windows.returns, w.reached(), "%s", randomspec.Show(b.Partition))
		}
		// Small windows, and as few repairs as can be.
		for _, plan := range smallRounds {
			w := newDequeWindows(ops, initial, fresh())
			w.plan, w.repair.retries = plan, 0
			if w.repair.from(0) == undecided {
				judge(w)
			}
		}
		return true, repaired
	}
	theory, ok := b.Theory.(*model.CollectionTheory)
	require.True(t, ok, "%s", randomspec.Show(b.Partition))
	var o outcome
	if theory.Discipline == model.FIFO {
		o = judge(newFIFO(b, theory, fresh()))
	} else {
		s := newLIFO(stackOps(b, theory), theory.Initial[0], false, math.MaxInt32, fresh(), nil)
		o = judge(s)
		requireNoneSuperfluous(t, &s.itemGroups)
		l := newLayered(stackOps(b, theory), theory.Initial[0], false, math.MaxInt32, fresh(), nil)
		l.keep, l.eager = 0, true
		require.Equal(t, o, judge(l), "%s", randomspec.Show(b.Partition))
		again := newLayered(stackOps(b, theory), theory.Initial[0], false, math.MaxInt32, fresh(), l)
		require.Equal(t, o, judge(again), "with the memory of the last one\n%s", randomspec.Show(b.Partition))
		w := newWindowSearch(b, theory, fresh())
		if repaired = w.repair.from(0) == found; repaired {
			require.NoError(t, oracle.Replay(b, w.repair.linearization()), "%s", randomspec.Show(b.Partition))
		}
		w = newWindowSearch(b, theory, fresh())
		require.Equal(t, o, judge(w), "%s", randomspec.Show(b.Partition))
		// Small windows, and as few repairs as can be.
		w = newWindowSearch(b, theory, fresh())
		w.plan, w.repair.retries = windowPlan{neighbourhoods: smallNeighbourhoods, ahead: 1}, 0
		require.Equal(t, o, judge(w), "%s", randomspec.Show(b.Partition))
		if o == failed {
			require.Contains(t, w.returns, w.reached, "%s", randomspec.Show(b.Partition))
		}
		for to := range w.returns {
			for from := 0; from <= to && want; from++ {
				for v := range int32(theory.Values) {
					requireWay(t, b, w.only(from, to+1, chosenValues{v, (v + 1) % int32(theory.Values)}),
						"%d and the next from %d to %d", v, from, to+1)
				}
				requireWay(t, b, w.only(from, to+1, nil), "from %d to %d", from, to+1)
			}
		}
	}
	require.Contains(t, []outcome{found, failed}, o)
	require.Equal(t, want, o == found, "brute force says %v\n%s", want, randomspec.Show(b.Partition))
	return true, repaired
}
