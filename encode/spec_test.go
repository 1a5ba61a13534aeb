package encode

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/require"
)

// bind binds a history as a whole.
func bind(t testing.TB, name string, p *model.Partition) *model.Instance {
	t.Helper()
	s := testkit.Spec(t, name)
	b, err := s.Bind(p)
	require.NoError(t, err, name)
	return b
}

// loseResults takes the results of some operations away, as if a client had not kept them.
func loseResults(h *history.History, r *rand.Rand) {
	for i := range h.Ops {
		if o := &h.Ops[i]; !o.Pending() && r.IntN(5) == 0 {
			o.Result, o.Unknown, o.NoResult = history.Nil, true, false
		}
	}
}

// The specifications themselves, whole and split, with pending, failed and forgotten operations,
// repeated values, ties, edges and initial states: by their own clauses, and by their states alone.
func TestSpecificationsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range gen.Specs() {
		t.Run(name, func(t *testing.T) {
			var verdicts, stated [3]int
			n, pending, forgotten := testenv.Scale(400, 20_000), 0, 0
			for seed := range uint64(n) {
				h, err := gen.Small(name, seed, gen.SmallOptions{All: seed%4 >= 2})
				require.NoError(t, err)
				if seed%8 >= 5 {
					loseResults(h, rand.New(rand.NewPCG(seed, 35)))
				}
				s, _ := specs.Lookup(name)
				parts := model.Split(s, h, model.ByKey)
				if seed%2 == 0 {
					parts = []*model.Partition{model.Whole(h)}
				}
				for k, p := range parts {
					b := bind(t, name, p)
					what := func() string { return fmt.Sprintf("%s seed %d part %d", name, seed, k) }
					verdicts[agree(t, b, what)]++
					states := *b
					states.Theory, states.Tallies = nil, nil
					stated[agree(t, &states, what)]++
				}
				if slices.ContainsFunc(h.Ops, func(o history.Op) bool { return o.Pending() }) {
					pending++
				}
				if slices.ContainsFunc(h.Ops, func(o history.Op) bool { return !o.Pending() && o.Unknown }) {
					forgotten++
				}
			}
			require.Equal(t, verdicts, stated)
			t.Logf("%d linearizable, %d not; %d histories, %d with pending and %d with forgotten operations",
				verdicts[engine.Linearizable], verdicts[engine.NotLinearizable], n, pending, forgotten)
			require.Greater(t, verdicts[engine.Linearizable], testenv.MoreThan(n/5))
			require.Greater(t, verdicts[engine.NotLinearizable], testenv.MoreThan(n/5))
			require.Greater(t, pending, testenv.MoreThan(n/10))
			require.Greater(t, forgotten, testenv.MoreThan(n/10))
		})
	}
}

// An offer of unknown result that returned may have been refused; if it was not, it inserted its
// value before all that is after it in time.
func TestAnOfferOfUnknownResultMayHaveBeenRefused(t *testing.T) {
	const taken = `{"process":1,"f":"deq","result":8,"call":2,"return":3},
		{"process":1,"f":"deq","result":9,"call":4,"return":4},`
	for _, c := range []struct {
		initial, taken string
		want           engine.Verdict
	}{
		{"null", "", engine.NotLinearizable},
		{"2", "", engine.NotLinearizable},
		{`{"capacity":2,"items":[8,9]}`, taken, engine.Linearizable},
		{`{"capacity":3,"items":[8,9]}`, taken, engine.NotLinearizable},
	} {
		text := `{"spec":"bounded-queue","initial":` + c.initial + `,"operations":[
			{"process":0,"f":"offer","arg":2,"call":0,"return":1,"forgotten":true},` + c.taken + `
			{"process":2,"f":"enq","arg":4,"call":5,"return":12},
			{"process":0,"f":"enq","arg":3,"call":6,"return":7},
			{"process":0,"f":"deq","result":4,"call":8,"return":9}]}`
		h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, c.want, agree(t, bind(t, "bounded-queue", model.Whole(h)), func() string { return text }))
	}
}

