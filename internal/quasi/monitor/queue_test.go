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
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// sample is n under LINSAT_FULL, else a small part of it.
func sample(n int) int { return testenv.Scale(n/20, n) }

type operation struct {
	insert    bool
	value     int // 0: nothing
	call, ret int // ret < 0: pending
}

// bind makes a bound queue of operations, each of a process of its own.
func bind(t testing.TB, initial []int, ops []operation) *model.Instance {
	t.Helper()
	var events []testkit.Event
	for _, o := range ops {
		e := testkit.Event{F: "deq", Result: o.value, Call: o.call, Return: o.ret}
		if o.insert {
			e.F, e.Arg, e.Result = "enq", o.value, 0
		}
		events = append(events, e)
	}
	return testkit.Bind(t, testkit.Spec(t, "queue"), initial, testkit.Number, events)
}

func bindHistory(t testing.TB, h *history.History) *model.Instance {
	t.Helper()
	return testkit.BindHistory(t, testkit.Spec(t, "queue"), h)
}

// random makes a small history: random intervals of various lengths, removals of values in about
// the order of a random permutation, or as a queue would give them and then disturbed.
func random(t testing.TB, rng *rand.Rand, most int, empties, pending, initial bool) *model.Instance {
	n := 1 + rng.IntN(most)
	span := 1 + rng.IntN(3*n)
	length := 1 + rng.IntN(span)
	var start []int
	if initial && rng.IntN(3) == 0 {
		for v := range 1 + rng.IntN(2) {
			start = append(start, 100+v)
		}
	}
	values := slices.Clone(start)
	inserts := rng.IntN(n + 1)
	for v := range inserts {
		values = append(values, v+1)
	}
	if rng.IntN(2) == 0 {
		rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	} else {
		for range rng.IntN(3) {
			if len(values) > 1 {
				i := rng.IntN(len(values) - 1)
				values[i], values[i+1] = values[i+1], values[i]
			}
		}
	}
	var ops []operation
	interval := func(from int) (int, int) {
		c := from + rng.IntN(span)
		return c, c + rng.IntN(length+1)
	}
	for v := range inserts {
		c, r := interval(0)
		if rng.IntN(2) == 0 {
			c, r = 2*v, 2*v+rng.IntN(4)
		}
		if pending && rng.IntN(6) == 0 {
			r = -1
		}
		ops = append(ops, operation{true, v + 1, c, r})
	}
	later := rng.IntN(2) * rng.IntN(span)
	for i := range n - inserts {
		c, r := interval(later)
		if rng.IntN(2) == 0 {
			c = i + rng.IntN(span)
			r = c + rng.IntN(3)
		}
		o := operation{false, 0, c, r}
		switch {
		case pending && rng.IntN(8) == 0:
			o.ret = -1
		case empties && rng.IntN(4) == 0:
		case len(values) == 0:
			if !empties {
				continue
			}
		default:
			o.value, values = values[0], values[1:]
		}
		ops = append(ops, o)
	}
	if len(ops) == 0 {
		ops = append(ops, operation{true, 1, 0, 1})
	}
	return bind(t, start, ops)
}

func relaxation(k int32, meaning quasi.Meaning, drain bool) *quasi.Question {
	return &quasi.Question{Factor: quasi.Factor{0, k, 0}, Meaning: meaning, Drain: drain}
}

func solve(t testing.TB, b *model.Instance, relax *quasi.Question) engine.Answer {
	t.Helper()
	a, err := New().Check(context.Background(), &engine.Task{Instance: b, Quasi: relax}, nil)
	require.NoError(t, err)
	return a
}

func dump(b *model.Instance) string {
	var s string
	h := b.Partition.History
	for i, o := range b.Partition.Ops {
		s += fmt.Sprintf("%d: %s %s -> %s [%d,%d]\n", i, h.Values.Format(o.F), h.Values.Format(o.Arg),
			h.Values.Format(o.Result), o.Call, o.Return)
	}
	if b.Partition.HasInitial {
		s += "initial " + h.Values.Format(b.Partition.Initial) + "\n"
	}
	return s
}

