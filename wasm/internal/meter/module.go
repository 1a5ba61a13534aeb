package meter

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Limits are what a module may use from its instantiation on.
type Limits struct {
	Steps int64
	Depth int32  // of calls in calls; a function with many locals counts as several
	Pages uint32 // of memory, of 64 KiB
}

// The exports that a module gets: globals, of which the first two are negative once they are used
// up, and the last is not zero once memory was refused.
const (
	Steps = "linsat:steps"
	Depth = "linsat:depth"
	Grew  = "linsat:grew"
)

// Start is the export that takes the place of a start function, so that its failures are seen like
// those of any call. It has to be called first.
const Start = "linsat:start"

// The one function that a module may import: Print of a text, by pointer and length.
const (
	Host  = "linsat"
	Print = "print"
)

// The sections, by the numbers that they have in a module.
const (
	custom = iota
	types
	imports
	functions
	tables
	memories
	globals
	exports
	start
	elements
	code
	data
	dataCount
	sections
)

// order is that of the sections in a module.
var order = []int{types, imports, functions, tables, memories, globals, exports, start, elements, dataCount, code, data}

// module is one that is read.
type module struct {
	section [sections][]byte
	has     [sections]bool
	names   []byte // the custom section with the names of functions

	types     []function
	imported  int      // functions
	functions []uint32 // the types of the others
	globals   uint32
	start     uint32 // the function, if there is the section
	limits    Limits
	locals    int64 // of all functions
	effort    int64
}

// Rewritten is a module with its bounds.
type Rewritten struct {
	Module []byte
	// Plain is the module as it was, without sections that a runtime need not read. It has to be
	// valid, or else Module is not bounded.
	Plain []byte
	// Effort estimates how long a compiler takes whose time is quadratic in the branches of a
	// function: their number squared, for all functions, and twice the bytes of their bodies.
	Effort int64
}

// Rewrite returns a module with its bounds. The error says in one line why it cannot have them.
func Rewrite(in []byte, limits Limits) (*Rewritten, error) {
	m := &module{limits: limits}
	if err := m.split(in); err != nil {
		return nil, err
	}
	rewrite := map[int]func([]byte) ([]byte, error){
		types: m.readTypes, imports: m.readImports, functions: m.readFunctions, tables: m.boundTables,
		memories: m.boundMemory,
		globals:  m.addGlobals, exports: m.addExports, elements: m.checkElements, data: m.checkData,
		code: m.rewriteCode,
	}
	written := map[int][]byte{}
	if r := (&reader{in: m.section[start]}); m.has[start] {
		m.start = r.u32()
		if err := wrong("the start function", r); err != nil {
			return nil, err
		}
	}
	for _, id := range order {
		if id == start || !m.has[id] && id != globals && id != exports {
			continue
		}
		body := m.section[id]
		if f := rewrite[id]; f != nil {
			var err error
			if body, err = f(body); err != nil {
				return nil, err
			}
		}
		written[id] = body
	}
	plain, out := slices.Clone(in[:8]), slices.Clone(in[:8])
	for _, id := range order {
		if m.has[id] {
			plain = appendSection(plain, id, m.section[id])
		}
		if body, ok := written[id]; ok {
			out = appendSection(out, id, body)
		}
	}
	if m.names != nil {
		out = appendSection(out, custom, m.names)
	}
	return &Rewritten{out, plain, m.effort}, nil
}

func appendSection(out []byte, id int, body []byte) []byte {
	return append(appendU32(append(out, byte(id)), uint32(len(body))), body...)
}

// split divides a module into its sections.
func (m *module) split(in []byte) error {
	if !bytes.HasPrefix(in, []byte("\x00asm")) {
		return errors.New("it is not a module of WebAssembly")
	}
	r := &reader{in: in}
	if head := r.bytes(8); r.err == nil && !bytes.Equal(head[4:], []byte{1, 0, 0, 0}) {
		return fmt.Errorf("it has version %x of the format, not 1: a component has to be compiled as a module",
			head[4:])
	}
	for last := -1; r.left() > 0; {
		id := int(r.byte())
		body := r.bytes(r.u32())
		if r.err != nil {
			break
		}
		if id == custom {
			if n := (&reader{in: body}).name(); n == "name" {
				m.names = functionNames(body)
			}
			continue
		}
		at := slices.Index(order, id)
		if at < 0 {
			return fmt.Errorf("it has a section of the unknown kind %d", id)
		}
		if at <= last {
			return fmt.Errorf("its section %d stands in a wrong place", id)
		}
		last = at
		m.section[id], m.has[id] = body, true
	}
	if r.err != nil {
		return fmt.Errorf("it is cut off or damaged: %w", r.err)
	}
	return nil
}

// wrong tells where an error of a section is.
func wrong(section string, r *reader) error {
	if r.err == nil && r.left() > 0 {
		r.err = fmt.Errorf("%d bytes follow its end", r.left())
	}
	if r.err != nil {
		return fmt.Errorf("its section of %s is damaged: %w", section, r.err)
	}
	return nil
}

func (m *module) readTypes(in []byte) ([]byte, error) {
	r := &reader{in: in}
	n := r.count("types")
	first := r.at
	for range n {
		if form := r.byte(); r.err == nil && form != typeFunc {
			return nil, fmt.Errorf("it has a type of the form 0x%02x, which linsat does not know", form)
		}
		f := function{params: uint32(len(r.valueTypes()))}
		if f.results = r.valueTypes(); len(f.results) > mostResults {
			return nil, fmt.Errorf("it has a function with %d results, more than %d", len(f.results), mostResults)
		}
		if f.params > mostParams {
			return nil, fmt.Errorf("it has a function with %d parameters, more than %d", f.params, mostParams)
		}
		m.types = append(m.types, f)
	}
	if err := wrong("types", r); err != nil {
		return nil, err
	}
	out := slices.Clone(in[first:])
	all := uint32(n)
	for i := range m.types {
		switch f := &m.types[i]; len(f.results) {
		case 0:
			f.results = []byte{typeEmpty}
		case 1:
		default: // a block has several results by a type of its own alone, without parameters
			out = append(appendU32(append(out, typeFunc, 0), uint32(len(f.results))), f.results...)
			f.results = appendSigned(nil, int64(all))
			all++
		}
	}
	return append(appendU32(nil, all), out...), nil
}

