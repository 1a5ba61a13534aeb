package conformance_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ofOneCollection draws a small history of one queue, stack, priority queue or deque without
// explicit order, and a question about it.
func ofOneCollection(t *testing.T, seed uint64, rng *rand.Rand, most int) (*model.Instance, quasi.Question) {
	s, _ := specs.Lookup([]string{"queue", "stack", "priority-queue", "deque"}[seed%4])
	h, err := gen.Small(s.Info().Name, seed, gen.SmallOptions{Most: most, Keys: 1, Relax: int(seed / 8 % 5),
		NoEdges: true, NoInitial: true, Distinct: seed/4%2 == 0})
	require.NoError(t, err)
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return b, quasiQuestion(rng, s)
}

// What is refuted of some values among others is a violation, by the definition. The values that
// are left out, the responses and the order that are forgotten are drawn at random.
func TestValuesAmongOthersAreSound(t *testing.T) {
	n := uint64(4000)
	if testenv.Full() {
		n = 60_000
	}
	refuted, asked, less := 0, 0, 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 35))
		b, q := ofOneCollection(t, seed, rng, 8)
		theory, _ := b.Collection()
		if theory == nil {
			continue
		}
		really, known := false, false
		for range 4 {
			w := someValues(rng, b, theory)
			f, err := verify.Clauses(b, &q, w)
			if err != nil {
				continue
			}
			asked++
			status, lemmas, _ := cdcl.Refute(context.Background(), f)
			if status != cdcl.Refuted {
				continue
			}
			refuted++
			if !known {
				really, _, _ = oracle.QuasiLinearizable(b, q)
				known = true
			}
			require.False(t, really, "seed %d %+v: %+v refutes what can be rearranged", seed, q, w)
			p := &proof.Clausal{Weakening: w, Clauses: f.Len(), Lemmas: lemmas}
			text, err := proof.Marshal(p)
			require.NoError(t, err)
			again, err := proof.Unmarshal(text)
			require.NoError(t, err)
			require.NoError(t, verify.Proof(context.Background(), &q, b, again), "seed %d", seed)
			if slices.Contains(w.Retain, proof.RetainNothing) {
				less++
			}
		}
	}
	t.Logf("%d of %d refuted, %d of them without some operations", refuted, asked, less)
	assert.Greater(t, less, int(n)/100)
}

// someValues is a weakening that leaves out some values and forgets some of the rest.
func someValues(rng *rand.Rand, b *model.Instance, theory *model.CollectionTheory) *proof.Weakening {
	w := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
	gone := map[int32]bool{}
	share := 1 + rng.IntN(4)
	for i, v := range theory.Value {
		if _, drawn := gone[v]; !drawn {
			gone[v] = rng.IntN(4) < share
		}
		if v >= 0 && gone[v] || v == model.Nothing && rng.IntN(2) == 0 {
			w.Retain[i] = proof.RetainNothing
			if theory.Does[i] != model.Insert {
				w.Retain[i] = proof.Retained(1 + rng.IntN(3))
			}
		}
	}
	for i, v := range theory.Value { // others like it may do the same
		if v == model.Anything && rng.IntN(3) == 0 {
			w.Retain[i] = proof.RetainNothing
		}
	}
	if rng.IntN(3) == 0 { // the window of what is left
		start, end := history.Never, history.Rank(-1)
		for i, o := range b.Partition.Ops {
			if w.Retain[i] == proof.RetainAll {
				end = max(end, o.Return)
				if theory.Does[i] == model.Remove {
					start = min(start, o.Call)
				}
			}
		}
		for i, o := range b.Partition.Ops {
			if theory.Does[i] == model.Remove && w.Retain[i] == proof.RetainNothing &&
				o.Return >= start && o.Call <= end {
				w.Retain[i] = proof.Retained(1 + rng.IntN(2))
			}
		}
	}
	if rng.IntN(3) == 0 {
		w.SomeOrder = true
		for i, x := range b.Partition.Ops {
			for j, y := range b.Partition.Ops {
				if w.Retain[i] <= proof.RetainResponse && w.Retain[j] != proof.RetainNothing &&
					x.Return < y.Call && rng.IntN(4) > 0 {
					w.Order = append(w.Order, [2]history.OpID{history.OpID(i), history.OpID(j)})
				}
			}
		}
	}
	return w
}

