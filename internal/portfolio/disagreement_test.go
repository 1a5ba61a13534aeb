package portfolio

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	quasisearch "github.com/linsat/linsat/internal/quasi/search"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wrong is an engine with a bug: it refutes every history in which 3 is enqueued before it is
// dequeued.
type wrong struct{ evidence proof.Proof }

func (wrong) Name() string { return "wrong" }

func (w wrong) Check(_ context.Context, p *engine.Task, _ *engine.Budget) (engine.Answer, error) {
	t := p.Instance.Partition.History.Values
	in, out := false, false
	for i := range p.Instance.Partition.Ops {
		o := &p.Instance.Partition.Ops[i]
		in = in || t.Format(o.Arg) == "3"
		out = out || t.Format(o.Result) == "3"
	}
	if in && out {
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: w.evidence}, nil
	}
	return search.New().Check(context.Background(), p.Plain(), nil)
}

// TestDisagreementNamesFewOperations: two engines that contradict each other are reported with what
// certify saw, and on as few operations as possible.
func TestDisagreementNamesFewOperations(t *testing.T) {
	b := history.NewBuilder()
	b.SetSpec("queue")
	for v := range int64(20) {
		for k, f := range []string{"enq", "deq"} {
			r := history.Record{Process: b.ProcessInt(v), F: b.Values.String(f), Key: history.NoKey,
				Call: 4*v + 2*int64(k), Return: 4*v + 2*int64(k) + 1}
			if f == "enq" {
				r.Arg = b.Values.Int(v)
			} else {
				r.Result = b.Values.Int(v)
			}
			_, err := b.Add(r)
			require.NoError(t, err)
		}
	}
	h, err := b.Finish()
	require.NoError(t, err)
	s, _ := specs.Lookup("queue")
	bound, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		evidence proof.Proof
		relax    *quasi.Question
		seen     string
	}{
		"no evidence": {nil, nil, "wrong gives no evidence"},
		"wrong evidence": {&proof.CollectionConflict{Values: []int32{0}, Op: -1, Via: -1}, nil,
			"the verifier refuses the evidence of wrong"},
		"under a factor": {nil, &quasi.Question{Factor: quasi.Factor{0, 1, 0}, Drain: true}, "wrong gives no evidence"},
	} {
		t.Run(name, func(t *testing.T) {
			right := engine.For(search.New())
			if c.relax != nil {
				right = quasisearch.New()
			}
			p := &Portfolio{o: Options{Engines: All}}
			p.once.Do(func() { p.made = []member{{right, 0}, {wrong{c.evidence}, 0}} })
			_, err := p.Decide(context.Background(), &engine.Task{Instance: bound, Quasi: c.relax},
				engine.NewBudget(0, 0))
			var d *engine.Disagreement
			require.ErrorAs(t, err, &d)
			assert.Equal(t, []string{"6", "7"}, d.Smallest)
			assert.Equal(t, []string{"search: linearizable", "wrong: not linearizable",
				"certify: the order that search gives is right"}, d.Says[:3])
			assert.True(t, strings.HasPrefix(d.Says[3], c.seen), d.Says[3])
			assert.Contains(t, d.Error(),
				"they still do on 2 of its 40 operations: 6, 7, of which certify says after trying everything: ")
		})
	}
}
