package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResultsOfRealSystemsAreUnderstood: in random small histories, results are replaced by what
// real systems return under that name: numbers, true and false, null, a word that it is done, the
// argument again, a value that was there before. Every verdict agrees with the objects of package
// oracle, which read results by themselves; all else is an error with a hint.
func TestResultsOfRealSystemsAreUnderstood(t *testing.T) {
	n := uint64(testenv.Scale(700, 20_000))
	for _, s := range specs.All() {
		name := s.Info().Name
		if !oracle.HasObject(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			count := map[string]int{}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 10))
				plain, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, All: true, NoFailed: true,
					NoEdges: true, NoEnds: true})
				require.NoError(t, err)
				h := replaceResults(t, r, s, plain)
				want, judged := oracle.CheckAnswers(s, h)
				got, err := linsat.Check(context.Background(), s, h,
					linsat.Engine(linsat.Engines([...]string{"auto", "all"}[seed%2])))
				about := fmt.Sprintf("%s seed %d: %s", name, seed, show(h))
				var bad *history.Error
				switch {
				case errors.As(err, &bad):
					assert.NotEmpty(t, bad.Hint, about)
					count["refused"]++
				case err != nil:
					require.NoError(t, err, about)
				case !judged:
					require.Failf(t, "a verdict on a result that must be refused", "%v: %s", got.Verdict, about)
				default:
					require.Equal(t, want, got.Verdict == engine.Linearizable, "%v: %s", got.Verdict, about)
					require.NotEqual(t, engine.Unknown, got.Verdict, about)
					count[got.Verdict.String()]++
				}
				if judged && err != nil {
					count["refused, though it has a meaning"]++
				}
			}
			t.Log(count)
			assert.Greater(t, count[engine.Linearizable.String()], int(n)/50)
			assert.Greater(t, count[engine.NotLinearizable.String()], int(n)/50)
			assert.Greater(t, count["refused"], int(n)/50)
			assert.Less(t, count["refused, though it has a meaning"], int(n)/4)
		})
	}
}

// replaceResults gives some operations another result and some another of their names.
func replaceResults(t *testing.T, r *rand.Rand, s model.Spec, h *history.History) *history.History {
	b := history.NewBuilder()
	b.Values = h.Values
	v := h.Values
	if h.HasInitial {
		b.SetInitial(h.Initial)
	}
	for i := range h.Ops {
		o := &h.Ops[i]
		at := h.Origins[i]
		rec := history.Record{Process: b.Process(h.Processes[o.Process]), F: o.F, Key: o.Key, Arg: o.Arg,
			Result: o.Result, Call: at.CallTime, Return: at.ReturnTime}
		switch {
		case o.Pending():
			rec.Pending = true
		case r.IntN(5) == 0:
			small := v.Int(r.Int64N(5) - 1)
			other := &h.Ops[r.IntN(len(h.Ops))]
			rec.Result = [...]history.Value{history.Nil, history.True, history.False, v.String("ok"), v.String("OK"),
				small, o.Arg, other.Arg, other.Result,
				v.List([]history.Value{small}), v.List([]history.Value{small, small}), v.List(nil),
				v.String("empty")}[r.IntN(13)]
		}
		for _, op := range s.Info().Operations {
			if f, _ := v.AsString(o.F); op.Name == f && len(op.Aliases) > 0 && r.IntN(3) == 0 {
				alias := op.Aliases[r.IntN(len(op.Aliases))]
				if r.IntN(4) == 0 {
					alias = strings.ToUpper(alias)
				}
				rec.F = v.String(alias)
			}
		}
		_, err := b.Add(rec)
		require.NoError(t, err)
	}
	changed, err := b.Finish()
	require.NoError(t, err)
	return changed
}
