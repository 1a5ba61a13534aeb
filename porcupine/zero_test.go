package porcupine_test

import (
	"io"
	"reflect"
	"testing"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/assert"
)

// TestZeroInfo: a LinearizationInfo of no check holds nothing, and there is little to draw.
func TestZeroInfo(t *testing.T) {
	var info porcupine.LinearizationInfo
	v := reflect.ValueOf(&info)
	for i := range v.NumMethod() {
		assert.NotPanics(t, func() {
			var in []reflect.Value
			for k := range v.Method(i).Type().NumIn() {
				in = append(in, reflect.Zero(v.Method(i).Type().In(k)))
			}
			v.Method(i).Call(in)
		}, v.Type().Method(i).Name)
	}
	_, err := info.Certificate()
	assert.Error(t, err)
	assert.NotPanics(t, func() { assert.NoError(t, porcupine.Visualize(porcupine.Model{}, info, io.Discard)) })
	assert.NotPanics(t, func() { assert.Error(t, porcupine.VisualizePath(register, info, "")) })
}
