package conformance_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/sat"
	"github.com/linsat/linsat/internal/quasi/search"
	"github.com/linsat/linsat/internal/quasi/setsearch"
	quasiverify "github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// collections are the specifications that store items and say how what is left over is drained.
var collections = []string{"queue", "stack", "priority-queue", "deque", "unordered-queue"}

// forgetSome returns a random small history in which half of the removals have unknown results:
// some are forgotten, some never returned.
func forgetSome(t *testing.T, name string, seed uint64, o gen.SmallOptions) *history.History {
	h, err := gen.Small(name, seed, o)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(seed, 32))
	for i := range h.Ops {
		o := &h.Ops[i]
		if f, _ := h.Values.AsString(o.F); (strings.HasPrefix(f, "deq") || strings.HasPrefix(f, "pop") ||
			f == "deletemin") && r.IntN(2) == 0 {
			o.Result, o.Unknown, o.NoResult = history.Nil, true, false
			if r.IntN(3) == 0 && len(h.Edges) == 0 {
				o.Return = history.Never
			}
		}
	}
	return h
}

// TestAnUnknownRemovalMayHaveFoundNothing: knowing less of a history never makes a violation of it.
func TestAnUnknownRemovalMayHaveFoundNothing(t *testing.T) {
	h := history1(t, `{"spec":"queue","operations":[
		{"process":2,"f":"deq","call":2,"return":3,"result":1},
		{"process":2,"f":"enq","arg":3,"call":4,"return":5},
		{"process":2,"f":"enq","arg":1,"call":6,"return":7},
		{"process":0,"f":"deq","call":8,"return":9,"forgotten":true}]}`)
	s := specs.Queue()
	for _, e := range []string{"all", "auto", "search", "sat"} {
		for k := range int32(4) {
			r, err := linsat.Check(context.Background(), s, h, linsat.Engine(linsat.Engines(e)),
				linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, k, 0}, Drain: true}))
			require.NoError(t, err)
			require.True(t, r.Certified, "%s at %d: %s", e, k, r.Uncertified)
			require.Equal(t, map[bool]engine.Verdict{true: engine.Linearizable, false: engine.NotLinearizable}[k >= 2],
				r.Verdict, "%s at %d", e, k)
		}
	}
}

// TestUnknownResultsAgreeWithTheDefinition compares, on random histories in which removals never
// returned or have forgotten results, the definition with every engine, with Check, and with both
// ways in which the verifier tries everything: with any factor of the classes, with bounds on sets,
// and without a factor.
func TestUnknownResultsAgreeWithTheDefinition(t *testing.T) {
	engines := []engine.Decider{monitor.New(), search.New(), sat.New(func() solver.Solver { return gini.New() })}
	for _, name := range collections {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			a := &agreement{T: t, spec: s, engines: engines, says: map[string]int{}}
			formulas := &formulas{T: t}
			yes, no, n := 0, 0, testenv.Scale(120, 10_000)
			for seed := range uint64(n) {
				h := forgetSome(t, name, seed, gen.SmallOptions{Most: 6, Relax: int(seed % 4), NoEdges: seed%2 == 0,
					Keys: 1 + int(seed%3)/2})
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				r := rand.New(rand.NewPCG(seed, 33))
				for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
					q := quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Meaning: meaning,
						Drain: r.IntN(5) > 0, Causal: r.IntN(4) == 0}
					for c, class := range s.Info().Classes {
						if class.Relaxable || r.IntN(4) == 0 {
							q.Factor[c] = []int32{0, 1, 1, 2, 3, quasi.Unbounded}[r.IntN(6)]
						}
					}
					want := engine.NotLinearizable
					if ok, first, second := oracle.QuasiLinearizable(b, q); ok {
						want = engine.Linearizable
						require.NoError(t, oracle.ReplayQuasi(b, q, first, second), "%s seed %d %+v: %s", name,
							seed, q, show(h))
						yes++
					} else {
						no++
					}
					for _, e := range engines {
						a.engine(e, b, q, want, seed)
					}
					a.check(h, q, want, seed)
					formulas.compare(b, &q, want == engine.Linearizable, seed)
					_, err := quasiverify.Exhausted(context.Background(), b, &q, proof.Everything(), base.MaxNodes)
					require.Equal(t, want == engine.Linearizable, errors.Is(err, quasiverify.ErrRearranged),
						"%s seed %d %+v: %v: %s", name, seed, q, err, show(h))
					if q.Causal = false; seed%3 == 0 {
						q.Sets = randomSets(r, s.Info(), h)
						ok, _, _ := oracle.QuasiLinearizable(b, q)
						decides(t, setsearch.New(), b, &q, ok, seed)
					}
				}
				agree(t, s, h, seed)
				if t.Failed() {
					return
				}
			}
			t.Logf("%d yes, %d no", yes, no)
			assert.Greater(t, yes, testenv.MoreThan(n/10))
			assert.Greater(t, no, testenv.MoreThan(n/10))
		})
	}
}

