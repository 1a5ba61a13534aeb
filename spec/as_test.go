package spec_test

import (
	"testing"

	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
)

func TestAs(t *testing.T) {
	type name string
	assert.Equal(t, 3, spec.As[int](int64(3)))
	assert.Equal(t, uint8(3), spec.As[uint8](int64(3)))
	assert.Equal(t, name("x"), spec.As[name]("x"))
	assert.True(t, spec.As[bool](true))
	assert.Equal(t, []int{1, 2}, spec.As[[]int]([]any{int64(1), int64(2)}))
	assert.Equal(t, map[name][]any{"a": {nil, int64(1)}},
		spec.As[map[name][]any](map[string]any{"a": []any{nil, int64(1)}}))
	assert.Nil(t, spec.As[any](nil))
	assert.Equal(t, int64(1), spec.As[any](int64(1)))
	for says, f := range map[string]func(){
		`"x" is not of type int`:                    func() { spec.As[int]("x") },
		`null is not of type int`:                   func() { spec.As[int](nil) },
		`300 is not of type uint8`:                  func() { spec.As[uint8](int64(300)) },
		`-1 is not of type uint`:                    func() { spec.As[uint](int64(-1)) },
		`1 is not of type bool`:                     func() { spec.As[bool](int64(1)) },
		`1 is not of type string`:                   func() { spec.As[string](int64(1)) },
		`"x" is not of type int8`:                   func() { spec.As[[]int8]([]any{"x"}) },
		`1 is not of type map[string]int`:           func() { spec.As[map[string]int](int64(1)) },
		`"x" is not of type error`:                  func() { spec.As[error]("x") },
		`no value of a history is of type chan int`: func() { spec.As[chan int](nil) },
	} {
		assert.PanicsWithError(t, says, f)
	}
}
