package portfolio_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/result"
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

// patient answers nothing in time.
type patient struct{}

func (patient) Name() string { return "smt (patient)" }

func (patient) Check(ctx context.Context, _ *engine.Task, _ *engine.Budget) (engine.Answer, error) {
	<-ctx.Done()
	return engine.Stopped(ctx), nil
}

// Auto asks an SMT solver about a history that the others do not decide (which subset of sixty
// numbers has a given sum?), not about one that they do. All asks it about each, and says so if
// there is none.
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
	assert.Empty(t, s.asked)
	assert.Equal(t, engine.NotLinearizable, decide(additions(24, 36_123_457), "smt:x").Verdict)
	assert.Equal(t, engine.NotLinearizable, decide(additions(60, 47_123_457), portfolio.Auto).Verdict)
	assert.Equal(t, []string{"counter", "counter"}, s.asked)

	all := func(limit time.Duration, steps bool) (result.Result, error) {
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		p := portfolio.New(portfolio.Options{Engines: portfolio.All, Workers: 1, Sequential: steps, VerdictOnly: true})
		return p.Check(ctx, &portfolio.Question{Spec: counter, History: additions(6, 0)}, engine.NewBudget(0, 0))
	}
	_, err := all(time.Minute, false)
	var contradiction *engine.Disagreement
	require.ErrorAs(t, err, &contradiction)
	assert.Contains(t, contradiction.Because, "smt (sure): not linearizable")
	for why, engines := range map[string]func(string) (engine.Decider, error){
		"it is not linked":    nil,
		"no solver was found": func(string) (engine.Decider, error) { return nil, errors.New("none") },
		"it counts no steps":  func(string) (engine.Decider, error) { return s, nil },
	} {
		portfolio.NewSMT = engines
		r, err := all(time.Minute, why == "it counts no steps")
		require.NoError(t, err)
		assert.Equal(t, result.Asked{Engine: "smt", Not: why, Partitions: 1}, r.Asked[len(r.Asked)-1])
	}
	portfolio.NewSMT = func(string) (engine.Decider, error) { return patient{}, nil }
	begin := time.Now()
	r, err := all(4*time.Second, false)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)
	assert.Contains(t, r.Asked, result.Asked{Engine: "smt (patient)", Cause: engine.Timeout, Partitions: 1})
	assert.Less(t, time.Since(begin), 3*time.Second, "a share of the time")
}
