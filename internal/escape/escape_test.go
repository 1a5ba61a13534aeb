package escape_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/linsat/linsat/internal/escape"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"write [1, 2] → \"é\" 日本 😀": "write [1, 2] → \"é\" 日本 😀",
		`a\nb`:                      `a\nb`,
		"p\x1b[2J":                  `p\x1b[2J`,
		"a\nb\r\tc\x00":             `a\nb\r\tc\x00`,
		"\x07\x08\x7f":              `\a\b\x7f`,
		"\u009b31m\u0085":           `\u009b31m\u0085`, // C1: CSI and next line
		"\x9b31m":                   `\x9b31m`,         // the same as a byte that is not UTF-8
		"abc\u202edef\u2066\u200f":  `abc\u202edef\u2066\u200f`,
		"\u2028\u2029\ufeff\u200b":  `\u2028\u2029\ufeff\u200b`,
		"\xff\xc3(":                 `\xff\xc3(`,
		"\ufffd":                    "\ufffd",
		"\U000e0041":                `\U000e0041`, // a tag character
	} {
		got := escape.Text(in)
		assert.Equal(t, want, got)
		for _, r := range got {
			assert.True(t, unicode.IsPrint(r), "%q in %q", r, got)
		}
		assert.Equal(t, got, escape.Text(got), "twice is once")
	}
}

// TestJSON: the strings stay, and everything is printable but the layout.
func TestJSON(t *testing.T) {
	for _, s := range []string{"", "é 日本 😀 \ufffd", "\u009b31m\u0085\u007f", "a\u202eb\u2066", "\U000e0041\u200b",
		"\x1b\"\\\n", "x\u0080"} {
		text, err := json.MarshalIndent(map[string]string{s: s}, "", "\t")
		require.NoError(t, err)
		got := escape.JSON(text)
		for _, r := range strings.NewReplacer("\n", "", "\t", "").Replace(string(got)) {
			assert.True(t, unicode.IsPrint(r), "%q in %s", r, got)
		}
		var back map[string]string
		require.NoError(t, json.Unmarshal(got, &back))
		assert.Equal(t, map[string]string{s: s}, back)
	}
	assert.Equal(t, "\"\xff\\u0085\xc3\"", string(escape.JSON([]byte("\"\xff\u0085\xc3\""))), "what is not UTF-8 stays")
}

// stringer says itself how it is written.
type stringer struct{}

func (stringer) String() string { return "s\x1b" }

func TestFprintf(t *testing.T) {
	var b strings.Builder
	escape.Fprintf(&b, "\x1b[1m%s %s %v %v %s %d%*s|\n", escape.Safe("\x1b[2m"), "a\nb", errors.New("e\x1b"),
		stringer{}, []string{"x"}, 7, 3, "")
	assert.Equal(t, "\x1b[1m\x1b[2m a\\nb e\\x1b s\\x1b [x] 7   |\n", b.String())
}
