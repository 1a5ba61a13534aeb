package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// showKeys is show with the objects.
func showKeys(p *model.Partition) string {
	s := randomspec.Show(p) + "keys"
	for i := range p.Ops {
		s += fmt.Sprint(" ", p.Ops[i].Key)
	}
	return s
}

// drawRelaxation draws a question without its bound: which classes are relaxed, and by how much
// more than others.
func drawRelaxation(rng *rand.Rand, info model.Info) func(k int32) quasi.Question {
	r := quasi.Question{Drain: rng.IntN(2) == 0, Causal: rng.IntN(5) == 0}
	weights := make([]int32, len(info.Classes))
	shape := rng.IntN(3)
	for c := range weights {
		switch {
		case shape == 0 && info.Classes[c].Relaxable:
			weights[c] = 1
		case shape == 1: // every class
			weights[c] = 1
		case shape == 2: // per class
			weights[c] = []int32{0, 1, 1, 2, quasi.Unbounded}[rng.IntN(5)]
		}
	}
	return func(k int32) quasi.Question {
		q := r
		q.Factor = make(quasi.Factor, len(weights))
		for c, w := range weights {
			q.Factor[c] = k * min(w, 2)
			if w == quasi.Unbounded && k > 0 {
				q.Factor[c] = quasi.Unbounded
			}
		}
		return q
	}
}

// slotTally counts what the random tests have met.
type slotTally struct{ yes, no, drained, pendingUsed, moved, causal, plain, turned int }

