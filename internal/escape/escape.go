// Package escape makes text from outside safe to show: names, values and states of a history, names
// of files, messages that quote them.
//
// A terminal obeys control characters, and text that reads from right to left can hide what stands
// beside it. So everything that is not printable on one line is shown by its code: a carriage
// return as \r, the escape that starts a colour as \x1b, a change of direction as \u202e, a byte
// that is not UTF-8 as \xff. Printable is what unicode.IsPrint accepts: letters, marks, numbers,
// punctuation, symbols and the space.
package escape

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s with everything that is not printable replaced by its code, so that it is one line
// without effect on a terminal. Text that is printable already comes back as it is.
func Text(s string) string {
	if printable(s) {
		return s
	}
	var b strings.Builder
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[at])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		at += size
	}
	return b.String()
}

func printable(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// JSON returns JSON text in which every character that is not printable is written as \uXXXX: the
// same strings, without effect on a terminal. The text is valid JSON, so that such characters stand
// in strings only, and those below the space are escaped already.
func JSON(text []byte) []byte {
	at := 0
	for at < len(text) && text[at] < 0x7f {
		at++
	}
	if at == len(text) {
		return text
	}
	out := append(make([]byte, 0, len(text)+len(text)/8), text[:at]...)
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		switch {
		case unicode.IsPrint(r), r < ' ', r == utf8.RuneError:
			out = append(out, text[at:at+size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		at += size
	}
	return out
}

// Safe is text that may be written as it is: it was made here, colours included, or escaped
// already.
type Safe string

// Fprintf is fmt.Fprintf that escapes its arguments: strings, errors and whatever says itself how
// it is written. Only Safe text goes through as it is, and so does the format.
func Fprintf(w io.Writer, format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case Safe:
		case string:
			args[i] = Text(a)
		case error:
			args[i] = Text(a.Error())
		case fmt.Stringer:
			args[i] = Text(a.String())
		}
	}
	fmt.Fprintf(w, format, args...)
}
