package wasm

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat/wasm/internal/assembly"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLargeFunctionsAreNotCompiled: a function of 20,000 loops would take a compiler minutes. It is
// interpreted.
func TestLargeFunctionsAreNotCompiled(t *testing.T) {
	m := answers("\x80")
	loops := bytes.Repeat([]byte{0x03, 0x40, 0x20, 0, 0x0d, 1, 0x0b}, 20_000)
	m.Funcs = append(m.Funcs, assembly.Func{Params: []byte{tI32}, Body: cat([]byte{0x02, 0x40}, loops, []byte{0x0b})})
	m.Funcs[2].Body = cat(i32const(0), []byte{0x10, 3}, at(0, 1))
	start := time.Now()
	loaded := load(t, m)
	a, err := loaded.Call(context.Background(), "step", []byte("x"), []byte("y"))
	require.NoError(t, err)
	assert.Equal(t, "\x80", string(a.Bytes))
	assert.Less(t, time.Since(start), 20*time.Second)
}
