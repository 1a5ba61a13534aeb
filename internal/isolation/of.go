package isolation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
)

// From the operations of a history to transactions.
//
//	txn [[f name value] …]   f: r, w or append, and their other names; the result is the same list
//	                         with the values that were read
//	read {name: …} or [name …] → {name: value}
//	write {name: value}
//
// Names of one key (Op.Key) are apart from those of another. An object is a list if something is
// appended to it, and also if nothing is written to it and all that is read of it is lists: empty
// ones, or any where something is appended to another object. Sessions are processes; an "order"
// makes one of several, if it puts all that they do one after the other.

// Of makes transactions of the operations of a history. Its errors are *history.Error.
func Of(h *history.History) (*History, error) {
	size := h.Values.Len()
	r := reader{h: h, t: h.Values, objects: map[objectKey]int32{}, direct: make([]int32, size),
		values: make([]int32, size), spellings: make([]spelling, size),
		lists: map[history.Value][]int32{}, folded: map[history.Value]string{}, out: &History{}}
	if err := r.joinSessions(); err != nil {
		return nil, err
	}
	n := len(h.Ops) + len(h.Aborted)
	r.out.Txns = make([]Txn, 0, n)
	r.ends = make([]int, 0, n)
	for i, k := 0, 0; i < len(h.Ops) || k < len(h.Aborted); {
		var err error
		if i < len(h.Ops) && (k == len(h.Aborted) || h.Ops[i].Call < h.Aborted[k].Call) {
			err = r.add(&h.Ops[i], history.OpID(i), false)
			i++
		} else {
			err = r.add(&h.Aborted[k], history.OpID(k), true)
			k++
		}
		if err != nil {
			return nil, err
		}
	}
	if err := r.classify(); err != nil {
		return nil, err
	}
	from := 0
	for t := range r.out.Txns {
		to := r.ends[t]
		r.out.Txns[t].Accesses = r.accesses[from:to:to]
		if err := r.resolve(int32(t)); err != nil {
			return nil, err
		}
		from = to
	}
	return r.out, nil
}

// joinSessions makes sessions of processes: one of those that an order connects.
func (r *reader) joinSessions() error {
	h := r.h
	r.sessions = make([]int32, len(h.Processes))
	for p := range r.sessions {
		r.sessions[p] = int32(p)
	}
	of := func(op history.OpID) int32 {
		s := h.Ops[op].Process
		for s != r.sessions[s] {
			s = r.sessions[s]
		}
		return s
	}
	joined := map[int32]history.OpID{} // sessions of several processes, and what they did last
	for _, e := range h.Edges {
		if a, b := of(e.Before), of(e.After); a != b {
			r.sessions[max(a, b)] = min(a, b)
		}
		if h.Ops[e.Before].Process != h.Ops[e.After].Process {
			joined[h.Ops[e.Before].Process] = -1
		}
	}
	if len(joined) == 0 {
		return nil
	}
	clear(joined)
	for i := range h.Ops {
		op, s := history.OpID(i), of(history.OpID(i))
		before, some := joined[s]
		joined[s] = op
		if !some || h.Ops[before].Process == h.Ops[i].Process {
			continue
		}
		_, ordered := slices.BinarySearchFunc(h.Edges, before, func(e history.Edge, from history.OpID) int {
			return cmp.Or(cmp.Compare(e.After, op), cmp.Compare(e.Before, from))
		})
		if !ordered {
			return h.OpError(op, `an "order" between some transactions of two processes`, "an order has to make one "+
				"session of processes: levels of isolation know sessions, each in its order, and real time")
		}
	}
	for p, s := range r.sessions { // those that are joined have lower numbers
		r.sessions[p] = r.sessions[s]
	}
	return nil
}

// objectKey identifies an object: its key, history.NoKey if it has none, and its name.
type objectKey struct{ key, name history.Value }

