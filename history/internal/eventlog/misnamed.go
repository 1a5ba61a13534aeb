package eventlog

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
)

// LikeResult remembers which of the unknown names sound like a result.
type LikeResult map[string]bool

// Sounds reports whether a name does.
func (l LikeResult) Sounds(name []byte) bool {
	like, known := l[string(name)]
	if !known && len(l) < 1000 {
		like = lex.Nearest(strings.TrimPrefix(string(name), ":"), []string{"result"}) != ""
		l[string(name)] = like
	}
	return like
}

// MisnamedValue warns about an event of Jepsen that returned without a value, but with a field that
// sounds like one.
func (l *EventLog) MisnamedValue(name string, line int) {
	l.b.Warn(line, fmt.Sprintf("an event has an unknown field %q, which is ignored", lex.Abbreviate(name)),
		`did you mean "value"? its fields are process, type, f, value and key`)
}
