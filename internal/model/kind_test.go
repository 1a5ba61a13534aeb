package model_test

import (
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValuesHaveKinds(t *testing.T) {
	values := history.NewBuilder().Values
	for text, want := range map[string]model.Kind{
		"null": model.KindNil, "true": model.KindBool, "false": model.KindBool, "-7": model.KindInt,
		`"null"`: model.KindString,
		"[]":     model.KindList, "[1]": model.KindList, "{}": model.KindMap, `{"a": 1}`: model.KindMap,
	} {
		v, err := values.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, model.KindOf(values, v), text)
	}
}
