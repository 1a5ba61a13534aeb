package meter

import (
	"bytes"
	"strings"
	"testing"

	"github.com/linsat/linsat/wasm/internal/assembly"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func cat(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func i32(v int64) []byte { return append([]byte{opI32Const}, assembly.S64(v)...) }

// bounded runs f of a module under limits with both engines, which have to leave the same counters.
func bounded(t *testing.T, m *assembly.Module, limits Limits, params ...uint64) (got ran) {
	t.Helper()
	metered, err := Rewrite(m.Bytes(), limits)
	require.NoError(t, err)
	first := true
	for engine := range engines {
		r := run(t, engine, metered.Module, params...)
		if !first {
			require.Equal(t, got.globals, r.globals)
			require.Equal(t, got.err == nil, r.err == nil)
			require.Equal(t, got.memory, r.memory)
		}
		got, first = r, false
	}
	return got
}

// TestEndlessLoopsEnd at the last step that they have, whichever kind of loop.
func TestEndlessLoopsEnd(t *testing.T) {
	limits := Limits{Steps: 100_000, Depth: 1000, Pages: 64}
	for name, m := range map[string]*assembly.Module{
		"loop":        one([]byte{opLoop, typeEmpty, opBr, 0, opEnd, opUnreachable}, 'i'),
		"empty loops": one([]byte{opLoop, typeEmpty, opLoop, typeEmpty, opEnd, opBr, 0, opEnd, opUnreachable}, 'i'),
		"fills": one(cat([]byte{opLoop, typeEmpty}, i32(0), i32(1), i32(60_000), []byte{opPrefix, 11, 0, opBr, 0,
			opEnd, opUnreachable}), 'i'),
	} {
		got := bounded(t, m, limits)
		require.Error(t, got.err, name)
		assert.Negative(t, int64(got.globals[Steps]), name)
	}
	count := one(cat([]byte{opLoop, typeEmpty, opLocalGet, 0}, i32(1), []byte{opI32Add, opLocalTee, 0}, i32(1000),
		[]byte{opI32LtS, 0x0d, 0, opEnd, opLocalGet, 0}), 'i')
	count.Funcs[0].Locals = []byte{typeI32}
	got := bounded(t, count, limits)
	require.NoError(t, got.err)
	assert.Equal(t, []uint64{1000}, got.results)
	used := limits.Steps - int64(got.globals[Steps])
	assert.Equal(t, int64(1000*9+2), used)
	limits.Steps = used
	assert.NoError(t, bounded(t, count, limits).err, "as many as it has")
	limits.Steps--
	assert.Error(t, bounded(t, count, limits).err)
}

// TestDeepCallsEnd: a function that calls itself to a depth, with and without many locals.
func TestDeepCallsEnd(t *testing.T) {
	recursive := func(locals int) *assembly.Module {
		// f(n) = n == 0 ? 0 : f(n-1) + 1
		m := one(cat([]byte{opLocalGet, 0, 0x45, opIf, typeEmpty}, i32(0), []byte{opReturn, opEnd, opLocalGet, 0},
			i32(1), []byte{opI32Sub, 0x10, 0}, i32(1), []byte{opI32Add}), 'i')
		m.Funcs[0].Params = []byte{typeI32}
		m.Funcs[0].Locals = []byte(strings.Repeat("\x7f", locals))
		return m
	}
	limits := Limits{Steps: 1 << 30, Depth: 100, Pages: 64}
	got := bounded(t, recursive(0), limits, 99)
	require.NoError(t, got.err)
	assert.Equal(t, []uint64{99}, got.results)
	assert.Equal(t, uint64(100), got.globals[Depth])
	got = bounded(t, recursive(0), limits, 100)
	require.Error(t, got.err)
	assert.Negative(t, int32(got.globals[Depth]))
	large := recursive(0)
	large.Funcs[0].Body = append(bytes.Repeat([]byte{0x01}, 2*bytesPerFrame), large.Funcs[0].Body...)
	assert.NoError(t, bounded(t, large, limits, 30).err)
	assert.Error(t, bounded(t, large, limits, 40).err, "so does a large function")
	assert.NoError(t, bounded(t, recursive(128), limits, 30).err)
	assert.Error(t, bounded(t, recursive(128), limits, 40).err, "many locals take more of the stack")
}

// TestMemoryIsBounded: growing works up to the bound, and ends the call beyond it.
func TestMemoryIsBounded(t *testing.T) {
	limits := Limits{Steps: 1 << 30, Depth: 100, Pages: 8}
	grow := func(n int64) *assembly.Module { return one(cat(i32(n), []byte{opMemoryGrow, 0}), 'i') }
	got := bounded(t, grow(7), limits)
	require.NoError(t, got.err)
	assert.Equal(t, []uint64{1}, got.results)
	assert.Zero(t, got.globals[Grew])
	got = bounded(t, grow(8), limits)
	require.Error(t, got.err)
	assert.NotZero(t, got.globals[Grew])
	less := grow(3)
	less.Most = 3
	assert.Error(t, bounded(t, less, limits).err, "the bound of the module itself")
	table := one([]byte{0xd0, typeFuncref, opI32Const, 0x80, 0x80, 0xc0, 0x00, opPrefix, 15, 0}, 'i')
	got = bounded(t, table, limits)
	require.NoError(t, got.err)
	assert.Equal(t, []uint64{0xffffffff}, got.results, "a table is not grown beyond its bound")
}

// TestStartIsMetered: a start function is called like any other.
func TestStartIsMetered(t *testing.T) {
	m := one([]byte{opGlobalGet, 0}, 'i')
	m.Globals = [][]byte{{typeI32, 1, opI32Const, 0, opEnd}}
	m.Funcs = append(m.Funcs, assembly.Func{Body: cat(i32(5), []byte{opGlobalSet, 0})})
	m.Start = 1
	assert.Equal(t, int64(3+2), same(t, m.Bytes()))
}

// TestBadModulesAreRefused, each with one line.
func TestBadModulesAreRefused(t *testing.T) {
	whole := one(i32(5), 'i')
	module := whole.Bytes()
	with := func(change func(m *assembly.Module)) []byte {
		m := one(i32(5), 'i')
		change(m)
		return m.Bytes()
	}
	for want, in := range map[string][]byte{
		"it is not a module of WebAssembly":                         []byte("int main() {}"),
		"it has version 0d000100 of the format, not 1: a component": []byte("\x00asm\x0d\x00\x01\x00"),
		"it is cut off or damaged: it ends too early":               module[:len(module)-3],
		"it has a section of the unknown kind 17":                   append(module[:8:8], 17, 0),
		"its section 1 stands in a wrong place": append(append([]byte{}, module...), 1, 1,
			0),
		"it imports env.clock: a specification may import linsat.print alone": with(func(m *assembly.Module) {
			m.Imports = []assembly.Import{{From: "env", Name: "clock"}}
		}),
		"it imports wasi_snapshot_preview1.random_get: a specification": with(func(m *assembly.Module) {
			m.Imports = []assembly.Import{{From: "wasi_snapshot_preview1", Name: "random_get"}}
		}),
		"it starts with 5 MiB of memory, more than 4 MiB": with(func(m *assembly.Module) {
			m.Pages = 80
		}),
		"it has a table of 70000 elements, more than 65536": with(func(m *assembly.Module) {
			m.Table = 70_000
		}),
		"function 0: it has 10001 locals, more than 10000: compile with -O1 or higher": with(func(m *assembly.Module) {
			m.Funcs[0].Locals = []byte(strings.Repeat("\x7f", 10_001))
		}),
		"it has a function with 101 results, more than 100": with(func(m *assembly.Module) {
			m.Funcs[0].Results = []byte(strings.Repeat("\x7f", 101))
		}),
		"it has a function with 1001 parameters, more than 1000": with(func(m *assembly.Module) {
			m.Funcs[0].Params = []byte(strings.Repeat("\x7f", 1001))
		}),
		"its section of elements is damaged: it has 268435455 segments in 1 bytes": append(module[:8:8], 9, 5, 0xff,
			0xff, 0xff, 0x7f, 0),
		"its section of elements is damaged: it has 268435455 elements in 0 bytes": append(module[:8:8], 9, 9, 1, 0,
			0x41, 0, 0x0b, 0xff, 0xff, 0xff, 0x7f),
		"its section of elements is damaged: a segment is of the unknown kind 8": append(module[:8:8], 9, 2, 1,
			8),
		"its section of elements is damaged: it ends too early": append(module[:8:8], 9, 4,
			1, 0, 0x41, 0),
		"its section of data is damaged: it ends too early": append(module[:8:8], 11, 6, 1,
			1, 0xff, 0xff, 0xff, 0x7f),
		"its section of data is damaged: a segment is of the unknown kind 3": append(module[:8:8], 11, 2, 1,
			3),
		"functions have more than 4000000 locals together": with(func(m *assembly.Module) {
			m.Funcs[0].Locals = []byte(strings.Repeat("\x7f", 9_000))
			for range 450 {
				m.Funcs = append(m.Funcs, m.Funcs[0])
				m.Funcs[len(m.Funcs)-1].Export = ""
			}
		}),
		"it exports linsat:steps, a name that linsat uses": with(func(m *assembly.Module) {
			m.Funcs[0].Export = Steps
		}),
		"function 0: 1 bytes follow the end of its body": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{opI32Const, 5, opEnd}
		}),
		"function 0: it ends too early": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{opBlock, typeEmpty}
		}),
		"function 0: it uses the type 0x63, which linsat does not know": with(func(m *assembly.Module) {
			m.Funcs[0].Locals = []byte{0x63}
		}),
		"it uses the type 0x64, which linsat does not know": with(func(m *assembly.Module) {
			m.Funcs[0].Params = []byte{0x64, typeFuncref}
		}),
		"it uses the type 0x69, which linsat does not know": with(func(m *assembly.Module) {
			m.Funcs[0].Results = []byte{0x69}
		}),
		"function 0: it uses SIMD": with(func(m *assembly.Module) {
			m.Funcs[0].Locals = []byte{0x7b}
		}),
		"function 0: it uses the type 0x65": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{opBlock, 0x65, opEnd}
		}),
		"function 0: a block has a type with a negative number": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{opBlock, 0xe3, 0x7f, typeFuncref, opEnd}
		}),
		"function 0: it uses the type 0x66": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{0x1c, 1, 0x66}
		}),
		"function 0: it uses the type 0x00": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{0xd0, 0}
		}),
		"function 0: 0x7f is no type of references": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{0xd0, typeI32}
		}),
		"its section of tables is damaged: it uses the type 0x40": append(module[:8:8], 4, 9, 1, 0x40, 0,
			typeFuncref, 0, 1, 0xd0, typeFuncref, opEnd),
		"its section of elements is damaged: it uses the type 0x63": append(module[:8:8], 9, 6, 1, 5, 0x63,
			typeFuncref, 0, 0),
		"its section of elements is damaged: a segment has elements of an": append(module[:8:8], 9, 4, 1, 1, 1, 0),
		"function 0: a number is too large": with(func(m *assembly.Module) {
			m.Funcs[0].Body = []byte{opLocalGet, 0xff, 0xff, 0xff, 0xff, 0x7f}
		}),
		"its section of types is damaged: it has 100 types in 1 bytes": append(module[:8:8], 1, 2,
			100, typeFunc),
		"it has a type of the form 0x5e, which linsat does not know":      append(module[:8:8], 1, 3, 1, 0x5e, 0),
		"a function has type 3, of which there are 0":                     append(module[:8:8], 3, 2, 1, 3),
		"it has 0 functions and 1 bodies":                                 append(module[:8:8], 10, 3, 1, 1, 0),
		"its section of memories is damaged: it is shared, or of 64 bits": append(module[:8:8], 5, 4, 1, 3, 1, 1),
		"it has 2 memories, and may have one": append(module[:8:8], 5, 5,
			2, 0, 1, 0, 1),
		"its section of globals is damaged, or has more than 10000": append(module[:8:8], 6, 3,
			0xff, 0xff, 0x7f),
		"its section of the start function is damaged: 1 bytes follow its end": append(module[:8:8], 8, 2, 0, 0),
	} {
		_, err := Rewrite(in, plenty)
		if assert.Error(t, err, want) {
			assert.Contains(t, err.Error(), want)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
	for n := range module {
		_, _ = Rewrite(module[:n], plenty) // cut off anywhere, it does not panic
	}
}

// TestNamesStay: the section with names is kept for messages, others of its kind are dropped.
func TestNamesStay(t *testing.T) {
	for name, kept := range map[string]bool{"name": true, ".debug_info": false} {
		m := one(i32(5), 'i')
		m.Custom = append(assembly.Vec([]byte(name)), 0, 0)
		if name == "name" {
			m.Custom = append(assembly.Vec([]byte(name)), 1, 4, 1, 0, 1, 'g')
		}
		out, err := Rewrite(m.Bytes(), plenty)
		require.NoError(t, err)
		assert.Equal(t, kept, strings.Contains(string(out.Module), "\x04name"))
		assert.NotContains(t, string(out.Module), ".debug_info")
		assert.NotContains(t, string(out.Plain), "name")
		same(t, m.Bytes())
	}
	damaged := one(i32(5), 'i')
	damaged.Custom = append(assembly.Vec([]byte("name")), 1, 5, 0xff, 0xff, 0xff, 0x7f, 0)
	out, err := Rewrite(damaged.Bytes(), plenty)
	require.NoError(t, err)
	assert.Equal(t, []uint64{5}, run(t, "compiler", out.Module).results, "names are for messages")
}

// TestSegmentsOfEachKind are let through as they are.
func TestSegmentsOfEachKind(t *testing.T) {
	plain := one(i32(5), 'i').Bytes()
	const f, offset, reference = "\x01\x00", "\x41\x00\x0b", "\x01\xd2\x00\x0b"
	elements := "\x08" + "\x00" + offset + f + "\x01\x00" + f + "\x02\x00" + offset + "\x00" + f + "\x03\x00" + f +
		"\x04" + offset + reference + "\x05\x70" + reference + "\x06\x00" + offset + "\x70" + reference +
		"\x07\x70" + reference
	data := "\x03" + "\x00" + offset + "\x01a" + "\x01\x01b" + "\x02\x00" + offset + "\x01c"
	var in []byte
	in = append(in, plain[:8]...)
	for at := 8; at < len(plain); {
		id, n := plain[at], int(plain[at+1])
		body := plain[at+2 : at+2+n]
		switch id {
		case 9:
			body = []byte(elements)
		case 12:
			body = []byte{3}
		case 11:
			body = []byte(data)
		}
		in = append(append(in, id, byte(len(body))), body...)
		at += 2 + n
	}
	same(t, in)
	out, err := Rewrite(in, plenty)
	require.NoError(t, err)
	assert.Equal(t, in, out.Plain)
}
