package wasm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/linsat/linsat/wasm/internal/meter"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Module is a specification that is ready to be called.
//
// Each call has an instance of its own, so that nothing which a call leaves in memory is seen by
// another: answers depend on arguments alone, and it does not matter in which order they are asked
// for.
type Module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	print    func(text string)
	first    []string // functions that are called before any other

	one    sync.Mutex // a call at a time
	memory memory
}

// signature is what a function of a specification takes and returns.
type signature struct {
	name            string
	params, results []api.ValueType
	optional        bool
	asked           bool // it answers linsat
	shape           string
}

var (
	i32, i64 = api.ValueTypeI32, api.ValueTypeI64

	// signatures lists the functions that mean something.
	signatures = []signature{
		{"alloc", []api.ValueType{i32}, []api.ValueType{i32}, false, false, "(i32) → i32"},
		{"init", []api.ValueType{i32, i32}, []api.ValueType{i64}, false, true, "(i32, i32) → i64"},
		{"step", []api.ValueType{i32, i32, i32, i32}, []api.ValueType{i64}, false, true, "(i32, i32, i32, i32) → i64"},
		{"about", nil, []api.ValueType{i64}, true, true, "() → i64"},
		{"key", []api.ValueType{i32, i32}, []api.ValueType{i64}, true, true, "(i32, i32) → i64"},
		{"footprint", []api.ValueType{i32, i32}, []api.ValueType{i64}, true, true, "(i32, i32) → i64"},
		{"readonly", []api.ValueType{i32, i32}, []api.ValueType{i32}, true, true, "(i32, i32) → i32"},
		{"describe", []api.ValueType{i32, i32}, []api.ValueType{i64}, true, true, "(i32, i32) → i64"},
		{"_initialize", nil, nil, true, false, "() → ()"},
	}
)

// features are those of version 2 without SIMD.
const features = api.CoreFeaturesV2 &^ api.CoreFeatureSIMD

// Load reads a module. What it prints goes to print, nowhere if that is nil. The error says in one
// line what is wrong.
func Load(ctx context.Context, binary []byte, print func(text string)) (*Module, error) {
	if print == nil {
		print = func(string) {}
	}
	metered, err := meter.Rewrite(binary, limits)
	if err != nil {
		return nil, err
	}
	// The counters are safe from valid modules only, which cannot name what is not in them.
	if err := valid(ctx, metered.Plain); err != nil {
		return nil, err
	}
	m := &Module{print: print}
	config := wazero.NewRuntimeConfig()
	if metered.Effort > mostEffort {
		config = wazero.NewRuntimeConfigInterpreter()
	}
	m.runtime = wazero.NewRuntimeWithConfig(ctx, config.WithCoreFeatures(features).WithMemoryLimitPages(limits.Pages))
	if err := m.load(ctx, metered.Module); err != nil {
		_ = m.Close(ctx)
		return nil, err
	}
	return m, nil
}

// valid returns why a module is not valid.
func valid(ctx context.Context, binary []byte) error {
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(features))
	defer r.Close(ctx)
	if _, err := r.CompileModule(ctx, binary); err != nil {
		return fmt.Errorf("it is not a valid module: %s", firstLine(err))
	}
	return nil
}

func (m *Module) load(ctx context.Context, metered []byte) (err error) {
	host := m.runtime.NewHostModuleBuilder(meter.Host)
	host.NewFunctionBuilder().WithFunc(m.printed).Export(meter.Print)
	if _, err := host.Instantiate(ctx); err != nil {
		return err
	}
	if m.compiled, err = m.runtime.CompileModule(ctx, metered); err != nil {
		return fmt.Errorf("it is not valid with its counters: %s", firstLine(err))
	}
	if _, ok := m.compiled.ExportedMemories()["memory"]; !ok {
		return errors.New(`it exports no memory with the name "memory"`)
	}
	exported := m.compiled.ExportedFunctions()
	for _, s := range signatures {
		f, ok := exported[s.name]
		if !ok && !s.optional {
			return fmt.Errorf("it exports no function %s: %s", s.name, s.shape)
		}
		if ok && (!slices.Equal(f.ParamTypes(), s.params) || !slices.Equal(f.ResultTypes(), s.results)) {
			return fmt.Errorf("its function %s is %s, not %s", s.name, shape(f), s.shape)
		}
	}
	for _, name := range []string{meter.Start, "_initialize"} {
		if m.Has(name) {
			m.first = append(m.first, name)
		}
	}
	if m.Has("key") && m.Has("footprint") {
		return errors.New(
			"it exports both key and footprint: key is for operations on one object each, footprint for several")
	}
	return nil
}

// shape writes the type of a function.
func shape(f api.FunctionDefinition) string {
	names := func(types []api.ValueType) string {
		all := make([]string, len(types))
		for i, t := range types {
			all[i] = api.ValueTypeName(t)
		}
		return strings.Join(all, ", ")
	}
	results := names(f.ResultTypes())
	if len(f.ResultTypes()) != 1 {
		results = "(" + results + ")"
	}
	return "(" + names(f.ParamTypes()) + ") → " + results
}

// Has reports whether the module exports a function of that name.
func (m *Module) Has(name string) bool {
	if m == nil || m.compiled == nil {
		return false
	}
	_, ok := m.compiled.ExportedFunctions()[name]
	return ok
}

