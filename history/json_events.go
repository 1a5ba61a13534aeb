package history

import (
	"fmt"
	"strings"
)

// Jepsen's events as JSON: a list of objects, or one object after the other (JSON Lines).
//
//	{"type": "invoke", "f": "cas", "value": [3, 4], "process": 1, "time": 17, "index": 3}
// The names of fields may be in upper or lower case, and keywords have a colon or not. events.go
// describes the meaning of the events. JSON has no keywords, so "nemesis" is the name of the
// nemesis, and every other string that of a client.

type eventReader struct {
	jsonLexer
	events *eventLog
	at     jsonEvent
	like   likeResult
}

// jsonEvent is an event as far as it is read.
type jsonEvent struct {
	process    Value
	kind, f    string
	key, value Value
	chain      Value
	id, prev   Value // of a write
	rewinds    bool
	time       eventTime
	stated     bool // whether it has a value
	hasProcess bool
	inexact    error // why the value, or a number in it, cannot be represented
	line       int
	misnamed   string // a field that sounds like a value
}

func readJSONEvents(s *source, b *Builder) error {
	r := &eventReader{jsonLexer: jsonLexer{source: s, values: b.Values, opaque: true}, events: newEventLog(b),
		like: likeResult{}}
	if err := r.documentsOf("an event", r.event); err != nil {
		return err
	}
	return r.events.finish()
}

const jsonEventHint = `an event is {"type": "invoke", "f": "write", "value": 1, "process": 0}`

// event reads an object.
func (r *eventReader) event() error {
	e := &r.at
	*e = jsonEvent{key: NoKey, chain: Nil, id: Nil, prev: Nil, line: r.line}
	if err := r.object("an event", r.field); err != nil {
		return err
	}
	return r.interpret(e)
}

func (r *eventReader) field(name []byte) (err error) {
	e := &r.at
	switch strings.ToLower(strings.TrimPrefix(string(name), ":")) {
	case "process":
		e.hasProcess = true
		e.process, err = r.value()
	case "type":
		e.kind, err = r.word("type")
		e.kind = ":" + strings.ToLower(e.kind)
	case "f":
		e.f, err = r.word("f")
	case "key":
		if e.key, err = r.value(); e.key == Nil {
			e.key = NoKey
		}
	case "chain":
		e.chain, err = r.value()
	case "write-id":
		e.id, err = r.value()
	case "prev-write-id":
		e.prev, err = r.value()
	case rewinding:
		var v Value
		v, err = r.value()
		e.rewinds = v == True
	case "time":
		c, tokenErr := r.token("a time")
		if tokenErr != nil || c != '-' && (c < '0' || '9' < c) {
			return r.ignore()
		}
		text, numberErr := r.number()
		e.time, err = parseTime(text), numberErr
	case "value":
		e.stated = true
		r.inexact = nil
		e.value, err = r.value()
		e.inexact = r.inexact
	default:
		if r.like.sounds(name) {
			e.misnamed = string(name)
		}
		err = r.ignore()
	}
	return err
}

// word reads a string that names something, without the colon of a keyword.
func (r *eventReader) word(field string) (string, error) {
	if err := r.want('"', field, "a string"); err != nil {
		return "", err
	}
	s, err := r.str()
	return strings.TrimPrefix(string(s), ":"), err
}

func (r *eventReader) interpret(e *jsonEvent) error {
	t := r.values
	for _, m := range [...]struct {
		there bool
		name  string
	}{{e.kind != "", "type"}, {e.hasProcess, "process"}} {
		if !m.there {
			return &Error{Line: e.line, What: fmt.Sprintf("an event without %q", m.name), Hint: jsonEventHint}
		}
	}
	name, isString := t.AsString(e.process)
	name = strings.TrimPrefix(name, ":")
	if e.process == Nil || isString && strings.EqualFold(name, "nemesis") {
		if name == "" {
			name = "nemesis"
		}
		value := ""
		if e.value != Nil {
			value = t.Format(e.value)
		}
		r.events.note([]byte(":"+name), []byte(e.f), []byte(value), e.time)
		return nil
	}
	if isString {
		e.process = t.String(name)
	}
	process, err := r.events.process(e.process, e.line)
	if err != nil {
		return err
	}
	if e.f == "" {
		if e.f = string(r.events.unnamed(process, e.value)); e.f == "" {
			return &Error{Line: e.line, What: `an event without "f"`, Hint: jsonEventHint}
		}
	}
	if e.kind != ":invoke" && e.kind != ":ok" { // the values of the others are not observations
		e.value = Nil
	} else if e.inexact != nil {
		return e.inexact
	}
	if !e.stated && e.kind == ":ok" && e.misnamed != "" {
		r.events.misnamedValue(e.misnamed, e.line)
	}
	e.value = r.events.enriched(e.value, e.id, e.prev, e.rewinds)
	return r.events.timed(&clientEvent{process, []byte(e.kind), []byte(e.f), e.key, e.value, e.stated, e.chain,
		e.line, e.time})
}
