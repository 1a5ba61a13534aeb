package eventlog

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Jepsen's events as JSON: a list of objects, or one object after the other (JSON Lines).
//
//	{"type": "invoke", "f": "cas", "value": [3, 4], "process": 1, "time": 17, "index": 3}
// The names of fields may be in upper or lower case, and keywords have a colon or not. events.go
// describes the meaning of the events. JSON has no keywords, so "nemesis" is the name of the
// nemesis, and every other string that of a client.

type eventReader struct {
	lex.JsonLexer[history.Value]
	events *EventLog
	at     jsonEvent
	like   LikeResult
}

// jsonEvent is an event as far as it is read.
type jsonEvent struct {
	process    history.Value
	kind, f    string
	key, value history.Value
	chain      history.Value
	id, prev   history.Value // of a write
	rewinds    bool
	time       EventTime
	stated     bool // whether it has a value
	hasProcess bool
	inexact    error // why the value, or a number in it, cannot be represented
	line       int
	misnamed   string // a field that sounds like a value
}

// ReadJSONEvents reads events.
func ReadJSONEvents(b *history.Reading) error { return eventsOf(b, NewEventLog(b)) }

// ReadEventRows reads events that are rows of a table; stated says that it has columns for
// arguments and results.
func ReadEventRows(b *history.Reading, stated bool) error {
	l := NewEventLog(b)
	l.table, l.stated = true, stated
	return eventsOf(b, l)
}

func eventsOf(b *history.Reading, l *EventLog) error {
	r := &eventReader{JsonLexer: lex.NewJSON[history.Value](lex.SourceOf(b.In), b.Values, true), events: l,
		like: LikeResult{}}
	if err := r.DocumentsOf("an event", r.event); err != nil {
		return err
	}
	return r.events.Finish()
}

const jsonEventHint = `an event is {"type": "invoke", "f": "write", "value": 1, "process": 0}`

// event reads an object.
func (r *eventReader) event() error {
	e := &r.at
	*e = jsonEvent{key: history.NoKey, chain: history.Nil, id: history.Nil, prev: history.Nil, line: r.Line}
	if err := r.Object("an event", r.field); err != nil {
		return err
	}
	return r.interpret(e)
}

func (r *eventReader) field(name []byte) (err error) {
	e := &r.at
	switch strings.ToLower(strings.TrimPrefix(string(name), ":")) {
	case "process":
		e.hasProcess = true
		e.process, err = r.Value()
	case "type":
		e.kind, err = r.word("type")
		e.kind = ":" + strings.ToLower(e.kind)
	case "f":
		e.f, err = r.word("f")
	case "key":
		if e.key, err = r.Value(); e.key == history.Nil {
			e.key = history.NoKey
		}
	case "chain":
		e.chain, err = r.Value()
	case "write-id":
		e.id, err = r.Value()
	case "prev-write-id":
		e.prev, err = r.Value()
	case Rewinding:
		var v history.Value
		v, err = r.Value()
		e.rewinds = v == history.True
	case "time":
		c, tokenErr := r.Token("a time")
		if tokenErr != nil || c != '-' && (c < '0' || '9' < c) {
			return r.Ignore()
		}
		text, numberErr := r.Number()
		e.time, err = ParseTime(text), numberErr
	case "value":
		e.stated = true
		r.Inexact = nil
		e.value, err = r.Value()
		e.inexact = r.Inexact
	default:
		if r.like.Sounds(name) {
			e.misnamed = string(name)
		}
		err = r.Ignore()
	}
	return err
}

// word reads a string that names something, without the colon of a keyword.
func (r *eventReader) word(field string) (string, error) {
	if err := r.Want('"', field, "a string"); err != nil {
		return "", err
	}
	s, err := r.Str()
	return strings.TrimPrefix(string(s), ":"), err
}

func (r *eventReader) interpret(e *jsonEvent) error {
	t := r.events.b.Values
	for _, m := range [...]struct {
		there bool
		name  string
	}{{e.kind != "", "type"}, {e.hasProcess || r.events.IsSole(e.kind, e.value), "process"}} {
		if !m.there {
			return &history.Error{Line: e.line, What: fmt.Sprintf("an event without %q", m.name), Hint: jsonEventHint}
		}
	}
	name, isString := t.AsString(e.process)
	name = strings.TrimPrefix(name, ":")
	if e.hasProcess && e.process == history.Nil || isString && strings.EqualFold(name, "nemesis") {
		if name == "" {
			name = "nemesis"
		}
		value := ""
		if e.value != history.Nil {
			value = t.Format(e.value)
		}
		r.events.Note([]byte(":"+name), []byte(e.f), []byte(value), e.time)
		return nil
	}
	if isString {
		e.process = t.String(name)
	}
	var process int32
	var err error
	if e.hasProcess {
		process, err = r.events.Process(e.process, e.line)
	} else {
		process = r.events.Nobody()
	}
	if err != nil {
		return err
	}
	if e.f == "" {
		if e.f = string(r.events.Unnamed(process, e.value)); e.f == "" {
			return &history.Error{Line: e.line, What: `an event without "f"`, Hint: jsonEventHint}
		}
	}
	// the values of the others are not observations
	if e.kind != ":invoke" && e.kind != ":ok" && !r.events.MayBeSole(e.kind) {
		e.value = history.Nil
	} else if e.inexact != nil {
		return e.inexact
	}
	if !e.stated && e.kind == ":ok" && e.misnamed != "" {
		r.events.MisnamedValue(e.misnamed, e.line)
	}
	e.value = r.events.Enriched(e.value, e.id, e.prev, e.rewinds)
	return r.events.Timed(&ClientEvent{process, []byte(e.kind), []byte(e.f), e.key, e.value, e.stated, e.chain,
		e.line, e.time})
}
