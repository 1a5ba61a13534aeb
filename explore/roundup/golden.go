package roundup

// Phase 1.
//
// What: every serial run of a test on a strict object, the golden model. The runs are the paper's
// sequential specification spec(o): for every order of the calls that keeps the order within
// threads, what they return. There are (m+n)!/(m!n!) of them for two threads of m and n calls. Each
// run is also checked by linsat.Check and must be linearizable: the golden model and linsat's
// specification agree on this test.

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
)

// golden is the result of phase 1.
type golden struct {
	results map[string][]any // by the threads of the calls in order: what the calls return
	runs    int
	leaves  bool // some run leaves values in the object, or a removal finds nothing
}

// Model returns a strict sequential object to serve as the golden model of a specification: queue,
// stack and priority-queue have one. All its operations hold one lock, as the calls of phase 1 do
// in the paper.
func Model(specification string) (*explore.Object, bool) {
	s, ok := specs.Lookup(specification)
	if !ok {
		return nil, false
	}
	info := s.Info()
	o := &explore.Object{Name: "golden " + specification, About: "strict sequential " + specification,
		Spec: specification}
	switch info.Name {
	case "queue":
		o.New = goldenModel(info, "enq", "deq", func(values []int) int { return 0 })
	case "stack":
		o.New = goldenModel(info, "push", "pop", func(values []int) int { return len(values) - 1 })
	case "priority-queue":
		o.New = goldenModel(info, "insert", "deletemin", func(values []int) int {
			least := 0
			for i, v := range values {
				if v < values[least] {
					least = i
				}
			}
			return least
		})
	default:
		return nil, false
	}
	return o, true
}

// goldenModel is an object that inserts numbers at the end and removes the one at the index that
// next returns.
func goldenModel(info model.Info, insert, remove string,
	next func(values []int) int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		lock := mem.NewMutex(m, "lock")
		var values []int
		return func(f string, arg any) any {
			lock.Lock()
			defer lock.Unlock()
			name := canonical(info, f)
			switch {
			case name == insert:
				values = append(values, arg.(int))
				return nil
			case name != remove:
				panic(fmt.Sprintf("roundup: the golden model has no operation %q", f))
			case len(values) == 0:
				return nil
			}
			i := next(values)
			v := values[i]
			values = append(values[:i:i], values[i+1:]...)
			return v
		}
	}
}

// errGolden is wrapped by errors about a golden model.
var errGolden = errors.New("golden model")

// run makes all serial runs of a test on the model.
func run(ctx context.Context, model *explore.Object, c *explore.Case, s model.Spec) (*golden, error) {
	g := &golden{results: map[string][]any{}}
	test := explore.Case{Object: model, Before: c.Before, Threads: c.Threads, After: c.After}
	k := kindsOf(s.Info(), c)
	var failure error
	stats, err := explore.Run(test.Program(), schedule.Serial(), explore.Options{}, func(e *explore.Execution) bool {
		failure = g.add(ctx, &test, e, s, k)
		return failure == nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errGolden, err)
	case failure != nil:
		return nil, failure
	case !stats.Complete:
		return nil, fmt.Errorf("%w: stopped by %s", errGolden, stats.Stopped)
	}
	g.runs = len(g.results)
	return g, nil
}

func (g *golden) add(ctx context.Context, test *explore.Case, e *explore.Execution, s model.Spec, k kinds) error {
	if e.Outcome != explore.Completed {
		return fmt.Errorf("%w: a serial run is %s", errGolden, e.Outcome)
	}
	var key []byte
	var results []any
	for i := range e.Ops {
		key = append(key, byte(e.Ops[i].Thread+1))
		results = append(results, e.Ops[i].Result)
	}
	if before, seen := g.results[string(key)]; seen {
		for i := range results {
			if !same(results[i], before[i]) {
				return fmt.Errorf("%w: %s returns once %v and once %v in the same serial order", errGolden, &e.Ops[i],
					before[i], results[i])
			}
		}
		return nil
	}
	g.results[string(key)] = results
	h, err := test.History(e)
	if err != nil {
		return fmt.Errorf("%w: %w", errGolden, err)
	}
	relax := quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Drain: s.Info().Drain != ""}
	r, err := linsat.Check(ctx, s, h, linsat.Quasi(relax), linsat.First(),
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	if err != nil {
		return fmt.Errorf("%w: %w", errGolden, err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.Verdict != engine.Linearizable {
		return fmt.Errorf("%w: a serial run is %s with respect to %s: %v", errGolden, r.Verdict, s.Info().Name, e.Ops)
	}
	g.leaves = g.leaves || r.Drains > 0 || findsNothing(e, k)
	return nil
}

// findsNothing reports whether a removal returned nothing.
func findsNothing(e *explore.Execution, k kinds) bool {
	for i := range e.Ops {
		if e.Ops[i].Result == nil && k[e.Ops[i].F].role == removal {
			return true
		}
	}
	return false
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }
