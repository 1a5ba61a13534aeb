package linsat_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every failing partition is explained with ArgueEach, as it is alone, and the rest of the result
// is the same as without.
func TestEachFailingPartitionIsExplained(t *testing.T) {
	several := 0
	for _, name := range []string{"register", "queue", "kv"} {
		s, _ := specs.Lookup(name)
		for seed := range uint64(150) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 3})
			require.NoError(t, err)
			plain, err := linsat.Check(context.Background(), s, h)
			require.NoError(t, err)
			each, err := linsat.Check(context.Background(), s, h,
				linsat.Explain(linsat.ExplainOptions{EachPartition: true}))
			require.NoError(t, err)
			a, b := result.Of(plain), result.Of(each)
			require.Equal(t, a.Verdict, b.Verdict)
			assert.Empty(t, a.Others)
			failing := 0
			for i := range b.PartitionVerdicts {
				if b.PartitionVerdicts[i].Verdict == engine.NotLinearizable {
					failing++
				}
			}
			if failing == 0 {
				assert.Empty(t, b.Others)
				continue
			}
			assert.Equal(t, words.Reasons(a), words.Reasons(b))
			require.Len(t, b.Others, failing-1, "%s, seed %d", name, seed)
			for k := range b.Others {
				several++
				o := &b.Others[k]
				assert.NotSame(t, b.Partition, o.Partition)
				assert.True(t, o.Certified, "%s, seed %d: %s", name, seed, o.Uncertified)
				assert.Same(t, o.Partition, o.Instance().Partition)
				assert.NotNil(t, o.Proof)
			}
		}
	}
	assert.Greater(t, several, 5)
}

// All partitions are decided, each as the definition says, and the first that is refuted is
// explained.
func TestEveryPartitionIsDecided(t *testing.T) {
	several, twice := 0, 0
	for _, name := range []string{"register", "queue", "kv", "set", "multi-register", "mutex", "counter"} {
		s, ok := specs.Lookup(name)
		require.True(t, ok)
		n := uint64(testenv.Scale(150, 3000))
		for seed := range n {
			h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 3})
			require.NoError(t, err)
			r, err := linsat.Check(context.Background(), s, h)
			require.NoError(t, err)
			require.Len(t, r.PartitionVerdicts, r.Partitions)
			full, first, bad := result.Of(r), -1, 0
			for i, p := range r.PartitionVerdicts {
				b, err := s.Bind(full.PartitionVerdicts[i].Partition)
				require.NoError(t, err)
				want := engine.NotLinearizable
				if ok, _ := oracle.Linearizable(b); ok {
					want = engine.Linearizable
				} else {
					bad++
					if first < 0 {
						first = i
					}
				}
				require.Equal(t, want, p.Verdict, "%s, seed %d, %s", name, seed, p.Name())
			}
			if first >= 0 {
				require.Same(t, full.PartitionVerdicts[first].Partition, full.Partition, "%s, seed %d", name, seed)
			}
			if bad > 1 {
				twice++
			}
			if r.Partitions > 1 {
				several++
			}
		}
	}
	assert.Greater(t, several, testenv.MoreThan(100))
	assert.Greater(t, twice, testenv.MoreThan(10))
}

// keyed is a history of registers by key, of which every fifth is bad.
func keyed(t *testing.T, keys int) *history.History {
	r := new(history.Recorder)
	for k := range keys {
		for i := range 6 {
			r.CallKey(k, k, "write", i).Return(nil)
			found := i
			if k%5 == 2 && i == 4 {
				found = 1
			}
			r.CallKey(k, k, "read", nil).Return(found)
		}
	}
	h, err := r.History()
	require.NoError(t, err)
	return h
}

// Ten runs say the same, times apart.
func TestResultsAreDeterministic(t *testing.T) {
	h := keyed(t, 40)
	for _, options := range [][]linsat.Option{nil, {linsat.Engine("all")}, {linsat.Engine("sat")},
		{linsat.Engine("search")}, {linsat.Explain(linsat.ExplainOptions{Cores: linsat.AllCores})}} {
		text, object := "", ""
		for try := range 10 {
			r, err := linsat.Check(context.Background(), specs.Register(), h, options...)
			require.NoError(t, err)
			run := &words.Run{File: "h", History: h, Result: *result.Of(r)}
			run.Result.Took = 0
			var a, b bytes.Buffer
			words.Text(&a, run, words.Style{})
			require.NoError(t, render.JSON(&b, run))
			if try == 0 {
				text, object = a.String(), b.String()
				assert.Contains(t, text, "not linearizable: key 2 (12 operations), key 7 (12 operations)")
				assert.Contains(t, text, "why key 2 is not:")
				continue
			}
			require.Equal(t, text, a.String())
			require.Equal(t, object, b.String())
		}
	}
}

