package eventlog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// What Jepsen's events mean, for the EDN and the text reader.
//
//	:invoke  the call, with its value
//	:ok      the return, with its value
//	:fail    it did not take effect: dropped
//	:info    the outcome is unknown: pending; the process may be used again
//
// Arguments and results are distinguished by the two values:
//
//	function                 argument          result
//	read                     the call's, if    the return's
//	                         a list or map
//	write                    the call's        none
//	cas                      the call's        true, as a failed one says :fail
//	others, called with nil  none              the return's
//	others                   the call's        the return's, unless it repeats the argument
//	                                           of an operation that may give none
//	drain                    dequeues, one for each value of the return: drains.go
//
// A :chain is the place of the operation in a known order, in the event of its call or of its end.
// :revision is not read: other programs' logs have it with other meanings.
//
// A :key in the events is the key. Without any, the values may be jepsen.independent's
// tuples [key value]: keyed.go.

type EventLog struct {
	b      *history.Reading
	Keyed  bool // some event has a :key
	tuples bool // the keys stood in the values
	// calls of cas were triples of a key and two values
	triples bool
	table   bool // the events are rows of a table
	ids     bool // values are lists with the ids of writes
	stated  bool // which has columns for arguments and results
	Names   map[string]bool
	// only the ends of transactions are recorded
	soleEnds bool
	faults   faults
	timing
}

func NewEventLog(b *history.Reading) *EventLog {
	return &EventLog{b: b, Names: map[string]bool{}, faults: faults{open: map[string]int{}, closed: map[string]int{}}}
}

// Process returns the number of a client's process.
func (l *EventLog) Process(v history.Value, line int) (int32, error) {
	if n, ok := l.b.Values.AsInt(v); ok {
		return l.b.ProcessInt(n), nil
	}
	if s, ok := l.b.Values.AsString(v); ok {
		return l.b.Process(s), nil
	}
	return 0, &history.Error{Line: line, What: fmt.Sprintf("the process is %s", l.b.Values.Kind(v)),
		Hint: "a process is an integer, or :nemesis"}
}

// Note files an event of the nemesis.
func (l *EventLog) Note(process, f, value []byte, at EventTime) {
	l.noteTime(at)
	var parts []string
	details := ""
	for _, part := range [...][]byte{f, value} {
		if len(part) > 0 && string(part) != "nil" {
			short := lex.Abbreviate(string(part))
			if short != string(part) {
				details = string(part)
			}
			parts = append(parts, short)
		}
	}
	l.faults.event(l.b, string(process), string(f))
	l.b.Annotate(history.Note{Time: l.b.Clock(), End: l.b.Clock(), Process: string(process), Text: strings.Join(parts, " "),
		Details: details})
}

// ClientEvent is an event of a client: chain is Nil where it says nothing of a known order.
type ClientEvent struct {
	Process    int32
	Kind, F    []byte
	Key, Value history.Value
	Stated     bool // it has a value, be it nil
	Chain      history.Value
	Line       int
	Time       EventTime
}

// add adds an event of a client, with the place in a known order that it states.
func (l *EventLog) add(e *ClientEvent) error {
	if e.Chain == history.Nil {
		return l.Event(e.Process, e.Kind, e.F, e.Key, e.Value, e.Stated, e.Line)
	}
	rev, err := l.revision(e.Chain, e.Line)
	if err != nil {
		return err
	}
	if string(e.Kind) == ":invoke" {
		if err := l.Event(e.Process, e.Kind, e.F, e.Key, e.Value, e.Stated, e.Line); err != nil {
			return err
		}
	}
	if r := l.b.OpenRecord(e.Process); r != nil {
		if r.Revision != nil && *r.Revision != *rev {
			return &history.Error{Line: e.Line,
				What: fmt.Sprintf("process %s has another :chain here than in its call in line %d",
					l.b.Name(e.Process), r.Line),
				Hint: "state it once"}
		}
		r.Revision = rev
	}
	if string(e.Kind) == ":invoke" {
		return nil
	}
	return l.Event(e.Process, e.Kind, e.F, e.Key, e.Value, e.Stated, e.Line)
}

// revision reads a number, or the name of a chain and a number.
func (l *EventLog) revision(v history.Value, line int) (*history.Revision, error) {
	rev := &history.Revision{Chain: history.Nil}
	if list, ok := l.b.Values.AsList(v); ok && len(list) == 2 {
		rev.Chain, v = list[0], list[1]
	}
	n, ok := l.b.Values.AsInt(v)
	if !ok {
		return nil, &history.Error{Line: line, What: ":chain is not a number, or the name of a chain and a number",
			Hint: `a chain is written as 17, or as ["name" 17]`}
	}
	rev.Number = n
	return rev, nil
}

