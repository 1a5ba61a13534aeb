package specs

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const manualFile = "../../docs/specifications.md"

// manual writes what docs/specifications.md says of a specification between its two marks; linsat
// specs NAME prints the rest.
func manual(s model.Spec) string {
	info := s.Info()
	var b strings.Builder
	code := func(names []string) string {
		return "`" + strings.Join(names, "`, `") + "`"
	}
	fmt.Fprintf(&b, "%s.\n", strings.ToUpper(info.Summary[:1])+info.Summary[1:])
	var others []string
	for alias, name := range aliases {
		if name == info.Name {
			others = append(others, alias)
		}
	}
	slices.Sort(others)
	if len(others) > 0 {
		fmt.Fprintf(&b, "\nAlso called %s.\n", code(others))
	}
	var operations []string
	for _, o := range info.Operations {
		operations = append(operations, o.Name)
	}
	fmt.Fprintf(&b, "\nOperations: %s.\n", code(operations))
	return b.String()
}

// The manual has one section a specification, in the order of All, and what stands between the
// marks is what Info says. LINSAT_UPDATE=1 writes it there.
func TestManualSaysWhatInfoSays(t *testing.T) {
	content, err := os.ReadFile(manualFile)
	require.NoError(t, err)
	text := string(content)
	var sections []string
	for _, line := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, name)
		}
	}
	if assert.GreaterOrEqual(t, len(sections), len(Names()), "sections") {
		assert.Equal(t, Names(), sections[len(sections)-len(Names()):])
	}
	for _, s := range All() {
		name := s.Info().Name
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
		before, rest, ok := strings.Cut(text, begin)
		if !assert.True(t, ok, "%s has no mark %s", manualFile, begin) {
			continue
		}
		block, after, ok := strings.Cut(rest, end)
		require.True(t, ok, "%s has no mark %s", manualFile, end)
		if testenv.Update() {
			text = before + begin + manual(s) + end + after
		} else {
			assert.Equal(t, manual(s), block, "%s: LINSAT_UPDATE=1 go test ./internal/specs writes it anew", name)
		}
	}
	if text != string(content) {
		require.NoError(t, os.WriteFile(manualFile, []byte(text), 0o644))
	}
}

// A name means one operation of a specification, however it is spelled, and classes name operations
// that exist, each once.
func TestNamesAreUnambiguous(t *testing.T) {
	for _, s := range All() {
		info := s.Info()
		means := map[string]string{}
		for _, o := range info.Operations {
			for _, name := range append([]string{o.Name}, o.Aliases...) {
				other, taken := means[Fold(name)]
				assert.False(t, taken, "%s: %s is %s and %s", info.Name, name, other, o.Name)
				means[Fold(name)] = o.Name
			}
		}
		classes := map[string]string{}
		for _, c := range info.Classes {
			for _, o := range c.Operations {
				assert.Equal(t, o, means[Fold(o)], "%s: class %s", info.Name, c.Name)
				assert.Empty(t, classes[o], "%s: operation %s has two classes", info.Name, o)
				classes[o] = c.Name
			}
		}
		if info.Classes != nil {
			for _, o := range info.Operations {
				assert.Equal(t, o.Name == "size" || o.Name == "drain", classes[o.Name] == "",
					"%s: %s keeps its place under a quasi factor, or has a class", info.Name, o.Name)
			}
		}
		found, ok := Lookup(info.Name)
		assert.True(t, ok && found.Info().Name == info.Name, info.Name)
	}
	for alias, name := range aliases {
		found, ok := Lookup(alias)
		if assert.True(t, ok, alias) {
			assert.Equal(t, name, found.Info().Name)
		}
		assert.NotContains(t, Names(), alias)
	}
}