// A core of values is one by the definition, and minimal where it says so: what it keeps cannot be
// rearranged among other operations, and without any one of its facts it can.
func TestCoresOfValuesAreMinimal(t *testing.T) {
	n := uint64(400)
	if testenv.Full() {
		n = 20_000
	}
	cores, facts := 0, map[explain.FactKind]int{}
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 36))
		b, q := ofOneCollection(t, seed, rng, 9)
		q.Causal = false
		all := make([]history.OpID, b.Partition.Len())
		for i := range all {
			all[i] = history.OpID(i)
		}
		theory, _ := b.Collection()
		core, p := explain.FindValues(context.Background(), b, &q, all)
		if core == nil || len(core.Besides) > 0 {
			continue
		}
		require.NoError(t, verify.Proof(context.Background(), &q, b, p))
		kept, removals := 0, 0
		for i, k := range core.Weakening.Retain {
			if k != proof.RetainNothing {
				kept++
				if theory.Does[i] == model.Remove {
					removals++
				}
			}
		}
		if removals > 3 || kept > 6 || b.Partition.Len() > 9 {
			continue
		}
		cores++
		require.True(t, core.Minimal, "seed %d: %s", seed, core.NotMinimal)
		require.False(t, amongOthers(b, q, core.Weakening), "seed %d %+v: %v can be rearranged", seed, q, core.Facts)
		for _, f := range core.Facts {
			facts[f.Kind]++
			w := *core.Weakening
			w.Retain, w.Order = slices.Clone(w.Retain), slices.Clone(w.Order)
			if f.Kind == explain.EdgeFact {
				k := slices.Index(w.Order, [2]history.OpID{f.Operations[0], f.Operations[1]})
				w.Order = slices.Delete(w.Order, k, k+1)
			} else {
				for _, op := range f.Operations {
					w.Retain[op] = proof.RetainNothing
				}
			}
			require.True(t, amongOthers(b, q, &w), "seed %d %+v: %v can do without %v", seed, q, core.Facts, f)
		}
	}
	t.Logf("%d cores, with facts %v", cores, facts)
	assert.Greater(t, cores, int(n)/50)
	for _, kind := range []explain.FactKind{explain.ValueFact, explain.ResponseFact, explain.EdgeFact} {
		assert.Positive(t, facts[kind], kind)
	}
}

// amongOthers is oracle.Among of what a weakening keeps.
func amongOthers(b *model.Instance, q quasi.Question, w *proof.Weakening) bool {
	theory, _ := b.Collection()
	values := map[int32]bool{}
	for i, k := range w.Retain {
		if k == proof.RetainAll {
			values[theory.Value[i]] = true
		}
	}
	var kept []oracle.Kept
	for i, k := range w.Retain {
		if k == proof.RetainNothing {
			continue
		}
		v := theory.Value[i]
		forgotten := k != proof.RetainAll
		kept = append(kept, oracle.Kept{Op: history.OpID(i), Counts: forgotten && v != model.Anything && !values[v],
			Unknown: forgotten || v == model.Anything,
			Pending: k == proof.RetainCall || b.Partition.Ops[i].Pending()})
	}
	return oracle.Among(b, q, kept, func(x, y history.OpID) bool {
		return slices.Contains(w.Order, [2]history.OpID{x, y})
	})
}

// What was forgotten among others refutes no linearizable history: a peek says nothing, a removal
// takes what it took, by whatever number, and does not stand in for one that is left out.
func TestForgottenAmongOthers(t *testing.T) {
	const all, response, call, nothing = proof.RetainAll, proof.RetainResponse, proof.RetainCall, proof.RetainNothing
	for text, retain := range map[string][]proof.Retained{
		`[{"f":"peek","result":null,"call":0,"return":1},{"f":"enq","arg":1,"call":2,"return":3},
			{"f":"enq","arg":2,"call":4,"return":5}]`: {response, nothing, all},
		`[{"f":"deq","result":2,"call":0,"return":5},{"f":"enq","arg":1,"call":1,"return":6},
			{"f":"enq","arg":2,"call":2,"return":7},{"f":"deq","result":1,"call":8,"return":9},
			{"f":"deq","result":null,"call":10,"return":11}]`: {call, nothing, all, nothing, all},
		`[{"f":"deq","result":1,"call":0,"return":1},{"f":"enq","arg":2,"call":2,"return":3},
			{"f":"deq","forgotten":true,"call":4,"return":5},
			{"f":"deq","result":null,"call":6,"return":7}]`: {call, all, nothing, all},
	} {
		for k := range retain {
			text = strings.Replace(text, `{"f"`, fmt.Sprintf(`{"process":%d,"f"`, k), 1)
		}
		initial := "[]"
		if len(retain) == 4 {
			initial = "[1]"
		}
		h, err := history.Read(strings.NewReader(`{"spec":"queue","initial":`+initial+`,"operations":`+text+`}`),
			history.ReadOptions{})
		require.NoError(t, err)
		b, err := testkit.Spec(t, "queue").Bind(model.Whole(h))
		require.NoError(t, err)
		linear, _ := oracle.Linearizable(b)
		require.True(t, linear, text)
		q := quasi.Question{Factor: quasi.Factor{0, 0, 0}}
		f, err := verify.Clauses(b, &q, &proof.Weakening{Cut: history.Never, Retain: retain})
		if err != nil {
			continue // it is refused
		}
		status, _, _ := cdcl.Refute(context.Background(), f)
		require.Equal(t, cdcl.Satisfied, status, text)
	}
}
