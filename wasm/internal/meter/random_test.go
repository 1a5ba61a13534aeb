package meter

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/wasm/internal/assembly"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
)

// A drawn program is made twice: as a body, and as Go functions that say what it computes and how
// many steps are charged, by the rule of doc.go and without this package's code.

// machine is what the Go functions work on.
type machine struct {
	steps  int64
	memory [4096]byte
}

// frame is a call of a drawn function.
type frame struct {
	m      *machine
	locals []uint32
}

// jump says where a statement goes on: next, or out of so many constructs, or out of the function.
type jump int

const (
	next      jump = -1
	returning jump = -2
)

type statement func(f *frame) jump

// drawing is a function that is being drawn.
type drawing struct {
	r       *rand.Rand
	out     []byte
	head    *int64 // instructions since the head that they follow
	targets []bool // of what is open: whether a branch to it goes forward
	counter int    // locals for counters of loops that are in use
	callees []drawn
	results int
}

// drawn is a function: its body, and what it does.
type drawn struct {
	results int
	call    func(m *machine, a, b uint32) [2]uint32
	fn      assembly.Func
}

const (
	params   = 2
	ordinary = 4 // locals, with the parameters; counters follow
	counters = 6
)

func (d *drawing) op(op byte, immediates ...byte) {
	d.out = append(append(d.out, op), immediates...)
	*d.head++
}

func (d *drawing) constant(v uint32) {
	d.out = append(append(d.out, opI32Const), assembly.S64(int64(int32(v)))...)
	*d.head++
}

func (d *drawing) local() int { return d.r.IntN(ordinary) }

// statements draws several.
func (d *drawing) statements(depth int) statement {
	var all []statement
	for range 1 + d.r.IntN(3) {
		all = append(all, d.statement(depth))
	}
	return func(f *frame) jump {
		for _, s := range all {
			if j := s(f); j != next {
				return j
			}
		}
		return next
	}
}

// leaving turns the jump of what is inside of a construct into that of the construct.
func leaving(j jump) jump {
	switch {
	case j == returning || j == next:
		return j
	case j == 0:
		return next
	}
	return j - 1
}

func (d *drawing) open(forward bool) { d.targets = append(d.targets, forward) }
func (d *drawing) close()            { d.targets = d.targets[:len(d.targets)-1] }

// forward returns labels that are no loops; the last one leaves the function.
func (d *drawing) forward() (labels []int) {
	for k := range d.targets {
		if d.targets[len(d.targets)-1-k] {
			labels = append(labels, k)
		}
	}
	return append(labels, len(d.targets))
}

func (d *drawing) to(label int) jump {
	if label == len(d.targets) {
		return returning
	}
	return jump(label)
}

func (d *drawing) pushResults() {
	for k := range d.results {
		d.op(opLocalGet, byte(k))
	}
}

