package specs

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// Etcd returns the specification of etcd's key-value store, version 3, without watches: one
// revision counts all changes, keys have versions and leases, and transactions compare and then do
// one list of requests or the other.
//
// What no operation of a partition observes is not kept in its states: revisions, versions, values.
// So an operation whose outcome is unknown, and whose effect nothing shows, leaves few states.
func Etcd() model.Spec { return etcd }

// The operations of etcd, as they stand in its Info. The first three are also the requests of a
// transaction.
const (
	etcdRange = iota
	etcdPut
	etcdDelete
	etcdTxn
	etcdGrant
	etcdRevoke
	etcdCompact
	etcdDefragment
)

var etcdRows = []row{
	{Operation: model.Operation{Name: "range", Aliases: []string{"get"},
		Arg:    `{"key": k, "end": k, "prefix": true, "limit": n, "revision": n}, all but "key" optional`,
		Result: `{"revision": n, "count": n, "kvs": [{"key": k, "value": v, "mod": n, "create": n, "version": n, "lease": n}, …]}, what is left out is not known; {"error": "compacted" or "future"}; null is refused`}, observes: true},
	{Operation: model.Operation{Name: "put", Arg: `{"key": k, "value": v, "lease": n}, "lease" optional`,
		Result: `{"revision": n}; {"error": "no lease"}; null, true or "ok": not recorded`}},
	{Operation: model.Operation{Name: "delete", Aliases: []string{"delete-range"},
		Arg:    `{"key": k, "end": k, "prefix": true}`,
		Result: `{"revision": n, "deleted": n}; null, true or "ok": not recorded`}},
	{Operation: model.Operation{Name: "txn", Aliases: []string{"transaction"},
		Arg:    `{"compare": [{"key": k, "target": "value", "version", "create", "mod" or "lease", "op": "=", "!=", "<" or ">", "value": v}, …], "then": [["put", {…}], …], "else": […]}`,
		Result: `{"revision": n, "succeeded": true or false, "responses": [{…} or null, …]}; {"error": "no lease"}; null, true or "ok": not recorded`}},
	{Operation: model.Operation{Name: "grant", Aliases: []string{"lease-grant"},
		Arg:    `{"lease": n}, 0 if the lease is not known`,
		Result: `{"revision": n}; {"error": "lease exists"}; null, true or "ok": not recorded`}},
	{Operation: model.Operation{Name: "revoke", Aliases: []string{"lease-revoke"}, Arg: `{"lease": n}`,
		Result: `{"revision": n}; {"error": "no lease"}; null, true or "ok": not recorded`}},
	{Operation: model.Operation{Name: "compact", Arg: `{"revision": n}`,
		Result: `{"revision": n}; {"error": "compacted" or "future"}; null, true or "ok": not recorded`}},
	{Operation: model.Operation{Name: "defragment", Arg: "nothing",
		Result: `{"revision": n}; null, true or "ok": not recorded`}, arg: noArgument},
}

// etcdVerbs finds operations by their names.
var etcdVerbs = func() map[string]int {
	var all []model.Operation
	for _, r := range etcdRows {
		all = append(all, r.Operation)
	}
	return NameTable(all)
}()

var etcd = newTable(table{
	info: model.Info{
		Name:    "etcd",
		Summary: "etcd's key-value store: revisions, ranges, transactions, leases and compaction",
		Initial: `{"revision": n, "compacted": n, "kvs": [{"key": k, "value": v, "create": n, "mod": n, "version": n, "lease": n}, …], "leases": [n, …]} (default: revision 1, empty)`,
		Piece:   "key",
		Example: `{"spec": "etcd", "operations": [{"process": 0, "f": "put", "arg": {"key": "a", "value": "x"}, "call": 0, "return": 3, "result": {"revision": 2}}, ` +
			`{"process": 1, "f": "range", "arg": {"key": "a"}, "call": 1, "return": 2, "result": {"revision": 1, "kvs": []}}, ` +
			`{"process": 1, "f": "txn", "arg": {"compare": [{"key": "a", "target": "mod", "value": 2}], "then": [["put", {"key": "b", "value": "y"}], ["delete", {"key": "a"}]]}, "call": 4, "return": 6, "result": {"revision": 3, "succeeded": true, "responses": [null, {"deleted": 1}]}}, ` +
			`{"process": 0, "f": "range", "arg": {"key": "", "prefix": true, "revision": 2}, "call": 5, "return": 8, "result": {"count": 1, "kvs": [{"key": "a", "value": "x", "mod": 2}]}}]}`,
	},
	rows:      etcdRows,
	bind:      bindEtcd,
	footprint: etcdFootprint,
})

