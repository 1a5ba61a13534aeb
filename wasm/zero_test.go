package wasm

import (
	"context"
	"io"
	"reflect"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestZeroValues calls every exported method on zero values and on nil pointers.
func TestZeroValues(t *testing.T) {
	testenv.ZeroValues(t, []reflect.Type{reflect.TypeFor[Answer](), reflect.TypeFor[Module]()}, "step")
	var none Module
	_, err := none.Call(context.Background(), "step")
	require.ErrorContains(t, err, "it has no function step")
	assert.False(t, none.Has("step"))
	require.NoError(t, none.Close(context.Background()))
}

// TestFunctionsOnNothing: what a function cannot work with is an error.
func TestFunctionsOnNothing(t *testing.T) {
	ctx := context.Background()
	_, err := Load(ctx, nil, nil)
	require.Error(t, err)
	require.Error(t, Serve(ctx, nil, io.Discard))
	require.Error(t, Serve(ctx, io.LimitReader(nil, 0), nil))
	m := answers("\x80")
	prints(m, 1)
	quiet, err := Load(ctx, m.Bytes(), nil)
	require.NoError(t, err)
	defer quiet.Close(ctx)
	_, err = quiet.Call(ctx, "step", []byte("1"), []byte("2"))
	require.NoError(t, err, "it prints, and nobody listens")
	_, err = quiet.Call(ctx, "fold")
	require.ErrorContains(t, err, "it has no function fold")
	_, err = quiet.Call(ctx, "step")
	require.Error(t, err)
}
