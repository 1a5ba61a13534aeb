package roundup_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/linsat/linsat/papers/objects/scal"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The least bound of a test is the first of 0, 1, 2, … at which the test has no violation, and none
// if it has one without a bound.
func TestLeastIsTheFirstThatSuffices(t *testing.T) {
	factors := []string{"min", "min,1st=1", "min,2nd(1|2)=1", "min,2nd(2|3)=0"}
	seen := map[string]int{}
	for n, e := range slices.Concat(relaxed.Entries(), scal.Entries()) {
		if !testenv.Full() && (n%4 != 0 || e.OpSteps > 0) { // these run for long
			continue
		}
		names := e.Case.Object.Ops
		require.GreaterOrEqual(t, len(names), 2, e.Case.Object.Name)
		for i, factor := range factors {
			factor = strings.NewReplacer("1st", names[0].F, "2nd", names[len(names)-1].F).Replace(factor)
			o := roundup.Options{Factor: factor, Meaning: quasi.Meaning((n + i) % 2),
				Run: explore.Options{OpSteps: e.OpSteps}}
			r, err := roundup.Check(context.Background(), e.Case, o)
			require.NoError(t, err)
			if r.Broken.Executions > 0 {
				assert.Equal(t, engine.NotLinearizable, r.Quasi)
				continue
			}
			require.True(t, r.Least.Settled(), "%s: %s", e.Case, r)
			at := func(bound string) *roundup.Report {
				o.Factor = strings.Replace(factor, "min", bound, 1)
				r, err := roundup.Check(context.Background(), e.Case, o)
				require.NoError(t, err)
				return r
			}
			if r.Least.Low == quasi.Unbounded {
				without := at("inf")
				assert.Equal(t, engine.NotLinearizable, without.Quasi)
				assert.Equal(t, []any{engine.NotLinearizable, without.NotQuasi, without.BuggyTraces, int64(0)},
					[]any{r.Quasi, r.NotQuasi, r.BuggyTraces, r.Rearrangements})
				assert.Contains(t, r.String(), "at no bound")
				seen["none"]++
				continue
			}
			k := int32(0)
			for at(fmt.Sprint(k)).Quasi != engine.Linearizable {
				k++
			}
			suffices := at(fmt.Sprint(k))
			assert.Equal(t, []any{k, engine.Linearizable, suffices.NotQuasi, suffices.Rearrangements},
				[]any{r.Least.Low, r.Quasi, r.NotQuasi, r.Rearrangements}, "%s at %s", e.Case, factor)
			seen[fmt.Sprint(k)]++
			if k == 0 {
				assert.Nil(t, r.FirstLeast)
				continue
			}
			assert.Contains(t, r.String(), fmt.Sprintf("least bound %d; the first that needs %d", k, k))
			assert.Equal(t, k, leastOf(t, e.Case, r.FirstLeast.Execution, factor, o.Meaning, r.Drained))
		}
	}
	assert.Greater(t, len(seen), testenv.MoreThan(3), "%v", seen)
}

// leastOf is the least bound of an execution by the definition.
func leastOf(t *testing.T, c *explore.Case, e *explore.Execution, factor string, meaning quasi.Meaning,
	drain bool) int32 {
	s, ok := specs.Lookup(c.Object.Spec)
	require.True(t, ok)
	h, err := c.History(e)
	require.NoError(t, err)
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	for k := range int32(len(h.Ops)) {
		request, err := quasi.Parse(s.Info(), strings.Replace(factor, "min", fmt.Sprint(k), 1))
		require.NoError(t, err)
		q := quasi.Question{Factor: request.Factor, Sets: request.Sets, Meaning: meaning, Drain: drain}
		if accepted, _, _ := oracle.QuasiLinearizable(b, q); accepted {
			return k
		}
	}
	return quasi.Unbounded
}

// The least bound of a test is the greatest of those of its executions by the definition.
func TestLeastIsTheGreatestOfTheDefinition(t *testing.T) {
	for _, e := range relaxed.Entries() {
		if roundup.DimensionOf(e.Case).String() != "2*2+0" && e.Case.Object.Name != "quasiqueue-b1" {
			continue
		}
		for _, factor := range []string{"min", "min,enq=1", "min,deq(1|2)=1"} {
			r, err := roundup.Check(context.Background(), e.Case, roundup.Options{Factor: factor})
			require.NoError(t, err)
			most := int32(0)
			_, err = explore.Run(e.Case.Program(), explore.DPOR(), explore.Options{}, func(x *explore.Execution) bool {
				most = max(most, leastOf(t, e.Case, x, factor, quasi.Slots, r.Drained))
				return true
			})
			require.NoError(t, err)
			assert.Equal(t, most, r.Least.Low, "%s at %s", e.Case, factor)
		}
	}
}

// Where a limit leaves something out, the least bound is an interval.
func TestLeastWithinLimits(t *testing.T) {
	c := methods.Test(object(relaxed.QuasiQueue(3)), "iiii", []string{"rr", "rr"}, "")
	for _, o := range []explore.Options{{MaxRuns: 5}, {MaxTime: time.Nanosecond}} {
		r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "min", Run: o})
		require.NoError(t, err)
		assert.Equal(t, engine.Unknown, r.Quasi)
		assert.Equal(t, quasi.Unbounded, r.Least.High)
		assert.Contains(t, r.String(), fmt.Sprintf("least bound unknown, at least %d", r.Least.Low))
	}
	r := roundup.Report{Least: &linsat.Least{Low: 1, High: 3}}
	assert.Equal(t, "unknown, from 1 to 3", r.LeastBound())
}
