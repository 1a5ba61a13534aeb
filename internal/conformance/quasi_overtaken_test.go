package conformance_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
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
			switch {
			case o.Then >= 0:
				kind = "there by then"
			case o.Or >= 0:
				kind = "one or the other"
			case o.Removal >= 0:
				kind = "too far apart"
			}
			if len(o.Since) > 0 {
				kind += ", since"
			}
			kinds = append(kinds, kind)
		}
		if _, _, ok := explain.PassedOver(b, &q, core); ok {
			kinds = append(kinds, "passed over")
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
		"priority-queue: too many, since", "queue: too far apart", "priority-queue: too far apart",
		"priority-queue: one or the other", "priority-queue: there by then", "stack: passed over"} {
		assert.Greater(t, says[kind], testenv.MoreThan(0), kind)
	}
}
