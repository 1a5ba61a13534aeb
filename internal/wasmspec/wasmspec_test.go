package wasmspec

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cbor"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/wasmspec/wire"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The module wasm tests this package with linsat-wasm and modules. Here the test's own program
// takes the place of linsat-wasm, and "modules" are the names of what it plays.

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "serve" {
		play(bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout))
		return
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if err := os.Setenv(place, self); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// play is linsat-wasm for a counter: add n returns the sum, which is the state; coin returns
// anything. It is on one of many objects if the "module" says so, or on all of them: then the state
// is a map from keys to sums, and all returns it.
func play(r *bufio.Reader, w *bufio.Writer) {
	say := func(parts ...string) {
		var all [][]byte
		for _, p := range parts {
			all = append(all, []byte(p))
		}
		if wire.Write(w, all...) != nil {
			os.Exit(1)
		}
	}
	say(wire.Greeting)
	kind := ""
	for {
		request, err := wire.Read(r)
		if err != nil {
			return
		}
		value := func(k int) any {
			v, err := cbor.Decode(request[k])
			if err != nil {
				panic(err)
			}
			return v
		}
		encoded := func(v any) string { return string(cbor.Append(nil, v)) }
		switch string(request[0]) {
		case wire.Load:
			kind = string(request[1])
			switch kind {
			case "refused":
				say(wire.Wrong, "it is not a module")
			case "keyed":
				say(wire.OK, "init", "step", "key")
			case "together":
				say(wire.OK, "init", "step", "footprint")
			case "told":
				say(wire.OK, "init", "step", "about", "describe", "readonly")
			default:
				say(wire.OK, "init", "step")
			}
		case "about":
			say(wire.Print, "asked\n")
			say(wire.OK, encoded(map[string]any{"operations": map[string]any{"add": []any{"plus"}, "coin": []any{}},
				"samples": []any{[]any{"add", int64(1)}}}))
		case "describe":
			say(wire.OK, encoded(fmt.Sprintf("the sum %v", value(1))))
		case "readonly":
			say(wire.OK, "\x00")
		case "init":
			if initial := value(1); initial == nil && kind == "together" {
				say(wire.OK, encoded(map[string]any{}))
			} else if initial == nil {
				say(wire.OK, encoded(int64(0)))
			} else if n, ok := initial.(int64); ok {
				say(wire.OK, encoded(n))
			} else {
				say(wire.None)
			}
		case "footprint":
			if key := value(1).([]any)[2]; key != nil {
				say(wire.OK, encoded([]any{key}))
			} else {
				say(wire.OK, encoded(nil))
			}
		case "key":
			say(wire.OK, encoded(value(1).([]any)[2]))
		case "step":
			op := value(2).([]any)
			if sums, ok := value(1).(map[string]any); ok {
				result := any(sums)
				if op[0] == "add" {
					key := op[2].(string)
					was, _ := sums[key].(int64)
					result = was + op[1].(int64)
					sums[key] = result
				}
				next := encoded(sums)
				say(wire.OK, "\x81\x82"+encoded(result)+"\x58"+string([]byte{byte(len(next))})+next)
				continue
			}
			sum := value(1).(int64)
			switch {
			case kind == "odd":
				say("what")
			case kind == "quiet":
				return
			case op[0] == "coin":
				say(wire.OK, "\x81\x82\xf7\x41"+encoded(sum))
			case op[0] == "add":
				next := encoded(sum + op[1].(int64))
				say(wire.OK, "\x81\x82"+next+string(rune(0x40+len(next)))+next)
			default:
				say(wire.None)
			}
		}
	}
}

func load(t *testing.T, module string) (*File, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "counter.wasm")
	require.NoError(t, os.WriteFile(path, []byte(module), 0o644))
	var out strings.Builder
	f, err := Load(path, &out)
	if err == nil {
		t.Cleanup(func() { _ = f.Close() })
	}
	return f, out.String(), err
}

func check(t *testing.T, module, text string) (linsat.Result, error) {
	t.Helper()
	f, _, err := load(t, module)
	require.NoError(t, err)
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return linsat.Check(context.Background(), f.Spec, h)
}

const (
	sums  = `{"initial":1,"operations":[{"process":0,"f":"add","arg":2,"result":3,"call":0,"return":2},{"process":1,"f":"coin","result":"x","call":1,"return":3},{"process":0,"f":"add","arg":1,"result":%d,"call":4,"return":5}]}`
	keyed = `{"operations":[{"process":0,"f":"add","key":"x","arg":2,"result":2,"call":0,"return":1},{"process":0,"f":"add","key":"y","arg":2,"result":%d,"call":2,"return":3}]}`
)

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		module, history string
		right, wrong    int
	}{{"", sums, 4, 5}, {"told", sums, 4, 5}, {"keyed", keyed, 2, 4}, {"", keyed, 4, 2}} {
		r, err := check(t, c.module, fmt.Sprintf(c.history, c.right))
		require.NoError(t, err)
		assert.Equal(t, linsat.Linearizable, r.Verdict, c)
		r, err = check(t, c.module, fmt.Sprintf(c.history, c.wrong))
		require.NoError(t, err)
		assert.Equal(t, linsat.NotLinearizable, r.Verdict, c)
		assert.True(t, r.Certified)
	}
}

