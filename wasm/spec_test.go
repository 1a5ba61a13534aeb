package wasm

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/starspec"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/internal/wasmspec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const examples = "../examples/wasm/"

// file loads a specification by a process of its own, which is this program.
func file(t testing.TB, path string) *wasmspec.File {
	t.Helper()
	f, err := wasmspec.Load(path, io.Discard)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// starlark returns a shipped specification in Starlark, which has a twin in Go of its own.
func starlark(t testing.TB, name string) model.Spec {
	t.Helper()
	f, err := starspec.Load(filepath.Join("..", "examples", "specs", name), io.Discard)
	require.NoError(t, err)
	return model.Full(f.Spec)
}

// random returns a small history of sampled calls, some of which never return.
func random(t testing.TB, r *rand.Rand, samples []foreign.Sample) *history.History {
	t.Helper()
	b := history.NewBuilder()
	for i := range 1 + r.IntN(7) {
		s := samples[r.IntN(len(samples))]
		call := int64(2 * i)
		rec := history.Record{Process: b.Process(strconv.Itoa(i)), F: b.Values.String(s.Call.F), Key: history.NoKey,
			Call: call, Return: call + 1 + int64(r.IntN(9)), Forgotten: r.IntN(8) == 0}
		if r.IntN(8) == 0 {
			rec.Pending = true
		}
		var err error
		rec.Arg, err = b.Values.Of(s.Call.Arg)
		require.NoError(t, err)
		rec.Result, err = b.Values.Of(s.Results[r.IntN(len(s.Results))])
		require.NoError(t, err)
		_, err = b.Add(rec)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// TestExamplesAgreeWithTheirTwins compares every example with the same specification in
// another language, and both with the definition.
func TestExamplesAgreeWithTheirTwins(t *testing.T) {
	sources, err := filepath.Glob(examples + "*.[cr]*")
	require.NoError(t, err)
	twins := map[string]func(t testing.TB) model.Spec{
		"queue.c":           func(testing.TB) model.Spec { return specs.Queue() },
		"work-stealing.c":   func(t testing.TB) model.Spec { return starlark(t, "work-stealing.star") },
		"lease.c":           func(t testing.TB) model.Spec { return starlark(t, "lease.star") },
		"bounded-buffer.rs": func(t testing.TB) model.Spec { return starlark(t, "bounded-buffer.star") },
	}
	require.Len(t, sources, len(twins))
	runs := uint64(testenv.Scale(300, 10_000))
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			f := file(t, compile(t, source))
			twin := twins[filepath.Base(source)](t)
			calls, err := f.Calls()
			require.NoError(t, err)
			samples, err := f.Samples(calls, 4)
			require.NoError(t, err)
			seen := map[linsat.Verdict]int{}
			for seed := range runs {
				h := random(t, rand.New(rand.NewPCG(seed, 1)), samples)
				want, err := linsat.Check(context.Background(), twin, h)
				require.NoError(t, err)
				got, err := linsat.Check(context.Background(), f.Spec, h)
				require.NoError(t, err)
				require.Equal(t, want.Verdict, got.Verdict, "seed %d", seed)
				whole, err := linsat.Check(context.Background(), f.Spec, h, linsat.Partition("none"))
				require.NoError(t, err)
				require.Equal(t, want.Verdict, whole.Verdict, "whole, seed %d", seed)
				bound, err := model.Full(f.Spec).Bind(model.Whole(h))
				require.NoError(t, err)
				defined, _ := oracle.Linearizable(bound)
				require.Equal(t, defined, got.Verdict == linsat.Linearizable, "the definition, seed %d", seed)
				seen[got.Verdict]++
			}
			assert.Greater(t, seen[linsat.Linearizable], int(runs/20))
			assert.Greater(t, seen[linsat.NotLinearizable], int(runs/20))
		})
	}
}

// BenchmarkStep is a step of the queue in C from a state of one item: as linsat-wasm calls it, as
// linsat asks for one that is new, and one that is known, as searches ask.
func BenchmarkStep(b *testing.B) {
	path := compile(b, examples+"queue.c")
	b.Run("call", func(b *testing.B) {
		binary, err := os.ReadFile(path)
		require.NoError(b, err)
		m, err := Load(b.Context(), binary, func(string) {})
		require.NoError(b, err)
		defer m.Close(b.Context())
		state, op := []byte{1}, []byte("\x84\x63enq\x02\xf6\xf6")
		for b.Loop() {
			if a, err := m.Call(b.Context(), "step", state, op); err != nil || len(a.Bytes) == 0 {
				b.Fatal(a, err)
			}
		}
	})
	f := file(b, path)
	h := parse(b, `{"operations":[{"process":0,"f":"enq","arg":2,"call":0,"return":1}]}`)
	p, err := model.Full(f.Spec).Bind(model.Whole(h))
	require.NoError(b, err)
	b.Run("new", func(b *testing.B) {
		m := p.NewMachine()
		var next []model.State
		for b.Loop() {
			f.Forget()
			if next = m.Step(m.Init(), 0, next[:0]); len(next) != 1 {
				b.Fatal("the step is refused")
			}
		}
	})
	b.Run("repeated", func(b *testing.B) {
		t := transition.New(p.NewMachine(), p.EquivID)
		for b.Loop() {
			if t.Lookup(0, 0) == 0 {
				b.Fatal("the step is refused")
			}
		}
	})
}

// BenchmarkLoad is how long it takes until a module is ready: a process starts, the module is
// rewritten and compiled.
func BenchmarkLoad(b *testing.B) {
	path := compile(b, examples+"queue.c")
	for b.Loop() {
		f, err := wasmspec.Load(path, io.Discard)
		require.NoError(b, err)
		require.NoError(b, f.Close())
	}
}
