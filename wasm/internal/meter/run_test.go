package meter

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

var plenty = Limits{Steps: 1 << 40, Depth: 1000, Pages: 64}

const features = api.CoreFeaturesV2 &^ api.CoreFeatureSIMD

// engines are the two ways in which wazero runs a module.
var engines = map[string]func() wazero.RuntimeConfig{
	"interpreter": wazero.NewRuntimeConfigInterpreter,
	"compiler":    wazero.NewRuntimeConfigCompiler,
}

// ran is what a call did.
type ran struct {
	results []uint64
	err     error
	globals map[string]uint64 // the counters, if the module has them
	memory  []byte
}

// run calls the function "f" of a module under an engine.
func run(t testing.TB, engine string, module []byte, params ...uint64) ran {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, engines[engine]().WithCoreFeatures(features))
	defer r.Close(ctx)
	m, err := r.Instantiate(ctx, module)
	require.NoError(t, err)
	if start := m.ExportedFunction(Start); start != nil {
		_, err := start.Call(ctx)
		require.NoError(t, err)
	}
	var out ran
	results, err := m.ExportedFunction("f").Call(ctx, params...)
	out.results, out.err = append([]uint64{}, results...), err
	out.globals = map[string]uint64{}
	for _, name := range []string{Steps, Depth, Grew} {
		if g := m.ExportedGlobal(name); g != nil {
			out.globals[name] = g.Get()
		}
	}
	if memory := m.ExportedMemory("memory"); memory != nil {
		b, _ := memory.Read(0, memory.Size())
		out.memory = append(out.memory, b...)
	}
	return out
}

// same runs a module as it is and with its counters under both engines, and compares what they do.
// It returns how many steps were charged.
func same(t testing.TB, module []byte, params ...uint64) int64 {
	t.Helper()
	want := run(t, "interpreter", module, params...)
	metered, err := Rewrite(module, plenty)
	require.NoError(t, err)
	used := int64(-1)
	for engine := range engines {
		got := run(t, engine, metered.Module, params...)
		require.Equal(t, want.results, got.results, engine)
		require.Equal(t, want.memory, got.memory, engine)
		if want.err == nil {
			require.NoError(t, got.err, engine)
			require.Equal(t, uint64(plenty.Depth), got.globals[Depth], "%s: the stack is not given back", engine)
		} else {
			require.Error(t, got.err, engine)
			require.Equal(t, firstLine(want.err), firstLine(got.err), engine)
		}
		steps := plenty.Steps - int64(got.globals[Steps])
		if used >= 0 {
			require.Equal(t, used, steps, "the engines count differently")
		}
		used = steps
	}
	return used
}

func firstLine(err error) string {
	for i, c := range err.Error() {
		if c == '\n' {
			return err.Error()[:i]
		}
	}
	return err.Error()
}