func (d *drawing) statement(depth int) statement {
	kind := d.r.IntN(10)
	if depth == 0 && kind >= 4 {
		kind %= 4
	}
	x, y := d.local(), d.local()
	switch kind {
	default: // x = y op c
		op, c := []byte{opI32Add, opI32Sub, 0x6c, 0x73}[d.r.IntN(4)], d.r.Uint32()>>d.r.IntN(32)
		d.op(opLocalGet, byte(y))
		d.constant(c)
		d.op(op)
		d.op(0x21, byte(x))
		return func(f *frame) jump {
			v := f.locals[y]
			f.locals[x] = map[byte]uint32{opI32Add: v + c, opI32Sub: v - c, 0x6c: v * c, 0x73: v ^ c}[op]
			return next
		}
	case 2: // x = g(y, x), or a part of it
		if len(d.callees) == 0 {
			d.op(0x01)
			return func(*frame) jump { return next }
		}
		k := d.r.IntN(len(d.callees))
		g := d.callees[k]
		d.op(opLocalGet, byte(y))
		d.op(opLocalGet, byte(x))
		if d.r.IntN(2) == 0 {
			d.op(0x10, byte(k))
		} else {
			d.constant(uint32(k))
			d.op(0x11, byte(k), 0)
		}
		for range g.results {
			d.op(0x21, byte(x))
		}
		return func(f *frame) jump {
			if r := g.call(f.m, f.locals[y], f.locals[x]); g.results > 0 {
				f.locals[x] = r[0]
			}
			return next
		}
	case 3: // fill some memory
		c := byte(d.r.Uint32())
		d.constant(16)
		d.constant(uint32(c))
		d.op(opLocalGet, byte(y))
		d.constant(1023)
		d.op(0x71)
		d.op(opPrefix, 11, 0)
		return func(f *frame) jump {
			n := f.locals[y] & 1023
			f.m.steps += int64(n) >> 3
			for k := range n {
				f.m.memory[16+k] = c
			}
			return next
		}
	case 4, 5: // a block that may be left
		d.op(opBlock, typeEmpty)
		d.open(true)
		first := d.statements(depth - 1)
		labels := d.forward()
		label := labels[d.r.IntN(len(labels))]
		to := d.to(label)
		mask := uint32(1 + d.r.IntN(7))
		if to == returning {
			d.pushResults()
		}
		d.op(opLocalGet, byte(y))
		d.constant(mask)
		d.op(0x71)
		d.op(0x0d, byte(label))
		if to == returning {
			for range d.results {
				d.op(0x1a)
			}
		}
		second := d.statements(depth - 1)
		d.close()
		d.op(opEnd)
		return func(f *frame) jump {
			j := first(f)
			if j == next && f.locals[y]&mask != 0 {
				j = to
			} else if j == next {
				j = second(f)
			}
			return leaving(j)
		}
	case 6: // a loop of a few rounds
		if d.counter == counters {
			d.op(0x01)
			return func(*frame) jump { return next }
		}
		c, rounds := ordinary+d.counter, uint32(1+d.r.IntN(4))
		d.counter++
		d.constant(0)
		d.op(0x21, byte(c))
		outer, own := d.head, new(int64)
		d.head = own
		d.op(opLoop, typeEmpty)
		d.open(false)
		body := d.statements(depth - 1)
		d.op(opLocalGet, byte(c))
		d.constant(1)
		d.op(opI32Add)
		d.op(opLocalTee, byte(c))
		d.constant(rounds)
		d.op(0x49)
		d.op(0x0d, 0)
		d.close()
		d.op(opEnd)
		d.head = outer
		d.counter--
		return func(f *frame) jump {
			for range rounds {
				f.m.steps += *own
				if j := body(f); j != next {
					return leaving(j)
				}
			}
			return next
		}
	case 7: // if and else
		mask := uint32(1) << d.r.IntN(4)
		d.op(opLocalGet, byte(y))
		d.constant(mask)
		d.op(0x71)
		d.op(opIf, typeEmpty)
		d.open(true)
		yes := d.statements(depth - 1)
		d.op(0x05)
		no := d.statements(depth - 1)
		d.close()
		d.op(opEnd)
		return func(f *frame) jump {
			if f.locals[y]&mask != 0 {
				return leaving(yes(f))
			}
			return leaving(no(f))
		}
	case 8: // return, sometimes
		d.op(opLocalGet, byte(y))
		d.constant(15)
		d.op(0x71)
		d.op(0x45)
		d.op(opIf, typeEmpty)
		d.pushResults()
		d.op(opReturn)
		d.op(opEnd)
		return func(f *frame) jump {
			if f.locals[y]&15 == 0 {
				return returning
			}
			return next
		}
	case 9: // a table of branches
		d.op(opBlock, typeEmpty)
		d.open(true)
		var labels []byte
		var to []jump
		for _, l := range d.forward() {
			if l < len(d.targets) {
				labels, to = append(labels, byte(l)), append(to, d.to(l))
			}
		}
		d.op(opLocalGet, byte(y))
		d.constant(7)
		d.op(0x71)
		d.op(0x0e, append([]byte{byte(len(labels) - 1)}, labels...)...)
		d.close()
		d.op(opEnd)
		return func(f *frame) jump { return leaving(to[min(int(f.locals[y]&7), len(to)-1)]) }
	}
}

// function draws a function that may call the others.
func drawFunction(r *rand.Rand, callees []drawn) drawn {
	own := new(int64)
	d := &drawing{r: r, head: own, callees: callees, results: r.IntN(3)}
	body := d.statements(3)
	d.pushResults()
	*own++ // the end
	types := []byte{typeI32, typeI32}
	fn := assembly.Func{Params: types, Results: types[:d.results], Body: d.out}
	for range ordinary - params + counters {
		fn.Locals = append(fn.Locals, typeI32)
	}
	return drawn{d.results, func(m *machine, a, b uint32) [2]uint32 {
		m.steps += *own
		f := &frame{m, make([]uint32, ordinary+counters)}
		f.locals[0], f.locals[1] = a, b
		body(f)
		return [2]uint32{f.locals[0], f.locals[1]}
	}, fn}
}

