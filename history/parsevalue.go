package history

import (
	"errors"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/escape"
)

// Parse interns a value that is given as JSON, for example an initial state on a command line.
// Numbers must be whole and fit into 64 bits. The error is an *Error without a line.
func (t *Values) Parse(text string) (Value, error) {
	if t == nil {
		return Nil, &Error{What: "Parse without a table of values", Hint: "use History.Values or newValues"}
	}
	l := lex.NewJSON[Value](lex.NewSource(strings.NewReader(text), 0), t, false)
	v, err := l.Value()
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			e.Line, e.What = 0, escape.Text(e.What)
		}
		return Nil, err
	}
	if _, more := l.Space(); more {
		return Nil, &Error{What: "more than one JSON value", Hint: "quote it as one argument"}
	}
	return v, nil
}
