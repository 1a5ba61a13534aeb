package check_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	"github.com/linsat/linsat/internal/gen"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRegularIsTheDefinition compares what is regular with its definition on random histories of
// registers, and checks that what is linearizable is.
func TestRegularIsTheDefinition(t *testing.T) {
	s, _ := specs.Lookup("register")
	said := map[string]int{}
	for seed := range uint64(testenv.Scale(300, 20_000)) {
		h, err := gen.Small("register", seed, gen.SmallOptions{Most: 7, Keys: 1, Distinct: seed%2 == 0})
		require.NoError(t, err)
		if len(h.Edges) > 0 {
			continue
		}
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		read := func(op history.OpID) bool {
			f, _ := h.Values.AsString(h.Ops[op].F)
			return f == "read"
		}
		answers := map[string]bool{}
		for _, name := range []string{"linearizable", "regular", "weakly-regular"} {
			a := ask(t, s, h, name)
			answers[name] = a.Verdict == levels.Holds
			said[name+": "+a.Verdict.String()]++
			assert.Equal(t, a.Verdict == levels.Fails && name != "linearizable", a.Says != "",
				"seed %d: %s", seed, name)
		}
		require.Equal(t, oracle.Regular(b, read), answers["regular"], "seed %d", seed)
		require.Equal(t, oracle.WeaklyRegular(b, read), answers["weakly-regular"], "seed %d", seed)
		require.False(t, answers["linearizable"] && !answers["regular"], "seed %d", seed)
		require.False(t, answers["regular"] && !answers["weakly-regular"], "seed %d", seed)
	}
	t.Log(said)
	assert.Greater(t, said["regular: holds"]-said["linearizable: holds"], testenv.MoreThan(0))
	assert.GreaterOrEqual(t, said["weakly-regular: holds"], said["regular: holds"])
}

// TestRegularIsOfRegisters: of other objects it is an error, with those that it is of.
func TestRegularIsOfRegisters(t *testing.T) {
	for name, what := range map[string]string{"queue": "regular of queue", "set": "regular of set"} {
		s, _ := specs.Lookup(name)
		h, err := gen.Small(name, 1, gen.SmallOptions{})
		require.NoError(t, err)
		q, err := consistency.Parse("regular")
		require.NoError(t, err)
		_, err = check.Ask(context.Background(), &check.Case{Spec: s, History: h, Linearize: linearize}, q)
		assert.ErrorContains(t, err, what)
	}
}
