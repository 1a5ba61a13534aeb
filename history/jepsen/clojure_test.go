package jepsen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// TestClojureCheckerIsBalanced reads the checker for Jepsen as EDN: all forms are closed, and they
// are those that it is to have.
func TestClojureCheckerIsBalanced(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "jepsen", "linsat.clj"))
	require.NoError(t, err)
	var forms []string
	for l := newEDNLexer(lex.NewSource(strings.NewReader(string(text)), 0), history.NewBuilder().Values); ; {
		_, _, more, err := l.space()
		require.NoError(t, err)
		if !more {
			break
		}
		l.text = l.text[:0]
		require.NoError(t, l.form(true))
		v, err := l.decode(l.text, 0)
		require.NoError(t, err)
		list, isList := l.values.AsList(v)
		require.True(t, isList)
		head, _ := l.values.AsString(list[0])
		name, _ := l.values.AsString(list[1])
		forms = append(forms, head+" "+name)
	}
	assert.Equal(t, []string{"ns linsat", "defn- events", "defn- anomaly-types", "defn checker"}, forms)
}
