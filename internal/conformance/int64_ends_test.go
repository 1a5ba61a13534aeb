package conformance_test

import (
	"context"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSumsAtTheEndsOfInt64AreExact: sums and differences at the ends of int64 are exact in every
// engine.
func TestSumsAtTheEndsOfInt64AreExact(t *testing.T) {
	for name, c := range map[string]struct {
		initial, operations string
		want                engine.Verdict
	}{
		"down to the least": {"-9223372036854775807", `
			{"process": 0, "f": "read", "call": 0, "return": 1, "result": -9223372036854775807},
			{"process": 0, "f": "dec", "call": 2, "return": 3},
			{"process": 0, "f": "read", "call": 4, "return": 5, "result": -9223372036854775808}`, engine.Linearizable},
		"up by more than half": {"-9223372036854775808", `
			{"process": 0, "f": "inc", "arg": 4611686018427387904, "call": 0, "return": 1},
			{"process": 0, "f": "inc", "arg": 4611686018427387904, "call": 2, "return": 3},
			{"process": 0, "f": "inc", "arg": 4611686018427387904, "call": 4, "return": 5},
			{"process": 0, "f": "read", "call": 6, "return": 7, "result": 4611686018427387904}`, engine.Linearizable},
		"down by twice the greatest": {"9223372036854775807", `
			{"process": 0, "f": "dec", "arg": 9223372036854775807, "call": 0, "return": 10},
			{"process": 1, "f": "dec", "arg": 9223372036854775807, "call": 0},
			{"process": 2, "f": "dec", "call": 0, "return": 10},
			{"process": 3, "f": "read", "call": 0, "return": 9, "result": 9223372036854775806}`, engine.Linearizable},
		"wrapped around": {"9223372036854775807", `
			{"process": 0, "f": "dec", "arg": 9223372036854775807, "call": 0, "return": 1},
			{"process": 0, "f": "read", "call": 2, "return": 3, "result": -9223372036854775808}`,
			engine.NotLinearizable},
	} {
		h := history1(t, `{"spec": "counter", "initial": `+c.initial+`, "operations": [`+c.operations+`]}`)
		for _, e := range []string{"auto", "search", "sat", "all"} {
			r, err := linsat.Check(context.Background(), specs.Counter(), h, linsat.Engine(linsat.Engines(e)))
			require.NoError(t, err, name)
			assert.Equal(t, c.want, r.Verdict, "%s by %v", name, e)
			assert.True(t, r.Certified, "%s by %v", name, e)
		}
	}
}

// A counter that could leave int64 is an error of the input, with the operation.
func TestCountersBeyondInt64AreInputErrors(t *testing.T) {
	for operations, place := range map[string]string{
		`{"process": 0, "f": "inc", "call": 0, "return": 1}
		{"process": 1, "f": "inc", "arg": 9223372036854775807, "call": 0, "return": 1}`: "line 3",
		`{"process": 0, "f": "inc", "call": 0, "return": 1}
		{"process": 1, "f": "dec", "arg": -9223372036854775808, "call": 2}`: "line 3",
		`{"process": 0, "f": "dec", "arg": 9223372036854775807, "call": 0}
		{"process": 1, "f": "getandinc", "arg": -9, "call": 2, "return": 3, "result": -1}`: "line 3",
	} {
		text := "{\"spec\": \"counter\"}\n" + operations
		_, err := linsat.Check(context.Background(), specs.Counter(), history1(t, text))
		require.ErrorContains(t, err, "could leave the range of 64-bit integers")
		require.ErrorContains(t, err, place)
	}
}

// A forged certificate, whose sum fits only if it wraps around, is refused.
func TestForgedSumsAreRefused(t *testing.T) {
	h := history1(t, `{"spec": "counter", "initial": 9223372036854775807, "operations": [
		{"process": 0, "f": "read", "call": 0, "return": 9, "result": 0},
		{"process": 1, "f": "dec", "arg": 9223372036854775807, "call": 0, "return": 10},
		{"process": 2, "f": "dec", "arg": 9223372036854775807, "call": 0}]}`)
	b, err := specs.Counter().Bind(model.Whole(h))
	require.NoError(t, err)
	var a proof.Node
	require.NoError(t, a.UnmarshalJSON([]byte(`["SUM INIT 0: false"]`)))
	require.ErrorContains(t, verify.Argument(b, proof.Everything(), &a), "the sum can be right")
}

// TestCountersAgreeWithBigNumbers compares all engines with a definition of its own, in numbers
// without bound.
func TestCountersAgreeWithBigNumbers(t *testing.T) {
	yes, no := 0, 0
	for seed := range uint64(8 * smallHistories()) {
		h, err := gen.Small("counter", seed, gen.SmallOptions{Keys: 1, Most: 7})
		require.NoError(t, err)
		if h.Ops == nil || !h.HasInitial {
			continue
		}
		if init, _ := h.Values.AsInt(h.Initial); init < math.MaxInt32 && init > math.MinInt32 {
			continue
		}
		want := engine.NotLinearizable
		if bigCounter(h) {
			want = engine.Linearizable
			yes++
		} else {
			no++
		}
		for _, e := range []string{"search", "sat", "auto"} {
			r, err := linsat.Check(context.Background(), specs.Counter(), h, linsat.Engine(linsat.Engines(e)),
				linsat.Explain(linsat.ExplainOptions{Time: time.Second}))
			require.NoError(t, err, "seed %d", seed)
			require.Equal(t, want, r.Verdict, "%v on seed %d: %s", e, seed, show(h))
			require.True(t, r.Certified, "%v on seed %d: %s", e, seed, show(h))
		}
	}
	t.Logf("%d linearizable, %d not", yes, no)
	assert.Greater(t, min(yes, no), testenv.MoreThan(50))
}

// bigCounter tries every order of a history's operations.
func bigCounter(h *history.History) bool {
	p := model.Whole(h)
	n := len(h.Ops)
	number := func(v history.Value, otherwise int64) *big.Int {
		if x, ok := h.Values.AsInt(v); ok {
			otherwise = x
		}
		return big.NewInt(otherwise)
	}
	done := make([]bool, n)
	before := func(i, j int) bool {
		for _, e := range p.Edges {
			if int(e.Before) == i && int(e.After) == j {
				return true
			}
		}
		return p.Precedes(history.OpID(i), history.OpID(j))
	}
	var try func(now *big.Int) bool
	try = func(now *big.Int) bool {
		complete := true
		for i := range n {
			complete = complete && (done[i] || h.Ops[i].Pending())
		}
		if complete {
			return true
		}
		for i := range n {
			free := !done[i]
			for j := range n {
				free = free && !(before(j, i) && !done[j] && !h.Ops[j].Pending()) && !(before(i, j) && done[j])
			}
			if !free {
				continue
			}
			o, next := &h.Ops[i], new(big.Int).Set(now)
			f, _ := h.Values.AsString(o.F)
			switch {
			case f == "inc" || f == "getandinc":
				next.Add(now, number(o.Arg, 1))
			case f == "dec":
				next.Sub(now, number(o.Arg, 1))
			}
			if (f == "read" || f == "getandinc") && !o.Unknown && number(o.Result, 0).Cmp(now) != 0 {
				continue
			}
			done[i] = true
			ok := try(next)
			done[i] = false
			if ok {
				return true
			}
		}
		return false
	}
	return try(number(h.Initial, 0))
}

// history1 reads a history in linsat's own JSON.
func history1(t *testing.T, text string) *history.History {
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return h
}
