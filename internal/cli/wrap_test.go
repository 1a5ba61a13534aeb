package cli

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/words"
	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func wrap(t *testing.T, width int, text string) string {
	t.Helper()
	var b strings.Builder
	w := &wrapped{w: &b, width: width}
	for len(text) > 0 { // in pieces
		n := min(len(text), 7)
		_, err := w.Write([]byte(text[:n]))
		require.NoError(t, err)
		text = text[n:]
	}
	require.NoError(t, w.Close())
	return b.String()
}

func TestWrap(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"short\n", "short\n"},
		{"  one two three four five six\n", "  one two three four\n    five six\n"},
		{"x\n\n  one two three four five six\ny", "x\n\n  one two three four\n    five six\ny"},
		{"exactly twenty chars\n", "exactly twenty chars\n"},
		{"exactly twenty chars!\n", "exactly twenty\n  chars!\n"},
		{"ab abcdefghijklmnopqrstuvwxyz z\n", "ab\n  abcdefghijklmnopqr\n  stuvwxyz z\n"},
		{"\x1b[31mone two\x1b[0m three four five\n", "\x1b[31mone two\x1b[0m three four\n  five\n"},
		{"日本語 日本語 日本語 日本語\n", "日本語 日本語 日本語\n  日本語\n"},
	} {
		assert.Equal(t, c.want, wrap(t, 20, c.text), "%q", c.text)
	}
}

func TestCut(t *testing.T) {
	assert.Equal(t, []string{"", "ab", "ab", "a", "日", "日本"}, []string{Cut("ab", 0), Cut("ab", 2), Cut("ab", 9),
		Cut("ab", 1), Cut("日本", 3), Cut("日本", 4)})
}

// TestWrappedLinesFit: whatever the text, no line is too wide, and only blanks are gained or lost.
func TestWrappedLinesFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	parts := []string{"a", "bc", "word", " ", " ", "   ", "日", "é", "\n", words.Red, words.Plain,
		strings.Repeat("x", 30), "→"}
	for range 5000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text, width := b.String(), 20+r.IntN(20)
		got := wrap(t, width, text+"\n")
		plain := strings.NewReplacer(words.Red, "", words.Plain, "").Replace(got)
		for _, line := range strings.Split(plain, "\n") {
			require.LessOrEqual(t, runewidth.StringWidth(strings.TrimRight(line, " ")), width, "%q of %q", line, text)
		}
		require.Equal(t, strings.Join(strings.Fields(text), ""), strings.Join(strings.Fields(got), ""),
			fmt.Sprintf("%q", text))
	}
}
