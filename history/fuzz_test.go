package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

const fuzzLimit = 1 << 24

// seed adds the samples of a format, and those of the corpora where there are any. Fuzzing from
// nothing would find nothing, so an empty list fails.
func seed(f *testing.F, format, corpus string) {
	paths, err := filepath.Glob("testdata/samples/*")
	require.NoError(f, err)
	if dir, ok := testenv.RecordedIfAny(); ok && corpus != "" {
		files, err := Files(filepath.Join(dir, corpus), nil)
		require.NoError(f, err)
		paths = append(paths, files[:min(len(files), 20)]...)
	}
	seeds := 0
	for _, path := range paths {
		h, err := ReadFile(path, ReadOptions{})
		if err != nil || h.Format != format {
			continue
		}
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		if len(data) > 1<<15 {
			data = data[:1<<15]
		}
		f.Add(data)
		seeds++
	}
	require.Positive(f, seeds, "no seed for %s", format)
}

// fuzzFormat reads data as the format. It must not panic, an error must be of the
// kind that the command line shows, and what is read must survive writing and reading.
func fuzzFormat(t *testing.T, data []byte, format string) (*History, *Error) {
	h, err := Read(bytes.NewReader(data), ReadOptions{Format: format, MemoryLimit: fuzzLimit})
	if err != nil {
		var e *Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.What)
		require.NotContains(t, err.Error(), "\n")
		require.Nil(t, h)
		return nil, e
	}
	RequireRanks(t, h, 0)
	requireRoundTrip(t, h, string(data))
	return h, nil
}

func FuzzJSON(f *testing.F) {
	seed(f, "json", "")
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := fuzzFormat(t, data, "json")
		requireSyntax(t, data, err)
	})
}

// requireSyntax checks that what is accepted is JSON, and that what is JSON is not refused for its
// syntax.
func requireSyntax(t *testing.T, data []byte, err *Error) {
	packed := bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd})
	if packed {
		return
	}
	valid := json.Valid(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err == nil {
		require.True(t, valid, "accepted, but no JSON: %s", data)
	} else if valid {
		require.False(t, aboutSyntax(err), "%s is JSON, but refused: %v", data, err)
	}
}

// aboutSyntax reports whether an error says that the input is no JSON, or ends too early.
func aboutSyntax(err *Error) bool {
	return err.Hint == "the input is not valid JSON at this place" || strings.HasPrefix(err.What, "the input ends inside ")
}

// TestJSONSyntax does what FuzzJSON does, with random documents of the fields that histories have.
func TestJSONSyntax(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	words := slices.Concat(lex.HeaderFields, lex.OperationFields, lex.EventFields, []string{"operations", "the input ends",
		"valid JSON", "ok", "info", "deq", "a", ""})
	var value func(depth int) string
	value = func(depth int) string {
		switch k := r.IntN(9); {
		case k == 0 && depth > 0:
			var parts []string
			for range r.IntN(4) {
				parts = append(parts, value(depth-1))
			}
			return "[" + strings.Join(parts, ",") + "]"
		case k < 4 && depth > 0:
			var parts []string
			for range r.IntN(6) {
				parts = append(parts, fmt.Sprintf("%q: %s", words[r.IntN(len(words))], value(depth-1)))
			}
			return "{" + strings.Join(parts, ",") + "}"
		case k < 6:
			return []string{"0", "-0", "17", "-3", "1.5", "1e9", "99999999999999999999", "-1E-2"}[r.IntN(8)]
		case k < 7:
			return []string{"null", "true", "false"}[r.IntN(3)]
		}
		return fmt.Sprintf("%q", words[r.IntN(len(words))])
	}
	for range 30_000 {
		text := value(5)
		if r.IntN(3) == 0 && len(text) > 1 { // and some that are none
			at := r.IntN(len(text))
			text = text[:at] + []string{"", "x", ",", "]", "}", "\"", " "}[r.IntN(7)] + text[at+r.IntN(2):]
		}
		_, err := fuzzFormat(t, []byte(text), "json")
		requireSyntax(t, []byte(text), err)
	}
}

