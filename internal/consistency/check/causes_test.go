package check_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	"github.com/linsat/linsat/internal/gen"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// causalities are the questions about orders of causes.
var causalities = map[string]oracle.Causality{
	"weakly-causal": {}, "causal": {OwnResults: true}, "causal-convergence": {RunOrder: true},
}

// TestCausesAreTheDefinition compares causal questions about objects of all kinds with their
// definitions, and answers with each other: what implies what.
func TestCausesAreTheDefinition(t *testing.T) {
	for _, name := range []string{"queue", "stack", "counter", "set", "kv", "cas-register", "mutex", "priority-queue"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := specs.Lookup(name)
			counts := map[string]int{}
			for seed := range uint64(testenv.Scale(100, 20_000)) {
				size := gen.SmallOptions{Least: 3, Most: 5 + int(seed%8/7), Keys: 1, NoEdges: true, All: true}
				h, err := gen.Small(name, seed, size)
				require.NoError(t, err)
				if rng := rand.New(rand.NewPCG(38, seed)); seed%4 > 0 {
					replicated(t, s, h, rng)
				}
				found := map[string]check.Answer{}
				for question, c := range causalities {
					want, err := c.Causal(s, model.Whole(h))
					require.NoError(t, err)
					a := ask(t, s, h, question)
					require.Equal(t, want, a.Verdict == levels.Holds, "seed %d: %s", seed, question)
					found[question] = a
					counts[question+" "+a.Verdict.String()]++
				}
				for _, question := range []string{"sequential", "linearizable", "pram"} {
					if question != "pram" || name != "mutex" { // what follows is possible
						found[question] = ask(t, s, h, question)
					}
				}
				for question := range causalities {
					if found[question].Verdict == levels.Holds && found["sequential"].Verdict == levels.Fails {
						counts[question+" only"]++
					}
				}
				for k := range consistency.Questions {
					q := &consistency.Questions[k]
					for j := range consistency.Questions {
						p := &consistency.Questions[j]
						a, met := found[q.Name]
						b, also := found[p.Name]
						if met && also && q.IsAtLeast(p) && a.Verdict == levels.Holds {
							require.Equal(t, levels.Holds, b.Verdict, "seed %d: %s implies %s", seed, q.Name, p.Name)
						}
					}
				}
			}
			t.Log(counts)
			for question := range causalities {
				least := min(counts[question+" only"], counts[question+" fails"])
				assert.Greater(t, least, testenv.MoreThan(0), question)
			}
		})
	}
}

// replicated gives operations the results that replicas find which know some of the operations
// before: of each, some with their causes, in an order in which causes come first. Results are
// those of operations of the same name.
func replicated(t *testing.T, s model.Spec, h *history.History, rng *rand.Rand) {
	causes := make([]uint64, len(h.Ops))
	results := map[history.Value][]history.Op{}
	for _, o := range h.Ops {
		results[o.F] = append(results[o.F], o)
	}
	for op := range h.Ops {
		past := uint64(0)
		for i := range op {
			if h.Ops[i].Process == h.Ops[op].Process || rng.IntN(3) == 0 {
				past |= causes[i] | 1<<i
			}
		}
		causes[op] = past
		var order []history.OpID
		for done := uint64(0); done != past; {
			i := rng.IntN(op)
			if past>>i&1 == 1 && done>>i&1 == 0 && causes[i]&^done == 0 {
				order = append(order, history.OpID(i))
				done |= 1 << i
			}
		}
		if h.Ops[op].Pending() || h.Ops[op].Unknown {
			continue
		}
		some := results[h.Ops[op].F]
		for _, k := range rng.Perm(len(some)) {
			if some[k].Pending() || some[k].Unknown {
				continue
			}
			h.Ops[op].Result, h.Ops[op].NoResult = some[k].Result, some[k].NoResult
			p := model.Whole(h)
			p.Ops = slices.Clone(h.Ops)
			for i := range p.Ops {
				if i != op {
					p.Ops[i].Result, p.Ops[i].Unknown, p.Ops[i].NoResult = history.Nil, true, false
				}
			}
			b, err := s.Bind(p)
			require.NoError(t, err)
			m := b.NewMachine()
			states := []model.State{m.Init()}
			for _, i := range append(order, history.OpID(op)) {
				var next []model.State
				for _, at := range states {
					next = m.Step(at, i, next)
				}
				states = next
			}
			if len(states) > 0 {
				break
			}
		}
	}
}

