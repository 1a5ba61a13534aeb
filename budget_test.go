package linsat_test

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hardQueue is k insertions and k removals of four values, nearly all of them open at once: too
// much for any engine when k is large.
func hardQueue(t *testing.T, k int) *history.History {
	b := history.NewBuilder()
	enq, deq := b.Values.String("enq"), b.Values.String("deq")
	add := func(f, arg, result history.Value) {
		p := b.ProcessInt(int64(b.Len()))
		_, err := b.Add(history.Record{Process: p, F: f, Key: history.NoKey, Arg: arg, Result: result,
			Call: int64(b.Len() % 3), Return: 100 + int64(b.Len()%5)})
		require.NoError(t, err)
	}
	for i := range k {
		add(enq, b.Values.Int(int64(i%4)), history.Nil)
		add(deq, history.Nil, b.Values.Int(int64((i*i+1)%4)))
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// TestTimeoutIsKept: within 10 % or 100 ms, whichever is more, also inside a step of a
// specification that does not return.
func TestTimeoutIsKept(t *testing.T) {
	slow, err := spec.Define(spec.Definition[int]{
		Name: "slow",
		Step: func(s int, _ spec.Call) []spec.Outcome[int] {
			time.Sleep(3 * time.Second)
			return []spec.Outcome[int]{{Next: s + 1, AnyOutput: true}}
		},
	})
	require.NoError(t, err)
	b := history.NewBuilder()
	_, err = b.Add(history.Record{Process: b.ProcessInt(0), F: b.Values.String("x"), Key: history.NoKey,
		Call: 0, Return: 1})
	require.NoError(t, err)
	h, err := b.Finish()
	require.NoError(t, err)
	queue, _ := specs.Lookup("queue")
	for _, c := range []struct {
		name string
		s    model.Spec
		h    *history.History
	}{{"a step that sleeps", model.Full(slow), h}, {"a hard history", queue, hardQueue(t, 40)}} {
		for _, e := range []string{"auto", "search", "sat"} {
			least := time.Hour
			// the machine may be busy with other things
			for try := 0; try < 20 && least > 300*time.Millisecond; try++ {
				start := time.Now()
				r, err := linsat.Check(context.Background(), c.s, c.h, linsat.Timeout(200*time.Millisecond),
					linsat.Engine(linsat.Engines(e)))
				least = min(least, time.Since(start))
				require.NoError(t, err)
				if r.Verdict == engine.Unknown && r.Cause != engine.Unsupported {
					assert.Equal(t, engine.Timeout, r.Cause, "%s by %s", c.name, e)
				}
			}
			assert.LessOrEqual(t, least, 300*time.Millisecond, "%s by %s", c.name, e)
		}
	}
}

// TestMemoryIsNoReasonToStop: under a limit on memory a search forgets what it has learned, and
// goes on. Refuting the deque needs more memory than the lower limit, and then more steps than the
// search gets; without a limit on steps the verdicts are those of before.
func TestMemoryIsNoReasonToStop(t *testing.T) {
	for violation, want := range map[gen.Violation]linsat.Verdict{gen.Swap: linsat.NotLinearizable,
		"": linsat.Linearizable} {
		c, err := gen.Generate(gen.Options{Spec: "deque", Operations: 3000, Processes: 8, Values: 6, Seed: 1,
			Violation: violation})
		require.NoError(t, err)
		deque, _ := specs.Lookup("deque")
		if testing.Short() && violation != "" { // the race detector makes searches slow
			continue
		}
		for limit, steps := range map[int64]int64{20e6: 2e6, 100e6: 7e6} {
			for _, options := range [][]linsat.Option{nil, {linsat.Engine("search"), linsat.Steps(steps)}} {
				r, err := linsat.Check(context.Background(), deque, c.History, append(options, linsat.Memory(limit),
					linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))...)
				require.NoError(t, err)
				if options != nil && violation != "" && limit < 100e6 {
					assert.Equal(t, linsat.Unknown, r.Verdict, limit)
					assert.Equal(t, engine.Steps, r.Cause, limit)
					continue
				}
				assert.Equal(t, want, r.Verdict, limit)
			}
		}
	}
}

// TestStepsAreReproducible: the same history and limit always stop at the same step.
func TestStepsAreReproducible(t *testing.T) {
	queue, _ := specs.Lookup("queue")
	h := hardQueue(t, 30)
	var first linsat.Result
	for i := range 5 {
		r, err := linsat.Check(context.Background(), queue, h, linsat.Steps(20))
		require.NoError(t, err)
		if i == 0 {
			first = r
			require.Equal(t, engine.Unknown, r.Verdict)
			require.Equal(t, engine.Steps, r.Cause)
		}
		assert.Equal(t, first.Effort, r.Effort)
	}
}

func TestCancelledByTheCaller(t *testing.T) {
	queue, _ := specs.Lookup("queue")
	h := hardQueue(t, 60)
	least := time.Hour
	for try := 0; try < 20 && least > 150*time.Millisecond; try++ {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		start := time.Now()
		r, err := linsat.Check(ctx, queue, h)
		least = min(least, time.Since(start))
		require.NoError(t, err)
		if r.Verdict == engine.Unknown {
			assert.Equal(t, engine.Cancelled, r.Cause)
		}
	}
	assert.LessOrEqual(t, least, 150*time.Millisecond)
}
