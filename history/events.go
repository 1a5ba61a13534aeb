package history

import (
	"fmt"
	"slices"
	"strings"
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

type eventLog struct {
	b      *Builder
	keyed  bool // some event has a :key
	tuples bool // the keys stood in the values
	// calls of cas were triples of a key and two values
	triples bool
	table   bool // the events are rows of a table
	ids     bool // values are lists with the ids of writes
	stated  bool // which has columns for arguments and results
	names   map[string]bool
	faults  faults
	timing
}

func newEventLog(b *Builder) *eventLog {
	return &eventLog{b: b, names: map[string]bool{}, faults: faults{open: map[string]int{}, closed: map[string]int{}}}
}

// process returns the number of a client's process.
func (l *eventLog) process(v Value, line int) (int32, error) {
	if n, ok := l.b.Values.AsInt(v); ok {
		return l.b.ProcessInt(n), nil
	}
	if s, ok := l.b.Values.AsString(v); ok {
		return l.b.Process(s), nil
	}
	return 0, &Error{Line: line, What: fmt.Sprintf("the process is %s", l.b.Values.kind(v)),
		Hint: "a process is an integer, or :nemesis"}
}

// note files an event of the nemesis.
func (l *eventLog) note(process, f, value []byte, at eventTime) {
	l.noteTime(at)
	var parts []string
	details := ""
	for _, part := range [...][]byte{f, value} {
		if len(part) > 0 && string(part) != "nil" {
			short := abbreviate(string(part))
			if short != string(part) {
				details = string(part)
			}
			parts = append(parts, short)
		}
	}
	l.faults.event(l.b, string(process), string(f))
	l.b.Annotate(Note{Time: l.b.clock, End: l.b.clock, Process: string(process), Text: strings.Join(parts, " "),
		Details: details})
}

// clientEvent is an event of a client: chain is Nil where it says nothing of a known order.
type clientEvent struct {
	process    int32
	kind, f    []byte
	key, value Value
	stated     bool // it has a value, be it nil
	chain      Value
	line       int
	time       eventTime
}

// add adds an event of a client, with the place in a known order that it states.
func (l *eventLog) add(e *clientEvent) error {
	if e.chain == Nil {
		return l.event(e.process, e.kind, e.f, e.key, e.value, e.stated, e.line)
	}
	rev, err := l.revision(e.chain, e.line)
	if err != nil {
		return err
	}
	if string(e.kind) == ":invoke" {
		if err := l.event(e.process, e.kind, e.f, e.key, e.value, e.stated, e.line); err != nil {
			return err
		}
	}
	if r := l.b.openRecord(e.process); r != nil {
		if r.Revision != nil && *r.Revision != *rev {
			return &Error{Line: e.line,
				What: fmt.Sprintf("process %s has another :chain here than in its call in line %d",
					l.b.processes[e.process], r.Line),
				Hint: "state it once"}
		}
		r.Revision = rev
	}
	if string(e.kind) == ":invoke" {
		return nil
	}
	return l.event(e.process, e.kind, e.f, e.key, e.value, e.stated, e.line)
}

// revision reads a number, or the name of a chain and a number.
func (l *eventLog) revision(v Value, line int) (*Revision, error) {
	rev := &Revision{Chain: Nil}
	if list, ok := l.b.Values.AsList(v); ok && len(list) == 2 {
		rev.Chain, v = list[0], list[1]
	}
	n, ok := l.b.Values.AsInt(v)
	if !ok {
		return nil, &Error{Line: line, What: ":chain is not a number, or the name of a chain and a number",
			Hint: `a chain is written as 17, or as ["name" 17]`}
	}
	rev.Number = n
	return rev, nil
}

// event adds an event of a client.
// stated reports whether the event has a value at all, be it nil.
func (l *eventLog) event(process int32, kind, f []byte, key, value Value, stated bool, line int) error {
	name := l.b.Values.StringBytes(f)
	if string(kind) == ":invoke" {
		if !l.names[string(f)] {
			l.names[string(f)] = true
		}
		l.keyed = l.keyed || key != NoKey
		return l.b.Invoke(process, name, key, value, line)
	}
	r := l.b.openRecord(process)
	if r != nil && r.F != name {
		called, _ := l.b.Values.AsString(r.F)
		return &Error{Line: line,
			What: fmt.Sprintf("process %s reports on %s, but its open operation is %s, called in line %d",
				l.b.processes[process], abbreviate(string(f)), abbreviate(called), r.Line),
			Hint: "an event is missing in between"}
	}
	if r != nil && key != NoKey && r.Key != key {
		return &Error{Line: line, What: fmt.Sprintf("process %s reports on another key than it called with in line %d",
			l.b.processes[process], r.Line),
			Hint: "an event is missing in between"}
	}
	switch string(kind) {
	case ":ok":
		if r != nil {
			r.NoResult = !stated
		}
		return l.b.Complete(process, value, false, line)
	case ":fail":
		return l.b.Complete(process, Nil, true, line)
	case ":info":
		return l.b.abandon(process, line)
	}
	return &Error{Line: line, What: fmt.Sprintf("an event of type %s", abbreviate(string(kind))),
		Hint: "types are :invoke, :ok, :fail and :info"}
}

// unnamed returns the function of an event that names none: txn where its value is a list of
// micro-operations, or that is the open operation; otherwise nil.
func (l *eventLog) unnamed(process int32, value Value) []byte {
	const name = "txn"
	r := l.b.openRecord(process)
	if r == nil && listOfLists(l.b.Values, value) || r != nil && r.F == l.b.Values.String(name) {
		return []byte(name)
	}
	return nil
}

// finish determines keys, arguments and results.
func (l *eventLog) finish() error {
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
	answering := map[Value]bool{}
	for name := range l.names {
		answering[t.String(name)] = answers(name)
	}
	for i := range l.b.records {
		r := &l.b.records[i]
		kind := t.kind(r.Arg)
		switch {
		case r.F == read:
			if kind != kindList && kind != kindMap {
				r.Arg = Nil
			}
		case r.F == write, !r.returned():
			r.Result, r.NoResult = Nil, true
		case r.F == cas:
			r.Result, r.NoResult = True, false
		case r.Arg == r.Result && r.Arg != Nil && !answering[r.F] && (r.F != txn || !reads(t, r.Arg)):
			r.Result, r.NoResult = Nil, true
		}
	}
	if l.isPorcupine() && !l.table {
		l.absentIsEmpty()
	}
	return nil
}

// ofPorcupine are the functions of Porcupine's key-value logs.
var ofPorcupine = []string{"get", "put", "append", "delete", "cas"}

// isPorcupine reports whether the events are those of Porcupine's key-value model: of its functions
// only, with keys.
func (l *eventLog) isPorcupine() bool {
	for name := range l.names {
		if !slices.Contains(ofPorcupine, name) {
			return false
		}
	}
	return l.keyed && len(l.names) > 0
}

// absentIsEmpty states the initial state of Porcupine's key-value model, in which
// an absent key reads as "": every key holds "". A log in which some get found nil
// does not follow that model.
func (l *eventLog) absentIsEmpty() {
	t := l.b.Values
	get, empty := t.String("get"), t.String("")
	var pairs []Value
	seen := map[Value]bool{}
	for i := range l.b.records {
		r := &l.b.records[i]
		if r.F == get && r.returned() && r.Result == Nil {
			return
		}
		if !seen[r.Key] && r.Key != NoKey {
			seen[r.Key] = true
			key := r.Key
			if t.kind(key) != kindString { // JSON has no other keys
				key = t.String(t.Format(key))
			}
			pairs = append(pairs, key, empty)
		}
	}
	l.b.SetInitial(t.Map(pairs))
}