// TestCausesOfReadsAndWrites compares what is found of objects of any kind with what is found of
// reads and writes.
func TestCausesOfReadsAndWrites(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 5))
	counts := map[string]int{}
	for n := range testenv.Scale(300, 20_000) {
		s, h, m := repeatedMemory(t, rng, 8, n%2*3)
		for question := range causalities {
			q, err := consistency.Parse(question)
			require.NoError(t, err)
			a, err := check.ByCauses(t.Context(), newCase(s, h), q)
			require.NoError(t, err)
			require.Equal(t, ask(t, s, h, question).Verdict, a.Verdict, "%d: %s of %+v", n, question, m)
			a.Certificate.Question = question
			holds, err := check.Verify(t.Context(), s, h, q, a.Certificate)
			require.NoError(t, err)
			require.Equal(t, a.Verdict == levels.Holds, holds)
			counts[question+" "+a.Verdict.String()]++
		}
	}
	t.Log(counts)
}

// TestCausalOfMutexesIsNotPRAM: two acquire one mutex and do not know of each other, but nobody can
// see both.
func TestCausalOfMutexesIsNotPRAM(t *testing.T) {
	b := history.NewBuilder()
	for p := range int64(2) {
		_, err := b.Add(history.Record{Process: b.ProcessInt(p), F: b.Values.String("acquire"), Key: history.NoKey,
			Call: p, Return: p + 5})
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	mutex, _ := specs.Lookup("mutex")
	answers, err := check.All(t.Context(), newCase(mutex, h))
	require.NoError(t, err)
	for k := range answers {
		a := &answers[k]
		assert.Equal(t, a.Question.ByCauses(), a.Verdict == levels.Holds, a.Question.Name)
		assert.True(t, a.Certified(), a.Question.Name)
	}
}

// TestAlteredCausesAreTrueOrRefused changes one thing in a certificate about causes, or gives it to
// another question: what the verifier accepts all the same is true.
func TestAlteredCausesAreTrueOrRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 6))
	tried, accepted := 0, 0
	for n := range testenv.Scale(300, 5000) {
		name := []string{"queue", "counter", "set", "mutex"}[n%4]
		s, _ := specs.Lookup(name)
		h, err := gen.Small(name, uint64(n), gen.SmallOptions{Least: 3, Most: 5, NoEdges: true, All: true})
		require.NoError(t, err)
		replicated(t, s, h, rng)
		for question := range causalities {
			q, err := consistency.Parse(question)
			require.NoError(t, err)
			a, err := check.ByCauses(t.Context(), newCase(s, h), q)
			require.NoError(t, err)
			if a.Certificate.Causes == nil {
				continue
			}
			for about, c := range causalities {
				q, err := consistency.Parse(about)
				require.NoError(t, err)
				text, err := json.Marshal(a.Certificate.Causes)
				require.NoError(t, err)
				x := &consistency.Causes{}
				require.NoError(t, json.Unmarshal(text, x))
				one := history.OpID(rng.IntN(len(h.Ops)+2) - 1)
				switch k := rng.IntN(4); {
				case len(x.Cases) > 0:
					of := &x.Cases[rng.IntN(len(x.Cases))]
					switch k {
					case 0:
						of.With = append(of.With, one)
					case 1:
						of.With, of.Without = of.Without, of.With
					case 2:
						of.Op = one
					default:
						of.With, of.Order = nil, nil
					}
				case k == 0 && len(x.Arbitration) > 1:
					x.Arbitration[0], x.Arbitration[1] = x.Arbitration[1], x.Arbitration[0]
				default:
					of := &x.Orders[rng.IntN(len(x.Orders))]
					switch at := rng.IntN(len(*of) + 1); {
					case k == 1 || at == len(*of):
						*of = slices.Insert(*of, at, one)
					case k == 2:
						*of = slices.Delete(*of, at, at+1)
					default:
						(*of)[at], (*of)[0] = (*of)[0], (*of)[at]
					}
				}
				tried++
				holds, err := check.Verify(t.Context(), s, h, q, &consistency.Certificate{Question: about, Causes: x})
				if err != nil {
					continue
				}
				accepted++
				want, err := c.Causal(s, model.Whole(h))
				require.NoError(t, err)
				require.Equal(t, want, holds, "%d: %s of %s: %+v", n, about, question, x)
			}
		}
	}
	t.Logf("%d altered, %d of them accepted and true", tried, accepted)
	assert.Greater(t, min(accepted, tried-accepted), testenv.MoreThan(20))
}