// reader makes transactions. Until resolve, values of accesses are those of the history.
type reader struct {
	h         *history.History
	t         *history.Values
	out       *History
	sessions  []int32 // by process
	accesses  []Access
	ends      []int // transaction → where its accesses end
	names     []objectKey
	objects   map[objectKey]int32       // names → objects
	direct    []int32                   // the same by the name, of those without a key, plus one
	uses      []uses                    // parallel to names
	values    []int32                   // value of the history → its number plus one
	spellings []spelling                // by value of the history
	folded    map[history.Value]string  // names of operations
	lists     map[history.Value][]int32 // that were read
}

// spelling is what a micro-operation does that is spelled so.
type spelling struct {
	met, ok bool
	kind    Kind
}

// uses is what is done with an object.
type uses struct {
	written, appended int32 // a transaction that does it, plus one
	reads             bool  // lists are read
	full              bool  // and one that is not empty
	other             bool  // or what is neither a list nor null
}

// wrong returns an error about an operation, or about one of the aborted ones.
func (r *reader) wrong(op history.OpID, aborted bool, what, hint string) error {
	if !aborted {
		return r.h.OpError(op, what, hint)
	}
	from := r.h.AbortedOrigins[op]
	return &history.Error{File: r.h.Source, Line: int(from.Line), Hint: hint,
		What: fmt.Sprintf("operation %d, which failed: %s", from.Position, what)}
}

// shapes is the hint of errors about what is no transaction.
const shapes = `a transaction is txn [["r", name, null], ["w", name, value], ["append", name, value]]`

// add adds the transaction of an operation.
func (r *reader) add(o *history.Op, op history.OpID, aborted bool) error {
	x := Txn{Op: op, Session: r.sessions[o.Process], Call: o.Call, Return: o.Return}
	switch {
	case aborted:
		x.Status = Aborted
	case o.Pending():
		x.Status = Open
	}
	known := x.Status == Committed && !o.Unknown && o.Result != history.Nil
	var what string
	f, met := r.folded[o.F]
	if !met {
		f, _ = r.t.AsString(o.F)
		f = fold(f)
		r.folded[o.F] = f
	}
	switch name := f; {
	case name == "txn", name == "transaction", name == "tx":
		what = r.txn(o, known)
	case name == "read", name == "get", name == "r", name == "snapshot":
		what = r.reads(o, known)
	default:
		if kind, ok := microKind(name); ok && kind == Write {
			what = r.writes(o)
			break
		}
		what = fmt.Sprintf("%s is not an operation of transactions", r.t.Format(o.F))
	}
	if what != "" {
		return r.wrong(op, aborted, what, shapes)
	}
	r.out.Txns = append(r.out.Txns, x)
	r.ends = append(r.ends, len(r.accesses))
	return nil
}

// separators are what names may have between words.
var separators = strings.NewReplacer("-", "", "_", "", " ", "")

// fold makes spellings of one name equal.
func fold(name string) string { return strings.ToLower(strings.Trim(separators.Replace(name), ":")) }

// microKind returns what a micro-operation of a folded name does.
func microKind(name string) (kind Kind, ok bool) {
	switch name {
	case "r", "read", "get":
		return Read, true
	case "w", "write", "put", "set":
		return Write, true
	case "append":
		return Append, true
	}
	return 0, false
}

// micro reads a micro-operation.
func (r *reader) micro(v history.Value) (kind Kind, name, value history.Value, ok bool) {
	e, _ := r.t.AsList(v)
	if len(e) < 2 || len(e) > 3 {
		return 0, 0, 0, false
	}
	spelling := &r.spellings[e[0]]
	if !spelling.met {
		f, _ := r.t.AsString(e[0])
		spelling.kind, spelling.ok = microKind(fold(f))
		spelling.met = true
	}
	if len(e) == 3 {
		value = e[2]
	}
	return spelling.kind, e[1], value, spelling.ok && (spelling.kind == Read || len(e) == 3)
}