// judgeSlots compares the engine with brute force on one question, and what follows from the
// answer.
func judgeSlots(t require.TestingT, b *model.Instance, relax quasi.Question, seen *slotTally) bool {
	a, err := New().Check(context.Background(), &engine.Task{Instance: b, Quasi: &relax}, nil)
	require.NoError(t, err)
	if relax.Causal && b.Items.Delta == nil {
		require.Equal(t, engine.Unsupported, a.Cause)
		return false
	}
	want, first, second := oracle.QuasiLinearizable(b, relax)
	verdict := engine.NotLinearizable
	if want {
		verdict = engine.Linearizable
	}
	require.Equal(t, verdict, a.Verdict, "%+v: ρ′ %v ρ″ %v\n%s", relax, first, second, showKeys(b.Partition))
	if relax.Factor.Zero() && !relax.Drain && !relax.Causal && relax.Meaning == quasi.Slots {
		plain, err := search.New(search.VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		require.Equal(t, plain.Verdict, a.Verdict, "plain linearizability\n%s", showKeys(b.Partition))
		seen.plain++
	}
	judgeTurns(t, b, relax, want, seen)
	if !want {
		seen.no++
		if relax.Meaning == quasi.Slots {
			checkUnwound(t, b, relax)
		}
		return false
	}
	if seen.yes%8 == 0 && relax.Meaning == quasi.Slots {
		classes, _, _ := oracle.ClassesLinearizable(b, relax)
		require.True(t, classes, "slots, but not classes: %+v\n%s", relax, showKeys(b.Partition))
	}
	require.NoError(t, verify.Rearrangement(b, &relax, a.Witness, a.Rearranged, a.Drains), "%+v: %+v\n%s", relax, a,
		showKeys(b.Partition))
	require.NoError(t, oracle.ReplayQuasi(b, relax, a.Witness, a.Rearranged), "%+v: %+v\n%s", relax, a,
		showKeys(b.Partition))
	seen.yes++
	if a.Drains > 0 {
		seen.drained++
	}
	if relax.Causal {
		seen.causal++
	}
	if !slices.Equal(a.Witness, a.Rearranged) {
		seen.moved++
	}
	if slices.ContainsFunc(a.Witness, func(i history.OpID) bool {
		return int(i) < b.Partition.Len() && b.Partition.Ops[i].Pending()
	}) {
		seen.pendingUsed++
	}
	return true
}

// judgeTurns searches without patience: other turns find nothing but answers, and then the search
// decides as it would without them.
func judgeTurns(t require.TestingT, b *model.Instance, relax quasi.Question, want bool, seen *slotTally) {
	if relax.Meaning != quasi.Slots {
		return
	}
	l, err := newProblem(b, &relax)
	require.NoError(t, err)
	r := newRun(l, engine.Account{Ctx: context.Background(), Limit: math.MaxInt64})
	r.turns.patience, r.turns.left = 0, int64(16+(seen.yes+seen.no)%64)
	o := r.search()
	if r.turns.end > 0 {
		seen.turned++
	}
	if !want {
		require.Equal(t, failed, o, "%+v\n%s", relax, showKeys(b.Partition))
		requireUnwound(t, r)
		return
	}
	require.Equal(t, found, o, "%+v\n%s", relax, showKeys(b.Partition))
	before, after, drains := r.orders()
	require.NoError(t, verify.Rearrangement(b, &relax, before, after, drains), "%+v\n%s", relax, showKeys(b.Partition))
	require.NoError(t, oracle.ReplayQuasi(b, relax, before, after), "%+v\n%s", relax, showKeys(b.Partition))
}

// relaxedHistory draws a small history, every fourth one with removals out of their places.
func relaxedHistory(t require.TestingT, name string, seed uint64) *history.History {
	if seed%4 != 0 || name == "counter" || name == "deque" {
		h, err := gen.Small(name, seed, gen.SmallOptions{Most: 4 + int(seed%4), NoEdges: seed%3 != 0})
		require.NoError(t, err)
		return h
	}
	c, err := gen.Generate(gen.Options{Spec: name, Operations: 4 + int(seed/4%4), Processes: 1 + int(seed/16%3),
		PendingRate: 0.1, Values: int(seed / 4 % 4),
		EmptyRate: 0.1, Relax: 1 + int(seed/8%2), Seed: seed})
	require.NoError(t, err)
	return c.History
}

// checkUnwound searches without an answer and compares what is left of the configuration with the
// first one.
func checkUnwound(t require.TestingT, b *model.Instance, relax quasi.Question) {
	l, err := newProblem(b, &relax)
	require.NoError(t, err)
	r := newRun(l, engine.Account{Ctx: context.Background(), Limit: math.MaxInt64})
	require.Equal(t, failed, r.search())
	requireUnwound(t, r)
}

// requireUnwound compares what is left of a configuration, once all moves are taken back, with the
// first one.
func requireUnwound(t require.TestingT, r *run) {
	for len(r.trail) > 0 {
		r.meaning.undo()
	}
	require.Empty(t, r.frames)
	require.Empty(t, r.moves)
	require.Equal(t, r.Machine.Init(), r.state)
	fresh := newConfiguration(r.problem)
	for _, same := range [][2]any{{fresh.done, r.done}, {fresh.used, r.used}, {fresh.byCall, r.byCall},
		{fresh.byReturn, r.byReturn}, {fresh.inCall, r.inCall},
		{fresh.inReturn, r.inReturn}, {fresh.places, r.places}, {fresh.undone, r.undone}, {fresh.maybe, r.maybe},
		{fresh.unknown, r.unknown},
		{fresh.left, r.left}, {fresh.rest, r.rest}, {fresh.plus, r.plus}, {fresh.present, r.present},
		{fresh.open, r.open}} {
		require.Equal(t, same[0], same[1])
	}
	require.Zero(t, r.debts)
	require.Zero(t, r.closed)
	require.Empty(t, r.guessed)
	for g := range r.groups {
		require.Empty(t, r.owed[g])
		require.Empty(t, r.early[g])
	}
	for k := range r.collections {
		x, y := &fresh.collections[k], &r.collections[k]
		require.True(t, slices.Equal(x.items, y.items))
		require.Equal(t, [2]int{x.head, x.size}, [2]int{y.head, y.size})
		require.Equal(t, x.tree, y.tree)
		require.Equal(t, x.yet, y.yet)
		require.Equal(t, x.wanted, y.wanted)
	}
}

var relaxedSpecs = []string{"queue", "stack", "priority-queue", "deque", "counter"}

func TestSlotsAgreeWithTheDefinition(t *testing.T) {
	randomRelaxed(t, quasi.Slots, testenv.Scale(400, 20000))
}

func TestClassesAgreeWithTheDefinition(t *testing.T) {
	randomRelaxed(t, quasi.Classes, testenv.Scale(200, 3000))
}

func randomRelaxed(t *testing.T, meaning quasi.Meaning, histories int) {
	for _, name := range relaxedSpecs {
		s, _ := specs.Lookup(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen slotTally
			for seed := range uint64(histories) {
				rng := rand.New(rand.NewPCG(seed, 3))
				h := relaxedHistory(t, name, seed)
				p := model.Whole(h)
				if seed%5 == 0 {
					p = randomspec.Forget(rng, p)
				}
				if seed%7 == 0 && name != "counter" {
					values := make([]history.Value, rng.IntN(3))
					for k := range values {
						values[k] = h.Values.Int(int64(rng.IntN(3)))
					}
					p.HasInitial, p.Initial = true, h.Values.List(values)
				}
				b, err := s.Bind(p)
				require.NoError(t, err)
				question := drawRelaxation(rng, s.Info())
				if !t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
					last := false
					for k := range int32(5) {
						relax := question(k)
						relax.Meaning = meaning
						ok := judgeSlots(t, b, relax, &seen)
						require.True(t, ok || !last, "accepted at %d, not at %d", k-1, k)
						last = ok
					}
				}) {
					return
				}
			}
			t.Logf("%+v", seen)
			for _, n := range []int{seen.yes, seen.no, seen.pendingUsed, seen.moved} {
				assert.Greater(t, n, testenv.MoreThan(15), "%+v", seen)
			}
			if meaning == quasi.Slots {
				assert.Greater(t, seen.turned, testenv.MoreThan(15), "%+v", seen)
			} else {
				assert.LessOrEqual(t, seen.turned, 15, "%+v", seen)
			}
		})
	}
}

