package spec_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cell is a register of which set returns nothing, get its value, and take its value unless that
// is 0, which it leaves.
func cell(s int64, c spec.Call) []spec.Outcome[int64] {
	switch c.F {
	case "set":
		return []spec.Outcome[int64]{{Next: spec.As[int64](c.Arg)}}
	case "get":
		return []spec.Outcome[int64]{{Output: s, Next: s}}
	}
	if s == 0 {
		return []spec.Outcome[int64]{{Next: s}}
	}
	return []spec.Outcome[int64]{{Output: s, Next: int64(0)}}
}

// TestResultsThatAreNotStatedAreNotNull compares random histories with those in which what is not
// stated is not known: none of them is a violation for want of a result.
func TestResultsThatAreNotStatedAreNotNull(t *testing.T) {
	plain, err := spec.Define(spec.Definition[int64]{Name: "cell", Step: cell})
	require.NoError(t, err)
	listed, err := spec.Define(spec.Definition[int64]{Name: "cell", Step: cell,
		Operations: []meta.Operation{{Name: "set"}, {Name: "get"}, {Name: "take"}}})
	require.NoError(t, err)
	accepting := spec.Definition[int64]{Name: "cell", Accept: func(s int64, c spec.Call, result any) []int64 {
		var next []int64
		for _, n := range []int64{0, 1, 2} {
			if (c.F == "set" && result == nil && c.Arg == n) || (c.F == "get" && result == s && n == s) ||
				(c.F == "take" && n == 0 && (result == s && s != 0 || result == nil && s == 0)) {
				next = append(next, n)
			}
		}
		return next
	}, Open: func(s int64, c spec.Call) []int64 {
		switch c.F {
		case "set":
			return []int64{spec.As[int64](c.Arg)}
		case "get":
			return []int64{s}
		}
		return []int64{0}
	}}
	open, err := spec.Define(accepting)
	require.NoError(t, err)
	accepting.Open = nil
	closed, err := spec.Define(accepting)
	require.NoError(t, err)
	r := rand.New(rand.NewSource(3))
	check := func(s spec.Spec, text string) (linsat.Result, error) {
		h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
		require.NoError(t, err)
		return linsat.Check(context.Background(), s, h)
	}
	yes, no, refused := 0, 0, 0
	for range testenv.Scale(400, 20000) {
		stated, unsaid := "", false
		unknown := ""
		for i := range 1 + r.Intn(5) {
			f := []string{"set", "get", "take"}[r.Intn(3)]
			call := r.Intn(6)
			line := fmt.Sprintf(`{"process":%d,"f":"%s","call":%d`, i, f, call)
			if f == "set" {
				line += fmt.Sprintf(`,"arg":%d`, 1+r.Intn(2))
			}
			both := ""
			switch k := r.Intn(8); {
			case k == 0:
			case k == 1:
				line += fmt.Sprintf(`,"return":%d`, call+1+r.Intn(4))
				both = `,"forgotten":true`
			default:
				line += fmt.Sprintf(`,"return":%d`, call+1+r.Intn(4))
				if f == "set" || k < 4 {
					unsaid = unsaid || f != "set"
					if f != "set" {
						unknown += line + `,"forgotten":true}` + "\n"
						stated += line + "}\n"
						continue
					}
				} else if v := r.Intn(3); v == 0 && f == "take" {
					both = `,"result":null`
				} else {
					both = fmt.Sprintf(`,"result":%d`, v)
				}
			}
			stated, unknown = stated+line+both+"}\n", unknown+line+both+"}\n"
		}
		want, err := check(plain, unknown)
		require.NoError(t, err)
		specs := []spec.Spec{plain, listed, open, closed}
		if strings.Contains(stated, "forgotten") ||
			strings.Count(stated, `"return"`) < strings.Count(stated, `"call"`) {
			specs = specs[:3] // without Open such operations are bad input
		}
		for _, s := range specs {
			got, err := check(s, stated)
			var bad *history.Error
			switch {
			case err != nil:
				require.True(t, unsaid, stated)
				require.True(t, errors.As(err, &bad), "%v", err)
				require.Contains(t, err.Error(), "the history does not state its result", stated)
				refused++
			default:
				require.Equal(t, want.Verdict, got.Verdict, stated)
				if got.Verdict == linsat.Linearizable {
					yes++
				} else {
					no++
				}
			}
		}
	}
	for _, n := range []int{yes, no, refused} {
		assert.Greater(t, n, testenv.MoreThan(50))
	}
}

// TestRenamedResultsAreStated: other names of operations leave alone which results must be stated.
func TestRenamedResultsAreStated(t *testing.T) {
	for from, must := range map[string]bool{"enq": false, "deq": true} {
		queue, err := spec.Rename(spec.MustLookup("queue"), map[string]string{from: "job"})
		require.NoError(t, err)
		for more, missing := range map[string]bool{`,"return":1`: must, `,"return":1,"result":null`: false,
			`,"return":1,"forgotten":true`: false, ``: false} {
			line := `{"process":0,"f":"job","call":0` + more
			if from == "enq" {
				line += `,"arg":1`
			}
			h, err := history.Read(strings.NewReader(line+"}"), history.ReadOptions{})
			require.NoError(t, err)
			r, err := linsat.Check(context.Background(), queue, h)
			if missing {
				var bad *history.Error
				require.ErrorAs(t, err, &bad, line)
				assert.Contains(t, err.Error(), "job returned, but the history does not state its result", line)
				continue
			}
			require.NoError(t, err, line)
			assert.Equal(t, linsat.Linearizable, r.Verdict, line)
		}
	}
}