func (m *module) readImports(in []byte) ([]byte, error) {
	r := &reader{in: in}
	for range r.count("imports") {
		from, name := r.name(), r.name()
		kind := r.byte()
		if r.err != nil {
			break
		}
		if kind != 0 || from != Host || name != Print {
			return nil,
				fmt.Errorf(
					"it imports %s.%s: a specification may import %s.%s alone, so that its answers depend on its "+
						"arguments alone", from, name, Host, Print)
		}
		r.u32()
		m.imported++
	}
	return in, wrong("imports", r)
}

func (m *module) readFunctions(in []byte) ([]byte, error) {
	r := &reader{in: in}
	for range r.count("functions") {
		t := r.u32()
		if r.err == nil && int64(t) >= int64(len(m.types)) {
			return nil, fmt.Errorf("a function has type %d, of which there are %d", t, len(m.types))
		}
		m.functions = append(m.functions, t)
	}
	return in, wrong("functions", r)
}

// bounds reads how large something is at first and at most, and returns both with the most bounded.
func bounds(r *reader, most uint32) (least uint32, out []byte) {
	flag := r.byte()
	least = r.u32()
	switch {
	case flag == 1:
		most = min(most, r.u32())
	case flag > 1:
		r.fail(errors.New("it is shared, or of 64 bits"))
	}
	return least, appendU32(appendU32([]byte{1}, least), most)
}

func (m *module) boundTables(in []byte) ([]byte, error) {
	r := &reader{in: in}
	n := r.count("tables")
	out := appendU32(nil, uint32(n))
	for range n {
		out = append(out, r.referenceType())
		least, b := bounds(r, mostElements)
		if least > mostElements {
			return nil, fmt.Errorf("it has a table of %d elements, more than %d", least, mostElements)
		}
		out = append(out, b...)
	}
	return out, wrong("tables", r)
}

func (m *module) boundMemory(in []byte) ([]byte, error) {
	r := &reader{in: in}
	n := r.count("memories")
	if n > 1 {
		return nil, fmt.Errorf("it has %d memories, and may have one", n)
	}
	out := appendU32(nil, uint32(n))
	for range n {
		least, b := bounds(r, m.limits.Pages)
		if least > m.limits.Pages {
			return nil, fmt.Errorf("it starts with %s of memory, more than %s", Size(least), Size(m.limits.Pages))
		}
		out = append(out, b...)
	}
	return out, wrong("memories", r)
}

// Size is a number of pages in words.
func Size(pages uint32) string {
	if pages%16 == 0 {
		return fmt.Sprintf("%d MiB", pages/16)
	}
	return fmt.Sprintf("%d KiB", pages*64)
}

// addGlobals appends the counters to the globals, of which only the number is read.
func (m *module) addGlobals(in []byte) ([]byte, error) {
	if !m.has[globals] {
		in = []byte{0}
	}
	r := &reader{in: in}
	m.globals = r.u32()
	if r.err != nil || m.globals > mostGlobals {
		return nil, fmt.Errorf("its section of globals is damaged, or has more than %d", mostGlobals)
	}
	out := appendU32(nil, m.globals+3)
	out = append(out, in[r.at:]...)
	out = appendSigned(append(out, typeI64, 1, opI64Const), m.limits.Steps)
	out = appendSigned(append(out, opEnd, typeI32, 1, opI32Const), int64(m.limits.Depth))
	return append(out, opEnd, typeI32, 1, opI32Const, 0, opEnd), nil
}

// addExports exports the counters.
func (m *module) addExports(in []byte) ([]byte, error) {
	if !m.has[exports] {
		in = []byte{0}
	}
	r := &reader{in: in}
	n := r.count("exports")
	all := r.at
	for range n {
		name := r.name()
		r.byte()
		r.u32()
		if r.err == nil && slices.Contains([]string{Steps, Depth, Grew, Start}, name) {
			return nil, fmt.Errorf("it exports %s, a name that linsat uses", name)
		}
	}
	if err := wrong("exports", r); err != nil {
		return nil, err
	}
	added := uint32(3)
	if m.has[start] {
		added++
	}
	out := appendU32(nil, uint32(n)+added)
	out = append(out, in[all:]...)
	if m.has[start] {
		out = appendU32(append(appendName(out, Start), 0), m.start) // 0: a function
	}
	for k, name := range []string{Steps, Depth, Grew} {
		out = appendU32(append(appendName(out, name), 3), m.globals+uint32(k)) // 3: a global
	}
	return out, nil
}

func (m *module) rewriteCode(in []byte) ([]byte, error) {
	r := &reader{in: in}
	n := r.count("bodies")
	if r.err == nil && n != len(m.functions) {
		return nil, fmt.Errorf("it has %d functions and %d bodies", len(m.functions), n)
	}
	out := appendU32(nil, uint32(n))
	for k := range n {
		body := r.bytes(r.u32())
		if r.err != nil {
			break
		}
		metered, err := m.body(m.types[m.functions[k]], body)
		if err != nil {
			return nil, fmt.Errorf("function %d: %w", m.imported+k, err)
		}
		out = append(appendU32(out, uint32(len(metered))), metered...)
	}
	return out, wrong("code", r)
}
