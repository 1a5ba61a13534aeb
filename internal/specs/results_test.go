package specs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResultsByName: every name of every operation has a line in testdata/results.txt with a result
// that fits and one that does not.
func TestResultsByName(t *testing.T) {
	text, err := os.ReadFile("testdata/results.txt")
	require.NoError(t, err)
	missing := map[string]bool{} // by specification and name
	for _, s := range specs.All() {
		for _, o := range s.Info().Operations {
			for _, name := range append([]string{o.Name}, o.Aliases...) {
				missing[s.Info().Name+" "+name] = true
			}
		}
	}
	var s model.Spec
	initial := ""
	for n, line := range strings.Split(string(text), "\n") {
		at := fmt.Sprintf("line %d: %s", n+1, line)
		if heading, ok := strings.CutPrefix(line, "= "); ok {
			name, state, ok := strings.Cut(heading, " of ")
			require.True(t, ok, at)
			s, ok = specs.Lookup(name)
			require.True(t, ok, at)
			initial = state
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, " | ")
		require.Len(t, columns, 5, at)
		name, arg, good, bad, why := columns[0], columns[1], columns[2], columns[3], columns[4]
		require.NotEmpty(t, why, at)
		assert.True(t, missing[s.Info().Name+" "+name], "no such name, or a second line for it: %s", at)
		delete(missing, s.Info().Name+" "+name)
		b, err := bindOne(t, s, initial, name, arg, good)
		if assert.NoError(t, err, at) {
			ok, _ := oracle.Linearizable(b)
			assert.True(t, ok, "%s is right: %s", good, at)
		}
		if b, err = bindOne(t, s, initial, name, arg, bad); err != nil {
			var refused *history.Error
			require.ErrorAs(t, err, &refused, at)
			assert.Contains(t, refused.What, why, at)
			assert.NotEmpty(t, refused.Hint, at)
			continue
		}
		ok, _ := oracle.Linearizable(b)
		assert.False(t, ok, "%s is wrong: %s", bad, at)
		m := b.NewMachine()
		assert.Contains(t, b.Refusal(m, m.Init(), 0), why, at)
	}
	for name := range missing {
		t.Errorf(
			"testdata/results.txt has no line for %s: what does a system return under that name, and what must it not?",
			name)
	}
}

// bindOne binds a history of one operation. An argument of "" is none.
func bindOne(t *testing.T, s model.Spec, initial, name, arg, result string) (*model.Instance, error) {
	if arg != "" {
		arg = `"arg": ` + arg + ", "
	}
	text := fmt.Sprintf(
		`{"initial": %s, "operations": [{"process": 0, "key": "x", "f": %q, %s"call": 0, "return": 1, "result": %s}]}`,
		initial, name, arg, result)
	if !s.Info().KeyIsPiece {
		text = strings.Replace(text, `"key": "x", `, "", 1)
	}
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err, text)
	return s.Bind(model.Whole(h))
}