// classedTable is a random specification with random classes; some operations are in none.
type classedTable struct {
	*randomspec.Spec
	classes []model.ClassID // by kind
}

func (c *classedTable) Info() model.Info {
	info := c.Spec.Info()
	for k := range slices.Max(c.classes) + 1 {
		info.Classes = append(info.Classes, model.Class{Name: fmt.Sprint("c", k), Relaxable: k == 0})
	}
	return info
}

func (c *classedTable) Bind(p *model.Partition) (*model.Instance, error) {
	b, err := c.Spec.Bind(p)
	if err != nil {
		return nil, err
	}
	b.Spec, b.Class = c, make([]model.ClassID, p.Len())
	for i := range p.Ops {
		name, _ := p.History.Values.AsString(p.Ops[i].F)
		kind := 0
		if _, err := fmt.Sscanf(name, "k%d", &kind); err != nil {
			return nil, err
		}
		b.Class[i] = c.classes[kind]
	}
	return b, nil
}

// Specifications that are nondeterministic, have operations of many classes or of none, and
// signatures that tell nothing.
func TestQuasiRandomMachinesAgreeWithTheDefinition(t *testing.T) {
	var seen slotTally
	for seed := range uint64(testenv.Scale(1500, 20000)) {
		rng := rand.New(rand.NewPCG(seed, 4))
		s := &classedTable{Spec: randomspec.New(rng, rng.IntN(2) == 0)}
		for range s.Kinds {
			s.classes = append(s.classes, model.ClassID(rng.IntN(4)-1))
		}
		s.classes[0] = 0
		p := model.Whole(randomspec.History(rng, s.Spec, 1+rng.IntN(6), 3*rng.IntN(2)))
		if rng.IntN(3) == 0 {
			p = randomspec.Forget(rng, p)
		}
		b, err := s.Bind(p)
		require.NoError(t, err)
		question := drawRelaxation(rng, s.Info())
		if !t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			for k := range int32(3) {
				relax := question(k)
				relax.Causal = false
				if seed%5 == 0 {
					relax.Meaning = quasi.Classes
				}
				judgeSlots(t, b, relax, &seen)
			}
		}) {
			return
		}
	}
	t.Logf("%+v", seen)
	for _, n := range []int{seen.yes, seen.no, seen.pendingUsed, seen.moved, seen.plain} {
		assert.Greater(t, n, testenv.MoreThan(50), "%+v", seen)
	}
}

// definedQueue is a queue as a user would write it.
func definedQueue(t testing.TB) model.Spec {
	info := specs.Queue().Info()
	items := func(s string) []string { return strings.Fields(s) }
	s, err := spec.Define(spec.Definition[string]{Name: "my-queue", Operations: info.Operations,
		Classes: info.Classes, Drain: "deq",
		Init: func(initial any) (string, error) {
			list, _ := initial.([]any)
			return strings.Trim(fmt.Sprint(list), "[]"), nil
		},
		Step: func(s string, c spec.Call) []spec.Outcome[string] {
			q := items(s)
			switch {
			case c.F == "enq":
				return []spec.Outcome[string]{{Next: strings.Join(append(q, fmt.Sprint(c.Arg)), " "), AnyOutput: true}}
			case len(q) == 0:
				return []spec.Outcome[string]{{Next: s}}
			}
			front, _ := strconv.ParseInt(q[0], 10, 64)
			if c.F == "peek" {
				return []spec.Outcome[string]{{Output: front, Next: s}}
			}
			return []spec.Outcome[string]{{Output: front, Next: strings.Join(q[1:], " ")}}
		},
		ItemDelta: func(c spec.Call, r spec.Result) int {
			switch {
			case c.F == "enq":
				return 1
			case c.F == "deq" && !r.Is(nil):
				return -1
			}
			return 0
		},
		Stored: func(s string) int { return len(items(s)) },
	})
	require.NoError(t, err)
	return model.Full(s)
}

