package eventlog

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Keys inside values: jepsen.independent runs one object per key, and then every value of a client
// is a tuple [key value].
//
//	{:process 0, :type :invoke, :f :acquire, :value ["a" nil]}
// Nothing in a history marks such tuples, and a pair alone is not an evidence: cas takes [old new]
// without a key. Evidence is a call [key nil] of a function that takes no argument (a read, an
// acquire, a dequeue), or a transaction [key [micro-operations]].

// What ReadOptions.Keyed says.
const (
	keyedAlways = "always"
	keyedNever  = "never"
)

// splitTuples moves the keys out of the values, if they are tuples.
func (l *EventLog) splitTuples() error {
	t := l.b.Values
	forced := l.b.Options.Keyed == keyedAlways
	if l.Keyed || !forced && !l.tuplesEvident() {
		return nil
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		pair, ok := t.AsList(r.Arg)
		if !ok || len(pair) != 2 {
			f, _ := t.AsString(r.F)
			return &history.Error{Line: r.Line, What: fmt.Sprintf("%s is called with %s, which is not a [key value] pair",
				lex.Abbreviate(f), lex.Abbreviate(t.Format(r.Arg))),
				Hint: "--keyed asks for pairs in every call; leave it out if the values hold no keys"}
		}
		r.Key, r.Arg = pair[0], pair[1]
		if !completed(r) || r.Result == history.Nil {
			continue
		}
		pair, ok = t.AsList(r.Result)
		if !ok || len(pair) != 2 || pair[0] != r.Key {
			return &history.Error{Line: r.Line, What: fmt.Sprintf("an operation on key %s returns %s",
				lex.Abbreviate(t.Format(r.Key)), lex.Abbreviate(t.Format(r.Result))),
				Hint: "all values are [key value] pairs here, so this one must be of the same key; --keyed=false " +
					"reads pairs as plain values"}
		}
		r.Result = pair[1]
	}
	l.tuples = true
	return nil
}

// withArgument are the functions of Jepsen's tests that take an argument: a pair may be just that.
var withArgument = []string{"write", "cas", "swap", "enqueue", "push", "add", "append", "put", "remove",
	"delete", "transfer"}

// tuplesEvident reports whether all calls have pairs for values, and some pair can only
// be a tuple.
func (l *EventLog) tuplesEvident() bool {
	if l.b.Options.Keyed == keyedNever {
		return false
	}
	t := l.b.Values
	takes := map[history.Value]bool{}
	for _, f := range withArgument {
		takes[t.String(f)] = true
	}
	txn, evident := t.String("txn"), l.triples
	unknown := t.List([]history.Value{history.Nil, history.Nil}) // with a version
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		pair, ok := t.AsList(r.Arg)
		if !ok || len(pair) != 2 || pair[0] == history.Nil {
			return false
		}
		evident = evident || (pair[1] == history.Nil || pair[1] == unknown) && !takes[r.F] || r.F == txn &&
			!isList(t, pair[0]) && listOfLists(t, pair[1])
	}
	return evident
}

// listOfLists reports whether v is a list of at least one list, and of lists only, as the
// micro-operations of a transaction are.
func listOfLists(t *history.Values, v history.Value) bool {
	list, ok := t.AsList(v)
	for _, e := range list {
		ok = ok && isList(t, e)
	}
	return ok && len(list) > 0
}
