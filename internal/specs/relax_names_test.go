package specs_test

import (
	"testing"

	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseSemantics(t *testing.T) {
	for text, want := range map[string]specs.SemanticRelaxation{
		"out-of-order=2,lateness=3,stuttering=1": {OutOfOrder: 2, Lateness: 3, Stuttering: 1},
		" lateness = 2 ":                         {Lateness: 2},
		"stuttering=1,out-of-order=4":            {OutOfOrder: 4, Stuttering: 1},
		"out-of-order=2,lateness=0":              {},
		"out-of-order=0,lateness=2,stuttering=1": {Stuttering: 1},
		"stuttering=0":                           {},
	} {
		x, err := specs.ParseSemanticRelaxation(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, x, text)
		again, err := specs.ParseSemanticRelaxation(x.String())
		if x == (specs.SemanticRelaxation{}) {
			assert.Equal(t, "nothing", x.String())
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, x, again)
	}
	for text, want := range map[string]string{
		"":                            "a relaxation is missing",
		"lateness=1,":                 "a relaxation is missing",
		"order=1":                     `unknown relaxation "order" (want out-of-order, lateness or stuttering)`,
		"lateness":                    `bound "" of relaxation lateness is not a number from 0 to 1073741824`,
		"lateness=-1":                 `bound "-1" of relaxation lateness is not a number from 0 to 1073741824`,
		"lateness=99999999999":        `bound "99999999999" of relaxation lateness is not a number from 0 to 1073741824`,
		"stuttering=1.5":              `bound "1.5" of relaxation stuttering is not a number from 0 to 1073741824`,
		"out-of-order=1,lateness=two": `bound "two" of relaxation lateness is not a number from 0 to 1073741824`,
		"lateness=1,lateness=1":       "relaxation lateness is given twice",
	} {
		_, err := specs.ParseSemanticRelaxation(text)
		assert.EqualError(t, err, want, text)
	}
}

func TestRelax(t *testing.T) {
	r, err := specs.Relax(specs.Queue(), specs.SemanticRelaxation{OutOfOrder: 2, Stuttering: 1})
	require.NoError(t, err)
	info := r.Info()
	assert.Equal(t, "queue relaxed(out-of-order=2,stuttering=1)", info.Name)
	assert.Nil(t, info.Classes)
	assert.Empty(t, info.Drain)
	strict, by, ok := specs.Relaxed(r)
	assert.True(t, ok)
	assert.Equal(t, specs.Queue(), strict)
	assert.Equal(t, specs.SemanticRelaxation{OutOfOrder: 2, Stuttering: 1}, by)
	_, _, ok = specs.Relaxed(specs.Queue())
	assert.False(t, ok)

	_, err = specs.Relax(r, specs.SemanticRelaxation{Lateness: 1})
	assert.EqualError(t, err, "queue relaxed(out-of-order=2,stuttering=1) is relaxed already")
	_, err = specs.Relax(specs.Register(), specs.SemanticRelaxation{Lateness: 1})
	assert.EqualError(t, err,
		"register has no order among items: out-of-order and lateness are for queue, stack, deque and priority-queue")
	_, err = specs.Relax(specs.Register(), specs.SemanticRelaxation{Stuttering: -1})
	assert.EqualError(t, err, "the bounds of a relaxation are numbers from 0 to 1073741824")
}