// A specification of the user's own, without a theory, and linsat's own get the same verdicts.
func TestQuasiOfUserSpecificationsAgreesWithShippedOnes(t *testing.T) {
	s := definedQueue(t)
	var seen slotTally
	for seed := range uint64(testenv.Scale(300, 5000)) {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := model.Whole(relaxedHistory(t, "queue", seed))
		if seed%3 == 0 {
			p = randomspec.Forget(rng, p)
		}
		mine, err := s.Bind(p)
		require.NoError(t, err)
		own, err := specs.Queue().Bind(p)
		require.NoError(t, err)
		question := drawRelaxation(rng, s.Info())
		for k := range int32(3) {
			relax := question(k)
			a, err := New().Check(context.Background(), &engine.Task{Instance: own, Quasi: &relax}, nil)
			require.NoError(t, err)
			require.Equal(t, a.Verdict == engine.Linearizable, judgeSlots(t, mine, relax, &seen), "seed %d", seed)
		}
	}
	t.Logf("%+v", seen)
	assert.Greater(t, seen.drained, testenv.MoreThan(50))
	assert.Greater(t, seen.causal, testenv.MoreThan(50))
	assert.Greater(t, seen.no, testenv.MoreThan(50))
}

// slotMemo compared with a list of everything noted.
func TestQuasiMemoAgreesWithAList(t *testing.T) {
	type noted struct{ key, deadlines []int32 }
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 5))
		var m memo
		var all []noted
		hits := 0
		for range 3000 {
			x := noted{key: make([]int32, rng.IntN(4))}
			for k := range x.key {
				x.key[k] = int32(rng.IntN(8))
			}
			x.deadlines = make([]int32, len(x.key)%3)
			for k := range x.deadlines {
				x.deadlines[k] = int32(rng.IntN(6))
			}
			want := slices.ContainsFunc(all, func(y noted) bool {
				return slices.Equal(x.key, y.key) && atMost(x.deadlines, y.deadlines)
			})
			require.Equal(t, want, m.visited(x.key, x.deadlines), "seed %d", seed)
			if want {
				hits++
			}
			all = append(all, x)
		}
		require.Greater(t, hits, 100)
	}
}

// hard returns a question that takes long.
func hardSlots(t testing.TB) *engine.Task {
	c, err := gen.Generate(gen.Options{Spec: "stack", Operations: 1000, Processes: 32, Relax: 4, Seed: 1,
		Violation: gen.Swap})
	require.NoError(t, err)
	b, err := specs.Stack().Bind(model.Whole(c.History))
	require.NoError(t, err)
	return &engine.Task{Instance: b, Quasi: &quasi.Question{Factor: quasi.Factor{0, 4, 0}, Drain: true}}
}

func TestQuasiKeepsLimits(t *testing.T) {
	p := hardSlots(t)
	for _, steps := range []int64{1, 1000, 20000} {
		m := engine.NewBudget(steps, 0)
		a, err := New().Check(context.Background(), p, m)
		require.NoError(t, err)
		assert.Equal(t, engine.Steps, a.Cause)
		assert.Equal(t, steps, a.Effort.Steps)
		assert.Zero(t, m.Left())
		assert.Zero(t, m.Bytes())
		again, err := New().Check(context.Background(), p, engine.NewBudget(steps, 0))
		require.NoError(t, err)
		assert.Equal(t, a, again)
	}
	m := engine.NewBudget(0, 8<<20)
	a, err := New().Check(context.Background(), p, m)
	require.NoError(t, err)
	assert.Equal(t, engine.Memory, a.Cause)
	assert.Zero(t, m.Bytes())

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	a, err = New().Check(ctx, p, nil)
	require.NoError(t, err)
	assert.Equal(t, engine.Timeout, a.Cause)
	assert.Less(t, time.Since(start), 20*time.Second, "far beyond its limit")
}

func TestUnsupportedQuasiQuestionsAreRefused(t *testing.T) {
	p := hardSlots(t)
	p.Quasi.Meaning = quasi.Classes
	long, err := New().Check(context.Background(), p, nil)
	require.NoError(t, err)
	assert.Equal(t, engine.Unsupported, long.Cause)
	h, err := gen.Small("counter", 1, gen.SmallOptions{})
	require.NoError(t, err)
	b, err := specs.Counter().Bind(model.Whole(h))
	require.NoError(t, err)
	a, err := New().Check(context.Background(),
		&engine.Task{Instance: b, Quasi: &quasi.Question{Factor: make(quasi.Factor, 3), Causal: true}}, nil)
	require.NoError(t, err)
	assert.Equal(t, engine.Unsupported, a.Cause)
	plain := *b
	plain.Class = nil
	a, err = New().Check(context.Background(), &engine.Task{Instance: &plain, Quasi: &quasi.Question{}}, nil)
	require.NoError(t, err)
	assert.Equal(t, engine.Unsupported, a.Cause)
}
