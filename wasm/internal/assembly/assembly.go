// Package assembly writes small modules of WebAssembly, for tests.
package assembly

// The types of values.
const (
	I32 = 0x7f
	I64 = 0x7e
	F32 = 0x7d
	F64 = 0x7c
)

// Func is a function with its body, of which the end is added. Export names it, if it is to be
// exported.
type Func struct {
	Params, Results []byte
	Locals          []byte
	Body            []byte
	Export          string
}

// Import is an imported function.
type Import struct {
	From, Name      string
	Params, Results []byte
}

// Module is a module. Functions are numbered from the imports on.
type Module struct {
	Imports []Import
	Funcs   []Func
	Table   int      // how many elements: the functions in turn
	Pages   int      // of a memory with the name "memory", -1 for none
	Most    int      // of them, 0 for no bound
	Globals [][]byte // entries: type, mutability, initial value
	Exports []byte   // further entries, NExports of them
	NExport int
	Start   int    // a function, -1 for none
	Data    []byte // at address 0, and as a passive segment
	Custom  []byte // a custom section, with its name
}

// U32 returns a number as the format has it.
func U32(v uint32) (out []byte) {
	for v >= 0x80 {
		out = append(out, byte(v)|0x80)
		v >>= 7
	}
	return append(out, byte(v))
}

// S64 returns a signed number as the format has it.
func S64(v int64) (out []byte) {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

// Vec returns a sequence with its length before it.
func Vec(b []byte) []byte { return append(U32(uint32(len(b))), b...) }

// Bytes returns the module.
func (m *Module) Bytes() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, n int, entries []byte) {
		if n > 0 {
			out = append(append(out, id), Vec(append(U32(uint32(n)), entries...))...)
		}
	}
	if m.Custom != nil {
		out = append(append(out, 0), Vec(m.Custom)...)
	}
	var types, imports, functions, exports, code, elements []byte
	exports = append(exports, m.Exports...)
	exported := m.NExport
	for i, f := range m.Imports {
		types = append(append(append(types, 0x60), Vec(f.Params)...), Vec(f.Results)...)
		imports = append(append(imports, Vec([]byte(f.From))...), Vec([]byte(f.Name))...)
		imports = append(append(imports, 0), U32(uint32(i))...)
	}
	for i, f := range m.Funcs {
		index := U32(uint32(len(m.Imports) + i))
		types = append(append(append(types, 0x60), Vec(f.Params)...), Vec(f.Results)...)
		functions = append(functions, index...)
		if f.Export != "" {
			exports = append(append(append(exports, Vec([]byte(f.Export))...), 0), index...)
			exported++
		}
		body := U32(uint32(len(f.Locals)))
		for _, t := range f.Locals {
			body = append(body, 1, t)
		}
		code = append(code, Vec(append(append(body, f.Body...), 0x0b))...)
		if i < m.Table {
			elements = append(elements, index...)
		}
	}
	section(1, len(m.Imports)+len(m.Funcs), types)
	section(2, len(m.Imports), imports)
	section(3, len(m.Funcs), functions)
	if m.Table > 0 {
		section(4, 1, append([]byte{0x70, 0}, U32(uint32(m.Table))...))
	}
	if m.Pages >= 0 {
		limits := append([]byte{0}, U32(uint32(m.Pages))...)
		if m.Most > 0 {
			limits = append(append([]byte{1}, U32(uint32(m.Pages))...), U32(uint32(m.Most))...)
		}
		section(5, 1, limits)
		exports = append(append(exports, Vec([]byte("memory"))...), 2, 0)
		exported++
	}
	var globals []byte
	for _, g := range m.Globals {
		globals = append(globals, g...)
	}
	section(6, len(m.Globals), globals)
	section(7, exported, exports)
	if m.Start >= 0 {
		out = append(append(out, 8), Vec(U32(uint32(m.Start)))...)
	}
	if m.Table > 0 {
		n := min(m.Table, len(m.Funcs))
		section(9, 1, append([]byte{0, 0x41, 0, 0x0b}, append(U32(uint32(n)), elements...)...))
	}
	if m.Data != nil {
		out = append(out, 12, 1, 2)
	}
	section(10, len(m.Funcs), code)
	if m.Data != nil {
		section(11, 2, append(append([]byte{0, 0x41, 0, 0x0b}, Vec(m.Data)...), append([]byte{1}, Vec(m.Data)...)...))
	}
	return out
}
