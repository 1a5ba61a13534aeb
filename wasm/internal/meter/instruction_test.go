package meter

import (
	"fmt"
	"math"
	"testing"

	"github.com/linsat/linsat/wasm/internal/assembly"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shape is what instructions from one opcode to another take and return.
type shape struct {
	from, to int
	params   string // i and j for integers of 32 and 64 bits, f and g for floating point
	result   string
}

var numeric = []shape{
	{0x45, 0x45, "i", "i"}, {0x46, 0x4f, "ii", "i"}, {0x50, 0x50, "j", "i"}, {0x51, 0x5a, "jj", "i"},
	{0x5b, 0x60, "ff", "i"}, {0x61, 0x66, "gg", "i"},
	{0x67, 0x69, "i", "i"}, {0x6a, 0x78, "ii", "i"}, {0x79, 0x7b, "j", "j"}, {0x7c, 0x8a, "jj", "j"},
	{0x8b, 0x91, "f", "f"}, {0x92, 0x98, "ff", "f"},
	{0x99, 0x9f, "g", "g"}, {0xa0, 0xa6, "gg", "g"}, {0xa7, 0xa7, "j", "i"}, {0xa8, 0xa9, "f", "i"},
	{0xaa, 0xab, "g", "i"}, {0xac, 0xad, "i", "j"},
	{0xae, 0xaf, "f", "j"}, {0xb0, 0xb1, "g", "j"}, {0xb2, 0xb3, "i", "f"}, {0xb4, 0xb5, "j", "f"},
	{0xb6, 0xb6, "g", "f"}, {0xb7, 0xb8, "i", "g"},
	{0xb9, 0xba, "j", "g"}, {0xbb, 0xbb, "f", "g"}, {0xbc, 0xbc, "f", "i"}, {0xbd, 0xbd, "g", "j"},
	{0xbe, 0xbe, "i", "f"}, {0xbf, 0xbf, "j", "g"},
	{0xc0, 0xc1, "i", "i"}, {0xc2, 0xc4, "j", "j"},
}

var saturating = []shape{{0, 1, "f", "i"}, {2, 3, "g", "i"}, {4, 5, "f", "j"}, {6, 7, "g", "j"}}

var valueType = map[byte]byte{'i': typeI32, 'j': typeI64, 'f': typeF32, 'g': typeF64}

// operands are values of each type, among them several that are not a number.
var operands = map[byte][]uint64{
	'i': {0, 1, 7, 0x80000000, 0xffffffff, 0x7fc00001}, 'j': {0, 1, 0x8000000000000000, math.MaxUint64,
		0x7ff8000000000001},
	'f': {uint64(math.Float32bits(1.5)), 0x80000000, 0x7f800000, 0x7fc00000, 0xffc00001, 0x7fa00000,
		uint64(math.Float32bits(-3e9))},
	'g': {math.Float64bits(1.5), 1 << 63, math.Float64bits(math.Inf(1)), 0x7ff8000000000000, 0xfff8000000000001,
		0x7ff4000000000000, math.Float64bits(-1e300)},
}

func constant(kind byte, v uint64) []byte {
	switch kind {
	case 'i':
		return append([]byte{opI32Const}, assembly.S64(int64(int32(v)))...)
	case 'j':
		return append([]byte{opI64Const}, assembly.S64(int64(v))...)
	case 'f':
		return []byte{opF32Const, byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}
	}
	out := []byte{opF64Const}
	for i := range 8 {
		out = append(out, byte(v>>(8*i)))
	}
	return out
}

// one returns a module with a function of a body that leaves a result.
func one(body []byte, result byte) *assembly.Module {
	return &assembly.Module{Pages: 1, Start: -1, Data: []byte("some data"), Table: 4,
		Funcs: []assembly.Func{{Results: []byte{valueType[result]}, Body: body, Export: "f"}}}
}

// TestEveryNumericInstruction runs each on several operands, as it is and with counters. Results
// that are not a number have the one pattern of bits, unless the instruction only moves bits.
func TestEveryNumericInstruction(t *testing.T) {
	seen := 0
	try := func(code []byte, s shape, moves bool) {
		seen++
		second := []uint64{0}
		if len(s.params) == 2 {
			second = operands[s.params[1]]
		}
		for _, a := range operands[s.params[0]] {
			for _, b := range second {
				body := constant(s.params[0], a)
				if len(s.params) == 2 {
					body = append(body, constant(s.params[1], b)...)
				}
				module := one(append(body, code...), s.result[0]).Bytes()
				what := fmt.Sprintf("% x of %x and %x", code, a, b)
				want := run(t, "interpreter", module)
				metered, err := Rewrite(module, plenty)
				require.NoError(t, err, what)
				for engine := range engines {
					got := run(t, engine, metered.Module)
					if want.err != nil {
						require.Error(t, got.err, what)
						continue
					}
					require.NoError(t, got.err, what)
					require.Equal(t, int64(len(s.params)+2), plenty.Steps-int64(got.globals[Steps]), what)
					expected := want.results[0]
					if nan := notNumber(s.result[0], expected); nan != 0 && !moves {
						expected = nan
					}
					require.Equal(t, expected, got.results[0], "%s: %s", engine, what)
				}
			}
		}
	}
	for _, s := range numeric {
		for op := s.from; op <= s.to; op++ {
			moves := op == 0x8b || op == 0x8c || op == 0x98 || op == 0x99 || op == 0x9a || op == 0xa6 || op >= 0xbc
			try([]byte{byte(op)}, s, moves)
		}
	}
	assert.Equal(t, 0xc4-0x45+1, seen)
	for _, s := range saturating {
		for op := s.from; op <= s.to; op++ {
			try([]byte{opPrefix, byte(op)}, s, true)
		}
	}
}

// notNumber returns the one pattern of what is not a number, 0 if v is one.
func notNumber(kind byte, v uint64) uint64 {
	switch {
	case kind == 'f' && v&0x7fffffff > 0x7f800000:
		return 0x7fc00000
	case kind == 'g' && v&^(1<<63) > 0x7ff0000000000000:
		return 0x7ff8000000000000
	}
	return 0
}

// TestEveryOtherInstruction runs each instruction that is not numeric, as it is and with counters.
func TestEveryOtherInstruction(t *testing.T) {
	c := func(parts ...[]byte) (out []byte) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	i := func(v uint64) []byte { return constant('i', v) }
	type body struct {
		code  []byte
		steps int64
	}
	bodies := map[string]body{
		"nop":          {c([]byte{0x01}, i(5)), 3},
		"unreachable":  {[]byte{0x00}, 2},
		"block and br": {c([]byte{opBlock, typeI32}, i(5), []byte{opBr, 0, opEnd}), 5},
		"br_if": {c([]byte{opBlock, typeI32}, i(5), i(1), []byte{0x0d, 0, 0x1a}, i(6), []byte{opEnd}),
			8},
		"br_table": {c([]byte{opBlock, typeEmpty, opBlock, typeEmpty}, i(1),
			[]byte{0x0e, 1, 0, 1, opEnd, opEnd}, i(9)), 8},
		"br to the function":     {c(i(5), []byte{opBr, 0}), 3},
		"return in a block":      {c([]byte{opBlock, typeEmpty}, i(5), []byte{opReturn, opEnd}, i(6)), 6},
		"if and else":            {c(i(0), []byte{opIf, typeI32}, i(5), []byte{0x05}, i(6), []byte{opEnd}), 7},
		"loop":                   {c([]byte{opLoop, typeI32}, i(5), []byte{opEnd}), 4},
		"call":                   {c([]byte{0x10, 1}), 4},
		"call_indirect":          {c(i(1), []byte{0x11, 1, 0}), 5},
		"drop":                   {c(i(1), i(2), []byte{0x1a}), 4},
		"select":                 {c(i(1), i(2), i(0), []byte{opSelect}), 5},
		"select with a type":     {c(i(1), i(2), i(0), []byte{0x1c, 1, typeI32}), 5},
		"locals":                 {c(i(5), []byte{0x21, 0, opLocalGet, 0, opLocalTee, 0}), 5},
		"globals":                {c(i(5), []byte{opGlobalSet, 0, opGlobalGet, 0}), 4},
		"table.get and set":      {c(i(0), i(1), []byte{0x25, 0, 0x26, 0}, i(0), []byte{0x11, 1, 0}), 9},
		"memory.size":            {[]byte{0x3f, 0}, 2},
		"memory.grow":            {c(i(2), []byte{opMemoryGrow, 0}), 3},
		"ref.null and is_null":   {[]byte{0xd0, 0x70, 0xd1}, 3},
		"ref.func":               {[]byte{0xd2, 0, 0xd1}, 3},
		"memory.init":            {c(i(64), i(0), i(9), []byte{opPrefix, 8, 1, 0}, i(1)), 6 + 1},
		"data.drop":              {c([]byte{opPrefix, 9, 1}, i(1)), 3},
		"memory.copy":            {c(i(640), i(0), i(512), []byte{opPrefix, 10, 0, 0}, i(1)), 6 + 64},
		"memory.fill":            {c(i(64), i(7), i(4095), []byte{opPrefix, 11, 0}, i(1)), 6 + 511},
		"memory.fill beyond":     {c(i(64), i(7), i(1<<30), []byte{opPrefix, 11, 0}, i(1)), 6 + 1<<27},
		"table.copy":             {c(i(0), i(1), i(2), []byte{opPrefix, 14, 0, 0}, i(1)), 6},
		"table.grow":             {c([]byte{0xd0, 0x70}, i(8), []byte{opPrefix, 15, 0}), 4 + 1},
		"table.size":             {[]byte{opPrefix, 16, 0}, 2},
		"table.fill":             {c(i(0), []byte{0xd0, 0x70}, i(4), []byte{opPrefix, 17, 0}, i(1)), 6},
		"unreachable code":       {c(i(5), []byte{opReturn, 0x92, 0x1a, opMemoryGrow, 0, opLoop, typeEmpty, opEnd}), 6},
		"padded numbers":         {[]byte{opI32Const, 0x85, 0x80, 0x80, 0x80, 0x00}, 2},
		"a block of several":     {c([]byte{opBlock, 2}, i(1), i(2), []byte{opEnd, 0x1a}), 6},
		"a function of several":  {c([]byte{0x10, 2, 0x1a}), 7},
		"a loop with parameters": {c(i(1), i(2), []byte{opLoop, 3, opEnd, 0x1a}), 6},
	}
	for op := 0x28; op <= 0x3e; op++ { // loads and stores
		kind := []byte("ijfgiiiijjjjjjijfgiijjj")[op-0x28]
		code := c(i(3), []byte{byte(op), 0, 4})
		steps := int64(3)
		switch {
		case op >= 0x36:
			code = c(i(3), constant(kind, 0x12345678), []byte{byte(op), 0, 4}, i(1))
			steps = 5
		case kind != 'i':
			code = append(append(code, 0x1a), i(1)...)
			steps = 5
		}
		bodies[fmt.Sprintf("memory 0x%02x", op)] = body{code, steps}
	}
	for name, b := range bodies {
		t.Run(name, func(t *testing.T) {
			m := one(b.code, 'i')
			m.Funcs[0].Locals = []byte{typeI32}
			m.Globals = [][]byte{{typeI32, 1, opI32Const, 0, opEnd}}
			m.Funcs = append(m.Funcs,
				assembly.Func{Results: []byte{typeI32}, Body: i(42)},
				assembly.Func{Results: []byte{typeI32, typeI32}, Body: c(i(1), i(2), []byte{opReturn})},
				assembly.Func{Params: []byte{typeI32, typeI32}, Results: []byte{typeI32, typeI32},
					Body: []byte{opLocalGet, 1, opLocalGet, 0}},
			)
			steps := same(t, m.Bytes())
			assert.Equal(t, b.steps, steps)
		})
	}
}

func TestOtherInstructionsAreRefused(t *testing.T) {
	for op, want := range map[string]string{
		"\xfd\x0c": "SIMD", "\xfe\x03\x00": "atomics", "\x12\x00": "tail calls", "\x06\x40": "exceptions",
		"\x08\x00": "exceptions", "\xfb\x00\x00": "garbage-collected", "\xfc\x12": "0xfc 18",
		"\x14\x00": "0x14", "\x27": "0x27", "\xc5": "0xc5", "\xcf": "0xcf", "\xd3": "0xd3", "\xff": "0xff",
	} {
		_, err := Rewrite(one([]byte(op), 'i').Bytes(), plenty)
		if assert.Error(t, err, "%x", op) {
			assert.Contains(t, err.Error(), want, "%x", op)
			assert.Contains(t, err.Error(), "function 0: ")
		}
	}
}

// TestNoOpcodeIsForgotten looks at every first byte: it is refused, or the tests above run it.
func TestNoOpcodeIsForgotten(t *testing.T) {
	known := 0
	for op := range 256 {
		r := &reader{in: append([]byte{byte(op)}, make([]byte, 16)...)}
		if op == 0xd0 { // ref.null of a type, which zero is not
			r.in[1] = typeFuncref
		}
		if _, err := r.next(); err == nil {
			known++
		}
	}
	// control, calls, drop and select, variables, memory, its size, constants, references, prefix
	const others = 11 + 2 + 3 + 7 + 23 + 2 + 4 + 3 + 1
	assert.Equal(t, 0xc4-0x45+1+others, known)
}