// etcdPart is a partition that holds one store.
type etcdPart struct {
	table  *history.Values
	keys   []string // all that may exist, sorted
	leases []int64  // all that may exist, sorted
	holds  [][]int32
	ops    []etcdOp
	init   etcdStart
	levels [2]int // of the trees of keys and of leases

	// what some operation observes
	revision, create, mod, version, lease, order bool

	values map[history.Value]bool
	asked  []int64 // the revisions that ranges ask for, sorted
}

// etcdStart is the initial state as the history states it.
type etcdStart struct {
	revision, compacted int64
	kvs                 []etcdShown
	leases              []int64
}

// etcdOp is a resolved operation; range, put and delete are transactions of one request.
type etcdOp struct {
	verb     int
	compares []etcdCompare
	then     []etcdRequest
	orElse   []etcdRequest
	number   int64 // the lease, or the revision to compact at
	at       int64 // the revision to read at, 0 for the current one
	known    bool  // the operation returned, and refused says what
	refused  string
	revision int64 // as in the response, unstated if it is not known
	made     outcome
	shown    []etcdResponse
	shows    bool // the responses are known
}

// etcdRequest is a range, put or delete.
type etcdRequest struct {
	verb     int
	key, end string // end: "" for one key, "\x00" for all from key on
	lo, hi   int    // the keys that it is about, by their numbers
	limit    int64
	value    history.Value
	class    int32 // of the value
	lease    int64 // 0 for none
	held     int32 // the number of the lease plus 1, 0 if it cannot exist
}

// etcdCompare is a comparison of a transaction.
type etcdCompare struct {
	key    string
	number int32 // of the key, -1 if it cannot exist
	target string
	op     string
	value  history.Value
	n      int64
}

// etcdResponse is what a request of a transaction returned; unstated numbers are not known.
type etcdResponse struct {
	kvs            []etcdShown
	listed         bool // kvs are known
	count, deleted int64
}

// etcdShown is a key as a range shows it; unstated numbers are not known.
type etcdShown struct {
	key                         string
	value                       history.Value
	valued                      bool
	create, mod, version, lease int64
	number                      int32 // of the key, -1 if it cannot exist
}

// unstated is a number that a response does not tell.
const unstated = -1

// etcdFootprint says that operations of different keys are independent as long as none observes
// revisions, and that a lease belongs to its keys.
func etcdFootprint(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	o := &h.Ops[i]
	t := h.Values
	name, _ := t.AsString(o.F)
	verb, known := etcdVerbs[Fold(name)]
	if !known || verb == etcdCompact {
		return append(dst, model.Everything)
	}
	r := etcdReader{t: t}
	op := etcdOp{revision: unstated}
	if h.HasInitial && r.leased(h.Initial) {
		return append(dst, model.Everything) // keys may have leases that no operation gives them
	}
	if r.argument(verb, o.Arg, &op) != "" || !o.Unknown && r.result(verb, o.Result, &op) != "" ||
		op.revision != unstated {
		return append(dst, model.Everything)
	}
	switch verb {
	case etcdDefragment:
		return dst
	case etcdGrant, etcdRevoke:
		if lease, found := t.FindInt(op.number); found {
			return append(dst, lease)
		}
		return dst
	}
	whole := op.at != 0
	key := func(k string) {
		if v, found := t.FindString(k); found {
			dst = append(dst, v)
		}
	}
	for j := range op.shown {
		for _, kv := range op.shown[j].kvs {
			whole = whole || kv.mod != unstated || kv.create != unstated
			if lease, found := t.FindInt(kv.lease); found && kv.lease > 0 {
				dst = append(dst, lease)
			}
		}
	}
	for _, c := range op.compares {
		whole = whole || c.target == "mod" || c.target == "create" || c.target == "lease"
		key(c.key)
	}
	for _, requests := range [2][]etcdRequest{op.then, op.orElse} {
		for j := range requests {
			q := &requests[j]
			whole = whole || q.end != ""
			key(q.key)
			if lease, found := t.FindInt(q.lease); found && q.lease != 0 {
				dst = append(dst, lease)
			}
		}
	}
	if whole {
		dst = append(dst, model.Everything)
	}
	return dst
}

