package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked are questions that a stated order may be part of.
var asked = []stale.Question{{Kind: stale.Late}, {Kind: stale.Late, Bound: 1}, {Kind: stale.Late, Bound: 2},
	{Kind: stale.Late, Bound: stale.Unbounded}, {Kind: stale.Moved}, {Kind: stale.Moved, Bound: 2},
	{Kind: stale.Moved, Bound: 1 << 40}}

// inOrder is the definition for a whole history, with the order that it states.
func inOrder(b *model.Instance, h *history.History, name string, q stale.Question) bool {
	read := func(op history.OpID) bool { return slices.Contains(reads[name], text(h, h.Ops[op].F)) }
	if q.Kind == stale.Moved {
		return oracle.LateInOrder(b, read, 0, true, q.Bound)
	}
	return oracle.LateInOrder(b, read, int(min(q.Bound, 64)), false, 0)
}

// stated returns a random small history with a stated order, and its instance; nil where there is
// none.
func stated(t *testing.T, name string, seed uint64) (*history.History, *model.Instance) {
	h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, Edged: true, Distinct: seed%2 == 0, Keys: 2})
	require.NoError(t, err)
	for i := range h.Ops {
		if o := &h.Ops[i]; seed%5 == 0 && slices.Contains(reads[name], text(h, o.F)) && i%3 == 0 {
			o.Unknown, o.Result = true, history.Nil
		}
	}
	if b := whole(t, name, h); b != nil {
		return h, b
	}
	return nil, nil
}

// whole is the instance of a history that is not split; nil if its operations touch nothing.
func whole(t *testing.T, name string, h *history.History) *model.Instance {
	sp, _ := specs.Lookup(name)
	b, err := sp.Bind(model.Whole(h))
	require.NoError(t, err)
	if theory := b.Registers(); theory == nil || len(theory.Init) == 0 {
		return nil
	}
	return b
}

// TestStatedOrdersAreTheDefinition compares answers where operations are in a stated order, also of
// several objects, with the definition, and least bounds with the answers.
func TestStatedOrdersAreTheDefinition(t *testing.T) {
	for name := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sp, _ := specs.Lookup(name)
			says := map[string]int{}
			for seed := range uint64(testenv.Scale(400, 20_000)) {
				h, b := stated(t, name, seed)
				if h == nil {
					continue
				}
				x, err := stale.Of(sp, h)
				if err != nil {
					continue
				}
				least := map[stale.Kind]int64{stale.Late: stale.Never, stale.Moved: stale.Never}
				timed := x.Timed() == nil // else a bound on time means nothing
				for _, q := range slices.Backward(asked) {
					if q.Kind == stale.Moved && !timed {
						continue
					}
					want := inOrder(b, h, name, q)
					a := Ask(context.Background(), x, q)
					require.NoError(t, a.Refused, "seed %d, %v", seed, q)
					require.NotEqual(t, Unknown, a.Verdict, "seed %d, %v: %s", seed, q, a.Unclear)
					require.Equal(t, want, a.Verdict == Holds, "seed %d, %v", seed, q)
					require.True(t, a.Certified, "seed %d, %v", seed, q)
					says[a.By+map[bool]string{true: " yes", false: " no"}[want]]++
					if want {
						least[q.Kind] = min(least[q.Kind], q.Bound)
					}
				}
				for kind, high := range least {
					if kind == stale.Moved && !timed {
						continue
					}
					l := AskLeast(context.Background(), x, kind)
					require.NoError(t, l.Refused, "seed %d", seed)
					require.True(t, l.Certified, "seed %d", seed)
					require.Equal(t, high == stale.Never, l.Verdict == Fails, "seed %d", seed)
					if l.Verdict == Holds {
						require.LessOrEqual(t, l.Question.Bound, high, "seed %d", seed)
						q := l.Question
						require.True(t, inOrder(b, h, name, q), "seed %d: %v", seed, q)
						if q.Bound--; q.Bound >= 0 {
							require.False(t, inOrder(b, h, name, q), "seed %d: %v", seed, q)
						}
					}
				}
			}
			for _, key := range slices.Sorted(maps.Keys(says)) {
				t.Logf("%s: %d", key, says[key])
			}
			assert.Greater(t, says["sat no"], testenv.MoreThan(2))
		})
	}
}

// TestClausesAreTheDefinition asks the clauses where the monitor or the search answers, under both
// meanings: values may repeat, and operations say what they found.
func TestClausesAreTheDefinition(t *testing.T) {
	for name := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sp, _ := specs.Lookup(name)
			yes, no := 0, 0
			for seed := range uint64(testenv.Scale(400, 20_000)) {
				h := random(t, name, seed)
				x, err := stale.Of(sp, h)
				if err != nil || len(h.Edges) > 0 {
					continue
				}
				v := verify.New(x)
				for _, q := range asked {
					holds := true
					for _, u := range unitsOf(x) {
						s := said{orders: make([]stale.Order, 1)}
						s.byClauses(context.Background(), x, v, &u, q, true)
						require.NotEqual(t, s.holds, s.fails, "seed %d", seed)
						if holds = holds && s.holds; s.holds {
							require.NoError(t, v.Order(u.objects[0], q, &s.orders[0]), "seed %d, %v", seed, q)
						} else {
							require.NoError(t, v.Core(context.Background(), q, s.core), "seed %d, %v", seed, q)
						}
					}
					require.Equal(t, defined(t, h, name, q), holds, "seed %d, %v", seed, q)
					if holds {
						yes++
					} else {
						no++
					}
				}
			}
			t.Logf("%d yes, %d no", yes, no)
			assert.Greater(t, min(yes, no), testenv.MoreThan(100))
		})
	}
}