// TestUnknownResultsAreSomeResults compares the definition with itself: a history is accepted
// exactly if it is with some result in the place of each that is not known. A removal that never
// returned is left out, or returns at the end.
func TestUnknownResultsAreSomeResults(t *testing.T) {
	for _, name := range collections {
		s := testkit.Spec(t, name)
		yes, no, n := 0, 0, testenv.Scale(60, 3_000)
		for seed := range uint64(n) {
			h := forgetSome(t, name, seed, gen.SmallOptions{Most: 5, Relax: int(seed % 4), NoEdges: true,
				Keys: 1, Values: 2})
			q := quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)), Meaning: quasi.Meaning(seed % 2),
				Drain: true, Causal: seed%5 == 0}
			for c, class := range s.Info().Classes {
				if class.Relaxable {
					q.Factor[c] = int32(seed / 2 % 4)
				}
			}
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			got, _, _ := oracle.QuasiLinearizable(b, q)
			want := someResult(t, s, model.Whole(h), q, 0)
			require.Equal(t, want, got, "%s seed %d %+v: %s", name, seed, q, show(h))
			if got {
				yes++
			} else {
				no++
			}
		}
		t.Logf("%s: %d yes, %d no", name, yes, no)
		assert.Greater(t, yes, testenv.MoreThan(n/10))
		assert.Greater(t, no, n/20)
	}
}

// someResult reports whether the partition is accepted with some results of its unknown removals
// from operation i on.
func someResult(t *testing.T, s model.Spec, p *model.Partition, q quasi.Question, i int) bool {
	for i < p.Len() && (!p.Ops[i].Unknown || p.Ops[i].Arg != history.Nil) {
		i++
	}
	if i == p.Len() {
		b, err := s.Bind(p)
		require.NoError(t, err)
		ok, _, _ := oracle.QuasiLinearizable(b, q)
		return ok
	}
	f, _ := p.History.Values.AsString(p.Ops[i].F)
	if strings.HasPrefix(f, "peek") || f == "min" {
		return someResult(t, s, p, q, i+1)
	}
	if p.Ops[i].Pending() {
		var rest []history.OpID
		for k := range p.Len() {
			if k != i {
				rest = append(rest, history.OpID(k))
			}
		}
		if len(rest) > 0 && someResult(t, s, p.Select(rest, ""), q, i) {
			return true
		}
	}
	found := []history.Value{history.Nil}
	if list, ok := p.History.Values.AsList(p.Initial); ok && p.HasInitial {
		found = append(found, list...)
	}
	for k := range p.Ops {
		if p.Ops[k].Arg != history.Nil {
			found = append(found, p.Ops[k].Arg)
		}
	}
	slices.Sort(found)
	for _, v := range slices.Compact(found) {
		known := *p
		known.Ops = slices.Clone(p.Ops)
		o := &known.Ops[i]
		if o.Result, o.Unknown = v, false; o.Pending() {
			o.Return = p.End()
		}
		if someResult(t, s, &known, q, i+1) {
			return true
		}
	}
	return false
}

// forgotten are histories of every specification in which results are forgotten.
func forgotten(testing.TB) (all []source) {
	for _, s := range specs.All() {
		name := s.Info().Name
		all = append(all, source{name: "forgotten/" + name, n: testenv.Scale(60, 10_000), least: 0.1, most: 1,
			draw: func(t testing.TB, seed uint64) (spec.Spec, *history.History) {
				h, err := gen.Small(name, seed, gen.SmallOptions{All: seed%2 == 1})
				require.NoError(t, err)
				r := rand.New(rand.NewPCG(seed, 34))
				for i := range h.Ops {
					if o := &h.Ops[i]; r.IntN(3) == 0 {
						o.Result, o.Unknown, o.NoResult = history.Nil, true, false
					}
				}
				return s, h
			}})
	}
	return all
}
