package cli

import (
	"bytes"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// wrapped writes lines that fit a terminal: a longer one is broken between words, or, where a word
// is longer than a line, inside it. What follows a break is indented by two columns more than the
// line. Codes for colours have no width. Only whole lines are written, the rest by Close.
type wrapped struct {
	w     io.Writer
	width int
	rest  []byte
}

// Wrap returns a writer of text for people that breaks lines longer than width columns. Close it to
// write a last line without a line feed.
func Wrap(w io.Writer, width int) io.WriteCloser { return &wrapped{w: w, width: width} }

func (w *wrapped) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	var b strings.Builder
	for _, line := range strings.SplitAfter(string(w.rest[:end]), "\n") {
		b.WriteString(w.line(strings.TrimSuffix(line, "\n")))
		if line != "" {
			b.WriteByte('\n')
		}
	}
	w.rest = append(w.rest[:0], w.rest[end:]...)
	if _, err := io.WriteString(w.w, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes a last line without a line feed.
func (w *wrapped) Close() error {
	_, err := w.w.Write(w.rest)
	w.rest = nil
	return err
}

// line returns one line as several that fit.
func (w *wrapped) line(line string) string {
	if len(line) <= w.width {
		return line
	}
	var b strings.Builder
	indent := len(line) - len(strings.TrimLeft(line, " ")) + 2
	indent = min(indent, int(mostIndent*float64(w.width)))
	column, start := 0, 0 // of what is written, and where the present word begins
	wordWidth := 0
	flush := func(end int) {
		if column+wordWidth > w.width && column > indent {
			trimmed := strings.TrimRight(b.String(), " ")
			b.Reset()
			b.WriteString(trimmed)
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		}
		b.WriteString(line[start:end])
		column += wordWidth
		start, wordWidth = end, 0
	}
	for at := 0; at < len(line); {
		if code := colorCode(line[at:]); code > 0 {
			at += code
			continue
		}
		r, size := rune(line[at]), 1
		if r >= 0x80 {
			for _, c := range line[at:] {
				r, size = c, len(string(c))
				break
			}
		}
		wide := runewidth.RuneWidth(r)
		switch {
		case r == ' ':
			flush(at)
			if column < w.width || column <= indent {
				b.WriteByte(' ')
				column++
			}
			start = at + 1
		case wordWidth+wide > w.width-indent: // a word that fits no line
			flush(at)
			wordWidth = wide
		default:
			wordWidth += wide
		}
		at += size
	}
	flush(len(line))
	return b.String()
}

// Cut returns as much of a line without colours as fits a width. Characters are measured one by
// one: runewidth.Truncate would link tables of 400 kB for those that are joined.
func Cut(line string, width int) string {
	columns := 0
	for at, r := range line {
		if columns += runewidth.RuneWidth(r); columns > width {
			return line[:at]
		}
	}
	return line
}

// colorCode returns the length of a code for colours at the start of a text, 0 if there is none.
func colorCode(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	return strings.IndexByte(s, 'm') + 1
}
