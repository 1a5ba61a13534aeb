package history

import (
	"bytes"
)

// Jepsen's text logs: one event a line, "INFO  jepsen.util - 3 :invoke :cas [1 2]", as
// any line that holds a process, a type and a function in this order. Other lines
// are ignored, unless they come from jepsen.util and begin like an event.
// What the events mean: events.go.

func readJepsen(s *source, b *Builder) error {
	l := newEDNLexer(s, b.Values)
	events := newEventLog(b)
	for {
		line := s.line
		text, ok, err := s.text()
		if err != nil {
			return err
		}
		if !ok {
			return events.finish()
		}
		process, kind, f, value := jepsenEvent(text)
		if kind == nil {
			if jepsenStub(text) {
				return &Error{Line: line, What: "an event without type or function", Hint: "an event reads: INFO  jepsen.util - 3 :invoke :write 1"}
			}
			continue
		}
		if process[0] == ':' {
			events.note(process, f, value)
			continue
		}
		p, err := l.decode(process, line)
		if err != nil {
			return err
		}
		number, err := events.process(p, line)
		if err != nil {
			return err
		}
		v := Nil
		if k := string(kind); k == ":invoke" || k == ":ok" {
			if err := checkDepth(value, line); err != nil {
				return err
			}
			if v, err = l.decode(value, line); err != nil {
				return err
			}
		}
		if err := events.event(number, kind, f[1:], NoKey, v, len(value) > 0, line); err != nil {
			return err
		}
	}
}

// word cuts the first word off a line.
func word(text []byte) (word, rest []byte) {
	text = bytes.TrimLeft(text, " \t")
	n := bytes.IndexAny(text, " \t")
	if n < 0 {
		return text, nil
	}
	return text[:n], text[n:]
}

// jepsenEvent takes a line apart; kind is nil if it is no event.
func jepsenEvent(text []byte) (process, kind, f, value []byte) {
	for rest := text; len(rest) > 0; {
		var w []byte
		w, rest = word(rest)
		switch string(w) {
		case ":invoke", ":ok", ":fail", ":info":
			name, after := word(rest)
			if len(process) == 0 || len(name) < 2 || name[0] != ':' {
				return nil, nil, nil, nil
			}
			value = bytes.TrimLeft(after, " \t")
			if n := bytes.IndexByte(value, '\t'); n >= 0 {
				value = value[:n]
			}
			return process, w, name, bytes.TrimRight(value, " ")
		}
		process = nil
		if plainInt(w) || len(w) > 1 && w[0] == ':' {
			process = w
		}
	}
	return nil, nil, nil, nil
}

// jepsenStub says whether a line begins like an event: "jepsen.util - 3".
func jepsenStub(text []byte) bool {
	_, after, found := bytes.Cut(text, []byte("jepsen.util - "))
	if !found {
		return false
	}
	w, _ := word(after)
	return plainInt(w)
}

// checkDepth refuses values that nest too deeply for the decoder's recursion.
func checkDepth(value []byte, line int) error {
	depth := 0
	var outside []int // depth of what encloses each open bracket
	for k, inside := 0, 0; k < len(value); k++ {
		switch value[k] {
		case '\\': // a character
			k++
		case '"':
			for k++; k < len(value) && value[k] != '"'; k++ {
				if value[k] == '\\' {
					k++
				}
			}
		case '#':
			depth++
		case '[', '(', '{':
			outside = append(outside, inside)
			depth++
			inside = depth
		case ']', ')', '}':
			if n := len(outside); n > 0 {
				depth, inside, outside = outside[n-1], outside[n-1], outside[:n-1]
			}
		}
		if depth > maxDepth {
			return tooDeep(line)
		}
	}
	return nil
}
