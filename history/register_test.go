package history

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// without calls do as though no package of formats were imported.
func without(t *testing.T, do func()) {
	all, opens := registered, decompressed(nil)
	defer func() { registered = all; decompressed(opens) }()
	registered = slices.DeleteFunc(slices.Clone(all), func(f Format) bool {
		return f.Name != "json" && f.Name != "jsonl"
	})
	require.Len(t, registered, 2)
	do()
}

// TestUnregisteredFormatsAreNamed: what is recognised and cannot be read says what to import, for
// every sample of a format.
func TestUnregisteredFormatsAreNamed(t *testing.T) {
	files, err := Files(filepath.Join("testdata", "samples"), nil)
	require.NoError(t, err)
	refused := map[string]bool{}
	for _, file := range files {
		whole, err := ReadFile(file, ReadOptions{})
		require.NoError(t, err)
		format := whole.Format
		without(t, func() {
			h, err := ReadFile(file, ReadOptions{})
			if format == "json" || format == "jsonl" {
				require.NoError(t, err)
				require.Len(t, h.Ops, len(whole.Ops))
				return
			}
			if format == "porcupine" { // which its reader tells from edn
				format = "edn"
			}
			var e *Error
			require.ErrorAs(t, err, &e, file)
			assert.Equal(t, file+": the format "+format+" is not registered in this program", e.Error())
			in := shipped[slices.IndexFunc(shipped, func(s shippedFormat) bool { return s.name == format })].registers
			assert.Equal(t, `import _ "github.com/linsat/linsat/history/`+in+
				`", or "github.com/linsat/linsat/history/formats" for all formats`, e.Hint)
			refused[format] = true
		})
	}
	assert.Len(t, refused, 15)
	plain, err := os.ReadFile(filepath.Join("testdata", "samples", "queue.json"))
	require.NoError(t, err)
	for kind, data := range map[string][]byte{"gzip": gzipped(t, plain), "zstd": zstded(t, plain)} {
		_, err := Read(bytes.NewReader(data), ReadOptions{})
		require.NoError(t, err)
		without(t, func() {
			_, err := Read(bytes.NewReader(data), ReadOptions{})
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Contains(t, e.What, "compressed with "+kind)
			assert.Contains(t, e.Hint, `"github.com/linsat/linsat/history/compressed"`)
		})
	}
}

// TestRegisterFormat: a format of one's own is read by its name, or recognised where no other is.
func TestRegisterFormat(t *testing.T) {
	all := registered
	defer func() { registered = all }()
	own := Format{Name: "own", Begins: func(head []byte) bool { return bytes.HasPrefix(head, []byte("own!")) },
		Read: func(r *Reading) error {
			text := make([]byte, 6)
			n, err := r.In.Read(text)
			if err != nil || string(text[:n]) != "own! 7" {
				return &Error{Line: 1, What: "no number"}
			}
			p := r.Process("a")
			_, err = r.Add(Record{Process: p, F: r.Values.String("write"), Key: NoKey, Arg: r.Values.Int(7), Return: 1})
			return err
		}}
	RegisterFormat(own)
	assert.Panics(t, func() { RegisterFormat(own) })
	assert.Equal(t, "own", Formats()[len(Formats())-1])
	for _, format := range []string{"", "own"} {
		h, err := Read(strings.NewReader("own! 7"), ReadOptions{Format: format})
		require.NoError(t, err)
		assert.Equal(t, "own", h.Format)
		assert.Equal(t, []string{"a write 7 → null [0 1]"}, List(h))
	}
	_, err := Read(strings.NewReader("own! x"), ReadOptions{Name: "f"})
	assert.EqualError(t, err, "f:1: no number")
}
