package explore_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
)

// Calls that make no sense are errors, not panics.
func TestMisuseIsAnError(t *testing.T) {
	var none context.Context
	_, err := explore.Check(none, &explore.Case{}, specs.Queue(), explore.CheckOptions{})
	assert.ErrorContains(t, err, "the context is nil")
	_, err = explore.Check(context.Background(), nil, specs.Queue(), explore.CheckOptions{})
	assert.ErrorContains(t, err, "no case to run")
	_, err = explore.Check(context.Background(), &explore.Case{}, nil, explore.CheckOptions{})
	assert.ErrorContains(t, err, "the specification is nil")
	_, err = explore.Run(nil, explore.Bounded(1), explore.Options{}, func(*explore.Execution) bool { return true })
	assert.ErrorContains(t, err, "Run needs a program")
}
