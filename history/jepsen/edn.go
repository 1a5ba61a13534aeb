package jepsen

import (
	"bytes"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/eventlog"
	"github.com/linsat/linsat/history/internal/lex"
)

// Jepsen's and Knossos' EDN: events as maps with :process, :type, :f and :value, or as Knossos'
// tuples [process type f value], in a vector, a list, or one after the other. Other keys are
// ignored. event_order.go says what :time is for. A :key names the object, as in Porcupine's logs.
// What the events mean: events.go.

type ednReader struct {
	*ednLexer
	events *eventlog.EventLog
	like   eventlog.LikeResult
}

// readEDN reads EDN, whose format is "porcupine" if events name keys, else "edn".
func readEDN(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	r := &ednReader{ednLexer: newEDNLexer(s, b.Values), events: eventlog.NewEventLog(b), like: eventlog.LikeResult{}}
	if err := r.top(); err != nil {
		return err
	}
	if s.Failed() {
		return s.Fault()
	}
	if r.events.Keyed {
		b.Format = "porcupine"
	} else {
		b.Format = "edn"
	}
	return r.events.Finish()
}

func (r *ednReader) top() error {
	end := byte(0) // what closes the list that we are in, if any
	for {
		c, hash, ok, err := r.space()
		switch {
		case err != nil:
			return err
		case !ok && end != 0:
			return r.Truncated("the list of events")
		case !ok:
			return nil
		case hash: // a tag before the list or the event says nothing new
			if err := r.atom(false); err != nil {
				return err
			}
		case c == '{':
			if err := r.event(); err != nil {
				return err
			}
		case end != 0 && c == end:
			r.Skip()
			end = 0
		case c == '[' || c == '(':
			r.Skip()
			closes := byte(']')
			if c == '(' {
				closes = ')'
			}
			tuple := end != 0
			if !tuple {
				if tuple, err = r.tupleFollows(); err != nil {
					return err
				}
			}
			if !tuple {
				end = closes
			} else if err := r.tuple(closes); err != nil {
				return err
			}
		default:
			return &history.Error{Line: r.Line, What: fmt.Sprintf("%s where an event belongs", lex.Shown(c)),
				Hint: eventHint}
		}
	}
}

// tupleFollows reports whether what follows an opening bracket is the first part of a tuple, and
// not the first event of a list.
func (r *ednReader) tupleFollows() (bool, error) {
	c, hash, ok, err := r.space()
	if err == nil && ok && hash { // a tag before the first event, which says nothing
		return false, r.atom(false)
	}
	return ok && !hash && c != '{' && c != '[' && c != '(' && c != ']' && c != ')', err
}

// tuple reads [process type f value], of which the bracket is consumed.
func (r *ednReader) tuple(end byte) error {
	e := event{line: r.Line}
	r.text = r.text[:0]
	parts := [...]*[2]int{&e.process, &e.kind, &e.f, &e.value}
	for n := 0; ; n++ {
		c, hash, ok, err := r.space()
		switch {
		case err != nil:
			return err
		case !ok:
			return r.Truncated("an event")
		case c == end && !hash:
			r.Skip()
			if n < 3 {
				return &history.Error{Line: e.line, What: fmt.Sprintf("an event of %d parts", n), Hint: tupleHint}
			}
			return r.interpret(&e)
		case n == len(parts):
			return &history.Error{Line: r.Line, What: "an event of more than four parts", Hint: tupleHint}
		}
		start := len(r.text)
		if err := r.rest(c, hash, true); err != nil {
			return err
		}
		*parts[n] = [2]int{start, len(r.text)}
	}
}

const tupleHint = "an event is a tuple like [0 :invoke :write 1]: process, type, function and value, or a map"

const eventHint = "an event is a map like {:process 0, :type :invoke, :f :write, :value 1}"