// Event adds an event of a client.
// stated reports whether the event has a value at all, be it nil.
func (l *EventLog) Event(process int32, kind, f []byte, key, value history.Value, stated bool, line int) error {
	name := l.b.Values.StringBytes(f)
	if string(kind) == ":invoke" {
		if !l.Names[string(f)] {
			l.Names[string(f)] = true
		}
		l.Keyed = l.Keyed || key != history.NoKey
		return l.b.Invoke(process, name, key, value, line)
	}
	r := l.b.OpenRecord(process)
	if r != nil && r.F != name {
		called, _ := l.b.Values.AsString(r.F)
		return &history.Error{Line: line,
			What: fmt.Sprintf("process %s reports on %s, but its open operation is %s, called in line %d",
				l.b.Name(process), lex.Abbreviate(string(f)), lex.Abbreviate(called), r.Line),
			Hint: "an event is missing in between"}
	}
	if r != nil && key != history.NoKey && r.Key != key {
		return &history.Error{Line: line, What: fmt.Sprintf("process %s reports on another key than it called with in line %d",
			l.b.Name(process), r.Line),
			Hint: "an event is missing in between"}
	}
	switch string(kind) {
	case ":ok":
		if r != nil {
			r.NoResult = !stated
		}
		return l.b.Complete(process, value, false, line)
	case ":fail":
		return l.b.Complete(process, history.Nil, true, line)
	case ":info":
		return l.b.Abandon(process, line)
	}
	return &history.Error{Line: line, What: fmt.Sprintf("an event of type %s", lex.Abbreviate(string(kind))),
		Hint: "types are :invoke, :ok, :fail and :info"}
}

// Unnamed returns the function of an event that names none: txn where its value is a list of
// micro-operations, or that is the open operation; otherwise nil.
func (l *EventLog) Unnamed(process int32, value history.Value) []byte {
	const name = "txn"
	r := l.b.OpenRecord(process)
	if r == nil && listOfLists(l.b.Values, value) || r != nil && r.F == l.b.Values.String(name) {
		return []byte(name)
	}
	return nil
}

// Finish determines keys, arguments and results.
func (l *EventLog) Finish() error {
	t := l.b.Values
	read, write, cas, txn := t.String("read"), t.String("write"), t.String("cas"), t.String("txn")
	if err := l.inOrder(); err != nil || l.stated {
		return err
	}
	if done, err := l.piecewise(); done || err != nil {
		return err
	}
	called, returned := l.writeIDs()
	l.shapes()
	if err := l.splitTuples(); err != nil {
		return err
	}
	if l.ids {
		if err := l.chainOfIDs(called, returned); err != nil {
			return err
		}
	}
	l.versions()
	l.onceEach()
	l.lockNames()
	l.transactions()
	if err := l.splitDrains(); err != nil {
		return err
	}
	answering := map[history.Value]bool{}
	for name := range l.Names {
		answering[t.String(name)] = answers(name)
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		switch {
		case r.F == read:
			if !isCompound(t, r.Arg) {
				r.Arg = history.Nil
			}
		case r.F == write, !completed(r):
			r.Result, r.NoResult = history.Nil, true
		case r.F == cas:
			r.Result, r.NoResult = history.True, false
		case r.Arg == r.Result && r.Arg != history.Nil && !answering[r.F] && (r.F != txn || !reads(t, r.Arg)):
			r.Result, r.NoResult = history.Nil, true
		}
	}
	if l.IsPorcupine() && !l.table {
		l.AbsentIsEmpty()
	}
	return nil
}

// ofPorcupine are the functions of Porcupine's key-value logs.
var ofPorcupine = []string{"get", "put", "append", "delete", "cas"}

// IsPorcupine reports whether the events are those of Porcupine's key-value model: of its functions
// only, with keys.
func (l *EventLog) IsPorcupine() bool {
	for name := range l.Names {
		if !slices.Contains(ofPorcupine, name) {
			return false
		}
	}
	return l.Keyed && len(l.Names) > 0
}

// AbsentIsEmpty states the initial state of Porcupine's key-value model, in which
// an absent key reads as "": every key holds "". A log in which some get found nil
// does not follow that model.
func (l *EventLog) AbsentIsEmpty() {
	t := l.b.Values
	get, empty := t.String("get"), t.String("")
	var pairs []history.Value
	seen := map[history.Value]bool{}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		if r.F == get && completed(r) && r.Result == history.Nil {
			return
		}
		if !seen[r.Key] && r.Key != history.NoKey {
			seen[r.Key] = true
			key := r.Key
			if _, is := t.AsString(key); !is { // JSON has no other keys
				key = t.String(t.Format(key))
			}
			pairs = append(pairs, key, empty)
		}
	}
	l.b.SetInitial(t.Map(pairs))
}

// completed reports whether an operation took effect and returned.
func completed(r *history.Record) bool { return !r.Pending && !r.Failed }

// isCompound reports whether a value is a list or a map.
func isCompound(t *history.Values, v history.Value) bool {
	_, isMap := t.AsMap(v)
	return isMap || isList(t, v)
}

func isList(t *history.Values, v history.Value) bool {
	_, is := t.AsList(v)
	return is
}
