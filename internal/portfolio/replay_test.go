package portfolio

import (
	"context"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// liar is an engine with a bug: it calls every history linearizable, in the order of the file.
type liar struct{}

func (liar) Name() string { return "liar" }

func (liar) Check(_ context.Context, q *engine.Task, _ *engine.Budget) (engine.Answer, error) {
	var order []history.OpID
	for i := range q.Instance.Partition.Ops {
		order = append(order, history.OpID(i))
	}
	return engine.Answer{Verdict: engine.Linearizable, Witness: order}, nil
}

// silent is an engine that decides nothing.
type silent struct{}

func (silent) Name() string { return "silent" }

func (silent) Check(context.Context, *engine.Task, *engine.Budget) (engine.Answer, error) {
	return engine.Answer{}, nil
}

// TestEveryStageIsReplayed: whichever engine claims a linearization that is none, at whichever
// stage of the loop, is found out.
func TestEveryStageIsReplayed(t *testing.T) {
	b := history.NewBuilder()
	b.SetSpec("queue")
	_, err := b.Add(history.Record{Process: b.ProcessInt(0), F: b.Values.String("deq"), Key: history.NoKey,
		Result: b.Values.Int(3), Return: 1})
	require.NoError(t, err)
	h, err := b.Finish()
	require.NoError(t, err)
	s, _ := specs.Lookup("queue")
	for name, c := range map[string]struct {
		o       Options
		members []member
		probing engine.Decider
	}{
		"monitor":    {Options{}, []member{{liar{}, 0}, {silent{}, 0}}, silent{}},
		"probe":      {Options{}, []member{{silent{}, 0}, {silent{}, 0}}, liar{}},
		"race":       {Options{}, []member{{silent{}, 0}, {silent{}, 0}, {liar{}, 0}}, silent{}},
		"sequential": {Options{Sequential: true}, []member{{silent{}, 0}, {liar{}, 0}}, silent{}},
		"one alone":  {Options{}, []member{{liar{}, 0}}, silent{}},
		"all":        {Options{Engines: All}, []member{{silent{}, 0}, {liar{}, 0}}, silent{}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Portfolio{o: c.o}
			p.once.Do(func() { p.made, p.probing = c.members, c.probing })
			bound, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			_, err = p.Decide(context.Background(), &engine.Task{Instance: bound}, engine.NewBudget(0, 0))
			var d *engine.Disagreement
			require.ErrorAs(t, err, &d)
			assert.Contains(t, d.Error(), "liar")
		})
	}
}
