package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Partitions of about as many operations as a word has bits, of all specifications, are decided in
// the same nodes as by the run of any length.
func TestOneWordVisitsTheNodesOfARun(t *testing.T) {
	var seen engineTally
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(testenv.Scale(60, 3000)) {
			rng := rand.New(rand.NewPCG(seed, 7))
			o := gen.Options{Spec: name, Operations: 2 + rng.IntN(66), Processes: 2 + rng.IntN(5), Values: rng.IntN(6),
				Keys: 1 + rng.IntN(2), Seed: seed}
			if seed%4 == 0 {
				o.PendingRate = 0.05
			}
			if all := gen.Violations(); seed%2 == 1 {
				o.Violation = all[rng.IntN(len(all))]
			}
			c, err := gen.Generate(o)
			if err != nil { // a violation that this history has no place for
				continue
			}
			for _, p := range model.Split(s, c.History, model.ByKey) {
				b, err := s.Bind(p)
				require.NoError(t, err)
				if _, ok := searchWord(context.Background(), b, nil, true); !ok {
					continue
				}
				r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
				judgeWord(t, r, r.Search(), &seen)
			}
		}
	}
	t.Logf("%d, %d of them refuted", seen.words, seen.wordsRefuted)
	assert.Greater(t, seen.words-seen.wordsRefuted, testenv.MoreThan(500))
	assert.Greater(t, seen.wordsRefuted, testenv.MoreThan(50))
}

// At every limit of steps, the engine answers as a run does.
func TestOneWordStopsAtTheSameStep(t *testing.T) {
	for seed := range uint64(testenv.Scale(50, 1000)) {
		c, err := gen.Generate(gen.Options{Spec: "kv", Operations: 24, Processes: 4, Seed: seed})
		require.NoError(t, err)
		b, err := specs.KV().Bind(model.Whole(c.History))
		require.NoError(t, err)
		for steps := int64(1); steps < 60; steps += 3 {
			whole := engine.NewBudget(steps, 0)
			r, _ := start(context.Background(), &engine.Problem{Instance: b}, whole)
			got := r.Search()
			r.Close()
			m := engine.NewBudget(steps, 0)
			answer, err := New(VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b}, m)
			require.NoError(t, err)
			require.Equal(t, map[wgl.Outcome]engine.Verdict{wgl.Found: engine.Linearizable,
				wgl.Failed: engine.NotLinearizable, wgl.GaveUp: engine.Unknown}[got], answer.Verdict)
			require.Equal(t, whole.Left(), m.Left())
		}
	}
}
