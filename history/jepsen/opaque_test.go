package jepsen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// TestOpaqueNumbers: ratios and what is not a number are values equal to themselves alone, at any
// depth.
func TestOpaqueNumbers(t *testing.T) {
	v := history.NewBuilder().Values
	l := newEDNLexer(lex.NewSource(strings.NewReader(""), 0), v)
	for in, want := range map[string]string{
		"1/2": `"1/2"`, "-1/2": `"-1/2"`, "##NaN": `"##NaN"`, "##-Inf": `"##-Inf"`,
		`[1/2 "1/3" \/ a/b :c/d]`: `["1/2", "1/3", "/", "a/b", "c/d"]`,
		`{:a ##Inf, "\"##NaN" 3}`: `{"\"##NaN": 3, "a": "##Inf"}`, "(((22/7)))": `[[["22/7"]]]`,
	} {
		got, err := l.decode([]byte(in), 1)
		require.NoError(t, err, in)
		assert.Equal(t, want, v.Format(got), in)
	}
	for _, in := range []string{"1/-2", "1/", "/2", "##nan", "1/2/3", "[##Nan]"} {
		assert.False(t, opaqueNumber([]byte(in)), in)
	}
}