// A number that is set to 0 changes, and one that is set may fall although all that is added to it
// is positive.
func TestNumbersThatAreSet(t *testing.T) {
	for text, want := range map[string]engine.Verdict{
		`{"spec":"counter","initial":1,"operations":[{"process":0,"f":"write","arg":0,"call":0},
			{"process":1,"f":"read","result":0,"call":1,"return":2}]}`: engine.Linearizable,
		`{"spec":"counter","initial":5,"operations":[{"process":0,"f":"inc","arg":2,"call":0,"return":1},
			{"process":1,"f":"read","result":7,"call":2,"return":6},{"process":2,"f":"write","arg":3,"call":3,"return":7},
			{"process":3,"f":"read","result":3,"call":4,"return":8}]}`: engine.Linearizable,
		`{"spec":"counter","operations":[{"process":0,"f":"write","arg":9223372036854775807,"call":0,"return":9},
			{"process":1,"f":"cas","arg":[0,-9223372036854775808],"result":false,"call":1,"return":9},
			{"process":2,"f":"write","arg":-9223372036854775808,"call":2,"return":9},
			{"process":3,"f":"cas","arg":[-9223372036854775808,0],"result":false,"call":10,"return":12},
			{"process":3,"f":"read","result":9223372036854775807,"call":13,"return":14}]}`: engine.Linearizable,
	} {
		h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, want, agree(t, bind(t, "counter", model.Whole(h)), func() string { return text }))
	}
}

// Families whose verdict is certain, at sizes that only an encoding with the right symmetries
// survives.
func TestSymmetriesDecideHardFamilies(t *testing.T) {
	for _, f := range gen.Families() {
		for _, name := range f.Specs {
			for _, violated := range []bool{false, true} {
				t.Run(fmt.Sprint(f.Name, " ", name, " ", violated), func(t *testing.T) {
					size := map[string]int{"long": 2}[f.Name]
					if size == 0 {
						size = 12
					}
					c, err := f.Make(gen.FamilyOptions{Spec: name, Size: size, Violated: violated, Seed: 1})
					require.NoError(t, err)
					b := bind(t, name, model.Whole(c.History))
					ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
					defer cancel()
					start := time.Now()
					a, err := newSAT(newSolver).Check(ctx, &engine.Problem{Instance: b}, nil)
					require.NoError(t, err)
					want := engine.Linearizable
					if violated {
						want = engine.NotLinearizable
					}
					require.Equal(t, want, a.Verdict, "%s %s", a.Cause, a.Detail)
					if !violated {
						require.NoError(t, oracle.Replay(b, a.Witness))
					}
					t.Logf("%d operations: %v, %d clauses %s", len(c.History.Ops),
						time.Since(start).Round(10*time.Microsecond), a.Effort.Clauses, a.Detail)
				})
			}
		}
	}
}

// Time and memory limits are kept while building and while solving.
func TestLimitsAreKept(t *testing.T) {
	c, err := gen.Generate(gen.Options{Spec: "queue", Operations: 6000, Processes: 48, Overlap: 40})
	require.NoError(t, err)
	b := bind(t, "queue", model.Whole(c.History))
	for _, limit := range []time.Duration{0, 5 * time.Millisecond, 60 * time.Millisecond, 300 * time.Millisecond} {
		least := time.Hour
		// the machine may be busy with other things
		for try := 0; try < 20 && least > 100*time.Millisecond; try++ {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			start := time.Now()
			a, err := newSAT(newSolver).Check(ctx, &engine.Problem{Instance: b}, nil)
			least = min(least, time.Since(start)-limit)
			cancel()
			require.NoError(t, err)
			require.Equal(t, engine.Unknown, a.Verdict)
			require.Equal(t, engine.Timeout, a.Cause)
		}
		require.LessOrEqual(t, least, 100*time.Millisecond)
	}
	m := engine.NewBudget(0, 50<<20)
	a, err := newSAT(newSolver).Check(context.Background(), &engine.Problem{Instance: b}, m)
	require.NoError(t, err)
	require.Equal(t, engine.Memory, a.Cause)
	require.NotEmpty(t, a.Detail)
	require.Zero(t, m.Bytes())
	// Enough of it.
	small, err := gen.Generate(gen.Options{Spec: "queue", Operations: 500})
	require.NoError(t, err)
	a, err = newSAT(newSolver).Check(context.Background(),
		&engine.Problem{Instance: bind(t, "queue", model.Whole(small.History))}, m)
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, a.Verdict, a.Detail)
	require.Zero(t, m.Bytes())
}
