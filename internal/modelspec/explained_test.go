package modelspec_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A violation by a model of few states, whose theory was not needed for the verdict, is explained
// later with what is bound then.
func TestViolationsOfModelsAreExplainedLater(t *testing.T) {
	m := linsat.Model[int, int, int]{Step: func(s, in int) []linsat.Outcome[int, int] {
		if in > 0 {
			return linsat.Returns(0, in)
		}
		return linsat.Returns(s, s)
	}}
	ops := []linsat.Op[int, int]{{Client: 0, Input: 7, Output: 0, Call: 0, Return: 10},
		{Client: 1, Output: 3, Call: 20, Return: 30}}
	r, err := linsat.CheckOps(context.Background(), m, ops,
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	require.NoError(t, err)
	require.False(t, r.Certified)
	r, err = r.Explain(context.Background())
	require.NoError(t, err)
	assert.Equal(t, linsat.NotLinearizable, r.Verdict)
	assert.True(t, r.Certified, r.Uncertified)
	assert.Equal(t, 1, r.Unplaced)
}
