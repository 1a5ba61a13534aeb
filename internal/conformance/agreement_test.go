package conformance_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/solver"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallHistories is how many random histories a comparison looks at, per specification.
func smallHistories() int { return testenv.Scale(400, 20_000) }

// source is a kind of random small histories on which all that decides is compared with the
// definition.
type source struct {
	name string
	n    int
	draw func(t testing.TB, seed uint64) (spec.Spec, *history.History)
	// asks are the questions to Check about each history; by default those scopes that differ.
	asks [][]linsat.Option
	// told looks at an answer of Check; may be nil.
	told func(t *testing.T, a *answer)
	// counts names what a history has beside its verdict; may be nil.
	counts      func(h *history.History) []string
	least, most float64 // which share is linearizable
	// holds looks at how often was counted what; may be nil.
	holds func(t *testing.T, n int, count map[string]int)
}

// answer is what Check said.
type answer struct {
	spec    spec.Spec
	history *history.History
	asked   []linsat.Option
	said    linsat.Result
	count   map[string]int
	about   string
}

// scopes are the questions by default: split into pieces, into objects, and not at all.
var scopes = func() (asks [][]linsat.Option) {
	for _, by := range []model.Partitioning{model.ByKey, model.ByObject, model.Unpartitioned} {
		asks = append(asks, []linsat.Option{linsat.Partition(linsat.Partitioning(by.String())), linsat.Engine("all"),
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore, Locate: 2 * time.Second})})
	}
	return asks
}()

// different returns those scopes that split a history differently: what is one partition by a scope
// is the whole by it, as it is not split at all.
func different(s model.Spec, h *history.History) (asks [][]linsat.Option) {
	for k, by := range []model.Partitioning{model.ByKey, model.ByObject} {
		if len(model.Split(s, h, by)) > 1 {
			asks = append(asks, scopes[k])
		}
	}
	return append(asks, scopes[model.Unpartitioned])
}

// TestEnginesAgreeWithTheDefinition compares, on random small histories of every source, the
// definition by brute force with the search, SAT and the monitors, each alone, and with Check.
// Witnesses are replayed, and failing prefixes judged.
func TestEnginesAgreeWithTheDefinition(t *testing.T) {
	for _, of := range []func(testing.TB) []source{plain, chained, forgotten, relaxed, tables, derived, pieces} {
		for _, s := range of(t) {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				count := map[string]int{}
				for seed := range uint64(s.n) {
					of, h := s.draw(t, seed)
					s.compare(t, of, h, count, fmt.Sprintf("%s seed %d: %s", of.Info().Name, seed, show(h)))
					if t.Failed() {
						return
					}
				}
				t.Log(s.n, count)
				if testing.Short() {
					return // too few to be counted
				}
				assert.Greater(t, count["linearizable"], int(s.least*float64(s.n)))
				assert.Less(t, count["linearizable"], int(s.most*float64(s.n)))
				if s.holds != nil {
					s.holds(t, s.n, count)
				}
			})
		}
	}
}

// plain are histories of every specification: pending operations, repeated values, several objects,
// explicit edges in a tenth, changed results and times.
func plain(testing.TB) (all []source) {
	for _, s := range specs.All() {
		name := s.Info().Name
		all = append(all, source{name: name, n: smallHistories(), least: 0.1, most: 0.9,
			draw: func(t testing.TB, seed uint64) (spec.Spec, *history.History) {
				h, err := gen.Small(name, seed, gen.SmallOptions{All: seed%2 == 1})
				require.NoError(t, err)
				return s, h
			}})
	}
	return all
}

// deciders are the engines, each of which is asked alone.
func deciders() []engine.Engine {
	return []engine.Engine{search.New(), engine.Open(encode.New(func() solver.Solver { return gini.New() })),
		monitor.New()}
}

