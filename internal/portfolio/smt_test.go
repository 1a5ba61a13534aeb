package portfolio_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sure refutes everything that it is asked.
type sure struct{ asked []string }

func (s *sure) Name() string { return "smt (sure)" }

func (s *sure) Check(_ context.Context, t *engine.Task, _ *engine.Budget) (engine.Answer, error) {
	s.asked = append(s.asked, t.Instance.Spec.Info().Name)
	return engine.Answer{Verdict: engine.NotLinearizable}, nil
}

// Auto asks an SMT solver about a history that the others do not decide (which subset of sixty
// numbers has a given sum?), not about one that they do, and All never.
func TestAutoAsksSMTLast(t *testing.T) {
	before := portfolio.NewSMT
	defer func() { portfolio.NewSMT = before }()
	s := &sure{}
	portfolio.NewSMT = func(string) (engine.Decider, error) { return s, nil }
	counter, ok := specs.Lookup("counter")
	require.True(t, ok)
	additions := func(n int, found int64) *history.History {
		b := history.NewBuilder()
		random := int64(1)
		for i := range n {
			random = random * 48271 % (1<<31 - 1)
			b.Add(history.Record{Process: b.Process(fmt.Sprint(i)), F: b.Values.String("inc"), Key: history.NoKey,
				Arg: b.Values.Int(1_000_000 + random%1_000_000), Call: 0, Return: 10})
		}
		b.Add(history.Record{Process: b.Process("r"), F: b.Values.String("read"), Key: history.NoKey,
			Result: b.Values.Int(found), Call: 2, Return: 5})
		h, err := b.Finish()
		require.NoError(t, err)
		return h
	}
	decide := func(h *history.History, engines portfolio.Engines) engine.Answer {
		b, err := counter.Bind(model.Whole(h))
		require.NoError(t, err)
		p := portfolio.New(portfolio.Options{Engines: engines, Workers: 1, VerdictOnly: true})
		a, err := p.Decide(t.Context(), &engine.Task{Instance: b}, engine.NewBudget(0, 0))
		require.NoError(t, err)
		return a
	}
	assert.Equal(t, engine.Linearizable, decide(additions(6, 0), portfolio.Auto).Verdict)
	assert.Equal(t, engine.Linearizable, decide(additions(6, 0), portfolio.All).Verdict)
	assert.Empty(t, s.asked)
	assert.Equal(t, engine.NotLinearizable, decide(additions(24, 36_123_457), "smt:x").Verdict)
	assert.Equal(t, engine.NotLinearizable, decide(additions(60, 47_123_457), portfolio.Auto).Verdict)
	assert.Equal(t, []string{"counter", "counter"}, s.asked)
}
