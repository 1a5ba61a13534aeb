package history

import "fmt"

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
func (l *eventLog) splitTuples() error {
	t := l.b.Values
	forced := l.b.options.Keyed == keyedAlways
	if l.keyed || !forced && !l.tuplesEvident() {
		return nil
	}
	for i := range l.b.records {
		r := &l.b.records[i]
		pair, ok := t.AsList(r.Arg)
		if !ok || len(pair) != 2 {
			f, _ := t.AsString(r.F)
			return &Error{Line: r.Line, What: fmt.Sprintf("%s is called with %s, which is not a [key value] pair",
				abbreviate(f), abbreviate(t.Format(r.Arg))),
				Hint: "--keyed asks for pairs in every call; leave it out if the values hold no keys"}
		}
		r.Key, r.Arg = pair[0], pair[1]
		if !r.returned() || r.Result == Nil {
			continue
		}
		pair, ok = t.AsList(r.Result)
		if !ok || len(pair) != 2 || pair[0] != r.Key {
			return &Error{Line: r.Line, What: fmt.Sprintf("an operation on key %s returns %s",
				abbreviate(t.Format(r.Key)), abbreviate(t.Format(r.Result))),
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
func (l *eventLog) tuplesEvident() bool {
	if l.b.options.Keyed == keyedNever {
		return false
	}
	t := l.b.Values
	takes := map[Value]bool{}
	for _, f := range withArgument {
		takes[t.String(f)] = true
	}
	txn, evident := t.String("txn"), l.triples
	unknown := t.List([]Value{Nil, Nil}) // with a version
	for i := range l.b.records {
		r := &l.b.records[i]
		pair, ok := t.AsList(r.Arg)
		if !ok || len(pair) != 2 || pair[0] == Nil {
			return false
		}
		evident = evident || (pair[1] == Nil || pair[1] == unknown) && !takes[r.F] || r.F == txn &&
			t.kind(pair[0]) != kindList && listOfLists(t, pair[1])
	}
	return evident
}

// listOfLists reports whether v is a list of at least one list, and of lists only, as the
// micro-operations of a transaction are.
func listOfLists(t *Values, v Value) bool {
	list, ok := t.AsList(v)
	for _, e := range list {
		ok = ok && t.kind(e) == kindList
	}
	return ok && len(list) > 0
}
