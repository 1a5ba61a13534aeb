package api_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/api"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPublicSurfaceIsListed compares the public surface with docs/api.txt.
func TestPublicSurfaceIsListed(t *testing.T) {
	list, err := api.List("../..", "github.com/linsat/linsat")
	require.NoError(t, err)
	testenv.Golden(t, "../../docs/api.txt", list)
}

// TestSignaturesNameWhatCanBeNamed: in the packages of the checker no signature has a type of an
// internal package, which users can neither name nor look up.
func TestSignaturesNameWhatCanBeNamed(t *testing.T) {
	text, err := os.ReadFile("../../docs/api.txt")
	require.NoError(t, err)
	in, lines := "", 0
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "package "); ok {
			in, _, _ = strings.Cut(name, " ")
		}
		switch in {
		case "linsat", "history", "spec", "meta", "verdict", "quasi", "solver", "report", "linsattest", "spectest":
			lines++
			if strings.HasPrefix(line, "Internal types") {
				in = "" // of packages of the explorer, and what encode.New returns
				continue
			}
			assert.NotContains(t, line, "internal/", in)
		}
	}
	require.Greater(t, lines, 300)
}

// TestNamesOfTheChecker: whoever checks histories has at most 130 names to know.
func TestNamesOfTheChecker(t *testing.T) {
	text, err := os.ReadFile("../../docs/api.txt")
	require.NoError(t, err)
	checker := []string{"", "/history", "/spec", "/spec/meta", "/spec/spectest", "/quasi", "/solver", "/report",
		"/verdict"}
	sum, packages := 0, 0
	for line := range strings.Lines(string(text)) {
		n, name := 0, ""
		if _, err := fmt.Sscan(line, &n, &name); err != nil {
			continue
		}
		path, ours := strings.CutPrefix(name, "github.com/linsat/linsat")
		if ours && slices.Contains(checker, path) {
			sum, packages = sum+n, packages+1
		}
	}
	require.Equal(t, len(checker), packages)
	assert.LessOrEqual(t, sum, 130)
	t.Log(sum, "names")
}

// TestEveryKindOfNameIsListed lists a small module that has one of each.
func TestEveryKindOfNameIsListed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module example.com/m\n\ngo 1.25\n",
		"cmd/x/main.go": "package main\nfunc main() {}\n",
		"internal/in/in.go": "package in\ntype T struct { A int `json:\"a\"`; b int }\nfunc (*T) M() *Deep { return " +
			"nil }\nfunc (T) V() {}\nfunc (T) hidden() {}\ntype Deep struct { Next Deeper }\ntype Deeper bool\ntype " +
			"Unseen int\n",
		"other/other.go":     "package other\nimport \"example.com/m\"\nfunc Take(m.Public, ...m.N) {}\n",
		"internal/in/doc.go": "package in\n",
		"m.go": `package m

import (
	"example.com/m/internal/in"
	"io"
)

type Public = in.T
type N int
type Pair[K comparable, V any] struct { Key K; io.Reader }
type Sealed interface { io.Closer; seal() }
type lower int
const C N = 1 << 3
const S = "s"
var V map[string]func() error
func F[E ~[]X, X any](e E) (n int, err error) { return 0, nil }
`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	list, err := api.List(dir, "example.com/m")
	require.NoError(t, err)
	assert.Equal(t, `Exported names by package. LINSAT_UPDATE=1 go test ./internal/api writes this file anew.

     8  example.com/m
     1  example.com/m/other
     9  in all

package m // example.com/m

const C N = 8
func F[E ~[]X, X any](e E) (n int, err error)
type N int
type Pair[K comparable, V any] struct
	Key K
	io.Reader // embedded
	func (T) Read(p []byte) (n int, err error)
type Public = internal/in.T
	A int `+"`json:\"a\"`"+`
	// and unexported fields
	func (*T) M() *internal/in.Deep
	func (T) V()
const S untyped string = "s"
type Sealed interface
	Close() error
	// and unexported methods
var V map[string]func() error

package other // example.com/m/other

func Take(m.Public, ...m.N)

Internal types that can be reached but not named from outside

type internal/in.Deep struct
	Next internal/in.Deeper
type internal/in.Deeper bool
`, list)
}