// TestFootprintsAgreeWithTheDefinition: sums of several keys, on random histories.
func TestFootprintsAgreeWithTheDefinition(t *testing.T) {
	f, _, err := load(t, "together")
	require.NoError(t, err)
	seen, divided := map[linsat.Verdict]int{}, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		b := history.NewBuilder()
		whole := r.IntN(2)
		for i := range 1 + r.IntN(6) {
			call := int64(3 * i)
			rec := history.Record{Process: b.Process(fmt.Sprint(i)), F: b.Values.String("add"),
				Key: b.Values.String(string(rune('x' + r.IntN(2)))), Arg: b.Values.Int(1),
				Result: b.Values.Int(int64(1 + r.IntN(2))), Call: call, Return: call + 1 + int64(r.IntN(9))}
			if whole == 0 && r.IntN(4) == 0 {
				rec.F, rec.Key = b.Values.String("all"), history.NoKey
				rec.Result, err = b.Values.Of(map[string]any{"x": int64(1)})
				require.NoError(t, err)
			}
			if r.IntN(6) == 0 {
				rec.Pending = true
			}
			_, err := b.Add(rec)
			require.NoError(t, err)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		got, err := linsat.Check(context.Background(), f.Spec, h)
		require.NoError(t, err)
		bound, err := model.Full(f.Spec).Bind(model.Whole(h))
		require.NoError(t, err)
		defined, _ := oracle.Linearizable(bound)
		require.Equal(t, defined, got.Verdict == linsat.Linearizable, "seed %d", seed)
		seen[got.Verdict]++
		if len(model.Split(model.Full(f.Spec), h, model.ByKey)) > 1 {
			divided++
		}
	}
	assert.Greater(t, seen[linsat.Linearizable], 30)
	assert.Greater(t, seen[linsat.NotLinearizable], 30)
	assert.Greater(t, divided, 30)
}

// TestSamplesNameProcesses as texts or as integers, and nothing else.
func TestSamplesNameProcesses(t *testing.T) {
	sample := func(process any) any { return []any{map[string]any{"f": "who", "process": process}} }
	for process, want := range map[any]string{"a": "a", "7": "7", int64(7): "7", nil: ""} {
		got, err := calls(sample(process))
		require.NoError(t, err)
		assert.Equal(t, []spec.Call{{F: "who", Process: want}}, got)
	}
	_, err := calls(sample(true))
	require.ErrorContains(t, err, "samples has ")
}

func TestWhatAModuleSays(t *testing.T) {
	f, out, err := load(t, "told")
	require.NoError(t, err)
	assert.Equal(t, "counter.wasm: asked\n", out)
	calls, err := f.Calls()
	require.NoError(t, err)
	samples, err := f.Samples(calls, 3)
	require.NoError(t, err)
	require.Len(t, samples, 1)
	assert.Equal(t, []any{int64(1), int64(2), int64(3)}, samples[0].Results)
	assert.Equal(t, "the sum 1", f.module.describe(f.module.intern([]byte{1})))
	_, err = check(t, "told", `{"operations":[{"process":0,"f":"sub","arg":2,"call":0,"return":1}]}`)
	require.ErrorContains(t, err, "sub")
	_, err = check(t, "told",
		`{"initial":"x","operations":[{"process":0,"f":"Plus","arg":2,"result":2,"call":0,"return":1}]}`)
	require.ErrorContains(t, err, `init of counter.wasm does not take "x"`)
}

func TestWhatGoesWrong(t *testing.T) {
	_, _, err := load(t, "refused")
	require.EqualError(t, err, "counter.wasm: it is not a module")
	add := `{"operations":[{"process":0,"f":"add","arg":2,"result":2,"call":0,"return":1}]}`
	for module, want := range map[string]string{
		"odd":   `counter.wasm: linsat-wasm, which runs it, ended during step: the answer "what"`,
		"quiet": "counter.wasm: linsat-wasm, which runs it, ended during step: EOF",
	} {
		_, err := check(t, module, add)
		require.ErrorContains(t, err, want)
	}
	_, err = check(t, "", strings.Replace(add, "add", "sub", 1))
	require.ErrorContains(t, err,
		"specification counter fails on operation 0 (sub 2 → 2) in state 0: counter.wasm: step knows no such operation")
	t.Setenv(place, filepath.Join(t.TempDir(), "none"))
	_, _, err = load(t, "")
	require.ErrorContains(t, err, "does not start")
	_, err = Load(filepath.Join(t.TempDir(), "none.wasm"), io.Discard)
	require.ErrorIs(t, err, os.ErrNotExist)
}
