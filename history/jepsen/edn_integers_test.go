package jepsen

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Lists and sets of integers are interned as the library's decoder would.
func TestIntegersAreReadAsTheLibraryDoes(t *testing.T) {
	words := []string{"0", "1", "-1", "7", "12", "-0", "+3", "007", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808", "1.5", "1N", "nil", ":a", "\"1\"", "[1]", "1/2", "a"}
	brackets := [][2]string{{"[", "]"}, {"(", ")"}, {"#{", "}"}, {"#a [", "]"}, {"{", "}"}}
	quick := 0
	for seed := range uint64(20_000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var list []string
		usual := rng.IntN(3) > 0
		for range rng.IntN(5) {
			if usual {
				list = append(list, words[rng.IntN(5)])
			} else {
				list = append(list, words[rng.IntN(len(words))])
			}
		}
		b := brackets[rng.IntN(len(brackets))]
		text := []byte(b[0] + strings.Join(list, " ") + b[1])
		if asTheLibrary(t, text, (*ednLexer).integers) {
			quick++
		}
	}
	assert.Greater(t, quick, 5_000)
}

// Integers that are consumed together are copied as one by one: with single spaces.
func TestIntegersAreCopiedWithSingleSpaces(t *testing.T) {
	words := []string{"0", "12", "345", "-6", "78", "nil", "9a", "\"1 2\"", "[3 4]", "\\5", "6/7", "#{8}", "1.5"}
	spaces := []string{" ", " ", " ", "  ", ",", " ;c 1 2\n", "\n", " #_ 3 "}
	for seed := range uint64(20_000) {
		rng := rand.New(rand.NewPCG(seed, 4))
		text, want := "[", []string{}
		for range rng.IntN(8) {
			word := words[rng.IntN(len(words))]
			text += word + spaces[rng.IntN(len(spaces))]
			want = append(want, word)
		}
		s := lex.NewSource(strings.NewReader(text+"] 1 2"), 0)
		if rng.IntN(2) == 0 {
			s = lex.NewSource(iotest.OneByteReader(strings.NewReader(text+"] 1 2")), 0)
		}
		l := newEDNLexer(s, history.NewBuilder().Values)
		require.NoError(t, l.form(true), "%s", text)
		require.Equal(t, "["+strings.Join(want, " ")+"]", string(l.text), "%s", text)
		require.Equal(t, 1+strings.Count(text, "\n"), l.Line, "%s", text)
	}
}

// asTheLibrary reports whether a short way interns a form, which it has to do as the library's
// decoder would.
func asTheLibrary(t *testing.T, text []byte, short func(*ednLexer, []byte) (history.Value, bool)) bool {
	t.Helper()
	ours, theirs := newEDNLexer(lex.NewSource(strings.NewReader(""), 0), history.NewBuilder().Values),
		newEDNLexer(lex.NewSource(strings.NewReader(""), 0), history.NewBuilder().Values)
	got, ok := short(ours, text)
	if !ok {
		return false
	}
	// a tag that says nothing keeps the decoder from the short way
	want, err := theirs.decode(append([]byte("#tag "), text...), 1)
	require.NoError(t, err, "%s", text)
	require.Equal(t, theirs.values.Format(want), ours.values.Format(got), "%s", text)
	return true
}

// Vectors of vectors, keywords and integers are interned as the library's decoder would.
func TestVectorsAreReadAsTheLibraryDoes(t *testing.T) {
	words := []string{"0", "1", "-7", "12", "nil", ":r", ":append", ":a-1", "true", "false", "-0", "007", "+3", "1.5",
		"9223372036854775807", ":a/b", ":1", ":a:b", ":a.b", "a", "\"1\"", "{}", "#{1}", "()", "\\a", "-", ":-", "1N"}
	quick := 0
	for seed := range uint64(20_000) {
		rng := rand.New(rand.NewPCG(seed, 4))
		usual := rng.IntN(3) > 0
		var form func(depth int) string
		form = func(depth int) string {
			var list []string
			for range rng.IntN(4) {
				switch {
				case depth > 0 && rng.IntN(3) == 0:
					list = append(list, form(depth-1))
				case usual:
					list = append(list, words[rng.IntN(10)])
				default:
					list = append(list, words[rng.IntN(len(words))])
				}
			}
			return "[" + strings.Join(list, " ") + "]"
		}
		text := []byte(form(3))
		if asTheLibrary(t, text, (*ednLexer).vectors) {
			quick++
		}
	}
	assert.Greater(t, quick, 10_000)
}
