package eventlog

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Transactions of which only the ends are recorded, as in the examples of Elle:
//
//	{:process 0, :type :ok, :value [[:append :x 1] [:r :y [1]]]}
//
// Nothing says when one began, so of time only the order of each process's transactions is known. A
// transaction that names no process has one of its own. All transactions of a history are like
// this, or none.

// MayBeSole reports whether an event may be all that is recorded of its operation, since no call
// came before it.
func (l *EventLog) MayBeSole(kind string) bool {
	return kind != ":invoke" && (l.soleEnds || len(l.Names) == 0)
}

// IsSole reports whether an event is all that is recorded of a transaction.
func (l *EventLog) IsSole(kind string, value history.Value) bool {
	return l.MayBeSole(kind) && microOperations(l.b.Values, value)
}

// Nobody returns the number of a process that has one operation and no name.
func (l *EventLog) Nobody() int32 { return l.b.Process(fmt.Sprintf("T%d", l.b.Len())) }

// soleEnd adds the call and the end of a transaction of which only the end is recorded, and reports
// whether the event is one.
func (l *EventLog) soleEnd(e *ClientEvent) (bool, error) {
	t := l.b.Values
	if l.soleEnds && string(e.Kind) == ":invoke" {
		return false, &history.Error{Line: e.Line, What: "a call, and transactions before it have none",
			Hint: "record the calls of all transactions, or of none"}
	}
	if !l.IsSole(string(e.Kind), e.Value) {
		return false, nil
	}
	if !l.soleEnds {
		l.soleEnds, l.timing.off = true, true
		l.b.Untimed()
		l.b.Warn(e.Line, "no transaction has a call: of time, only the order of each process's transactions is known",
			"with :invoke events they are in order in time, too")
	}
	call := *e
	call.Kind, call.Value = []byte(":invoke"), asked(t, e.Value)
	if err := l.add(&call); err != nil {
		return true, err
	}
	return true, l.add(e)
}

// asked returns the transaction that returned a list of micro-operations: it reads what is not
// known.
func asked(t *history.Values, done history.Value) history.Value {
	list, _ := t.AsList(done)
	list = slices.Clone(list)
	for k := range list {
		parts, _ := t.AsList(list[k])
		if name, _ := t.AsString(parts[0]); lex.MicroName(name) == "r" {
			list[k] = t.List([]history.Value{parts[0], parts[1], history.Nil})
		}
	}
	return t.List(list)
}
