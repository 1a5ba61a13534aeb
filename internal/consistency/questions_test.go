package consistency

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestQuestionsAreATable: names are found, each question stands before those that it implies, and
// none is found twice.
func TestQuestionsAreATable(t *testing.T) {
	met := map[string]bool{}
	for k := range Questions {
		q := &Questions[k]
		for _, name := range append([]string{q.Name, ":" + q.Name}, q.Aliases...) {
			found, err := Parse(name)
			require.NoError(t, err)
			assert.Same(t, q, found, name)
			assert.False(t, met[name], name)
			met[name] = true
		}
		for j := range k {
			assert.False(t, q.IsAtLeast(&Questions[j]), "%s stands after %s", q.Name, Questions[j].Name)
		}
		for _, name := range q.Implies {
			_, err := Parse(name)
			require.NoError(t, err)
		}
	}
	_, err := Parse("eventual")
	assert.EqualError(t, err, `unknown consistency "eventual"`)
}
