package wgl

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnswersNameTheirTechnique decides histories that a technique of the table decides, and asks
// that the answer names it and that without it the verdict is the same or none.
func TestAnswersNameTheirTechnique(t *testing.T) {
	whole := techniques
	defer func() { techniques = whole }()
	for by, o := range map[string]gen.Options{
		"plain":   {Spec: "mutex", Operations: 200, Processes: 3, Seed: 1},
		"few":     {Spec: "bank", Operations: 3000, Processes: 8, PendingRate: 0.03, Seed: 2},
		"targets": {Spec: "cas-register", Operations: 2000, Processes: 16, Values: 6, PendingRate: 0.03, Seed: 5},
		"fifo":    {Spec: "queue", Operations: 400, Processes: 8, Values: 3, Seed: 1},
		"windows": {Spec: "stack", Operations: 2000, Processes: 8, Values: 4, Seed: 1},
	} {
		c, err := gen.Generate(o)
		require.NoError(t, err)
		b, err := named(t, o.Spec).Bind(model.Whole(c.History))
		require.NoError(t, err)
		techniques = whole
		a, err := New(VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		assert.Equal(t, by, a.By)
		assert.Equal(t, engine.Linearizable, a.Verdict, by)
		techniques = nil
		for _, x := range whole {
			if x.needed || x.name != by {
				techniques = append(techniques, x)
			}
		}
		without, err := New(VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b}, engine.NewBudget(1<<22, 0))
		require.NoError(t, err)
		assert.NotEqual(t, engine.NotLinearizable, without.Verdict, by)
		if by != "plain" {
			assert.NotEqual(t, by, without.By)
		}
	}
}

// TestTechniquesHaveNames asks that the depth-first search alone cannot be left out, and that a
// technique that stands twice in the table never applies twice.
func TestTechniquesHaveNames(t *testing.T) {
	var needed []string
	for _, x := range techniques {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, x.name)
		if x.needed {
			needed = append(needed, x.name)
		}
	}
	assert.Equal(t, []string{"plain", "rest"}, needed)
	assert.True(t, techniques[len(techniques)-1].needed)
}