func TestRelaxedQueuesAgreeWithTheDefinition(t *testing.T) {
	type tally struct{ yes, no, unknown int }
	for _, c := range []struct {
		name                      string
		most, histories           int
		empties, pending, initial bool
		causal                    bool
	}{
		{"plain", 6, 20000, false, false, false, false},
		{"empty results", 6, 20000, true, false, false, false},
		{"initial contents", 6, 3000, true, false, true, false},
		{"pending", 6, 3000, true, true, false, false},
		{"causal", 6, 3000, true, false, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var count tally
			for seed := range sample(c.histories) {
				rng := rand.New(rand.NewPCG(uint64(seed), 7))
				b := random(t, rng, c.most, c.empties, c.pending, c.initial)
				for _, drain := range []bool{false, true} {
					for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
						yes := false
						for k := int32(0); k <= 4; k++ {
							relax := relaxation(k, meaning, drain)
							relax.Causal = c.causal
							a := solve(t, b, relax)
							where := func() string {
								return fmt.Sprintf("seed %d, K %d, %v, drain %v, causal %v: %+v\n%s", seed, k, meaning,
									drain, c.causal, a, dump(b))
							}
							if !yes { // K ⇒ K+1: the definition need not be asked again
								yes, _, _ = oracle.QuasiLinearizable(b, *relax)
							}
							switch a.Verdict {
							case engine.Linearizable:
								count.yes++
								require.True(t, yes, where())
								require.NoError(t, oracle.ReplayQuasi(b, *relax, a.Witness, a.Rearranged), where())
							case engine.NotLinearizable:
								count.no++
								require.False(t, yes, where())
								require.NoError(t, proved(b, relax, a.Proof), where())
							default:
								count.unknown++
								require.Equal(t, engine.Undecided, a.Cause, where())
								require.True(t, c.pending || c.causal, where())
							}
						}
					}
				}
			}
			t.Logf("%+v", count)
			require.Greater(t, count.yes, testenv.MoreThan(0))
			require.Greater(t, count.no, testenv.MoreThan(0))
		})
	}
}

// adversarial makes n values whose removals return them in a random order, all intervals at random.
func adversarial(t testing.TB, rng *rand.Rand, n, empties int) *model.Instance {
	span := 2 + rng.IntN(4*n)
	length := 1 + rng.IntN(1+span/2)
	shift := rng.IntN(span)
	values := rng.Perm(n)
	var ops []operation
	for i := range n + empties {
		c := rng.IntN(span)
		if i < n {
			ops = append(ops, operation{true, i + 1, c, c + rng.IntN(length)})
		}
		c = shift + rng.IntN(span)
		if i < n {
			ops = append(ops, operation{false, values[i] + 1, c, c + rng.IntN(length)})
		} else {
			ops = append(ops, operation{false, 0, c, c + rng.IntN(length)})
		}
	}
	return bind(t, nil, ops)
}

// proved checks what refutes a partition: steps, or clauses where the search tried everything.
func proved(b *model.Instance, relax *quasi.Question, p proof.Proof) error {
	if r, ok := p.(*proof.Displacement); ok {
		return verify.Displacement(context.Background(), b, relax, r)
	}
	f, err := clausal.Build(b, relax)
	if err != nil {
		return err
	}
	status, lemmas, _ := cdcl.Refute(context.Background(), f)
	if status != cdcl.Refuted {
		return fmt.Errorf("clauses: %v", status)
	}
	return f.Check(context.Background(), lemmas)
}