// TestOrdersAgainstWhatIsStatedAreRefused gives the verifier orders that are right without the
// stated order, where the answer with it is no; and cores with lemmas that lack something.
func TestOrdersAgainstWhatIsStatedAreRefused(t *testing.T) {
	forged, cores := 0, 0
	for seed := range uint64(testenv.Scale(1_500, 20_000)) {
		name := []string{"register", "cas-register", "kv"}[seed%3]
		sp, _ := specs.Lookup(name)
		h, _ := stated(t, name, seed)
		if h == nil {
			continue
		}
		x, err := stale.Of(sp, h)
		if err != nil {
			continue
		}
		v, q := verify.New(x), asked[seed%4]
		a := Ask(context.Background(), x, q)
		if a.Verdict != Fails || a.Certificate.Core.Lemmas == nil {
			continue
		}
		untied := *h
		untied.Edges = nil
		y, err := stale.Of(sp, &untied)
		require.NoError(t, err)
		free := Ask(context.Background(), y, q)
		if free.Verdict == Fails { // without the stated order, too
			require.False(t, defined(t, &untied, name, q), "seed %d", seed)
			continue
		}
		require.Equal(t, Holds, free.Verdict)
		require.Error(t, v.Check(context.Background(), free.Certificate), "seed %d", seed)
		forged++
		core := a.Certificate.Core
		refused := func(ids []history.OpID, lemmas []proof.Lemma) {
			less := &stale.Core{Operations: ids, Lemmas: lemmas}
			require.Error(t, v.Core(context.Background(), q, less), "seed %d", seed)
			cores++
		}
		for k := range core.Operations {
			refused(slices.Delete(slices.Clone(core.Operations), k, k+1), core.Lemmas)
		}
		refused(append(slices.Clone(core.Operations), core.Operations[0]), core.Lemmas)
		refused(append(slices.Clone(core.Operations), 99), core.Lemmas)
		refused(core.Operations, []proof.Lemma{{}})
		weak := stale.Question{Kind: stale.Regular}
		require.Error(t, v.Core(context.Background(), weak, core))
	}
	t.Logf("%d orders and %d cores refused", forged, cores)
	assert.Greater(t, min(forged, cores), testenv.MoreThan(10))
}

// TestLeftOutWritesAreRefused: a core that leaves out a write of what is read is none, whatever
// lemmas say.
func TestLeftOutWritesAreRefused(t *testing.T) {
	sp, _ := specs.Lookup("register")
	refused := 0
	for seed := range uint64(200) {
		h, err := gen.Small("register", seed, gen.SmallOptions{Most: 6, NoEdges: true})
		require.NoError(t, err)
		x, err := stale.Of(sp, h)
		require.NoError(t, err)
		v, q := verify.New(x), stale.Question{Bound: stale.Unbounded}
		if Ask(context.Background(), x, q).Verdict != Holds {
			continue
		}
		for i := range x.Objects[0].Ops {
			core := &stale.Core{Operations: []history.OpID{x.Objects[0].Ops[i].ID}}
			if c, err := v.Clauses(q, core.Operations); err == nil {
				if status, lemmas, _ := cdcl.Refute(context.Background(), c); status == cdcl.Refuted {
					core.Lemmas = lemmas
					require.Error(t, v.Core(context.Background(), q, core), "seed %d", seed)
					refused++
				}
			}
		}
	}
	require.Greater(t, refused, 10)
}

// TestRegularUnderStatedOrdersIsTheDefinition compares regular questions where operations are in a
// stated order with the definition.
func TestRegularUnderStatedOrdersIsTheDefinition(t *testing.T) {
	says := map[string]int{}
	sp, _ := specs.Lookup("register")
	for seed := range uint64(testenv.Scale(1500, 20_000)) {
		h, err := gen.Small("register", seed, gen.SmallOptions{Most: 7, Keys: 1, Edged: true, Chains: seed%2 == 0})
		require.NoError(t, err)
		x, err := stale.Of(sp, h)
		b := whole(t, "register", h)
		if err != nil || len(h.Edges) == 0 || b == nil || x.OnlyReadsAndWrites() != nil {
			continue
		}
		read := func(op history.OpID) bool { return slices.Contains(reads["register"], text(h, h.Ops[op].F)) }
		for kind, want := range map[stale.Kind]bool{stale.Regular: oracle.Regular(b, read),
			stale.WeaklyRegular: oracle.WeaklyRegular(b, read)} {
			q := stale.Question{Kind: kind}
			a := Ask(context.Background(), x, q)
			require.NoError(t, a.Refused, "seed %d, %v", seed, q)
			says[fmt.Sprint(q, ": ", []string{"unknown", "yes", "no"}[a.Verdict], ", ", want)]++
			if a.Verdict != Unknown {
				require.Equal(t, want, a.Verdict == Holds, "seed %d, %v", seed, q)
				require.True(t, a.Certified, "seed %d, %v", seed, q)
			}
		}
	}
	t.Log(says)
	for _, kind := range []string{"regular", "weakly-regular"} {
		require.Greater(t, says[kind+": yes, true"], testenv.MoreThan(10*says[kind+": unknown, true"]))
	}
}
