package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const fuzzLimit = 1 << 24

// seed adds the samples of a format, and those of the corpora where there are any. Fuzzing from
// nothing would find nothing, so an empty list fails.
func seed(f *testing.F, format, corpus string) {
	paths, err := filepath.Glob("testdata/samples/*")
	require.NoError(f, err)
	if dir := os.Getenv("LINSAT_CORPORA"); dir != "" && corpus != "" {
		files, err := Files(filepath.Join(dir, corpus))
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
	requireRanks(t, h, 0)
	requireRoundTrip(t, h, string(data))
	return h, nil
}

func FuzzJSON(f *testing.F) {
	seed(f, "json", "")
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := fuzzFormat(t, data, "json")
		unpacked := !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) && !bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd})
		data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
		if !unpacked {
			return
		}
		// What is accepted is JSON, and what is JSON is not refused for its syntax.
		if err == nil {
			require.True(t, json.Valid(data), "accepted, but no JSON: %s", data)
		} else if json.Valid(data) {
			require.NotContains(t, err.Hint, "valid JSON", "refused: %v", err)
			require.NotContains(t, err.What, "the input ends", "refused: %v", err)
		}
	})
}

// FuzzValue compares the values that are read with what encoding/json reads.
func FuzzValue(f *testing.F) {
	for _, s := range []string{`null`, `[true, false]`, `{"a": {"b": [1, -2]}, "a": "é\u00e9\ud83d\ude00\ud83d\n"}`, `9223372036854775807`, "\"\xff\xc0x\"", `1.0`, `[[], {}]`} {
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