// Everything that is decided is proved: witnesses are replayed inside the engine and by the
// verifier, refutations judged.
func TestRelaxedVerdictsAreProved(t *testing.T) {
	count := map[string]int{}
	for seed := range sample(6000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 8))
		b := adversarial(t, rng, 3+rng.IntN(7), rng.IntN(2)*rng.IntN(4))
		for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
			yes, drain := false, rng.IntN(2) == 0
			for k := int32(0); k <= 6; k++ {
				relax := relaxation(k, meaning, drain)
				where := func() string { return fmt.Sprintf("seed %d, K %d, %v\n%s", seed, k, meaning, dump(b)) }
				a := solve(t, b, relax)
				switch a.Verdict {
				case engine.Linearizable:
					count["yes"]++
					yes = true
					require.NoError(t, verify.Rearrangement(b, relax, a.Witness, a.Rearranged, a.Drains), where())
				case engine.NotLinearizable:
					require.False(t, yes, where())
					last := "tried"
					if r, ok := a.Proof.(*proof.Displacement); ok {
						last = r.Steps[len(r.Steps)-1].Rule.String()
					}
					count[last]++
					require.NoError(t, proved(b, relax, a.Proof), where())
				default:
					count["unknown"]++
				}
			}
		}
	}
	t.Log(count)
	require.LessOrEqual(t, count["unknown"], count["yes"]/10000,
		"nearly all searches of this size end within their limit")
	require.Greater(t, count["yes"], testenv.MoreThan(0))
	require.Greater(t, count["tried"], testenv.MoreThan(0))
}

// Large runs of a relaxed queue: accepted at the bound they were built for, and everything proved.
func TestSimulatedQueuesAreAcceptedAtTheirBound(t *testing.T) {
	count := map[string]int{}
	for seed := range sample(1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		o := gen.Options{Spec: "queue", Operations: 50 + rng.IntN(600), Processes: []int{2, 4, 8}[rng.IntN(3)],
			Relax: 1 + rng.IntN(4), Seed: uint64(seed)}
		if rng.IntN(2) == 0 {
			o.EmptyRate = 0.1
		}
		g, err := gen.Generate(o)
		require.NoError(t, err)
		b := bindHistory(t, g.History)
		for _, drain := range []bool{false, true} {
			accepted := map[quasi.Meaning]int32{quasi.Slots: 99, quasi.Classes: 99}
			for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
				for k := int32(0); k <= int32(o.Relax)+1; k++ {
					relax := relaxation(k, meaning, drain)
					where := func() string { return fmt.Sprintf("%+v, K %d, %v, drain %v", o, k, meaning, drain) }
					a := solve(t, b, relax)
					count[a.Verdict.String()]++
					switch a.Verdict {
					case engine.Linearizable:
						accepted[meaning] = min(accepted[meaning], k)
						require.NoError(t, verify.Rearrangement(b, relax, a.Witness, a.Rearranged, a.Drains), where())
					case engine.NotLinearizable:
						require.Less(t, k, int32(g.Bound), where())
						require.Less(t, k, accepted[quasi.Slots], where())
						require.Less(t, k, accepted[meaning], where())
						require.NoError(t, proved(b, relax, a.Proof), where())
					}
				}
			}
		}
	}
	t.Log(count)
	require.LessOrEqual(t, count["unknown"], count["linearizable"]/100)
}

func TestLeastBoundsAgreeWithTheDefinition(t *testing.T) {
	none, found := 0, 0
	for seed := range sample(6000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 10))
		b := random(t, rng, 9, true, false, true)
		for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
			relax := relaxation(0, meaning, rng.IntN(2) == 0)
			l, err := New().Least(context.Background(), &engine.Task{Instance: b, Quasi: relax},
				[]bool{false, true, false}, nil)
			require.NoError(t, err)
			where := func() string {
				return fmt.Sprintf("seed %d, %v, drain %v: %+v\n%s", seed, meaning, relax.Drain, l, dump(b))
			}
			require.True(t, l.Settled(), where())
			want := quasi.Unbounded
			for k := int32(0); k <= int32(b.Partition.Len()+2); k++ {
				if solve(t, b, relaxation(k, meaning, relax.Drain)).Verdict == engine.Linearizable {
					want = k
					break
				}
			}
			require.Equal(t, want, l.Low, where())
			if l.None() {
				none++
				relax.Factor[1] = quasi.Unbounded
			} else {
				found++
				relax.Factor[1] = l.Low
				require.NoError(t, verify.Rearrangement(b, relax, l.Yes.Witness, l.Yes.Rearranged, l.Yes.Drains),
					where())
				relax.Factor[1]--
			}
			if l.None() || l.Low > 0 {
				require.NoError(t, proved(b, relax, l.No.Proof), where())
			}
		}
	}
	t.Log(none, found)
	require.Greater(t, none, testenv.MoreThan(0))
	require.Greater(t, found, testenv.MoreThan(0))
}

