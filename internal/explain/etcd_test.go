package explain_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refutedLog is a recorded history that is not linearizable, with the shortest prefix that is not.
type refutedLog struct {
	name      string
	bound     *model.Instance
	weakening *proof.Weakening
}

// etcd reads the etcd logs that are not linearizable. It skips, or fails where they are required,
// without recorded histories.
func etcd(t testing.TB) []refutedLog {
	var logs []refutedLog
	s, _ := specs.Lookup("cas-register")
	for _, v := range testenv.Verdicts(t, "jepsen") {
		if v.Linearizable {
			continue
		}
		h, err := history.ReadFile(v.File, history.ReadOptions{})
		require.NoError(t, err)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		a, err := search.New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		require.Equal(t, engine.NotLinearizable, a.Verdict, v.Name)
		require.NotNil(t, a.Failure, v.Name)
		logs = append(logs, refutedLog{v.Name, b, &proof.Weakening{Cut: a.Failure.Cut}})
	}
	require.Len(t, logs, 79)
	return logs
}

// latestPast moves the start of a weakening as late as a proof is found: From is monotone.
func latestPast(t testing.TB, b *model.Instance, weakening *proof.Weakening, nodes int) (*proof.Weakening,
	explain.Proof) {
	calls := []history.Rank{0}
	for _, o := range b.Partition.Ops {
		if o.Call > 0 && o.Call <= weakening.Cut {
			calls = append(calls, o.Call)
		}
	}
	best, proof := weakening, explain.Proof{}
	low, high := 0, len(calls)
	for low < high {
		mid := (low + high) / 2
		later := *weakening
		later.From = calls[mid]
		p, err := explain.Prove(context.Background(), b, &later, nodes)
		require.NoError(t, err)
		if p.Argument != nil {
			best, proof, low = &later, p, mid+1
		} else {
			high = mid
		}
	}
	return best, proof
}

func quantile(xs []int, q float64) int {
	slices.Sort(xs)
	return xs[min(len(xs)-1, int(q*float64(len(xs))))]
}

// All etcd logs that are not linearizable have an argument, most of them one of a few steps.
func TestEtcdViolationsHaveShortArguments(t *testing.T) {
	var steps, ops, micros, responses, edges, lines []int
	deep := 0
	kinds := map[proof.Axiom]int{}
	for _, l := range etcd(t) {
		start := time.Now()
		c, p := latestPast(t, l.bound, l.weakening, 2000)
		if !assert.NotNil(t, p.Argument, "%s: %v %s", l.name, p.Cause, p.Detail) {
			continue
		}
		micros = append(micros, int(time.Since(start).Microseconds()))
		z := p.Argument.Size()
		steps = append(steps, z.Steps)
		if z.Depth > 0 {
			deep++
		}
		named := map[history.OpID]bool{}
		p.Argument.Each(func(s *proof.Step) {
			for _, i := range s.Args {
				named[i] = true
			}
			if s.Contradiction() {
				kinds[s.Axiom]++
			}
		})
		ops = append(ops, len(named))
		w, err := explain.Weakest(l.bound, c, p.Argument)
		require.NoError(t, err)
		responses = append(responses, len(explain.RetainedOps(l.bound, w, proof.RetainResponse)))
		edges = append(edges, len(w.Order))
		told, err := words.Argument(l.bound, w, p.Argument, func(i history.OpID) string {
			return words.Numbered(l.bound.Partition, i)
		})
		require.NoError(t, err)
		lines = append(lines, len(told))
		if testing.Verbose() {
			t.Logf("%s: %d steps\n\t%s", l.name, z.Steps, strings.Join(claim.Texts(told), "\n\t"))
		}
	}
	t.Logf("%d logs: steps median %d, p90 %d, max %d; arguments of axioms median %d, max %d; with cases %d; ends %v; "+
		"microseconds median %d, p90 %d, max %d",
		len(steps), quantile(steps, 0.5), quantile(steps, 0.9), quantile(steps, 1), quantile(ops, 0.5),
		quantile(ops, 1), deep, kinds,
		quantile(micros, 0.5), quantile(micros, 0.9), quantile(micros, 1))
	t.Logf("after forgetting what the arguments do not need: responses median %d, max %d; facts of order median %d, "+
		"max %d; sentences median %d, p90 %d, max %d",
		quantile(responses, 0.5), quantile(responses, 1), quantile(edges, 0.5), quantile(edges, 1),
		quantile(lines, 0.5), quantile(lines, 0.9), quantile(lines, 1))
	assert.LessOrEqual(t, quantile(steps, 0.5), 3)
	assert.LessOrEqual(t, quantile(responses, 0.5), 3)
	assert.Equal(t, 1, quantile(lines, 0.5))
}

// Whatever else is recorded and refuted by search has an argument, as it is up to where it fails if
// the search knows that, else as a whole.
func TestRecordedViolationsHaveArguments(t *testing.T) {
	dir := testenv.Recorded(t)
	proved := 0
	for _, pattern := range []string{"porcupine/kv/*", "knossos/*/bad/*", "fastlin/*/*", "violin/simple/*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		for _, file := range files {
			h, err := history.ReadFile(file, history.ReadOptions{})
			if err != nil {
				continue // what is not a history is for the tests of the formats
			}
			s, ok := specs.Lookup(h.Spec)
			if !ok {
				guess, err := specs.Recognise(h)
				require.NoError(t, err, file)
				s = guess.Spec
			}
			for _, part := range model.Split(s, h, model.ByKey) {
				b, err := s.Bind(part)
				if err != nil {
					break
				}
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				a, err := search.New().Check(ctx, &engine.Problem{Instance: b}, nil)
				cancel()
				require.NoError(t, err)
				if a.Verdict != engine.NotLinearizable || b.Axiomatic() == nil {
					continue
				}
				known := proof.Everything()
				if a.Failure != nil {
					known.Cut = a.Failure.Cut
				}
				p, err := explain.Prove(context.Background(), b, known, 0)
				require.NoError(t, err)
				if assert.NotNil(t, p.Argument, "%s %s: %v %s", file, part.Name, p.Cause, p.Detail) {
					proved++
				}
			}
		}
	}
	t.Logf("%d parts proved", proved)
	assert.Greater(t, proved, 30)
}
