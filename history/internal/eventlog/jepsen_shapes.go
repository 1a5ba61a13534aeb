package eventlog

import (
	"strings"

	"github.com/linsat/linsat/history"
)

// Other shapes of Jepsen's values, which the clients of some tests write. Each is read only where
// every event of the history has it, so that nothing else is mistaken for it.
//
//	{:f :cas, :value ["k" old new]}            as ["k" [old new]]
//	{:f :acquire, :value "a lock"}             the lock is the key
//	{:f :release, …, :value ()}                returns nothing
//	{:f :inc, :value [timestamp value]}        the value alone
//	{:type :invoke, :value [[:w 1 1]]}         without :f: a transaction
//	{:f :echo, :value {:echo "x", …}}          returns "x"
//	{:f :r, :value [:r 1 nil]}                 a transaction of one read
//	{:f :insert, :value ["k" [4 nil]]}         the first of the key: cas [nil [4 nil]]
//
// Jepsen's streams and watches are in jepsen_kafka.go, and its versions and ids of writes in
// jepsen_writes.go.

// shapes rewrites values that have one of these shapes.
func (l *EventLog) shapes() {
	if l.b.Options.Keyed != keyedNever {
		l.swapTriples()
	}
	l.timestamps()
	l.echoes()
}

// echoes takes the messages out of the responses of Maelstrom's echo, if all have them.
func (l *EventLog) echoes() {
	t := l.b.Values
	if !l.only([]string{"echo"}) {
		return
	}
	for i := range l.b.Records() {
		if r := &l.b.Records()[i]; completed(r) {
			if _, is := echoed(t, r.Result); !is {
				return
			}
		}
	}
	for i := range l.b.Records() {
		if r := &l.b.Records()[i]; completed(r) {
			r.Result, _ = echoed(t, r.Result)
		}
	}
}

// echoed returns the message in a response, in any case; ok is false if there is none or it is nil.
func echoed(t *history.Values, response history.Value) (v history.Value, ok bool) {
	pairs, _ := t.AsMap(response)
	for i := 0; i+1 < len(pairs); i += 2 {
		if s, _ := t.AsString(pairs[i]); strings.EqualFold(s, "echo") && pairs[i+1] != history.Nil {
			return pairs[i+1], true
		}
	}
	return history.Nil, false
}

// swapTriples makes pairs of a key with its values out of triples, if all calls of cas are triples.
func (l *EventLog) swapTriples() {
	t := l.b.Values
	cas, some := t.String("cas"), false
	triple := func(v history.Value) []history.Value {
		if list, _ := t.AsList(v); len(list) == 3 {
			return list
		}
		return nil
	}
	for i := range l.b.Records() {
		if r := &l.b.Records()[i]; r.F == cas {
			if triple(r.Arg) == nil {
				return
			}
			some = true
		}
	}
	if !some {
		return
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		if r.F != cas {
			continue
		}
		for _, v := range []*history.Value{&r.Arg, &r.Result} {
			if list := triple(*v); list != nil {
				*v = t.List([]history.Value{list[0], t.List([]history.Value{list[1], list[2]})})
			}
		}
	}
	l.triples = true
}

// lockNames makes keys of the names of locks, if all operations are those of a lock, and all are
// called by one process with one name, or a name is used by two processes of which the first has
// not crashed: an owner gets another process only then.
func (l *EventLog) lockNames() {
	for name := range l.Names {
		if !isLock(name) {
			return
		}
	}
	t := l.b.Values
	empty := t.List(nil)
	crashed, named := map[int32]bool{}, true
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		if r.Result == empty {
			r.Result, r.NoResult = history.Nil, true
		}
		crashed[r.Process] = crashed[r.Process] || r.Pending
		named = named && r.Arg != history.Nil && !isCompound(t, r.Arg)
	}
	last := map[history.Value]int32{} // by name: the process that used it last
	processes, shared := map[int32]bool{}, false
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		before, used := last[r.Arg]
		shared = shared || used && before != r.Process && !crashed[before]
		last[r.Arg], processes[r.Process] = r.Process, true
	}
	evident := shared || len(last) == 1 && len(processes) == 1
	if !named || !evident || l.Keyed || l.tuples || l.b.Options.Keyed == keyedNever {
		return
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		if r.Result == r.Arg {
			r.Result = history.Nil
		}
		r.Key, r.Arg = r.Arg, history.Nil
	}
	l.Keyed = true
}

// isLock reports whether a name is that of an operation of a lock.
func isLock(name string) bool {
	switch squeezed(name) {
	case "acquire", "release", "lock", "unlock", "tryacquire", "trylock":
		return true
	}
	return false
}

// timestamps takes the timestamps out of values, if all are pairs that are called with nil for what
// is not known yet, [nil nil], and return a number first. They say nothing of real time, so they
// order nothing here. A call that states its timestamp asks for the past, which linearizability
// says nothing of: it is not checked.
func (l *EventLog) timestamps() {
	t := l.b.Values
	asked := false
	pair := func(v history.Value) (stamp, value history.Value, ok bool) {
		list, isList := t.AsList(v)
		if !isList || len(list) != 2 {
			return history.Nil, history.Nil, false
		}
		_, isInt := t.AsInt(list[0])
		return list[0], list[1], list[0] == history.Nil || isInt
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		stamp, value, ok := pair(r.Arg)
		if !ok || value != history.Nil {
			return
		}
		asked = asked || stamp == history.Nil
		if found, _, ok := pair(r.Result); completed(r) && (!ok || found == history.Nil || stamp != history.Nil &&
			stamp != found) {
			return
		}
	}
	if !asked {
		return
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		stamp, _, _ := pair(r.Arg)
		r.Arg = history.Nil
		if completed(r) {
			_, r.Result, _ = pair(r.Result)
		}
		if stamp != history.Nil {
			r.Unchecked = true
			l.b.Warn(r.Line, "reads at a timestamp of the past are not checked",
				"linearizability is about the present; timestamps order nothing here")
		}
	}
}

// onceEach makes a cas that finds nothing of the inserts of Jepsen's test of Adya's G2: at most one
// of the two inserts of a key, [key [a nil]] and [key [nil b]], may succeed.
func (l *EventLog) onceEach() {
	t := l.b.Values
	if !l.only([]string{"insert"}) || l.b.Options.Keyed == keyedNever {
		return
	}
	split := func(v history.Value) (key, ids history.Value, ok bool) {
		pair, _ := t.AsList(v)
		if len(pair) != 2 {
			return history.Nil, history.Nil, false
		}
		both, _ := t.AsList(pair[1])
		return pair[0], pair[1], len(both) == 2 && (both[0] == history.Nil) != (both[1] == history.Nil)
	}
	for i := range l.b.Records() {
		if _, _, ok := split(l.b.Records()[i].Arg); !ok {
			return
		}
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		key, ids, _ := split(r.Arg)
		r.F, r.Key, r.Arg = t.String("cas"), key, t.List([]history.Value{history.Nil, ids})
	}
	delete(l.Names, "insert")
	l.Names["cas"], l.tuples = true, true
}