// With bound 0 slots is plain linearizability.
func TestBoundZeroIsLinearizability(t *testing.T) {
	for seed := range sample(20000) {
		b := random(t, rand.New(rand.NewPCG(uint64(seed), 11)), 8, true, false, true)
		want, _ := oracle.Linearizable(b)
		a := solve(t, b, relaxation(0, quasi.Slots, seed%2 == 0))
		require.Equal(t, want, a.Verdict == engine.Linearizable, "seed %d: %+v\n%s", seed, a, dump(b))
		if a.Verdict == engine.Linearizable {
			require.Equal(t, a.Witness, a.Rearranged)
		}
	}
}

func TestUnsupportedRelaxedQuestionsAreRefused(t *testing.T) {
	plain := []operation{{true, 1, 0, 1}, {true, 2, 2, 3}, {false, 2, 4, 5}}
	twice := []operation{{true, 1, 0, 1}, {true, 1, 2, 3}, {false, 1, 4, 5}}
	for _, c := range []struct {
		name  string
		b     *model.Instance
		relax *quasi.Question
		mine  bool
	}{
		{"a relaxed queue", bind(t, nil, plain), relaxation(1, quasi.Slots, true), true},
		{"any bound", bind(t, nil, plain), relaxation(quasi.Unbounded, quasi.Classes, false), true},
		{"a value twice", bind(t, nil, twice), relaxation(1, quasi.Slots, true), true},
		{"a value twice, once at the start", bind(t, []int{1}, plain), relaxation(1, quasi.Slots, true), true},
		{"a value twice, classes", bind(t, nil, twice), relaxation(1, quasi.Classes, true), false},
		{"insertions may move", bind(t, nil, plain), &quasi.Question{Factor: quasi.Factor{1, 1, 0}}, false},
	} {
		a := solve(t, c.b, c.relax)
		require.Equal(t, c.mine, a.Verdict != engine.Unknown, c.name)
		if !c.mine {
			require.Equal(t, engine.Unsupported, a.Cause, c.name)
		}
	}
}

func TestRemovalsOfAbsentValuesAreRefuted(t *testing.T) {
	for _, c := range []struct {
		rule proof.DisplacementRule
		ops  []operation
	}{
		{proof.RuleRemovedTwice, []operation{{true, 1, 0, 1}, {false, 1, 2, 3}, {false, 1, 4, 5}}},
		{proof.RuleNeverInserted, []operation{{true, 1, 0, 1}, {false, 2, 2, 3}}},
		{proof.RuleNeverInserted, []operation{{true, 1, 0, -1}, {false, 2, 2, 3}, {false, 0, 2, -1}}},
	} {
		b := bind(t, nil, c.ops)
		relax := relaxation(3, quasi.Slots, true)
		a := solve(t, b, relax)
		require.Equal(t, engine.NotLinearizable, a.Verdict)
		r := a.Proof.(*proof.Displacement)
		require.Equal(t, c.rule, r.Steps[0].Rule)
		require.NoError(t, verify.Displacement(context.Background(), b, relax, r))
		l, err := New().Least(context.Background(), &engine.Task{Instance: b, Quasi: relax}, []bool{false, true, false},
			nil)
		require.NoError(t, err)
		require.True(t, l.None())
	}
}

func TestRelaxedQuestionsKeepLimits(t *testing.T) {
	g, err := gen.Generate(gen.Options{Spec: "queue", Operations: 200_000, Processes: 8, Relax: 2, Seed: 1})
	require.NoError(t, err)
	p := &engine.Task{Instance: bindHistory(t, g.History), Quasi: relaxation(2, quasi.Slots, true)}
	testkit.KeepsLimits(t, func(ctx context.Context, budget *engine.Budget) (engine.Answer, error) {
		return New().Check(ctx, p, budget)
	})
	m := engine.NewBudget(0, 1<<30)
	a, err := New().Check(context.Background(), p, m)
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, a.Verdict)
	require.Zero(t, m.Bytes())
}
