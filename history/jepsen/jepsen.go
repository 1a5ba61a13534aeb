package jepsen

import (
	"bytes"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/eventlog"
	"github.com/linsat/linsat/history/internal/lex"
)

// Jepsen's text logs: one event a line, as any line that holds a process, a type and a
// function in this order. Other lines are ignored, unless they come from jepsen.util and
// begin like an event. What the events mean: events.go.
//
//	0	:invoke	:read	nil                        history.txt
//	INFO  jepsen.util - 3	:invoke	:cas	[1 2]      a console
//	2025-05-24 21:18:22{GMT}	INFO	[worker 1] jepsen.util: 1	:invoke	:read	nil
//
// The last is a line of jepsen.log, which begins with the test as EDN over many lines. When the
// test is over, Knossos prints its analysis to the same console: paths through the history, whose
// lines look like those of history.txt. So the first event determines the source of the events of a
// log. Later lines that look like events are ignored if their source is a lesser one, and refused
// if it is a better one, since Jepsen writes no such log.

func readJepsen(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	l := newEDNLexer(s, b.Values)
	events := eventlog.NewEventLog(b)
	first := logLine{}
	for {
		line := s.Line
		text, ok, err := s.Text()
		if err != nil {
			return err
		}
		if !ok {
			return events.Finish()
		}
		e := jepsenEvent(text)
		switch {
		case e.kind == nil && jepsenStub(text):
			return &history.Error{Line: line, What: "an event without type or function",
				Hint: "an event reads: INFO  jepsen.util - 3 :invoke :write 1"}
		case e.kind == nil:
			continue
		case first.kind == nil:
			first.logger, first.kind = e.logger, e.kind
			first.line = line
		case e.logger < first.logger:
			continue
		case e.logger > first.logger:
			return &history.Error{Line: line, What: fmt.Sprintf("an event from %s, after one from %s in line %d",
				e.logger,
				first.logger, first.line),
				Hint: "are two logs joined here? keep the events of one"}
		}
		if e.process[0] == ':' {
			events.Note(e.process, e.f, e.value, eventlog.EventTime{})
			continue
		}
		p, err := l.decode(e.process, line)
		if err != nil {
			return err
		}
		number, err := events.Process(p, line)
		if err != nil {
			return err
		}
		v := history.Nil
		if k := string(e.kind); k == ":invoke" || k == ":ok" {
			if err := checkDepth(e.value, line); err != nil {
				return err
			}
			if v, err = l.decode(e.value, line); err != nil {
				return err
			}
		}
		if err := events.Event(number, e.kind, e.f[1:], history.NoKey, v, len(e.value) > 0, line); err != nil {
			return err
		}
	}
}

// logLine is an event of a text log.
type logLine struct {
	process, kind, f, value []byte // kind is nil where there is none
	logger                  logger
	line                    int
}

// logger is the text before the process, ordered from the least reliable source on.
type logger uint8

const (
	bareLine logger = iota
	otherLogger
	jepsenUtil
)

func (l logger) String() string {
	return [...]string{"a line without logger", "a line with something else before the process", "jepsen.util"}[l]
}

func loggerOf(before []byte) logger {
	before = bytes.TrimSpace(before)
	switch {
	case len(before) == 0:
		return bareLine
	case bytes.HasSuffix(bytes.TrimRight(before, " -:"), []byte("jepsen.util")):
		return jepsenUtil
	}
	return otherLogger
}

// jepsenEvent parses a line.
func jepsenEvent(text []byte) logLine {
	var process []byte
	before := 0 // where the process begins
	for rest := text; len(rest) > 0; {
		var w []byte
		w, rest = lex.Word(rest)
		switch string(w) {
		case ":invoke", ":ok", ":fail", ":info":
			name, after := lex.Word(rest)
			if len(process) == 0 || len(name) < 2 || name[0] != ':' {
				return logLine{}
			}
			value := bytes.TrimLeft(after, " \t")
			if n := bytes.IndexByte(value, '\t'); n >= 0 {
				value = value[:n]
			}
			return logLine{process: process, kind: w, f: name, value: bytes.TrimRight(value, " "),
				logger: loggerOf(text[:before])}
		}
		process = nil
		if lex.PlainInt(w) || len(w) > 1 && w[0] == ':' {
			process, before = w, len(text)-len(rest)-len(w)
		}
	}
	return logLine{}
}

// jepsenStub reports whether a line begins like an event: "jepsen.util - 3".
func jepsenStub(text []byte) bool {
	for _, logger := range [...]string{"jepsen.util - ", "jepsen.util: "} {
		if _, after, found := bytes.Cut(text, []byte(logger)); found {
			w, _ := lex.Word(after)
			return lex.PlainInt(w)
		}
	}
	return false
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
		if depth > lex.MaxDepth {
			return lex.TooDeep(line)
		}
	}
	return nil
}