// TestDrawnProgramsCountAsTheRuleSays compares results, memory and steps of drawn programs.
func TestDrawnProgramsCountAsTheRuleSays(t *testing.T) {
	loops, most := 0, int64(0)
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		var all []drawn
		m := &assembly.Module{Pages: 1, Start: -1}
		for range 1 + r.IntN(4) {
			f := drawFunction(r, all)
			all = append(all, f)
			m.Funcs = append(m.Funcs, f.fn)
		}
		m.Table = len(all)
		f := all[len(all)-1]
		m.Funcs[len(all)-1].Export = "f"
		binary := m.Bytes()
		a, b := r.Uint32()>>r.IntN(32), r.Uint32()>>r.IntN(32)
		reference := &machine{}
		results := f.call(reference, a, b)
		if reference.steps > 2_000_000 { // calls in loops in calls
			continue
		}
		steps := same(t, binary, uint64(a), uint64(b))
		require.Equal(t, reference.steps, steps, "seed %d", seed)
		got := run(t, "interpreter", binary, uint64(a), uint64(b))
		for k := range f.results {
			require.Equal(t, results[k], uint32(got.results[k]), "seed %d", seed)
		}
		require.Equal(t, reference.memory[:], got.memory[:len(reference.memory)], "seed %d", seed)
		if steps > 100 {
			loops++
		}
		most = max(most, steps)
		// with one step less it does not end
		short := plenty
		short.Steps = steps - 1
		metered, err := Rewrite(binary, short)
		require.NoError(t, err)
		cut := run(t, "interpreter", metered.Module, uint64(a), uint64(b))
		require.Error(t, cut.err, "seed %d", seed)
		require.Negative(t, int64(cut.globals[Steps]))
	}
	assert.Greater(t, loops, 100)
	assert.Greater(t, most, int64(1000))
}

// FuzzRewrite: what is valid stays valid and does the same; nothing panics.
func FuzzRewrite(f *testing.F) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		first := drawFunction(r, nil)
		second := drawFunction(r, []drawn{first})
		second.fn.Export = "f"
		m := &assembly.Module{Pages: 1, Start: -1, Table: 2, Funcs: []assembly.Func{first.fn, second.fn},
			Data: []byte("data")}
		f.Add(m.Bytes())
	}
	for _, body := range [][]byte{{opLoop, typeEmpty, opBr, 0, opEnd, opUnreachable}, {opI32Const, 1, opMemoryGrow, 0},
		{opF32Const, 0, 0, 0x80, 0x7f, 0x91, 0xa8}} {
		f.Add(one(body, 'i').Bytes())
	}
	f.Fuzz(func(t *testing.T, in []byte) { staysValid(t, in) })
}

// staysValid reports whether a module is valid and can be bounded, and requires that it is valid
// with its bounds, too. What it exports is called, and ends.
func staysValid(t *testing.T, in []byte) bool {
	limits := Limits{Steps: 10_000, Depth: 50, Pages: 4}
	out, err := Rewrite(in, limits)
	if err != nil {
		return false
	}
	ctx := t.Context()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(features))
	defer r.Close(ctx)
	if _, err := r.CompileModule(ctx, out.Plain); err != nil {
		return false
	}
	compiled, err := r.CompileModule(ctx, out.Module)
	require.NoError(t, err, "%x", in)
	if len(compiled.ImportedFunctions()) > 0 {
		return true
	}
	m, err := r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil { // segments beyond the memory
		return true
	}
	for name, f := range compiled.ExportedFunctions() {
		if len(f.ParamTypes()) == 0 {
			_, _ = m.ExportedFunction(name).Call(ctx) // which ends
		}
	}
	return true
}

// TestDamagedProgramsStayValid changes bytes of drawn programs at random: the runtime must not read
// another program than the one that was bounded.
func TestDamagedProgramsStayValid(t *testing.T) {
	telling := []byte{0, 1, 2, opLoop, opIf, 0x05, opEnd, opBr, 0x0d, 0x0e, opReturn, 0x1a, opSelect, 0x1c, typeEmpty,
		typeFunc, 0x63, 0x64, 0x69, typeExternref, typeFuncref, 0x7b, typeF32, typeI32, 0xd0}
	valid := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		first := drawFunction(r, nil)
		second := drawFunction(r, []drawn{first})
		second.fn.Export = "f"
		m := &assembly.Module{Pages: 1, Start: -1, Table: 2, Funcs: []assembly.Func{first.fn, second.fn},
			Data: []byte("data")}
		whole := m.Bytes()
		for range 100 {
			in := slices.Clone(whole)
			for range 1 + r.IntN(3) {
				at := 8 + r.IntN(len(in)-8)
				switch r.IntN(4) {
				case 0:
					in[at] = byte(r.IntN(256))
				case 1:
					in[at] ^= 1 << r.IntN(8)
				case 2:
					other := 8 + r.IntN(len(in)-8)
					in[at], in[other] = in[other], in[at]
				default:
					in[at] = telling[r.IntN(len(telling))]
				}
			}
			if staysValid(t, in) {
				valid++
			}
		}
	}
	assert.Greater(t, valid, 1000)
}