// txn adds the accesses of a list of micro-operations. It returns what is wrong.
func (r *reader) txn(o *history.Op, known bool) string {
	arg := o.Arg
	if arg == history.Nil && known {
		arg = o.Result
	}
	list, isList := r.t.AsList(arg)
	if !isList {
		return fmt.Sprintf("the argument is %s, not a list of micro-operations", brief(r.t.Format(arg)))
	}
	var found []history.Value
	if known {
		if found, isList = r.t.AsList(o.Result); !isList || len(found) != len(list) {
			return fmt.Sprintf("the result is %s, not its argument with the values that were read",
				brief(r.t.Format(o.Result)))
		}
	}
	for k, e := range list {
		kind, name, value, ok := r.micro(e)
		if !ok {
			return fmt.Sprintf("%s is not a micro-operation", brief(r.t.Format(e)))
		}
		if known {
			kind2, name2, value2, ok := r.micro(found[k])
			if !ok || kind2 != kind || r.name(name2) != r.name(name) || kind != Read && value2 != value {
				return fmt.Sprintf("the result has %s where the argument has %s", brief(r.t.Format(found[k])),
					brief(r.t.Format(e)))
			}
			value = value2
		}
		r.access(kind, o.Key, name, value, known)
	}
	return ""
}

// reads adds the accesses of a read of several registers.
func (r *reader) reads(o *history.Op, known bool) string {
	if !known {
		return ""
	}
	found, isMap := r.t.AsMap(o.Result)
	if !isMap {
		return fmt.Sprintf("the result is %s, not a map from names to values", brief(r.t.Format(o.Result)))
	}
	for k := 0; k < len(found); k += 2 {
		r.access(Read, o.Key, found[k], found[k+1], true)
	}
	if o.Arg == history.Nil {
		return ""
	}
	wanted, isList := r.t.AsList(o.Arg)
	if pairs, isMap := r.t.AsMap(o.Arg); isMap {
		isList = true
		for k := 0; k < len(pairs); k += 2 {
			wanted = append(wanted, pairs[k])
		}
	}
	same := isList
	names := map[history.Value]bool{}
	for _, name := range wanted {
		names[r.name(name)] = true
	}
	for k := 0; k < len(found); k += 2 {
		same = same && names[r.name(found[k])]
	}
	if !same || 2*len(names) != len(found) {
		return fmt.Sprintf("the result %s has other names than the argument %s", brief(r.t.Format(o.Result)),
			brief(r.t.Format(o.Arg)))
	}
	return ""
}

// writes adds the accesses of a write of several registers.
func (r *reader) writes(o *history.Op) string {
	pairs, isMap := r.t.AsMap(o.Arg)
	if !isMap {
		return fmt.Sprintf("the argument is %s, not a map from names to values", brief(r.t.Format(o.Arg)))
	}
	for k := 0; k < len(pairs); k += 2 {
		r.access(Write, o.Key, pairs[k], pairs[k+1], true)
	}
	return ""
}

// brief shortens a value in a message.
func brief(s string) string {
	if len(s) <= longestShown {
		return s
	}
	return strings.ToValidUTF8(s[:longestShown], "") + "…"
}

// name makes integer names equal to the strings that JSON has to write for them as keys of maps.
func (r *reader) name(v history.Value) history.Value {
	if n, isInt := r.t.AsInt(v); isInt {
		if s, known := r.t.FindString(strconv.FormatInt(n, 10)); known {
			return s
		}
	}
	return v
}

// access adds an access of the transaction that is next; a read only if its value is known.
func (r *reader) access(kind Kind, key, name, value history.Value, known bool) {
	n := r.object(key, name)
	u := &r.uses[n]
	switch kind {
	case Write:
		u.written = int32(len(r.out.Txns)) + 1
	case Append:
		u.appended = int32(len(r.out.Txns)) + 1
	default:
		if !known {
			return
		}
		elements, isList := r.t.AsList(value)
		u.reads, u.other = u.reads || isList, u.other || !isList && value != history.Nil
		u.full = u.full || len(elements) > 0
	}
	r.accesses = append(r.accesses, Access{Kind: kind, Object: n, Value: int32(value)})
}

