package eventlog

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Known orders of writes, which clients of some tests state with what they write.
//
// Write ids, of a register whose clients read an id with the value, and replace the write of that
// id by theirs (github.com/rystsov/fast-jepsen):
//
//	{:f :write, :value 3, :write-id "b", :prev-write-id "a"}   cas [["a" 2] ["b" 3]]
//	{:f :write, :value 3, :write-id "b"}                       write ["b" 3]
//	{:f :read, :value 3, :write-id "b"}                        read → ["b" 3]
//
// The register holds the id and the value, so that two writes in place of the same one are a
// violation. An id that is read or replaced and that no write has is the initial one, if it is one.
//
// Versions, of a register that counts its writes (Jepsen's tests of etcd):
//
//	{:f :write, :value [nil 3]}      :ok [1 3]
//	{:f :cas, :value [nil [3 4]]}    :ok [2 [3 4]]
//	{:f :read, :value [nil nil]}     :ok [2 4]
//
// The version of a write is its place in a known order, and a read comes behind the write of its
// version, and before the next one. That a version is skipped is no violation; that two writes have
// the same one is more than an order can say, and has a warning.

// Enriched puts what an event says besides its value into the value: the id of a write and that of
// the write which it replaces, or that an assignment begins at the beginning.
func (l *EventLog) Enriched(value, id, prev history.Value, rewinds bool) history.Value {
	t := l.b.Values
	switch {
	case id != history.Nil || prev != history.Nil:
		l.ids = true
		return t.List([]history.Value{value, id, prev})
	case rewinds:
		return t.Map([]history.Value{t.String(Rewinding), value})
	}
	return value
}

// writeIDs takes the ids out of the values, and returns those of calls and returns, by record.
func (l *EventLog) writeIDs() (called, returned []history.Value) {
	if !l.ids {
		return nil, nil
	}
	t := l.b.Values
	called, returned = make([]history.Value, len(l.b.Records())), make([]history.Value, len(l.b.Records()))
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		for _, v := range [...]struct {
			value *history.Value
			ids   *history.Value
		}{{&r.Arg, &called[i]}, {&r.Result, &returned[i]}} {
			*v.ids = history.Nil
			if all, _ := t.AsList(*v.value); len(all) == 3 {
				*v.value, *v.ids = all[0], t.List(all[1:])
			}
		}
	}
	return called, returned
}

// chainOfIDs makes registers that hold an id and a value of writes that state ids.
func (l *EventLog) chainOfIDs(called, returned []history.Value) error {
	t := l.b.Values
	read, write, cas := t.String("read"), t.String("write"), t.String("cas")
	type object struct{ key, id history.Value }
	values := map[object]history.Value{} // what the write of an id wrote, or a read of it found
	written := map[object]bool{}
	ids := func(v history.Value) (id, prev history.Value) {
		if v == history.Nil {
			return history.Nil, history.Nil
		}
		pair, _ := t.AsList(v)
		return pair[0], pair[1]
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		id, _ := ids(called[i])
		switch {
		case r.F != read && r.F != write:
			f, _ := t.AsString(r.F)
			return &history.Error{Line: r.Line,
				What: fmt.Sprintf("ids of writes, and an operation %s, which is no read or write", lex.Abbreviate(f)),
				Hint: "a :write-id is that of a write, or of the write that a read found"}
		case r.F == write && id == history.Nil:
			return &history.Error{Line: r.Line, What: "a write without its :write-id, where others state theirs",
				Hint: "state it in the call"}
		case r.F == write:
			values[object{r.Key, id}], written[object{r.Key, id}] = r.Arg, true
		}
	}
	first := map[history.Value]bool{} // ids and values that nothing wrote
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		if id, _ := ids(returned[i]); r.F == read && completed(r) && id != history.Nil {
			if o := (object{r.Key, id}); !written[o] {
				values[o], first[t.List([]history.Value{id, r.Result})] = r.Result, true
			}
		}
	}
	pair := func(key, id history.Value) history.Value {
		v, known := values[object{key, id}]
		if !known {
			v = history.Nil
		}
		return t.List([]history.Value{id, v})
	}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		id, prev := ids(called[i])
		switch {
		case r.F == read:
			id, _ = ids(returned[i])
			if r.Arg = history.Nil; !completed(r) {
				continue
			}
			if id == history.Nil {
				r.Forgotten = true
				continue
			}
			r.Result = t.List([]history.Value{id, r.Result})
		case prev == history.Nil:
			r.Arg = t.List([]history.Value{id, r.Arg})
		default:
			old := pair(r.Key, prev)
			if !written[object{r.Key, prev}] {
				first[old] = true
			}
			r.F, r.Arg = cas, t.List([]history.Value{old, t.List([]history.Value{id, r.Arg})})
			l.Names["cas"] = true
		}
	}
	if len(first) == 1 {
		for v := range first {
			l.b.SetInitial(v)
		}
	}
	return nil
}

// versions takes the versions out of values, if all are pairs that are called with nil for what is
// not known yet, [nil 3], and return a version first.
func (l *EventLog) versions() {
	t := l.b.Values
	if !l.only([]string{"read", "write", "cas"}) {
		return
	}
	read, cas := t.String("read"), t.String("cas")
	pair := func(v history.Value) (version, value history.Value, ok bool) {
		list, _ := t.AsList(v)
		if len(list) != 2 {
			return history.Nil, history.Nil, false
		}
		_, isInt := t.AsInt(list[0])
		return list[0], list[1], list[0] == history.Nil || isInt
	}
	some := false
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		version, value, ok := pair(r.Arg)
		if !ok || version != history.Nil || r.F == read && value != history.Nil {
			return
		}
		if r.F == cas {
			if list, _ := t.AsList(value); len(list) != 2 {
				return
			}
		}
		if !completed(r) {
			continue
		}
		if version, _, ok = pair(r.Result); !ok {
			return
		}
		some = some || version != history.Nil
	}
	if !some {
		return
	}
	type place struct {
		key    history.Value
		number int64
	}
	taken := map[place]bool{}
	for i := range l.b.Records() {
		r := &l.b.Records()[i]
		_, r.Arg, _ = pair(r.Arg)
		if !completed(r) {
			continue
		}
		var version history.Value
		version, r.Result, _ = pair(r.Result)
		n, known := t.AsInt(version)
		if !known {
			continue
		}
		name := t.String("versions")
		if r.Key != history.NoKey {
			name = t.List([]history.Value{name, r.Key})
		}
		if n *= 2; r.F == read {
			n++
		} else if p := (place{r.Key, n}); taken[p] {
			l.b.Warn(r.Line, fmt.Sprintf("a second write has version %d", n/2),
				"an order of writes does not say that this is wrong; look at both")
		} else {
			taken[p] = true
		}
		r.Revision = &history.Revision{Chain: name, Number: n}
	}
}
