package history

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Error describes bad input: what is wrong, where, and what to do about it.
type Error struct {
	File string // "" if unknown
	Line int    // 1-based, 0 if unknown
	What string // one line, lower case, no full stop
	Hint string // the next step, or ""

	syntax bool // the text is truncated, or not in its format at all
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

func appendJSONString(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f || c == '<' || c == '>' || c == '&' {
			quoted, err := json.Marshal(s)
			if err != nil { // a string always has a JSON form
				panic("history: " + err.Error())
			}
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

func tooDeep(line int) *Error {
	return &Error{Line: line, What: fmt.Sprintf("a value is nested more than %d deep", maxDepth),
		Hint: "write such a value as a string"}
}