func bindEtcd(s *table, p *model.Partition) (*model.Instance, error) {
	k := &etcdPart{table: p.History.Values, ops: make([]etcdOp, len(p.Ops)), values: map[history.Value]bool{}}
	r := etcdReader{t: k.table}
	k.init = etcdStart{revision: 1, compacted: -1}
	if stated(p) {
		var ok bool
		if k.init, ok = r.initial(p.Initial); !ok {
			return nil, s.wrongInitial(p)
		}
	}
	b := s.instance(p)
	err := s.each(p, func(i history.OpID, verb int, _ int64) error {
		in, o := &p.Ops[i], &k.ops[i]
		o.verb, o.revision = verb, unstated
		if want := r.argument(verb, in.Arg, o); want != "" {
			return wrongArg(p, i, want)
		}
		if in.Unknown {
			return nil
		}
		o.known = true
		if want := r.result(verb, in.Result, o); want != "" {
			return wrongResult(p, i, want)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	k.universe()
	k.observed()
	k.number()
	k.alike(p, b)
	for i := range k.ops {
		b.ReadOnly[i] = k.ops[i].changesNothing()
	}
	b.NewMachine = func() model.Machine { return newEtcdMachine(k) }
	b.Refusal = k.refuse
	if t := k.revisions(p); t != nil {
		t.Lenient = func() *model.Instance { return k.lenient(b, t) }
		b.Theory = t
	}
	return b, nil
}

// each calls do with every request of the operation.
func (o *etcdOp) each(do func(q *etcdRequest)) {
	for _, requests := range [2][]etcdRequest{o.then, o.orElse} {
		for j := range requests {
			do(&requests[j])
		}
	}
}

// universe lists the keys and leases that may exist.
func (k *etcdPart) universe() {
	for _, kv := range k.init.kvs {
		k.keys = append(k.keys, kv.key)
	}
	k.leases = append(k.leases, k.init.leases...)
	for i := range k.ops {
		o := &k.ops[i]
		o.each(func(q *etcdRequest) {
			if q.verb == etcdPut {
				k.keys = append(k.keys, q.key)
			}
		})
		if o.verb == etcdGrant && o.number != 0 {
			k.leases = append(k.leases, o.number)
		}
	}
	k.keys = inorder.Distinct(k.keys)
	k.leases = inorder.Distinct(k.leases)
	k.levels = [2]int{levelsFor(len(k.keys)), levelsFor(len(k.leases))}
}

// levelsFor returns the height of a tree with n leaves.
func levelsFor(n int) int {
	levels := 0
	for 1<<levels < n {
		levels++
	}
	return levels
}

// observed finds out what some operation observes of the state.
func (k *etcdPart) observed() {
	for i := range k.ops {
		o := &k.ops[i]
		if o.at != 0 {
			k.asked = append(k.asked, o.at)
		}
		k.revision = k.revision || o.revision != unstated || o.at != 0 || o.verb == etcdCompact
		k.lease = k.lease || o.verb == etcdRevoke
		for _, c := range o.compares {
			k.create, k.mod = k.create || c.target == "create", k.mod || c.target == "mod"
			k.version, k.lease = k.version || c.target == "version", k.lease || c.target == "lease"
			k.order = k.order || c.target == "value" && (c.op == "<" || c.op == ">")
			if c.target == "value" {
				k.values[c.value] = true
			}
		}
		for j := range o.shown {
			for _, kv := range o.shown[j].kvs {
				k.create, k.mod = k.create || kv.create != unstated, k.mod || kv.mod != unstated
				k.version, k.lease = k.version || kv.version != unstated, k.lease || kv.lease != unstated
				if kv.valued {
					k.values[kv.value] = true
				}
			}
		}
	}
	k.revision = k.revision || k.create || k.mod
	k.asked = inorder.Distinct(k.asked)
}

// someValue is the class of all values that nothing observes.
const someValue int32 = -1

// classOf returns what a state keeps of a value.
func (k *etcdPart) classOf(v history.Value) int32 {
	if k.order || k.values[v] {
		return int32(v)
	}
	return someValue
}

// number replaces the names of keys and leases by numbers.
func (k *etcdPart) number() {
	k.holds = make([][]int32, len(k.leases))
	keyed := func(name string) int32 {
		if n, found := slices.BinarySearch(k.keys, name); found {
			return int32(n)
		}
		return -1
	}
	for j := range k.init.kvs {
		kv := &k.init.kvs[j]
		if kv.number = keyed(kv.key); kv.lease > 0 {
			n, _ := slices.BinarySearch(k.leases, kv.lease)
			k.holds[n] = append(k.holds[n], kv.number)
		}
	}
	for i := range k.ops {
		o := &k.ops[i]
		for j := range o.compares {
			o.compares[j].number = keyed(o.compares[j].key)
		}
		for j := range o.shown {
			for x := range o.shown[j].kvs {
				o.shown[j].kvs[x].number = keyed(o.shown[j].kvs[x].key)
			}
		}
		o.each(func(q *etcdRequest) {
			q.lo, _ = slices.BinarySearch(k.keys, q.key)
			switch {
			case q.end == "":
				q.hi = q.lo
				if keyed(q.key) >= 0 {
					q.hi++
				}
			case q.end == "\x00":
				q.hi = len(k.keys)
			default:
				q.hi, _ = slices.BinarySearch(k.keys, q.end)
				q.hi = max(q.lo, q.hi)
			}
			if q.verb == etcdPut {
				q.class = k.classOf(q.value)
			}
			if n, found := slices.BinarySearch(k.leases, q.lease); found && q.lease != 0 {
				q.held = int32(n) + 1
				if q.verb == etcdPut {
					k.holds[n] = append(k.holds[n], int32(q.lo))
				}
			}
		})
	}
	for n := range k.holds {
		k.holds[n] = inorder.Distinct(k.holds[n])
	}
}

// alike numbers operations that do the same.
func (k *etcdPart) alike(p *model.Partition, b *model.Instance) {
	type kind struct {
		verb, key   int
		class       int32
		lease       int64
		arg, result history.Value
		known       bool
	}
	kinds := alike[kind]{}
	for i := range k.ops {
		o, in := &k.ops[i], &p.Ops[i]
		g := kind{verb: o.verb, arg: in.Arg, known: o.known}
		if o.verb == etcdPut {
			// puts of values that nothing observes differ in nothing
			q := &o.then[0]
			g.key, g.class, g.lease, g.arg = q.lo, q.class, q.lease, history.Nil
		}
		if o.known {
			g.result = in.Result
		}
		b.EquivID[i] = kinds.of(g)
	}
}

// changesNothing reports whether the operation leaves every state that allows it as it is.
func (o *etcdOp) changesNothing() bool {
	if o.refused != "" {
		return true
	}
	switch o.verb {
	case etcdRange, etcdDefragment:
		return true
	case etcdGrant:
		return o.number == 0
	case etcdRevoke, etcdCompact:
		return false
	}
	for j, requests := range [2][]etcdRequest{o.then, o.orElse} {
		if o.made == yes && j == 1 || o.made == no && j == 0 {
			continue
		}
		for x := range requests {
			switch q := &requests[x]; {
			case q.verb == etcdPut:
				return false
			case q.verb == etcdDelete && !(o.shows && o.made != unknown && x < len(o.shown) && o.shown[x].deleted == 0):
				return false
			}
		}
	}
	return true
}

// compared applies an operator of a comparison to the sign of one.
func compared(sign int, op string) bool {
	switch op {
	case "!=":
		return sign != 0
	case "<":
		return sign < 0
	case ">":
		return sign > 0
	}
	return sign == 0
}

// holdsIn reports whether the comparison holds for a key, or for a key that does not exist.
func (c *etcdCompare) holdsIn(k *etcdPart, leaf *etcdLeaf) bool {
	n := int64(0)
	switch c.target {
	case "value":
		if leaf == nil {
			return false
		}
		if c.op == "<" || c.op == ">" {
			found, _ := k.table.AsString(history.Value(leaf.value))
			asked, _ := k.table.AsString(c.value)
			return compared(cmp.Compare(found, asked), c.op)
		}
		return (leaf.value == int32(c.value)) == (c.op == "=")
	case "version":
		if leaf != nil {
			n = leaf.version
		}
	case "create":
		if leaf != nil {
			n = leaf.create
		}
	case "mod":
		if leaf != nil {
			n = leaf.mod
		}
	case "lease":
		if leaf != nil && leaf.lease > 0 {
			n = k.leases[leaf.lease-1]
		}
	}
	return compared(cmp.Compare(n, c.n), c.op)
}
