package check_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	"github.com/linsat/linsat/internal/consistency/solve"
	views "github.com/linsat/linsat/internal/consistency/verify"
	"github.com/linsat/linsat/internal/gen"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestForgedViewsAreRefused gives the verifier views in the order of the calls, which keep all
// rules of order: only what the reads return tells them from right ones.
func TestForgedViewsAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 3))
	refused := 0
	for n := range testenv.Scale(600, 5000) {
		s, h, m := randomMemory(t, rng, 6)
		x, err := consistency.Of(s, h)
		require.NoError(t, err)
		for name := range definitions {
			q, err := consistency.Parse(name)
			require.NoError(t, err)
			if !q.ByViews() || definitions[name](m) {
				continue
			}
			forged := &consistency.Certificate{Question: name}
			for p := range h.Processes {
				v := consistency.View{Process: int32(p)}
				for i := range x.Ops {
					if o := &x.Ops[i]; o.Writes || o.Reads && int(o.Process) == p {
						v.Order = append(v.Order, history.OpID(i))
					}
				}
				forged.Views = append(forged.Views, v)
			}
			_, err = check.Verify(context.Background(), s, h, q, forged)
			require.Error(t, err, "%d: %s of %+v", n, name, m)
			refused++
		}
	}
	require.Greater(t, refused, testenv.MoreThan(100))
}

// TestCertificatesOfOtherThingsAreRefused: a contradiction is for the question and for a process of
// the history.
func TestCertificatesOfOtherThingsAreRefused(t *testing.T) {
	h := litmus(t, "x:1 y=1\ny:1 x=1")
	s, _ := specs.Lookup("kv")
	c := ask(t, s, h, "causal").Certificate
	require.Len(t, c.Conflict.Path, 5)
	verify := func(name string) error {
		q, err := consistency.Parse(name)
		require.NoError(t, err)
		_, err = check.Verify(context.Background(), s, h, q, c)
		return err
	}
	require.NoError(t, verify("causal"))
	require.ErrorContains(t, verify("writes-follow-reads"),
		"it is about causal, and the question is writes-follow-reads")
	c.Question = "writes-follow-reads"
	require.NoError(t, verify("writes-follow-reads"))
	c.Conflict.Process = 2
	require.ErrorContains(t, verify("writes-follow-reads"), "process 2 of 2")
}

// TestStepsAreOfTheHistory compares each step of a contradiction with the operations: they are of
// one process, one shows what the other wrote, or one comes before a read, by the steps before.
func TestStepsAreOfTheHistory(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 4))
	kinds := map[check.StepKind]int{}
	for n := range testenv.Scale(500, 5000) {
		s, h, m := randomMemory(t, rng, 8)
		x, err := consistency.Of(s, h)
		require.NoError(t, err)
		shows := func(r, w history.OpID) bool {
			read, write := &x.Ops[r], &x.Ops[w]
			return read.Reads && write.Writes && read.Object == write.Object && read.Found == write.Left
		}
		for _, name := range append(slices.Sorted(maps.Keys(definitions)), "sequential") {
			a := ask(t, s, h, name)
			before := make([][]bool, len(h.Ops))
			for i := range before {
				before[i] = make([]bool, len(h.Ops))
			}
			for _, s := range a.Steps {
				kinds[s.Kind]++
				about := []any{"%d: %s of %+v: %+v", n, name, m, a.Steps}
				switch s.Kind {
				case check.Process:
					require.Equal(t, h.Ops[s.Before].Process, h.Ops[s.After].Process, about...)
					require.Less(t, s.Before, s.After, about...)
				case check.Reads:
					require.True(t, shows(s.After, s.Before), about...)
				case check.Overwrites:
					require.True(t, shows(s.Read, s.After) && before[s.Before][s.Read], about...)
					require.Equal(t, x.Ops[s.Before].Object, x.Ops[s.Read].Object, about...)
				case check.Overwritten:
					w := x.Ops[s.After]
					require.True(t, w.Writes && x.Ops[s.Before].Reads && w.Object == x.Ops[s.Before].Object, about...)
				}
				for i := range before {
					if i == int(s.Before) || before[i][s.Before] {
						before[i][s.After] = true
						for k, after := range before[s.After] {
							before[i][k] = before[i][k] || after
						}
					}
				}
			}
		}
	}
	for k := check.Process; k <= check.Overwrites; k++ {
		require.Greater(t, kinds[k], testenv.MoreThan(10))
	}
}