// event reads a map.
func (r *ednReader) event() error {
	e := event{line: r.Line}
	r.Skip()
	r.text = r.text[:0]
	for {
		c, hash, ok, err := r.space()
		switch {
		case err != nil:
			return err
		case !ok:
			return r.Truncated("an event")
		case c == '}' && !hash:
			r.Skip()
			return r.interpret(&e)
		}
		start := len(r.text)
		if err := r.rest(c, hash, true); err != nil {
			return err
		}
		var at *[2]int
		switch string(r.text[start:]) {
		case ":process":
			at = &e.process
		case ":type":
			at = &e.kind
		case ":f":
			at = &e.f
		case ":key":
			at = &e.key
		case ":value":
			at = &e.value
		case ":chain":
			at = &e.chain
		case ":time":
			at = &e.time
		case ":write-id":
			at = &e.id
		case ":prev-write-id":
			at = &e.prev
		case ":" + eventlog.Rewinding:
			at = &e.rewinds
		default:
			if name := r.text[start:]; r.like.Sounds(name) {
				e.misnamed = string(name)
			}
		}
		r.text = r.text[:start]
		c, hash, ok, err = r.space()
		switch {
		case err != nil:
			return err
		case !ok:
			return r.Truncated("an event")
		case c == '}' && !hash:
			return &history.Error{Line: r.Line, What: "an event has a key without a value", Hint: eventHint}
		}
		if err := r.rest(c, hash, at != nil); err != nil {
			return err
		}
		if at != nil {
			*at = [2]int{start, len(r.text)}
		}
	}
}

// event is where the parts of an event lie in the copied text.
type event struct {
	process, kind, f, key, value, chain, time [2]int
	id, prev, rewinds                         [2]int

	line     int
	misnamed string // a key that sounds like :value
}

func (r *ednReader) interpret(e *event) error {
	part := func(at [2]int) []byte { return r.text[at[0]:at[1]] }
	process, kind, f := part(e.process), part(e.kind), part(e.f)
	if len(kind) == 0 {
		return &history.Error{Line: e.line, What: "an event without :type", Hint: eventHint}
	}
	if len(process) > 0 && process[0] == ':' || string(process) == "nil" {
		r.events.Note(process, f, part(e.value), eventlog.ParseTime(string(part(e.time))))
		return nil
	}
	value, stated := history.Nil, len(part(e.value)) > 0
	var err error
	// the values of the others are not observations
	if k := string(kind); k == ":invoke" || k == ":ok" || r.events.MayBeSole(k) {
		if value, err = r.decode(part(e.value), e.line); err != nil {
			return err
		}
	}
	if len(process) == 0 && !r.events.IsSole(string(kind), value) {
		return &history.Error{Line: e.line, What: "an event without :process", Hint: eventHint}
	}
	number, err := r.client(process, e.line)
	if err != nil {
		return err
	}
	key := history.NoKey
	if k := part(e.key); len(k) > 0 && string(k) != "nil" {
		if key, err = r.decode(part(e.key), e.line); err != nil {
			return err
		}
	}
	if len(f) == 0 {
		if f = r.events.Unnamed(number, value); f == nil {
			return &history.Error{Line: e.line, What: "an event without :f", Hint: eventHint}
		}
	}
	if !stated && string(kind) == ":ok" && e.misnamed != "" {
		r.events.MisnamedValue(e.misnamed, e.line)
	}
	var known [3]history.Value
	for i, at := range [...][2]int{e.chain, e.id, e.prev} {
		known[i] = history.Nil
		if text := part(at); len(text) > 0 {
			if known[i], err = r.decode(text, e.line); err != nil {
				return err
			}
		}
	}
	chain := known[0]
	value = r.events.Enriched(value, known[1], known[2], string(part(e.rewinds)) == "true")
	return r.events.Timed(&eventlog.ClientEvent{Process: number, Kind: kind, F: bytes.TrimPrefix(f, []byte{':'}),
		Key:   key,
		Value: value, Stated: stated, Chain: chain, Line: e.line, Time: eventlog.ParseTime(string(part(e.time)))})
}

// client returns the number of a process, of one without a name where the text is empty.
func (r *ednReader) client(process []byte, line int) (int32, error) {
	if len(process) == 0 {
		return r.events.Nobody(), nil
	}
	p, err := r.decode(process, line)
	if err != nil {
		return 0, err
	}
	return r.events.Process(p, line)
}
