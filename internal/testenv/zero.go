package testenv

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ZeroValues calls every exported method of the types on zero values and on nil pointers, with
// arguments that are zero and with those that are given, and fails where that panics, or where the
// package in the current folder exports another type.
func ZeroValues(t *testing.T, types []reflect.Type, arguments ...any) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^type ([A-Z]\w*)`).FindAllStringSubmatch(string(text), -1) {
			known := slices.ContainsFunc(types, func(u reflect.Type) bool { return u.Name() == m[1] })
			assert.True(t, known || strings.HasSuffix(file, "_test.go"), "%s is not among the types", m[1])
		}
	}
	for _, u := range types {
		for _, receiver := range []reflect.Value{reflect.New(u), reflect.Zero(reflect.PointerTo(u))} {
			for k := range receiver.NumMethod() {
				name := receiver.Type().Method(k).Name
				if _, plain := u.MethodByName(name); plain && receiver.IsNil() {
					continue // a nil pointer has no methods whose receiver is no pointer
				}
				for _, given := range [][]any{nil, arguments} {
					assert.NotPanics(t, func() {
						receiver.Method(k).Call(filled(receiver.Method(k).Type(), given))
					}, "%s.%s", u.Name(), name)
				}
			}
		}
	}
}

// filled returns arguments for a function: a context, of others the first that fits, or zero.
func filled(f reflect.Type, arguments []any) (in []reflect.Value) {
	for k := range f.NumIn() {
		v := reflect.Zero(f.In(k))
		if f.IsVariadic() && k == f.NumIn()-1 {
			break
		}
		for _, a := range append([]any{context.Background()}, arguments...) {
			if reflect.TypeOf(a).AssignableTo(f.In(k)) {
				v = reflect.ValueOf(a)
				break
			}
		}
		in = append(in, v)
	}
	return in
}