// First ends at the first partition that is refuted.
func TestFirstStopsAtAViolation(t *testing.T) {
	h := keyed(t, 40)
	r, err := linsat.Check(context.Background(), specs.Register(), h, linsat.First(), linsat.Workers(1))
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Verdict)
	assert.Equal(t, engine.Linearizable, r.PartitionVerdicts[1].Verdict)
	assert.Equal(t, engine.NotLinearizable, r.PartitionVerdicts[2].Verdict)
	assert.Equal(t, engine.Unknown, r.PartitionVerdicts[3].Verdict)
	assert.Equal(t, engine.Cancelled, r.PartitionVerdicts[3].Cause)
}

// Partitions are named in words that cannot be taken for a number.
func TestPartitionsAreNamedByTheirKeys(t *testing.T) {
	for text, want := range map[string][]string{
		`{"spec": "register", "operations": [{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1}, {"process": 0, "key": 3, "f": "write", "arg": 1, "call": 2, "return": 3},
		 {"process": 0, "key": "3", "f": "write", "arg": 1, "call": 4, "return": 5}, {"process": 0, "key": [3], "f": "write", "arg": 1, "call": 6, "return": 7}]}`: {"", "key 3", `key "3"`, "key [3]"},
		`{"spec": "kv", "operations": [{"process": 0, "key": 3, "f": "put", "arg": 1, "call": 0, "return": 1}, {"process": 0, "key": "x", "f": "put", "arg": 1, "call": 2, "return": 3}]}`:         {"key 3", `key "x"`},
		`{"spec": "set", "operations": [{"process": 0, "f": "add", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "add", "arg": 2, "call": 2, "return": 3}]}`:                              {"element 1", "element 2"},
		`{"spec": "set", "operations": [{"process": 0, "key": 7, "f": "add", "arg": 1, "call": 0, "return": 1}, {"process": 0, "key": 7, "f": "add", "arg": "2", "call": 2, "return": 3}]}`:        {"key 7, element 1", `key 7, element "2"`},
		`{"spec": "multi-register", "operations": [{"process": 0, "f": "write", "arg": {"x": 1}, "call": 0, "return": 1}, {"process": 0, "f": "write", "arg": {"y": 1}, "call": 2, "return": 3}]}`: {`register "x"`, `register "y"`},
		`{"spec": "queue", "operations": [{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}]}`:                                                                                          {""},
	} {
		h := readHistory(t, text)
		s, _ := specs.Lookup(h.Spec)
		var titles []string
		for _, p := range model.Split(s, h, model.ByKey) {
			titles = append(titles, p.Title(s.Info()))
		}
		assert.Equal(t, want, titles)
	}
}

// sleeper is a solver that never answers; deaf ones do not even notice that the time is up.
type sleeper struct {
	solver.Solver
	deaf bool
}

func (s sleeper) Solve(ctx context.Context, _ ...solver.Lit) solver.Status {
	<-ctx.Done()
	if s.deaf {
		time.Sleep(time.Minute)
	}
	return solver.Unknown
}

// What one engine found under All is the answer, also where the others have none when the time is
// up.
func TestAllEnginesAnswerWhatOneFound(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		factory := func() solver.Solver { return sleeper{gini.New(), deaf} }
		for text, want := range map[string]engine.Verdict{
			`{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 3}, {"process": 1, "f": "read", "call": 1, "return": 2, "result": 1}`: engine.Linearizable,
			`{"process": 0, "f": "write", "arg": 5, "call": 1, "return": 2}, {"process": 1, "f": "write", "arg": 4, "call": 1, "return": 2},
			 {"process": 2, "f": "read", "call": 3, "return": 4, "result": 5}, {"process": 3, "f": "read", "call": 3, "return": 4, "result": 4}`: engine.NotLinearizable,
			`{"process": 0, "key": 1, "f": "write", "arg": 1, "call": 0, "return": 3}, {"process": 1, "key": 2, "f": "write", "arg": 1, "call": 4, "return": 5}`: engine.Linearizable,
		} {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				h := readHistory(t, `{"operations": [`+text+`]}`)
				r, err := linsat.Check(context.Background(), specs.Register(), h, linsat.Engine("all"),
					linsat.Solver(factory, "sleeper"), linsat.Timeout(3*time.Second), linsat.Workers(2))
				require.NoError(t, err)
				assert.Equal(t, want, r.Verdict, "deaf: %v", deaf)
				assert.Equal(t, []result.Asked{{Engine: "monitor", Partitions: r.Partitions},
					{Engine: "search", Partitions: r.Partitions},
					{Engine: "sat (sleeper)", Cause: engine.Timeout, Partitions: r.Partitions},
					{Engine: "smt", Not: "it is not linked", Partitions: r.Partitions}}, result.Of(r).Asked)
				assert.True(t, r.Certified, text)
			})
		}
	}
}