// Close frees what the module takes.
func (m *Module) Close(ctx context.Context) error {
	if m == nil || m.runtime == nil {
		return nil
	}
	return m.runtime.Close(ctx)
}

// printed prints a text of the module, which pays for its length.
func (m *Module) printed(_ context.Context, instance api.Module, at, length uint32) {
	text, ok := instance.Memory().Read(at, length)
	if !ok {
		panic(fmt.Errorf("%s of %d bytes at %#x is beyond its memory", meter.Print, length, at))
	}
	steps := instance.ExportedGlobal(meter.Steps).(api.MutableGlobal)
	left := int64(steps.Get()) - (int64(length)+bytesPerPrint)*stepsPerPrinted
	steps.Set(uint64(left))
	if left < 0 {
		panic(errors.New("it prints too much"))
	}
	m.print(string(text))
}

// Answer is what a function returned: bytes, or None if it said that it has none.
type Answer struct {
	Bytes []byte
	None  bool
}

// none is what functions return that have no bytes to return.
const none = ^uint64(0)

// instances have no name, and call nothing by themselves. A source of random numbers would be made
// for each, although no function asks for one.
var instances = wazero.NewModuleConfig().WithName("").WithStartFunctions().WithRandSource(strings.NewReader(""))

// Call calls a function of a specification with texts as arguments. The error says in one line how
// it failed.
func (m *Module) Call(ctx context.Context, name string, args ...[]byte) (Answer, error) {
	if !m.Has(name) {
		return Answer{}, fmt.Errorf("it has no function %s", name)
	}
	m.one.Lock()
	defer m.one.Unlock()
	ctx = experimental.WithMemoryAllocator(ctx,
		experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory {
			m.memory.Free() // of an instance that did not start
			return &m.memory
		}))
	instance, err := m.runtime.InstantiateModule(ctx, m.compiled, instances)
	if err != nil {
		return Answer{}, fmt.Errorf("it does not start: %s", firstLine(err))
	}
	defer instance.Close(ctx)
	for _, name := range m.first {
		if _, err := m.call(ctx, instance, name); err != nil {
			return Answer{}, err
		}
	}
	params := make([]uint64, 0, 2*len(args))
	for _, arg := range args {
		at, err := m.put(ctx, instance, arg)
		if err != nil {
			return Answer{}, err
		}
		params = append(params, uint64(at), uint64(len(arg)))
	}
	result, err := m.call(ctx, instance, name, params...)
	switch {
	case err != nil:
		return Answer{}, err
	case name == "readonly":
		return Answer{Bytes: []byte{byte(min(result&0xffff_ffff, 1))}}, nil
	case result == none:
		return Answer{None: true}, nil
	}
	at, length := uint32(result>>32), uint32(result)
	bytes, ok := instance.Memory().Read(at, length)
	if !ok {
		return Answer{}, fmt.Errorf("%s returned %d bytes at %#x, which is beyond its memory of %d bytes", name, length,
			at, instance.Memory().Size())
	}
	return Answer{Bytes: slices.Clone(bytes)}, nil
}

// put copies an argument to where the module wants it; one without bytes needs no place.
func (m *Module) put(ctx context.Context, instance api.Module, arg []byte) (uint32, error) {
	if len(arg) == 0 {
		return 0, nil
	}
	result, err := m.call(ctx, instance, "alloc", uint64(len(arg)))
	if err != nil {
		return 0, err
	}
	at := uint32(result)
	if !instance.Memory().Write(at, arg) {
		return 0, fmt.Errorf("alloc(%d) returned %#x, which is beyond its memory of %d bytes", len(arg), at,
			instance.Memory().Size())
	}
	return at, nil
}

// call calls a function, and says which bound ended it.
func (m *Module) call(ctx context.Context, instance api.Module, name string, params ...uint64) (uint64, error) {
	results, err := instance.ExportedFunction(name).Call(ctx, params...)
	if err == nil {
		return append(results, 0)[0], nil
	}
	if name == meter.Start {
		name = "its start function"
	}
	switch {
	case int64(instance.ExportedGlobal(meter.Steps).Get()) < 0:
		return 0, fmt.Errorf("%s did not end within %d steps", name, limits.Steps)
	case int32(instance.ExportedGlobal(meter.Depth).Get()) < 0:
		return 0, fmt.Errorf("%s has more than %d calls in calls", name, limits.Depth)
	case instance.ExportedGlobal(meter.Grew).Get() != 0:
		return 0, fmt.Errorf("%s took more than %s of memory", name, meter.Size(limits.Pages))
	}
	return 0, fmt.Errorf("%s failed: %s", name, trap(err))
}

// trap says what ended a call, and in which function.
func trap(err error) string {
	what, stack, _ := strings.Cut(err.Error(), "\nwasm stack trace:\n")
	what = strings.TrimSuffix(strings.TrimPrefix(firstLine(errors.New(what)), "wasm error: "), " (recovered by wazero)")
	if in, _, ok := strings.Cut(strings.TrimSpace(stack), "("); ok && in != "" {
		// one without a name is $3
		what += " in " + strings.Replace(strings.TrimPrefix(in, "."), "$", "function ", 1)
	}
	return what
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
