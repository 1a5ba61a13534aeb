package wasm

import (
	"context"
	"testing"

	"github.com/linsat/linsat/wasm/internal/assembly"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func load(t testing.TB, m *assembly.Module) *Module {
	t.Helper()
	loaded, err := Load(context.Background(), m.Bytes(), func(string) {})
	require.NoError(t, err)
	t.Cleanup(func() { _ = loaded.Close(context.Background()) })
	return loaded
}

// TestModulesThatAreNoSpecificationsAreRefused, each with one line.
func TestModulesThatAreNoSpecificationsAreRefused(t *testing.T) {
	binary := answers("\x80").Bytes()
	with := func(change func(m *assembly.Module)) []byte {
		m := answers("\x80")
		change(m)
		return m.Bytes()
	}
	for want, in := range map[string][]byte{
		"it is not a module of WebAssembly":           []byte("init = 0"),
		"it is cut off or damaged: it ends too early": binary[:len(binary)-1],
		`it exports no memory with the name "memory"`: with(func(m *assembly.Module) {
			m.Pages, m.Data = -1, nil
		}),
		"it exports no function alloc: (i32) → i32": with(func(m *assembly.Module) {
			m.Funcs[0].Export = "malloc"
		}),
		"it exports no function init: (i32, i32) → i64": with(func(m *assembly.Module) {
			m.Funcs[1].Export = ""
		}),
		"it exports no function step: (i32, i32, i32, i32) → i64": with(func(m *assembly.Module) {
			m.Funcs[2].Export = "Step"
		}),
		"its function step is (i32, i32) → i64, not (i32, i32, i32, i32)": with(func(m *assembly.Module) {
			m.Funcs[2].Params = m.Funcs[2].Params[:2]
		}),
		"its function about is () → (), not () → i64": with(func(m *assembly.Module) {
			m.Funcs = append(m.Funcs, assembly.Func{Export: "about"})
		}),
		"it is not a valid module: ": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{0x6a}
		}),
		"both key and footprint": with(func(m *assembly.Module) {
			m.Funcs = append(m.Funcs, returns("key", 2, at(0, 0)), returns("footprint", 2, at(0, 0)))
		}),
		"it imports env.now: a specification may import linsat.print alone": with(func(m *assembly.Module) {
			m.Imports = []assembly.Import{{From: "env", Name: "now", Results: []byte{tI64}}}
		}),
		// what is added by the rewriting cannot be named
		"not a valid module: ": with(func(m *assembly.Module) {
			m.Funcs[0].Body = cat(i64const(1<<60), []byte{0x24, 0}, i32const(1024))
		}),
		"is not a valid module": with(func(m *assembly.Module) { m.Funcs[0].Body = []byte{0x0c, 1} }),
	} {
		_, err := Load(context.Background(), in, func(string) {})
		if assert.Error(t, err, want) {
			assert.Contains(t, err.Error(), want)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

// TestFailuresOfCallsAreNamed, each with one line.
func TestFailuresOfCallsAreNamed(t *testing.T) {
	loop := []byte{0x03, 0x40, 0x0c, 0, 0x0b, 0x00}
	for want, change := range map[string]func(m *assembly.Module){
		"step did not end within 100000000 steps":  func(m *assembly.Module) { m.Funcs[2].Body = loop },
		"alloc did not end within 100000000 steps": func(m *assembly.Module) { m.Funcs[0].Body = loop },
		"step has more than 1000 calls in calls": func(m *assembly.Module) {
			m.Funcs[2].Body = []byte{0x20, 0, 0x20, 0, 0x20, 0, 0x20, 0, 0x10, 2}
		},
		"step took more than 64 MiB of memory": func(m *assembly.Module) {
			m.Funcs[2].Body = cat(i32const(1024), []byte{0x40, 0, 0x1a}, at(0, 0))
		},
		"step failed: unreachable in step": func(m *assembly.Module) {
			m.Funcs[2].Body = []byte{0x00}
			m.Custom = names("step")
		},
		"step failed: integer divide by zero": func(m *assembly.Module) {
			m.Funcs[2].Body = cat(i32const(1), i32const(0), []byte{0x6d, 0x1a}, at(0, 0))
		},
		"step failed: out of bounds memory access": func(m *assembly.Module) {
			m.Funcs[2].Body = cat(i32const(-1), []byte{0x28, 2, 0, 0x1a}, at(0, 0))
		},
		"alloc(3) returned 0xffff, which is beyond its": func(m *assembly.Module) {
			m.Funcs[0].Body = i32const(0xffff)
		},
		"alloc(3) returned 0xfffffff0, which is beyond": func(m *assembly.Module) {
			m.Funcs[0].Body = i32const(-16)
		},
		"step returned 2 bytes at 0xffff, which is beyond its memory of 65536 bytes": func(m *assembly.Module) {
			m.Funcs[2].Body = at(0xffff, 2)
		},
		"step returned 4294967294 bytes at 0x7fffffff, which is beyond": func(m *assembly.Module) {
			m.Funcs[2].Body = at(0x7fffffff, 0xfffffffe)
		},
		"its start function did not end within 100000000 steps": func(m *assembly.Module) {
			m.Funcs = append(m.Funcs, assembly.Func{Body: loop[:5]})
			m.Start = 3
		},
		"_initialize failed: unreachable": func(m *assembly.Module) {
			m.Funcs = append(m.Funcs, assembly.Func{Body: []byte{0x00}, Export: "_initialize"})
		},
		"step failed: print of 70000 bytes at 0x0 is beyond its memory": func(m *assembly.Module) { prints(m, 70_000) },
	} {
		m := answers("\x80")
		change(m)
		loaded := load(t, m)
		_, err := loaded.Call(context.Background(), "step", []byte("abc"), []byte("abc"))
		if assert.Error(t, err, want) {
			assert.Contains(t, err.Error(), want)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

// names is a custom section that names function 2.
func names(f string) []byte {
	return append(assembly.Vec([]byte("name")),
		append([]byte{1}, assembly.Vec(append([]byte{1, 2}, assembly.Vec([]byte(f))...))...)...)
}

// prints lets step print so many bytes from address 0. Functions have higher numbers then.
func prints(m *assembly.Module, n int64) {
	m.Imports = []assembly.Import{{From: "linsat", Name: "print", Params: []byte{tI32, tI32}}}
	m.Funcs[2].Body = cat(i32const(0), i32const(n), []byte{0x10, 0}, at(0, 1))
}

func TestPrinting(t *testing.T) {
	m := answers("hello")
	prints(m, 5)
	var said []string
	loaded, err := Load(context.Background(), m.Bytes(), func(text string) { said = append(said, text) })
	require.NoError(t, err)
	defer loaded.Close(context.Background())
	a, err := loaded.Call(context.Background(), "step", nil, nil)
	require.NoError(t, err)
	assert.Equal(t, "h", string(a.Bytes))
	assert.Equal(t, []string{"hello"}, said)
	wrong := answers("x")
	wrong.Imports = []assembly.Import{{From: "linsat", Name: "print"}}
	endless := answers("hello")
	prints(endless, 5)
	for _, length := range []int64{0, 60_000} {
		endless.Funcs[2].Body = cat([]byte{0x03, 0x40}, i32const(0), i32const(length), []byte{0x10, 0, 0x0c, 0, 0x0b},
			at(0, 0))
		printed := 0
		m, err := Load(context.Background(), endless.Bytes(), func(string) { printed++ })
		require.NoError(t, err)
		_, err = m.Call(context.Background(), "step", nil, nil)
		assert.ErrorContains(t, err, "step did not end within")
		assert.LessOrEqual(t, int64(printed), limits.Steps/stepsPerPrinted/(length+bytesPerPrint))
		require.NoError(t, m.Close(context.Background()))
	}
	_, err = load(t, wrong).Call(context.Background(), "step", nil, nil)
	assert.ErrorContains(t, err, "it does not start: ")
}

// TestCallsDoNotSeeEachOther: what a call leaves in a global or in memory is gone, and so is memory
// that it asked for.
func TestCallsDoNotSeeEachOther(t *testing.T) {
	m := answers("")
	m.Globals = [][]byte{{tI32, 1, 0x41, 0, 0x0b}}
	// step adds one to the global, to memory and to the number of pages, and returns all three
	m.Funcs[2].Body = cat(
		[]byte{0x23, 0}, i32const(1), []byte{0x6a, 0x24, 0},
		i32const(8), i32const(8), []byte{0x28, 2, 0}, i32const(1), []byte{0x6a, 0x36, 2, 0},
		i32const(1), []byte{0x40, 0, 0x1a},
		i32const(4), []byte{0x23, 0, 0x36, 2, 0},
		i32const(12), []byte{0x3f, 0, 0x36, 2, 0},
		i32const(16), i32const(70_000), []byte{0x28, 2, 0, 0x36, 2, 0}, // zero, however often
		i32const(70_000), i32const(7), []byte{0x36, 2, 0},
		at(4, 16))
	loaded := load(t, m)
	for range 3 {
		a, err := loaded.Call(context.Background(), "step", []byte("x"), []byte("y"))
		require.NoError(t, err)
		assert.Equal(t, []byte{1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}, a.Bytes)
	}
}

func TestNone(t *testing.T) {
	m := answers("\x80")
	m.Funcs[2].Body = i64const(-1)
	a, err := load(t, m).Call(context.Background(), "step", nil, nil)
	require.NoError(t, err)
	assert.Equal(t, Answer{None: true}, a)
}