// compare compares all answers on one history, and returns the verdict by definition.
func (s *source) compare(t *testing.T, of spec.Spec, h *history.History, count map[string]int,
	about string) engine.Verdict {
	b, err := model.Full(of).Bind(model.Whole(h))
	require.NoError(t, err, about)
	want := engine.NotLinearizable
	if ok, _ := oracle.Linearizable(b); ok {
		want = engine.Linearizable
		count["linearizable"]++
	}
	if s.counts != nil {
		for _, name := range s.counts(h) {
			count[name]++
		}
	}
	if b.Axiomatic() != nil {
		count["with a theory"]++
	}
	for _, e := range deciders() {
		a, err := e.Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err, about)
		if a.Verdict == engine.Unknown && (a.Cause == engine.Unsupported || a.Cause == engine.Undecided &&
			e.Name() == "monitor") {
			continue
		}
		count["by "+e.Name()]++
		assert.Equal(t, want, a.Verdict, "%s on %s", e.Name(), about)
		if a.Verdict == engine.Linearizable {
			assert.NoError(t, verify.Witness(b, a.Witness), "%s on %s", e.Name(), about)
			assert.NoError(t, oracle.Replay(b, a.Witness), "%s on %s", e.Name(), about)
		}
	}
	called := make([]history.OpID, len(h.Ops)) // a witness or not
	for i := range called {
		called[i] = history.OpID(i)
	}
	assert.Equal(t, oracle.Replay(b, called) == nil, verify.Witness(b, called) == nil, "the order of calls, "+about)
	asks := s.asks
	if asks == nil {
		asks = different(model.Full(of), h)
	}
	for k, ask := range asks {
		about := fmt.Sprintf("question %d of %s", k, about)
		r, err := linsat.Check(context.Background(), of, h, ask...)
		require.NoError(t, err, about)
		assert.Equal(t, want, r.Verdict, about)
		switch r.Verdict {
		case engine.Linearizable:
			assert.NoError(t, oracle.Replay(b, r.Witness), "merged witness, %s", about)
		case engine.NotLinearizable:
			checkFailure(t, model.Full(of), full(&r), about)
		}
		if s.told != nil {
			s.told(t, &answer{of, h, ask, r, count, about})
		}
	}
	return want
}

// agree compares all answers on one history by the questions of a plain one.
func agree(t *testing.T, s model.Spec, h *history.History, seed uint64) {
	(&source{}).compare(t, s, h, map[string]int{}, fmt.Sprintf("%s seed %d: %s", s.Info().Name, seed, show(h)))
}

// checkFailure compares what a no says of the shortest violating prefix with the definition.
func checkFailure(t *testing.T, s model.Spec, r *result.Result, about string) {
	if explain.LeadsBack(r.Partition) { // there is no shortest one
		require.Nil(t, r.Failure, about)
		require.NotEmpty(t, r.Unlocated, about)
		return
	}
	require.NotNil(t, r.Failure, about)
	judge := func(cut history.Rank) bool {
		b, err := s.Bind(r.Partition.Prefix(cut))
		require.NoError(t, err, about)
		return len(oracle.Configurations(b, b.NewMachine(), b.Partition.Len())) > 0
	}
	assert.Equal(t, r.Partition.Ops[r.Failure.Op].Return, r.Failure.Cut, about)
	assert.False(t, judge(r.Failure.Cut), "the prefix is linearizable: %s", about)
	assert.True(t, judge(r.Failure.Cut-1), "a shorter prefix is not linearizable either: %s", about)
}

// show writes a history for a failure message.
func show(h *history.History) string {
	out := ""
	p := model.Whole(h)
	for i := range h.Ops {
		o := &h.Ops[i]
		out += fmt.Sprintf("\n  %d: %s key %d %s → %s [%d, %d]", i, h.Values.Format(o.F), o.Key, h.Values.Format(o.Arg),
			h.Values.Format(o.Result), o.Call, o.Return)
	}
	for _, e := range p.Edges {
		out += fmt.Sprintf("\n  %d before %d", e.Before, e.After)
	}
	if h.HasInitial {
		out += "\n  initially " + h.Values.Format(h.Initial)
	}
	return out
}
