package history

import (
	"bytes"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
)

// The formats that are JSON are distinguished by the field names of the first object that may be an
// operation.

// jsonShape returns the name of the format of a JSON input: "jepsen-json", "porcupine-json",
// "otlp", or "json" for linsat's own two. It refuses an input that could be two of them.
func jsonShape(head []byte) (string, error) {
	names := firstNames(head)
	has := func(all ...string) bool {
		for _, n := range all {
			if !names[n] {
				return false
			}
		}
		return true
	}
	events, calls, own := has("type", "f", "process") || has("type", "value", "process"),
		has("clientid", "input", "call"), has("f", "process", "call") || has("operations")
	switch {
	case has("resourcespans"):
		return otlpFormat, nil
	case events && own, events && calls, calls && own:
		return "", &Error{What: "the first object has the fields of two formats (" +
			strings.Join(claims(events, calls, own), ", ") + ")",
			Hint: "name the format with --input-format: json, jsonl, jepsen-json or porcupine-json"}
	case events:
		return "jepsen-json", nil
	case calls:
		return "porcupine-json", nil
	}
	return "json", nil
}

func claims(events, calls, own bool) (c []string) {
	if events {
		c = append(c, "type, f and process of Jepsen's events")
	}
	if calls {
		c = append(c, "ClientId, Input and Call of Porcupine's operations")
	}
	if own {
		c = append(c, "f, process and call of linsat's operations")
	}
	return c
}

// firstNames returns the field names, in lower case, of the first object in a text, or of the first
// element of a list. The text may end inside the object.
func firstNames(head []byte) map[string]bool {
	names := map[string]bool{}
	l := &lex.JsonText{Source: lex.NewSource(bytes.NewReader(head), 0)}
	c, ok := l.Space()
	if ok && c == '[' {
		l.Pos++
		c, ok = l.Space()
	}
	if ok && c == '{' {
		// An error only means that the text ends, or is not JSON: the reader will report that.
		_ = l.Object("", func(key []byte) error {
			names[strings.ToLower(string(key))] = true
			return l.Ignore()
		})
	}
	return names
}
