package encode

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// decides asks the engine, which has a minute; without symmetry breaking it would take ages.
func decides(t *testing.T, b *model.Instance, want engine.Verdict, what string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a, err := newSAT(newSolver).Check(ctx, &engine.Problem{Instance: b}, nil)
	require.NoError(t, err, what)
	require.Equal(t, want, a.Verdict, "%s: %s %s", what, a.Cause, a.Detail)
	if want == engine.Linearizable {
		require.NoError(t, verify.Witness(b, a.Witness), what)
	}
}

// The pigeonhole family: equal values, all concurrent.
func TestConcurrentEqualValuesAreDecided(t *testing.T) {
	for _, f := range gen.Families() {
		if f.Name != "pigeonhole" {
			continue
		}
		for _, name := range f.Specs {
			for _, size := range []int{1, 2, 5, 8, 20, testenv.Scale(64, 128)} {
				for _, violated := range []bool{false, true} {
					c, err := f.Make(gen.FamilyOptions{Spec: name, Size: size, Violated: violated})
					require.NoError(t, err)
					want := engine.Linearizable
					if violated {
						want = engine.NotLinearizable
					}
					decides(t, bind(t, name, model.Whole(c.History)), want, fmt.Sprintf("%s %d", name, size))
				}
			}
		}
	}
}

// Pigeons that counting alone does not find: as many insertions as removals, of one or two values,
// but the last insertion of each comes after all removals.
func TestLateInsertionsOfEqualValuesAreDecided(t *testing.T) {
	for _, name := range []string{"queue", "stack"} {
		put, get := "enq", "deq"
		if name == "stack" {
			put, get = "push", "pop"
		}
		for _, values := range []int64{1, 2} {
			for _, size := range []int{1, 4, 8, testenv.Scale(16, 32)} {
				for _, late := range []int64{0, 100} {
					b := history.NewBuilder()
					b.SetSpec(name)
					process := 0
					add := func(f string, v, call int64) {
						process++
						r := history.Record{Process: b.Process(strconv.Itoa(process)), F: b.Values.String(f),
							Key: history.NoKey, Call: call, Return: call + 10}
						if f == put {
							r.Arg = b.Values.Int(v)
						} else {
							r.Result = b.Values.Int(v)
						}
						_, err := b.Add(r)
						require.NoError(t, err)
					}
					for v := range values {
						for range size {
							add(put, v, 0)
							add(get, v, 0)
						}
						add(get, v, 0)
						add(put, v, late)
					}
					h, err := b.Finish()
					require.NoError(t, err)
					want := engine.Linearizable
					if late > 0 {
						want = engine.NotLinearizable
					}
					decides(t, bind(t, name, model.Whole(h)), want, fmt.Sprintf("%s of %d values, %d, %d", name,
						values, size, late))
				}
			}
		}
	}
}
