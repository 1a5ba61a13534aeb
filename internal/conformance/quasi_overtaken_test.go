package conformance_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shuffledRemovals returns a history of a few values, which leave in a random order: by operations
// of which only some overlap, with some results forgotten.
func shuffledRemovals(t *testing.T, s model.Spec, r *rand.Rand) *history.History {
	b := history.NewBuilder()
	b.SetSpec(s.Info().Name)
	n := 3 + r.IntN(3)
	out := r.Perm(n)
	put, taken, width := 0, 0, 1+r.IntN(15)
	for at := range 2 * n {
		o := history.Record{Process: b.Process(strconv.Itoa(at)), Key: history.NoKey, Arg: history.Nil,
			Result: history.Nil, Call: int64(10*at - r.IntN(width)), Return: int64(10*at + 1 + r.IntN(width))}
		if put < n && (put == taken || put < 2 || r.IntN(2) == 0) {
			o.F, o.Arg = b.Values.String(s.Info().Classes[0].Operations[0]), b.Values.Int(int64(put*(1+n)%(n+2)))
			put++
		} else {
			o.F, o.Result = b.Values.String(s.Info().Drain), b.Values.Int(int64(out[taken]*(1+n)%(n+2)))
			if taken++; r.IntN(12) == 0 {
				o.Result, o.Forgotten = history.Nil, true
			}
		}
		_, err := b.Add(o)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// TestWhatIsOvertakenIsAViolation: where the sentences about a core could be said of all operations
// of a history, no ρ″ is within the bounds, by the definition: drained or not, causal or not, with
// removals that never returned, have forgotten results or found nothing.
func TestWhatIsOvertakenIsAViolation(t *testing.T) {
	n := uint64(testenv.Scale(9_000, 300_000))
	says := map[string]int{}
	for seed := range n {
		s, _ := specs.Lookup([]string{"queue", "stack", "priority-queue"}[seed%3])
		r := rand.New(rand.NewPCG(seed, 43))
		h := shuffledRemovals(t, s, r)
		if seed%4 == 0 {
			h = forgetSome(t, s.Info().Name, seed, gen.SmallOptions{Most: 9, Keys: 1, Relax: 1 + int(seed/4%4),
				NoEdges: true, NoInitial: seed%5 > 0, Distinct: seed%8 == 0})
		}
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		if _, ok := b.Axiomatic().(*model.CollectionTheory); !ok {
			continue
		}
		q := quasi.Question{Factor: quasi.Factor{0, int32(r.IntN(3)), 0}, Meaning: quasi.Meaning(r.IntN(4) / 3),
			Drain: r.IntN(3) > 0, Causal: r.IntN(4) == 0}
		core := &explain.Core{Weakening: &proof.Weakening{SomeOrder: true}}
		for i := range b.Partition.Ops {
			core.Facts = append(core.Facts, explain.Fact{Kind: explain.ValueFact,
				Operations: []history.OpID{history.OpID(i)}})
		}
		var kinds []string
		if o := explain.FindOvertaken(b, &q, core); o != nil {
			kind := "too many"
			if len(o.Since) > 0 {
				kind += ", since"
			}
			kinds = append(kinds, kind)
		}
		if _, _, ok := explain.PassedOver(b, &q, core); ok {
			kinds = append(kinds, "passed over")
		}
		all := make([]history.OpID, b.Partition.Len())
		for i := range all {
			all[i] = history.OpID(i)
		}
		if chain := explain.Contradiction(b, &q, all); chain != nil {
			kinds = append(kinds, "distances")
			j := distanceJudge{t: t, d: &definition{b: b}, bound: int(q.Factor[1]), rules: says}
			require.Equal(t, chain[0].From, chain[len(chain)-1].To)
			require.Positive(t, j.far(chain[0].From, chain), "seed %d", seed)
		}
		if len(kinds) == 0 {
			continue
		}
		for _, kind := range kinds {
			says[strings.Join([]string{s.Info().Name, kind}, ": ")]++
		}
		ok, first, second := oracle.QuasiLinearizable(b, q)
		require.False(t, ok, "seed %d %+v, %v: %v %v %s", seed, q, kinds, first, second, show(h))
	}
	t.Log(says)
	for _, kind := range []string{"queue: too many", "stack: too many, since", "priority-queue: too many",
		"priority-queue: too many, since", "stack: passed over",
		"queue: distances", "stack: distances", "priority-queue: distances"} {
		assert.Greater(t, says[kind], testenv.MoreThan(0), kind)
	}
	for rule := explain.InOrder; rule <= explain.Crowded; rule++ {
		assert.Greater(t, says["rule "+strconv.Itoa(int(rule))], testenv.MoreThan(0))
	}
}

// distanceJudge follows the steps of a contradiction of distances by what they are said to mean.
type distanceJudge struct {
	t     *testing.T
	d     *definition
	bound int
	rules map[string]int
}

// far adds up a chain that starts at a point.
func (j distanceJudge) far(at explain.Point, chain []*explain.Distance) (sum int) {
	for _, x := range chain {
		require.Equal(j.t, at, x.From)
		j.judge(x)
		at, sum = x.To, sum+x.Least
	}
	return sum
}

func (j distanceJudge) judge(x *explain.Distance) {
	j.rules["rule "+strconv.Itoa(int(x.Rule))]++
	from, to := x.From.Op, x.To.Op
	holds := func(c claim.Claim) {
		ok, known := j.d.written(c)
		require.True(j.t, ok && known, "%+v", c)
	}
	leaves := func(op history.OpID) explain.Point { return explain.Point{Kind: explain.Leaves, Op: op} }
	switch x.Rule {
	case explain.InOrder:
		holds(claim.Between{First: from, Last: to, Removals: x.Between})
		require.NotEqual(j.t, explain.Leaves, max(x.From.Kind, x.To.Kind))
		require.Equal(j.t, len(x.Between)+map[explain.PointKind]int{explain.Place: 1}[x.To.Kind], x.Least)
	case explain.Moved:
		if x.From.Kind == explain.Leaves {
			from, to = to, from
		}
		holds(claim.Takes{By: from, Insertion: to})
		require.Equal(j.t, -j.bound, x.Least)
		require.ElementsMatch(j.t, []explain.Point{{Kind: explain.Place, Op: from}, leaves(to)},
			[]explain.Point{x.From, x.To})
	case explain.ThereOnce:
		require.Equal(j.t, [3]any{explain.Point{Kind: explain.In, Op: from}, leaves(from), 1},
			[3]any{x.From, x.To, x.Least})
	case explain.First:
		holds(claim.Sooner{X: from, Y: to})
		require.Equal(j.t, [4]any{leaves(from), leaves(to), 1, leaves(to)},
			[4]any{x.From, x.To, x.Least, x.On[0][len(x.On[0])-1].To})
		require.GreaterOrEqual(j.t, j.far(explain.Point{Kind: explain.In, Op: from}, x.On[0]), 1)
	case explain.Absent:
		holds(claim.Sooner{X: to, Y: from})
		require.Equal(j.t, [4]any{leaves(from), explain.Point{Kind: explain.In, Op: to}, 0, leaves(to)},
			[4]any{x.From, x.To, x.Least, x.On[0][len(x.On[0])-1].To})
		require.GreaterOrEqual(j.t, j.far(leaves(from), x.On[0]), 0)
	case explain.Crowded:
		least, items := 1<<30, map[history.OpID]bool{}
		for k := 0; k < len(x.On); k += 2 {
			far, near := x.On[k], x.On[k+1]
			first, last := far, near
			if far[len(far)-1].To == x.To && (far[0].From != x.From || near[0].From == x.From &&
				near[len(near)-1].To == far[0].From) {
				first, last = near, far
			}
			at := first[len(first)-1].To
			require.Equal(j.t, [3]any{explain.Leaves, at, x.To}, [3]any{at.Kind, last[0].From, last[len(last)-1].To})
			sum := map[bool]int{true: j.far(x.From, first), false: j.far(at, last)}
			require.GreaterOrEqual(j.t, sum[&first[0] == &near[0]], 1)
			least, items[at.Op] = min(least, sum[&first[0] == &far[0]]), true
		}
		require.Equal(j.t, 2*len(items), len(x.On))
		require.Equal(j.t, least+len(items), x.Least)
	}
}
