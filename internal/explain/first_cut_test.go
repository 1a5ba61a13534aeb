package explain

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/sat"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Cores under a factor with and without a first cut, SAT alone deciding: both are cores.
// With LINSAT_FULL=1 -v it prints what that saves, which is little (docs/decisions/cores.md).
func TestFirstCut(t *testing.T) {
	s := sat.New(func() solver.Solver { return gini.New() })
	rows := []struct {
		spec  string
		sizes []int
	}{{"priority-queue", []int{60}}}
	if testenv.Full() {
		rows[0].sizes = []int{60, 100, 150}
		rows = append(rows, struct {
			spec  string
			sizes []int
		}{"stack", []int{100}})
	}
	question := &quasi.Question{}
	for _, row := range rows {
		for _, size := range row.sizes {
			violations, finished, both := 0, [2]int{}, [2]time.Duration{}
			for seed := range uint64(testenv.Scale(2, 12)) {
				b := generated(t, row.spec, size, seed+1)
				question.Factor = make(quasi.Factor, len(b.Spec.Info().Classes))
				for i := range question.Factor {
					question.Factor[i] = 1
				}
				decide := func(ctx context.Context, of *model.Instance) engine.Verdict {
					a, err := s.Check(ctx, &engine.Task{Instance: of, Quasi: question}, engine.NewBudget(0, 0))
					require.NoError(t, err)
					return a.Verdict
				}
				var took [2]time.Duration
				var done [2]bool
				violated := true
				for k, cut := range []bool{false, true} {
					ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
					start := time.Now()
					core, err := findQuasi(ctx, b, question, decide, cut)
					took[k], done[k] = time.Since(start), ctx.Err() == nil
					stop()
					require.NoError(t, err)
					if core == nil {
						violated = !done[k]
						break
					}
					assert.NotEmpty(t, core.Facts)
				}
				if !violated {
					continue
				}
				violations++
				for k := range done {
					if done[k] {
						finished[k]++
					}
					if done[0] && done[1] {
						both[k] += took[k]
					}
				}
			}
			t.Logf("| %s, %d | %d | %d, %d | %.1f s, %.1f s |", row.spec, size, violations, finished[0], finished[1],
				both[0].Seconds(), both[1].Seconds())
			assert.Greater(t, violations, testenv.MoreThan(0))
		}
	}
}

// generated is a history made with displacements of up to five places, as an instance.
func generated(t *testing.T, name string, size int, seed uint64) *model.Instance {
	g, err := gen.Generate(gen.Options{Spec: name, Operations: size, Processes: 6, Relax: 5, Seed: seed})
	require.NoError(t, err)
	b, err := testkit.Spec(t, name).Bind(model.Whole(g.History))
	require.NoError(t, err)
	return b
}