// TestForgedChoicesAreRefused: a no needs a case for each choice, and a choice is one of the writes
// of the value.
func TestForgedChoicesAreRefused(t *testing.T) {
	kv, _ := specs.Lookup("kv")
	h := litmus(t, "x=1 y=1\nx=1\ny:1 x:1 x:0")
	a := ask(t, kv, h, "causal")
	require.Equal(t, levels.Fails, a.Verdict)
	require.NotNil(t, a.Certificate.Choices)
	q, err := consistency.Parse("causal")
	require.NoError(t, err)
	refused := func(h *history.History, why string, c consistency.Certificate) {
		t.Helper()
		c.Question = "causal"
		_, err := check.Verify(t.Context(), kv, h, q, &c)
		require.ErrorContains(t, err, why)
	}
	all := a.Certificate.Choices
	for k := range all.Cases {
		less := append(slices.Clone(all.Cases[:k]), all.Cases[k+1:]...)
		refused(h, "lemma", consistency.Certificate{Choices: &consistency.Choices{Cases: less, Lemmas: all.Lemmas}})
	}
	good := litmus(t, "x=1 y=1\nx=1\ny:1 x:1")
	a = ask(t, kv, good, "causal")
	require.Equal(t, levels.Holds, a.Verdict)
	require.Len(t, a.Certificate.Chosen, 1)
	refused(good, "path", consistency.Certificate{Choices: &consistency.Choices{Cases: []consistency.ChoiceCase{{
		Certificate: consistency.Certificate{Conflict: &consistency.Conflict{}}}}, Lemmas: []proof.Lemma{{}}}})
	refused(good, "a case shows a yes", consistency.Certificate{Choices: &consistency.Choices{
		Cases: []consistency.ChoiceCase{{Certificate: *a.Certificate, Chosen: a.Certificate.Chosen}}}})
	read := a.Certificate.Chosen[0].Read
	wrong := []consistency.Choice{{Read: read, Write: read}}
	refused(good, "none of what the read may be from",
		consistency.Certificate{Views: a.Certificate.Views, Chosen: wrong})
	refused(good, "chooses what the read cannot be from", consistency.Certificate{Choices: &consistency.Choices{
		Cases: []consistency.ChoiceCase{{Chosen: wrong}}}})
}

// TestChoicesAreForAllReads: a yes chooses for each read, of values that something wrote, and a no
// after one choice is none.
func TestChoicesAreForAllReads(t *testing.T) {
	kv, _ := specs.Lookup("kv")
	q, err := consistency.Parse("causal")
	require.NoError(t, err)
	refused := func(h *history.History, why string, c consistency.Certificate) {
		t.Helper()
		c.Question = "causal"
		_, err := check.Verify(t.Context(), kv, h, q, &c)
		require.ErrorContains(t, err, why)
	}
	// writes is the views with the writes as they were called, and in one other operations.
	writes := func(h *history.History, own int32, of ...history.OpID) (views []consistency.View) {
		for p := range int32(len(h.Processes)) {
			v := consistency.View{Process: p}
			for i := range h.Ops {
				if h.Ops[i].Arg != history.Nil {
					v.Order = append(v.Order, history.OpID(i))
				}
			}
			if p == own {
				v.Order = append(v.Order, of...)
			}
			views = append(views, v)
		}
		return views
	}
	reads := func(h *history.History) (all []history.OpID) {
		for i := range h.Ops {
			if h.Ops[i].Arg == history.Nil {
				all = append(all, history.OpID(i))
			}
		}
		return all
	}
	back := litmus(t, "x=1 x=1 x=2 x=2\nx:2 x:1")
	require.Equal(t, levels.Fails, ask(t, kv, back, "causal").Verdict)
	refused(back, "has no choice", consistency.Certificate{Views: writes(back, 1), Chosen: []consistency.Choice{}})
	unwritten := litmus(t, "x=1 x=1\ny:7")
	require.Equal(t, levels.Fails, ask(t, kv, unwritten, "causal").Verdict)
	for _, of := range [][]history.OpID{nil, reads(unwritten)} {
		refused(unwritten, "", consistency.Certificate{Views: writes(unwritten, 1, of...),
			Chosen: []consistency.Choice{}})
	}
	good := litmus(t, "x=1 x=2 x=1\nx:2 x:1")
	require.Equal(t, levels.Holds, ask(t, kv, good, "causal").Verdict)
	first := ask(t, kv, litmus(t, "x=1 x=2 x=3\nx:2 x:1"), "causal")
	require.Equal(t, levels.Fails, first.Verdict)
	refused(good, "after one choice", consistency.Certificate{Conflict: first.Certificate.Conflict,
		Chosen: []consistency.Choice{{Read: reads(good)[1], Write: 0}}})
}

// TestConflictsOfViewsAreNotOfCauses gives the conflicts that refute causal memory, of reads and
// writes, as ones that refute weak causal consistency, where that holds.
func TestConflictsOfViewsAreNotOfCauses(t *testing.T) {
	given := 0
	s, _ := specs.Lookup("register")
	for seed := range uint64(testenv.Scale(5000, 60_000)) {
		rng := rand.New(rand.NewPCG(38, seed))
		b := history.NewBuilder()
		written := int64(0)
		for at := range int64(4 + rng.IntN(4)) {
			r := history.Record{Process: b.ProcessInt(rng.Int64N(3)), F: b.Values.String("read"), Key: history.NoKey,
				Call: 2 * at, Return: 2*at + 1}
			if written == 0 || rng.IntN(2) == 0 {
				written++
				r.F, r.Arg = b.Values.String("write"), b.Values.Int(written)
			} else {
				r.Result = b.Values.Int(1 + rng.Int64N(written))
			}
			_, err := b.Add(r)
			require.NoError(t, err)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		causal, err := consistency.Parse("causal")
		require.NoError(t, err)
		weak, err := consistency.Parse("weakly-causal")
		require.NoError(t, err)
		a, err := check.Ask(t.Context(), newCase(s, h), causal)
		require.NoError(t, err)
		if a.Verdict != levels.Fails || a.Certificate == nil || a.Certificate.Conflict == nil {
			continue
		}
		holds, err := check.Ask(t.Context(), newCase(s, h), weak)
		require.NoError(t, err)
		if holds.Verdict != levels.Holds {
			continue
		}
		given++
		forged := *a.Certificate
		forged.Question = weak.Name
		_, err = check.Verify(t.Context(), s, h, weak, &forged)
		require.Error(t, err, "seed %d", seed)
	}
	assert.Greater(t, given, testenv.MoreThan(20))
	t.Log(given)
}

// TestForgedCausesAreRefused: of what has an order of causes no cases and lemmas show that it has
// none, whichever operation they say is impossible, with and without whichever others.
func TestForgedCausesAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 7))
	forged := 0
	for n := range testenv.Scale(400, 20_000) {
		name := []string{"queue", "counter", "set", "mutex"}[n%4]
		s, _ := specs.Lookup(name)
		h, err := gen.Small(name, uint64(n), gen.SmallOptions{Least: 3, Most: 5, Keys: 1, NoEdges: true})
		require.NoError(t, err)
		for question, c := range causalities {
			if holds, err := c.Causal(s, model.Whole(h)); err != nil || !holds {
				continue
			}
			q, err := consistency.Parse(question)
			require.NoError(t, err)
			x := &consistency.Causes{}
			op := history.OpID(rng.IntN(len(h.Ops)))
			others := make([]history.OpID, 0, len(h.Ops))
			for i := range history.OpID(len(h.Ops)) {
				if i != op && rng.IntN(3) == 0 {
					others = append(others, i)
				}
			}
			// with all of them, or without one
			x.Cases = []consistency.Impossible{{Op: op, With: others}}
			for _, i := range others {
				x.Cases = append(x.Cases, consistency.Impossible{Op: op, Without: []history.OpID{i}})
			}
			status, lemmas, _ := cdcl.Refute(t.Context(), views.NewCausesFormula(h, q, x.Cases))
			if x.Lemmas = lemmas; status != cdcl.Refuted {
				require.True(t, h.Ops[op].Pending(), "seed %d", n)
				continue
			}
			forged++
			_, err = views.CheckCauses(t.Context(), s, h, q, x)
			require.Error(t, err, "seed %d: %s", n, question)
		}
	}
	assert.Greater(t, forged, testenv.MoreThan(200))
}

// TestForgedOrdersOfCausesAreRefused: of what has no order of causes none is accepted that is made
// of orders that the specification allows, each for one operation by itself.
func TestForgedOrdersOfCausesAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 8))
	forged := 0
	for n := range testenv.Scale(5000, 60_000) {
		name := []string{"queue", "counter", "set", "kv"}[n%4]
		s, _ := specs.Lookup(name)
		h, err := gen.Small(name, uint64(n), gen.SmallOptions{Least: 3, Most: 5, Keys: 1, NoEdges: true,
			NoPending: true})
		require.NoError(t, err)
		replicated(t, s, h, rng)
		for question, c := range causalities {
			if holds, err := c.Causal(s, model.Whole(h)); err != nil || holds {
				continue
			}
			q, err := consistency.Parse(question)
			require.NoError(t, err)
			of, err := solve.NewCauses(s, h, q)
			require.NoError(t, err)
			x := &consistency.Causes{Orders: make([][]history.OpID, len(h.Ops))}
			whole := true
			if q.Arbitrated() && n%4 < 2 { // what weak causal consistency is satisfied with
				weak, err := consistency.Parse("weakly-causal")
				require.NoError(t, err)
				a, err := check.ByCauses(t.Context(), newCase(s, h), weak)
				require.NoError(t, err)
				if a.Certificate != nil && a.Certificate.Causes != nil && a.Verdict == levels.Holds {
					x.Orders = a.Certificate.Causes.Orders
				}
			}
			for op := range history.OpID(len(h.Ops)) {
				for try := 0; try < 20 && x.Orders[op] == nil; try++ {
					with := rng.Uint64N(1<<len(h.Ops)) &^ (1 << op)
					if n%2 == 0 {
						with |= of.Own[op]
					}
					x.Orders[op], _ = of.Order(t.Context(), op, with, 0, make([]uint64, len(h.Ops)), 1000)
				}
				whole = whole && x.Orders[op] != nil
			}
			for _, i := range rng.Perm(len(h.Ops)) {
				x.Arbitration = append(x.Arbitration, history.OpID(i))
			}
			if whole {
				forged++
				_, err = views.CheckCauses(t.Context(), s, h, q, x)
				require.Error(t, err, "seed %d: %s: %v", n, question, x.Orders)
			}
		}
	}
	assert.Greater(t, forged, testenv.MoreThan(50))
	t.Log(forged)
}