// object numbers an object.
func (r *reader) object(key, name history.Value) int32 {
	if key == history.NoKey && r.direct[name] != 0 {
		return r.direct[name] - 1
	}
	k := objectKey{key, r.name(name)}
	n, met := r.objects[k]
	if !met {
		n = int32(len(r.names))
		r.objects[k] = n
		r.names = append(r.names, k)
		r.uses = append(r.uses, uses{})
	}
	if key == history.NoKey {
		r.direct[name] = n + 1
	}
	return n
}

// classify decides which objects are lists, and what they hold at the start.
func (r *reader) classify() error {
	initial := map[history.Value]history.Value{}
	if r.h.HasInitial && r.h.Initial != history.Nil {
		pairs, isMap := r.t.AsMap(r.h.Initial)
		if !isMap {
			return &history.Error{File: r.h.Source,
				What: fmt.Sprintf("the initial state is %s, not a map from names to values",
					brief(r.t.Format(r.h.Initial))),
				Hint: `write {"x": 0, "y": 0}; null is the value of what is left out`}
		}
		for k := 0; k < len(pairs); k += 2 {
			initial[r.name(pairs[k])] = pairs[k+1]
		}
	}
	lists := slices.ContainsFunc(r.uses, func(u uses) bool { return u.appended != 0 })
	r.out.Objects = make([]Object, len(r.names))
	for n, k := range r.names {
		u, at := r.uses[n], initial[k.name]
		elements, isList := r.t.AsList(at)
		empty := at == history.Nil || isList && len(elements) == 0
		o := &r.out.Objects[n]
		*o = Object{Name: r.title(k), List: u.appended != 0 ||
			empty && u.written == 0 && u.reads && !u.other && (lists || !u.full)}
		if o.List {
			if !empty {
				return &history.Error{File: r.h.Source, Hint: "lists are empty at the start", What: fmt.Sprintf(
					"the initial value of the list %s is %s", o.Name, brief(r.t.Format(at)))}
			}
			if u.written != 0 {
				x := &r.out.Txns[u.written-1]
				return r.wrong(x.Op, x.Status == Aborted,
					fmt.Sprintf("writes %s, which is appended to elsewhere", o.Name), "an object is either a register or a list")
			}
			continue
		}
		o.Initial = r.value(at)
	}
	return nil
}

// title is what an object is called.
func (r *reader) title(k objectKey) string {
	plain := func(v history.Value) string {
		quoted := r.t.Format(v)
		if s, _ := r.t.AsString(v); s != "" && quoted == `"`+s+`"` {
			return s
		}
		return quoted
	}
	if k.key != history.NoKey {
		return plain(k.key) + "/" + plain(k.name)
	}
	return plain(k.name)
}

// value numbers a value.
func (r *reader) value(v history.Value) int32 {
	if r.values[v] == 0 {
		r.out.Values = append(r.out.Values, r.t.Format(v))
		r.values[v] = int32(len(r.out.Values))
	}
	return r.values[v] - 1
}

// resolve numbers the values of a transaction, and takes the lists apart that it read.
func (r *reader) resolve(t int32) error {
	x := &r.out.Txns[t]
	for k := range x.Accesses {
		a := &x.Accesses[k]
		v := history.Value(a.Value)
		if a.Kind != Read || !r.out.Objects[a.Object].List {
			a.Value = r.value(v)
			continue
		}
		a.Value = 0
		elements, isList := r.t.AsList(v)
		if !isList && v != history.Nil {
			return r.wrong(x.Op, false, fmt.Sprintf("reads %s of %s, which is a list",
				brief(r.t.Format(v)), r.out.Objects[a.Object].Name), `a list is read as ["r", "x", [1, 2]], an empty one also as null`)
		}
		list, met := r.lists[v]
		if !met {
			list = make([]int32, len(elements))
			for i, e := range elements {
				list[i] = r.value(e)
			}
			r.lists[v] = list
		}
		a.List = list
	}
	return nil
}