// FuzzValue compares the values that are read with what encoding/json reads.
func FuzzValue(f *testing.F) {
	for _, s := range []string{`null`, `[true, false]`, `{"a": {"b": [1, -2]}, "a": "é\u00e9\ud83d\ude00\ud83d\n"}`,
		`9223372036854775807`, "\"\xff\xc0x\"", `1.0`, `[[], {}]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc := append(append([]byte(`{"process": 0, "f": "f", "call": 0, "arg": `), data...), '}')
		h, err := Read(bytes.NewReader(doc), ReadOptions{Format: "jsonl"})
		if err != nil || !json.Valid(doc) {
			return // FuzzJSON compares what is accepted
		}
		if bytes.Contains(data, []byte("-0")) {
			return // -0 is the integer 0
		}
		d := json.NewDecoder(bytes.NewReader(doc))
		d.UseNumber()
		var want struct{ Arg any }
		require.NoError(t, d.Decode(&want))
		if keys := strings.Count(strings.ToLower(string(doc)), `arg`); keys > 1 {
			return // encoding/json takes "ARG" for "arg"
		}
		if strings.Contains(fmt.Sprint(want.Arg), "\uFFFD") {
			return // broken text: what was broken stays distinct here
		}
		d = json.NewDecoder(strings.NewReader(h.Values.Format(h.Ops[0].Arg)))
		d.UseNumber()
		var got any
		require.NoError(t, d.Decode(&got))
		require.Equal(t, want.Arg, got)
	})
}

func FuzzJSONL(f *testing.F) {
	seed(f, "jsonl", "")
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "jsonl") })
}

func FuzzEDN(f *testing.F) {
	seed(f, "edn", "knossos")
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "edn") })
}

func FuzzPorcupine(f *testing.F) {
	seed(f, "porcupine", filepath.Join("porcupine", "kv"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "porcupine") })
}

func FuzzJepsen(f *testing.F) {
	seed(f, "jepsen", filepath.Join("porcupine", "jepsen"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "jepsen") })
}

func FuzzViolin(f *testing.F) {
	seed(f, "violin", filepath.Join("violin", "simple"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "violin") })
}

func FuzzFastlin(f *testing.F) {
	seed(f, "fastlin", "fastlin")
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "fastlin") })
}

func FuzzJepsenJSON(f *testing.F) {
	seed(f, "jepsen-json", "")
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "jepsen-json") })
}

func FuzzPorcupineJSON(f *testing.F) {
	seed(f, "porcupine-json", "")
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "porcupine-json") })
}

func FuzzCSV(f *testing.F) {
	seed(f, "csv", "")
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "csv") })
}

func FuzzFptlin(f *testing.F) {
	seed(f, "fptlin", "")
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "fptlin") })
}

func FuzzLowe(f *testing.F) {
	seed(f, "lowe", "")
	f.Fuzz(func(t *testing.T, data []byte) { fuzzFormat(t, data, "lowe") })
}

func FuzzSessions(f *testing.F) {
	for _, format := range []string{"dbcop", "cobra", "plume", "awdit"} {
		seed(f, format, "")
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range []string{"dbcop", "cobra", "plume", "awdit"} {
			fuzzFormat(t, data, format)
		}
	})
}

// FuzzRead lets the format be recognised, and the data be packed.
func FuzzRead(f *testing.F) {
	paths, err := filepath.Glob("testdata/samples/*")
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(data)
		f.Add(gzipped(f, data))
		f.Add(zstded(f, data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := Read(bytes.NewReader(data), ReadOptions{MemoryLimit: fuzzLimit})
		if err != nil {
			var e *Error
			require.True(t, errors.As(err, &e))
			return
		}
		requireRoundTrip(t, h, string(data))
	})
}
