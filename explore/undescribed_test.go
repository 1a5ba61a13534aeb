package explore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type account struct {
	Balance int
	Owner   *string // not part of the text
}

// TestASpecificationWithoutDescribeSaysWhatRefusedWhat explores a counter that loses updates
// against specifications of callers that describe nothing.
func TestASpecificationWithoutDescribeSaysWhatRefusedWhat(t *testing.T) {
	object := &explore.Object{Name: "racy", New: func(m *mem.Memory) explore.Instance {
		n := mem.NewVar(m, "n", 0)
		return func(f string, _ any) any {
			v := n.Load() + 1
			n.Store(v)
			return v
		}
	}}
	byStep, err := spec.Define(spec.Definition[account]{Name: "account",
		Step: func(s account, c spec.Call) []spec.Outcome[account] {
			s.Balance++
			return []spec.Outcome[account]{{Output: s.Balance, Next: s}}
		}})
	require.NoError(t, err)
	byAccept, err := spec.Define(spec.Definition[account]{Name: "account", Accept: func(s account, c spec.Call,
		result any) []account {
		if s.Balance++; result == int64(s.Balance) {
			return []account{s}
		}
		return nil
	}})
	require.NoError(t, err)
	wants := map[string]string{
		"Step":   "{Balance:1 Owner:<nil>}: inc returns 2 there, not 1",
		"Accept": `was not looked for: operation 0: the result of "inc" is not known, and account does not say what such an operation may do`,
	}
	for name, s := range map[string]spec.Spec{"Step": byStep, "Accept": byAccept} {
		c, err := explore.ParseCase(object, "inc() | inc()")
		require.NoError(t, err)
		r, err := explore.Check(context.Background(), c, s, explore.CheckOptions{Strategy: explore.DPOR()})
		require.NoError(t, err)
		require.NotNil(t, r.Violation)
		var b strings.Builder
		r.WriteText(&b, explore.TextStyle{Width: 100})
		assert.Contains(t, b.String(), wants[name])
		assert.Contains(t, b.String(), "take the value away from {Balance:0 Owner:<nil>}", name)
	}
}
