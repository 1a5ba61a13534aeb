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
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/setsearch"
	quasiverify "github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	verifybase "github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// randomSets makes one to three sets that may overlap: some operations, all or those with some of
// the values of h.
func randomSets(r *rand.Rand, info model.Info, h *history.History) []quasi.Set {
	var names, values []string
	for _, c := range info.Classes {
		names = append(append(names, c.Name), c.Operations...)
	}
	for _, o := range h.Ops {
		if o.Arg != history.Nil {
			values = append(values, h.Values.Format(o.Arg))
		} else if !o.Unknown && !o.Pending() {
			values = append(values, h.Values.Format(o.Result))
		}
	}
	var sets []quasi.Set
	for range 1 + r.IntN(3) {
		var terms []string
		for range 1 + r.IntN(2) {
			term := names[r.IntN(len(names))]
			if len(values) > 0 && r.IntN(3) > 0 {
				term += "(" + values[r.IntN(len(values))] + "|" + values[r.IntN(len(values))] + ")"
			}
			terms = append(terms, term)
		}
		sets = append(sets, quasi.Set{Operations: strings.Join(terms, "+"), Bound: int32(max(0, r.IntN(4)-1))})
	}
	return sets
}

// TestLeastBoundsWithSetsAgreeWithTheDefinition: the least bound of the relaxable classes where
// sets of operations are bounded as well, certified where it is more than 0.
func TestLeastBoundsWithSetsAgreeWithTheDefinition(t *testing.T) {
	n, least, higher := testenv.Scale(60, 4_000), map[int32]int{}, 0
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "counter"} {
		s := testkit.Spec(t, name)
		for seed := range uint64(n) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, Relax: int(seed % 4)})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			r := rand.New(rand.NewPCG(seed, 44))
			q := quasi.Question{Meaning: quasi.Meaning(r.IntN(2)), Drain: r.IntN(3) > 0}
			request, err := quasi.Parse(s.Info(), "min")
			require.NoError(t, err)
			sets := randomSets(r, s.Info(), h)
			from := func(sets []quasi.Set) int32 {
				at := q
				at.Sets, at.Factor = sets, make(quasi.Factor, len(request.Free))
				for _, k := range []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, quasi.Unbounded} {
					for c, free := range request.Free {
						if free {
							at.Factor[c] = k
						}
					}
					if ok, _, _ := oracle.QuasiLinearizable(b, at); ok {
						return k
					}
				}
				return quasi.Unbounded
			}
			want, without := from(sets), from(nil)
			q.Factor, q.Free, q.Sets = request.Factor, request.Free, sets
			about := fmt.Sprintf("%s seed %d %+v: %s", name, seed, q, show(h))
			got, err := linsat.Check(context.Background(), s, h, linsat.Quasi(q),
				linsat.Partition("none"))
			require.NoError(t, err, about)
			require.Equal(t, want, got.Least.Low, about)
			require.True(t, got.Least.Settled(), about)
			if want != quasi.Unbounded {
				q.Factor = got.Quasi.Factor
				require.NoError(t, oracle.ReplayQuasi(b, q, got.Witness, got.Rearranged), about)
			}
			if least[want]++; want > without {
				higher++
			}
			if want > 0 && want != quasi.Unbounded {
				require.True(t, got.Least.Certified, about)
			}
		}
	}
	t.Logf("histories by least bound: %v, %d of them higher by the sets", least, higher)
	assert.Greater(t, higher, testenv.MoreThan(0))
	assert.Greater(t, least[1], testenv.MoreThan(0))
}

// TestBoundsOnSetsAgreeWithTheDefinition compares the search for sets, and Check, with the
// definition on random histories with pending operations, repeated values and explicit order.
func TestBoundsOnSetsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "counter"} {
		s := testkit.Spec(t, name)
		t.Run(name, func(t *testing.T) {
			yes, bySets, refusals, tried, cores, n := 0, 0, 0, 0, 0, testenv.Scale(300, 10_000)
			for seed := range uint64(n) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, Relax: int(seed % 3), All: seed%4 == 0})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				r := rand.New(rand.NewPCG(seed, 14))
				q := quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)),
					Meaning: quasi.Meaning(r.IntN(2)), Drain: r.IntN(3) > 0}
				for c := range q.Factor {
					q.Factor[c] = []int32{1, 2, quasi.Unbounded, quasi.Unbounded}[r.IntN(4)]
				}
				base, _, _ := oracle.QuasiLinearizable(b, q)
				q.Sets = randomSets(r, s.Info(), h)
				want, _, _ := oracle.QuasiLinearizable(b, q)
				about := fmt.Sprintf("%s seed %d %+v: %s", name, seed, q, show(h))
				if want {
					require.True(t, base, about)
					yes++
				} else if base {
					bySets++
				}
				refused := false
				for _, e := range []string{"auto", "all"} {
					got, err := linsat.Check(context.Background(), s, h, linsat.Quasi(q),
						linsat.Engine(linsat.Engines(e)), linsat.Partition("none"),
						linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
					if err != nil && strings.Contains(err.Error(), "at once") {
						refused = true // no factor allows for what takes out everything
						break
					}
					require.NoError(t, err, about)
					require.Equal(t, map[bool]engine.Verdict{true: engine.Linearizable,
						false: engine.NotLinearizable}[want], got.Verdict, about)
					if want {
						require.NoError(t, oracle.ReplayQuasi(b, q, got.Witness, got.Rearranged), about)
					}
				}
				if !refused {
					_, err := quasiverify.Exhausted(context.Background(), b, &q, proof.Everything(), 1_000_000)
					if !errors.Is(err, verifybase.ErrTooLarge) {
						require.Equal(t, want, errors.Is(err, quasiverify.ErrRearranged), "%s: %v", about, err)
						require.True(t, want || err == nil, "%s: %v", about, err)
						tried++
						forged := &proof.Exhaustion{Weakening: proof.Everything(), Cases: 100_000}
						for range h.Ops {
							forged.Weakening.Retain = append(forged.Weakening.Retain, proof.Retained(r.IntN(3)))
						}
						require.True(t, !want || verify.Proof(context.Background(), &q, b, forged) != nil, about)
					}
				}
				if !want && base && !refused {
					got, err := linsat.Check(context.Background(), s, h, linsat.Quasi(q), linsat.Partition("none"))
					require.NoError(t, err, about)
					require.NotNil(t, full(&got).Proof, "%s: %s", about, got.Uncertified)
					require.NoError(t, verify.Proof(context.Background(), &q, b, full(&got).Proof), about)
					if core := full(&got).Core; core != nil {
						checkCore(t, full(&got).Instance(), core, func(b *model.Instance) engine.Verdict {
							if ok, _, _ := oracle.QuasiLinearizable(b, q); ok {
								return engine.Linearizable
							}
							return engine.NotLinearizable
						}, about)
						cores++
					}
				}
				if refused {
					refusals++
				} else {
					decides(t, setsearch.New(), b, &q, want, seed)
				}
			}
			t.Logf("%d histories: %d within all bounds, %d refused by the bounds on sets alone, %d not asked, "+
				"%d tried again, %d with a core", n, yes, bySets, refusals, tried, cores)
			assert.LessOrEqual(t, refusals, max(1, n/8-1))
			assert.Greater(t, yes, n/10)
			assert.Greater(t, bySets, testenv.MoreThan(0))
		})
	}
}
