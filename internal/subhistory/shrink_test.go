package subhistory_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/subhistory"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func shrink(t *testing.T, s model.Spec, h *history.History, options ...linsat.Option) *history.History {
	t.Helper()
	r, err := linsat.Check(context.Background(), s, h,
		append(options, linsat.Explain(linsat.ExplainOptions{Time: time.Minute}))...)
	require.NoError(t, err)
	small, err := subhistory.Shrink(h, result.Of(r), func(part *history.History, reasons bool) (*result.Result, error) {
		var argue time.Duration
		if reasons {
			argue = time.Minute
		}
		r, err := linsat.Check(context.Background(), s, part, linsat.Explain(linsat.ExplainOptions{Time: argue}))
		return result.Of(r), err
	})
	require.NoError(t, err)
	if r.Verdict != engine.NotLinearizable {
		require.Nil(t, small)
	}
	return small
}

// TestTheWriterOfAValueStays: the write of 3 has not returned when the violation is complete, and
// in the second history never does; the reads of 3 would be another violation without it.
func TestTheWriterOfAValueStays(t *testing.T) {
	for _, write := range []string{`"call": 4, "return": 20`, `"call": 4`} {
		h, err := history.Read(strings.NewReader(`{"spec": "register", "operations": [
			{"id": "a", "process": 0, "f": "write", "arg": 1, "call": 0, "return": 1},
			{"id": "b", "process": 0, "f": "write", "arg": 2, "call": 2, "return": 3},
			{"id": "c", "process": 1, "f": "write", "arg": 3, `+write+`},
			{"id": "d", "process": 2, "f": "read", "result": 3, "call": 5, "return": 6},
			{"id": "e", "process": 2, "f": "read", "result": 2, "call": 7, "return": 8}]}`), history.ReadOptions{})
		require.NoError(t, err)
		s := testkit.Spec(t, "register")
		small := shrink(t, s, h)
		require.NotNil(t, small)
		assert.Subset(t, small.IDs, []string{"c", "d", "e"})
	}
}

// TestWhatIsLeftIsAViolation shrinks small histories of every specification: what is left is part
// of the history, in its order, and a violation by the definition.
func TestWhatIsLeftIsAViolation(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		shrunk, smaller := 0, 0
		for seed := range uint64(testenv.Scale(100, 5000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Values: 1 + int(seed%4), NoEdges: seed%3 > 0})
			require.NoError(t, err)
			small := shrink(t, s, h)
			if small == nil {
				continue
			}
			b, err := s.Bind(model.Whole(small))
			require.NoError(t, err)
			ok, _ := oracle.Linearizable(b)
			require.False(t, ok, "%s, seed %d", name, seed)
			byID := map[string]history.OpID{}
			for i := range h.Ops {
				byID["op"+strconv.Itoa(int(h.Origins[i].Position))] = history.OpID(i)
			}
			for x := range small.Ops {
				from := h.Ops[byID[small.ID(history.OpID(x))]]
				require.Equal(t, h.Values.Format(from.F), small.Values.Format(small.Ops[x].F))
				require.Equal(t, from.Result, small.Ops[x].Result)
				for y := range small.Ops {
					other := h.Ops[byID[small.ID(history.OpID(y))]]
					if from.Pending() || len(h.Edges) > 0 {
						continue // explicit order moves ranks
					}
					require.Equal(t, from.Return < other.Call, small.Ops[x].Return < small.Ops[y].Call)
				}
			}
			shrunk++
			if len(small.Ops) < len(h.Ops) {
				smaller++
			}
		}
		assert.Greater(t, shrunk, testenv.MoreThan(0), name)
		assert.Greater(t, smaller, testenv.MoreThan(0), name)
	}
}

// TestLongViolationsBecomeSmall shrinks histories of 16,000 operations in which one of a few things
// went wrong.
func TestLongViolationsBecomeSmall(t *testing.T) {
	for name, violations := range map[string][]gen.Violation{
		"stack": {gen.Lost, gen.Duplicate, gen.Swap}, "queue": {gen.Lost, gen.Duplicate, gen.Swap},
		"register": {gen.Stale, gen.NeverWritten}, "kv": {gen.Swap}, "cas-register": {gen.Stale},
	} {
		s, _ := specs.Lookup(name)
		for _, v := range violations {
			g, err := gen.Generate(gen.Options{Spec: name, Operations: 16_000, Processes: 8, Seed: 5, Violation: v})
			require.NoError(t, err)
			small := shrink(t, s, g.History, linsat.Engine("monitor"))
			require.NotNil(t, small)
			assert.LessOrEqual(t, len(small.Ops), 6, "%s %s", name, v)
		}
	}
}

// TestWhatIsLeftStaysAViolation: whatever other operations of the history are put back, in any
// combination, what was kept stays a violation by the definition. The histories have operations
// that never returned or whose result is unknown, and explicit order.
func TestWhatIsLeftStaysAViolation(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		shrunk, pending := 0, 0
		for seed := range uint64(testenv.Scale(60, 3000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, Values: 1 + int(seed%4), NoEdges: seed%3 > 0,
				Chains: seed%6 == 0})
			require.NoError(t, err)
			var options []linsat.Option
			if seed%2 == 0 {
				// not minimal, so that more rounds follow
				options = append(options, linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}))
			}
			small := shrink(t, s, h, options...)
			if small == nil {
				continue
			}
			kept := map[string]bool{}
			for x := range small.Ops {
				kept[small.ID(history.OpID(x))] = true
			}
			var ops, others []history.OpID
			for i := range h.Ops {
				if kept["op"+strconv.Itoa(int(h.Origins[i].Position))] {
					ops = append(ops, history.OpID(i))
				} else {
					others = append(others, history.OpID(i))
				}
			}
			require.Len(t, ops, len(small.Ops))
			for sub := range 1 << len(others) {
				more := slices.Clone(ops)
				for k, i := range others {
					if sub>>k&1 == 1 {
						more = append(more, i)
					}
				}
				part, err := subhistory.Of(h, more)
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(part))
				require.NoError(t, err)
				ok, _ := oracle.Linearizable(b)
				require.False(t, ok, "%s, seed %d: kept %v, with %v it is linearizable", name, seed, ops, more)
			}
			shrunk++
			if h.Pending() > 0 {
				pending++
			}
		}
		assert.Greater(t, shrunk, testenv.MoreThan(0), name)
		assert.Greater(t, pending, testenv.MoreThan(0), name)
	}
}
