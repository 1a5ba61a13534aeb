package transactions

import (
	"github.com/linsat/linsat/history"
)

// Transactions of sessions, in formats that state no times: those of one session come one after the
// other, and between sessions nothing is known.
//
// How: all operations overlap, and those of one session are in order by edges, as under an
// uncertainty of the times without limit (uncertainty.go).
//
// Registers hold 0 at the start where a format says so. In text, a first transaction that is alone
// in its session and only writes, all objects of the history, is the initial state, unless values
// are read that nothing writes. A warning says so.

// sessionLog collects transactions.
type sessionLog struct {
	b            *history.Reading
	txn          history.Value
	names        [2]history.Value // of a read, a write
	objects      []history.Value
	met          []bool          // of them, by value
	accesses     []history.Value // of the transaction at hand
	found        []history.Value // the same with what was read
	first        []history.Value // objects and values in turn that the first transaction writes
	firstReads   bool            // it also reads
	firstProcess int32
	firstAlone   bool                      // in its session
	written      map[[2]history.Value]bool // false if only read; nil if nobody asks
}

// newSessionLog returns an empty log, of which begins may be asked or not.
func newSessionLog(b *history.Reading, text bool) *sessionLog {
	var written map[[2]history.Value]bool
	if text {
		written = map[[2]history.Value]bool{}
	}
	b.Untimed()
	b.SetSpec("multi-register")
	return &sessionLog{b: b, txn: b.Values.String("txn"),
		names:   [2]history.Value{b.Values.String("r"), b.Values.String("w")},
		written: written}
}

// access adds an access to the transaction at hand.
func (l *sessionLog) access(write bool, object, value history.Value) {
	t := l.b.Values
	name := l.names[0]
	if write {
		name = l.names[1]
	}
	done := t.List([]history.Value{name, object, value})
	called := done
	if !write {
		called = t.List([]history.Value{l.names[0], object, history.Nil})
	}
	if l.meet(object); l.written != nil {
		l.written[[2]history.Value{object, value}] = write || l.written[[2]history.Value{object, value}]
	}
	switch {
	case l.b.Len() > 0:
	case write:
		l.first = append(l.first, object, value)
	default:
		l.firstReads = true
	}
	l.accesses, l.found = append(l.accesses, called), append(l.found, done)
}

// meet notes an object.
func (l *sessionLog) meet(object history.Value) {
	for int(object) >= len(l.met) {
		l.met = append(l.met, make([]bool, len(l.met)+64)...)
	}
	if !l.met[object] {
		l.met[object] = true
		l.objects = append(l.objects, object)
	}
}

// end adds the transaction at hand, and begins another one.
func (l *sessionLog) end(r history.Record) error {
	t, n := l.b.Values, int64(l.b.Len())
	if n == 0 {
		l.firstAlone, l.firstProcess = !r.Pending && !r.Failed, r.Process
	} else if r.Process == l.firstProcess {
		l.firstAlone = false
	}
	r.F, r.Key, r.Call, r.Return = l.txn, history.NoKey, 2*n, 2*n+1
	r.Arg, r.Result = t.List(l.accesses), t.List(l.found)
	l.accesses, l.found = l.accesses[:0], l.found[:0]
	_, err := l.b.Add(r)
	return err
}

// zero says that all objects hold 0 at the start.
func (l *sessionLog) zero() {
	zero := l.b.Values.Int(0)
	var pairs []history.Value
	for _, object := range l.objects {
		pairs = append(pairs, object, zero)
	}
	l.b.SetInitial(l.b.Values.Map(pairs))
}

// begins makes the initial state of the first transaction, and reports whether it is one.
func (l *sessionLog) begins() bool {
	t := l.b.Values
	initial := t.Map(l.first)
	pairs, _ := t.AsMap(initial)
	if !l.firstAlone || l.firstReads || len(pairs) < 2*len(l.objects) || l.b.Len() < 2 {
		return false
	}
	for _, write := range l.written {
		if !write {
			return false
		}
	}
	l.b.Warn(l.b.Records()[0].Line, "the first transaction is taken for the initial state: it is alone in its session, "+
		"and writes all objects", "put another one before it if it is not")
	l.b.SetInitial(initial)
	l.b.Drop()
	return true
}
