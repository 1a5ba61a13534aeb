package history

import (
	"errors"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
)

// Error describes bad input: what is wrong, where, and what to do about it.
type Error struct {
	File string // "" if unknown
	Line int    // 1-based, 0 if unknown
	What string // one line, lower case, no full stop
	Hint string // the next step, or ""
}

// Error gives "FILE:LINE: what" without the hint.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		b.WriteByte(':')
	}
	if e.Line > 0 {
		if e.File == "" {
			b.WriteString("line ")
		}
		b.WriteString(itoa(int64(e.Line)))
		b.WriteByte(':')
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(e.What)
	return b.String()
}

func init() {
	lex.NewError = func(line int, what, hint string) error { return &Error{Line: line, What: what, Hint: hint} }
	lex.AsError = func(err error) error {
		var e *Error
		if errors.As(err, &e) {
			return e
		}
		return nil
	}
}

// OpError returns an Error about operation i of h, with its file and line.
func (h *History) OpError(i OpID, what, hint string) *Error {
	e := &Error{File: h.Source, What: what, Hint: hint}
	if int(i) < len(h.Origins) {
		e.Line = int(h.Origins[i].Line)
		if e.Line == 0 || h.Origins[i].Line == 1 && len(h.Ops) > 1 {
			e.What = "operation " + h.ID(i) + ": " + what
		}
	}
	return e
}
