package verify_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAlteredRearrangementsAreRefused alters ρ′ and ρ″ of the oracle at random, and the verifier
// and the oracle's replay, which were written apart, must say the same of each.
func TestAlteredRearrangementsAreRefused(t *testing.T) {
	rounds := testenv.Scale(250, 8000)
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "counter"} {
		t.Run(name, func(t *testing.T) {
			s, _ := specs.Lookup(name)
			kept, refused, causal, drained := 0, 0, 0, 0
			for seed := range uint64(rounds) {
				r := rand.New(rand.NewPCG(seed, 5))
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, NoEdges: seed%3 != 0})
				require.NoError(t, err)
				b, err := s.Bind(forgetful(r, model.Whole(h)))
				require.NoError(t, err)
				relax := quasi.Question{Factor: make(quasi.Factor, len(s.Info().Classes)),
					Meaning: quasi.Meaning(r.IntN(2)), Drain: r.IntN(3) > 0, Causal: b.Items.Delta != nil &&
						r.IntN(3) == 0}
				for c := range relax.Factor {
					relax.Factor[c] = []int32{0, 1, 1, 2, quasi.Unbounded}[r.IntN(5)]
				}
				ok, first, second := oracle.QuasiLinearizable(b, relax)
				if !ok {
					continue
				}
				n := b.Partition.Len()
				drains := len(first) - slices.IndexFunc(append(first, history.OpID(n)), func(i history.OpID) bool {
					return int(i) >= n
				})
				require.NoError(t, verify.Rearrangement(b, &relax, first, second, drains),
					"%s seed %d: the oracle's own: %v %v", name, seed, first, second)
				if len(first) == 0 {
					continue
				}
				for range 16 {
					x, y := slices.Clone(first), slices.Clone(second)
					switch r.IntN(4) {
					case 0: // both alike
						if i, j := r.IntN(len(x)), r.IntN(len(x)); int(x[i]) < n && int(x[j]) < n {
							x[i], x[j] = x[j], x[i]
						}
						y = slices.Clone(x)
					case 1:
						x = exchange(r, x, n)
					case 2:
						y = exchange(r, y, 1<<30)
					default:
						x, y = exchange(r, x, n), exchange(r, y, 1<<30)
					}
					if r.IntN(8) == 0 {
						y[r.IntN(len(y))] = history.OpID(r.IntN(n + drains))
					}
					q := relax
					if r.IntN(3) == 0 {
						q.Causal = b.Items.Delta != nil && !q.Causal
					}
					want, got := oracle.ReplayQuasi(b, q, x, y), verify.Rearrangement(b, &q, x, y, drains)
					require.Equal(t, want == nil, got == nil, "%s seed %d: %+v: %v %v: oracle: %v; certify: %v", name,
						seed, q, x, y, want, got)
					if got != nil {
						refused++
						continue
					}
					kept++
					if q.Causal {
						causal++
					}
					if drains > 0 {
						drained++
					}
				}
			}
			t.Logf("%d altered rearrangements refused, %d still valid, of them %d causal, %d drained", refused, kept,
				causal, drained)
			assert.Greater(t, refused, testenv.MoreThan(400))
			assert.Greater(t, kept, testenv.MoreThan(100))
		})
	}
}

// exchange changes the places of a few operations numbered below limit.
func exchange(r *rand.Rand, order []history.OpID, limit int) []history.OpID {
	order = slices.Clone(order)
	for range 1 + r.IntN(2) {
		if i, j := r.IntN(len(order)), r.IntN(len(order)); int(order[i]) < limit && int(order[j]) < limit {
			order[i], order[j] = order[j], order[i]
		}
	}
	return order
}

// forgetful forgets the results of some operations.
func forgetful(r *rand.Rand, p *model.Partition) *model.Partition {
	if r.IntN(3) > 0 {
		return p
	}
	q := *p
	q.Ops = slices.Clone(p.Ops)
	for i := range q.Ops {
		if r.IntN(3) == 0 {
			q.Ops[i].Result, q.Ops[i].Unknown = history.Nil, true
		}
	}
	return &q
}

// TestRearrangementRefuses names the ways in which a rearrangement can be wrong, one each.
func TestRearrangementRefuses(t *testing.T) {
	b := history.NewBuilder()
	for k, o := range []struct {
		f           string
		arg, result int64
	}{{"enq", 1, 0}, {"enq", 2, 0}, {"deq", 0, 2}, {"enq", 3, 0}} {
		record := history.Record{Process: b.Process("p"), F: b.Values.String(o.f), Key: history.NoKey,
			Call: int64(2 * k), Return: int64(2*k + 1)}
		if o.arg > 0 {
			record.Arg = b.Values.Int(o.arg)
		}
		if o.result > 0 {
			record.Result = b.Values.Int(o.result)
		}
		_, err := b.Add(record)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	bound, err := specs.Queue().Bind(model.Whole(h))
	require.NoError(t, err)
	relax := quasi.Question{Factor: quasi.Factor{0, 1, 0}, Drain: true}
	first, second := []history.OpID{0, 1, 2, 3, 4, 5}, []history.OpID{0, 1, 4, 3, 2, 5}
	require.NoError(t, verify.Rearrangement(bound, &relax, first, second, 2))
	for _, c := range []struct {
		want          string
		first, second []history.OpID
		drains        int
		change        func(r *quasi.Question)
	}{
		{"is missing", []history.OpID{0, 1, 2, 4, 5}, second, 2, nil},
		{"returned before", []history.OpID{1, 0, 2, 3, 4, 5}, second, 2, nil},
		{"2 items are left over", []history.OpID{0, 1, 2, 3, 4}, []history.OpID{0, 1, 4, 3, 2}, 1, nil},
		{"among the 2 drains", []history.OpID{0, 1, 2, 3, 4, 9}, second, 2, nil},
		{"twice", []history.OpID{0, 1, 2, 3, 4, 4}, second, 2, nil},
		{"occurs twice", first, []history.OpID{0, 1, 4, 3, 4, 5}, 2, nil},
		{"moves by 2 places", first, []history.OpID{0, 1, 4, 3, 5, 2}, 2, nil},
		{"different classes", first, []history.OpID{0, 1, 3, 4, 2, 5}, 2, nil},
		{"refuses it", first, first, 2, nil},
		{"moves by 1 places, but its bound is 0", first, second, 2, func(r *quasi.Question) {
			r.Factor = quasi.Factor{1, 0, 1}
		}},
		{"moves by 1 places within deq(2)+enq(1|2|3), but its bound is 0", first, second, 2, func(r *quasi.Question) {
			r.Sets = []quasi.Set{{Operations: "deq(2)+enq(1|2|3)"}}
		}},
		{"drain 1: it moves by 2 places within enq+deq, but its bound is 0", []history.OpID{0, 1, 2, 3, 4, 5},
			[]history.OpID{0, 1, 4, 2, 3, 5}, 2, func(r *quasi.Question) {
				r.Meaning, r.Factor, r.Sets = quasi.Classes, quasi.Factor{1, 1, 0},
					[]quasi.Set{{Operations: "deq", Bound: 1}, {Operations: "enq+deq"}}
			}},
		{"0 items are left over", first, second, 2, func(r *quasi.Question) { r.Drain = false }},
	} {
		q := relax
		if c.change != nil {
			c.change(&q)
		}
		assert.ErrorContains(t, verify.Rearrangement(bound, &q, c.first, c.second, c.drains), c.want)
	}
}
