package gen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
)

// etcd is a key-value store with one revision, as a plain map.
type etcd struct {
	unowned
	names     []string
	at        map[string]etcdKey
	leases    map[int64]bool
	revision  int64
	compacted int64
	past      map[int64]map[string]etcdKey // contents by revision, the latest few
	plain     bool                         // results without revisions and versions
	leased    int64                        // leases so far
	lost      string                       // the key whose last put is lost
	lostAt    int64                        // the revision of that put
	proved    bool                         // a range showed that it is lost
}

// etcdKey is a key that exists.
type etcdKey struct {
	value                       history.Value
	create, mod, version, lease int64
}

func newEtcd(keys []history.Value) object {
	o := &etcd{at: map[string]etcdKey{}, leases: map[int64]bool{}, revision: 1, compacted: -1,
		past: map[int64]map[string]etcdKey{}}
	o.names = make([]string, len(keys))
	return o
}

// open names the keys: those that the options ask for, or ten; few in small histories, some of
// which are prefixes of others.
func (o *etcd) open(d *draw) {
	if o.names[0] != "" {
		return
	}
	switch {
	case d.free:
		o.names = []string{"a", "ab", "b"}[:1+d.r.IntN(3)]
		o.plain = d.coin(0.3)
	case len(o.names) == 1:
		o.names = make([]string, 10)
		fallthrough
	default:
		for i := range o.names {
			o.names[i] = fmt.Sprintf("k%d", i)
		}
	}
}

func (o *etcd) name(d *draw) string { return o.names[d.r.IntN(len(o.names))] }

// fields makes a map of fields and values in turn.
func fields(d *draw, all ...any) history.Value {
	v := make([]history.Value, len(all))
	for i, x := range all {
		switch x := x.(type) {
		case history.Value:
			v[i] = x
		case string:
			v[i] = d.t.String(x)
		case int64:
			v[i] = d.t.Int(x)
		}
	}
	return d.t.Map(v)
}

// put, ranged and deleted are arguments of requests.
func (o *etcd) put(d *draw) history.Value {
	all := []any{"key", o.name(d), "value", d.value()}
	if o.leased > 0 && d.coin(0.2) {
		all = append(all, "lease", 1+d.r.Int64N(o.leased))
	}
	return fields(d, all...)
}

func (o *etcd) ranged(d *draw, many float64) []any {
	all := []any{"key", o.name(d)}
	if d.coin(many) {
		all = []any{"key", "k", "prefix", history.True}
		if d.free {
			all = [][]any{{"key", "", "prefix", history.True}, {"key", "a", "prefix", history.True},
				{"key", "ab", "end", "\x00"}, {"key", "a", "end", "b"}}[d.r.IntN(4)]
		}
	}
	return all
}

func (o *etcd) request(d *draw) history.Value {
	f, arg := "put", history.Nil
	switch k := d.r.Float64(); {
	case k < 0.6:
		arg = o.put(d)
	case k < 0.85:
		f, arg = "range", fields(d, o.ranged(d, 0.2)...)
	default:
		f, arg = "delete", fields(d, o.ranged(d, 0)...)
	}
	return d.t.List([]history.Value{d.t.String(f), arg})
}

// compare returns a comparison that often holds.
func (o *etcd) compare(d *draw) history.Value {
	name := o.name(d)
	was := o.at[name]
	op := "="
	if d.free {
		op = []string{"=", "!=", "<", ">"}[d.r.IntN(4)]
	}
	if o.plain {
		if op == "<" || op == ">" || was.version == 0 || was.value == history.Nil {
			return fields(d, "key", name, "target", "version", "op", ">", "value", int64(0))
		}
		return fields(d, "key", name, "target", "value", "op", op, "value", was.value)
	}
	target, n := "mod", was.mod
	if d.coin(0.3) {
		switch d.r.IntN(3) {
		case 0:
			target, n = "version", was.version
		case 1:
			target, n = "create", was.create
		default:
			target, n = "lease", was.lease
		}
	}
	return fields(d, "key", name, "target", target, "op", op, "value", n)
}

func (o *etcd) pick(d *draw, a *action) bool {
	o.open(d)
	k := d.r.Float64()
	switch {
	case k < 0.42:
		a.f = "range"
		all := o.ranged(d, 0.2)
		if d.coin(0.1) {
			all = append(all, "limit", 1+d.r.Int64N(3))
		}
		if !o.plain && d.coin(0.1) {
			all = append(all, "revision", max(1, o.revision-d.r.Int64N(4)+d.r.Int64N(2)))
		}
		a.arg = fields(d, all...)
	case k < 0.75:
		a.f, a.arg = "put", o.put(d)
	case k < 0.8:
		many := 0.0
		if d.free {
			many = 0.3
		}
		a.f, a.arg = "delete", fields(d, o.ranged(d, many)...)
	case k < 0.93:
		a.f = "txn"
		list := func(n int, make func(d *draw) history.Value) history.Value {
			var all []history.Value
			for range n {
				all = append(all, make(d))
			}
			return d.t.List(all)
		}
		a.arg = fields(d, "compare", list(d.r.IntN(3), o.compare), "then", list(1+d.r.IntN(2), o.request), "else",
			list(d.r.IntN(2), o.request))
	case k < 0.95:
		a.f = "grant"
		if o.leased++; d.free && d.coin(0.3) {
			o.leased = 1
		}
		a.arg = fields(d, "lease", o.leased)
	case k < 0.97 && o.leased > 0:
		a.f = "revoke"
		a.arg = fields(d, "lease", max(1, o.leased-d.r.Int64N(3)))
	case k < 0.985 && !o.plain:
		a.f = "compact"
		a.arg = fields(d, "revision", max(1, o.revision-2-d.r.Int64N(4)+d.r.Int64N(2)))
	default:
		a.f, a.arg = "defragment", history.Nil
	}
	return true
}

// etcdCall is an argument as a map of Go.
type etcdCall map[string]history.Value

func (o *etcd) call(d *draw, arg history.Value) etcdCall {
	pairs, _ := d.t.AsMap(arg)
	c := etcdCall{}
	for j := 0; j < len(pairs); j += 2 {
		field, _ := d.t.AsString(pairs[j])
		c[field] = pairs[j+1]
	}
	return c
}

func (c etcdCall) int(d *draw, field string) int64 {
	n, _ := d.t.AsInt(c[field])
	return n
}

// within lists the keys that a range or a delete is about, sorted.
func (c etcdCall) within(d *draw, at map[string]etcdKey) []string {
	key, _ := d.t.AsString(c["key"])
	end, ended := c["end"]
	last, _ := d.t.AsString(end)
	var all []string
	for name := range at {
		switch {
		case c["prefix"] == history.True:
			if strings.HasPrefix(name, key) {
				all = append(all, name)
			}
		case ended:
			if name >= key && (last == "\x00" || name < last) {
				all = append(all, name)
			}
		case name == key:
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// shown is the response to a range. Small histories leave out what they like.
func (o *etcd) shown(d *draw, c etcdCall, at map[string]etcdKey) []any {
	names := c.within(d, at)
	count := int64(len(names))
	if limit := c.int(d, "limit"); limit > 0 && limit < count {
		names = names[:limit]
	}
	var kvs []history.Value
	for _, name := range names {
		k := at[name]
		all := []any{"key", name, "value", k.value}
		if !o.plain && !(d.free && d.coin(0.4)) {
			all = append(all, "mod", k.mod, "version", k.version)
		}
		if !o.plain && d.free && d.coin(0.3) {
			all = append(all, "create", k.create, "lease", k.lease)
		}
		kvs = append(kvs, fields(d, all...))
	}
	all := []any{"kvs", d.t.List(kvs)}
	if !d.free || d.coin(0.7) {
		all = append(all, "count", count)
	}
	return all
}

// request executes one request at revision next, and returns its response and whether it changed
// anything.
func (o *etcd) execute(d *draw, f string, c etcdCall, next int64) (response []any, changed bool) {
	switch f {
	case "range":
		return o.shown(d, c, o.at), false
	case "put":
		name, _ := d.t.AsString(c["key"])
		if o.lostAt < 0 { // this one is to be lost
			o.lost, o.lostAt = name, next
			return nil, true
		}
		was, existed := o.at[name]
		k := etcdKey{c["value"], next, next, was.version + 1, c.int(d, "lease")}
		if existed {
			k.create = was.create
		}
		if o.at[name] = k; o.lost == name {
			o.lost = ""
		}
		return nil, true
	}
	names := c.within(d, o.at)
	for _, name := range names {
		if delete(o.at, name); o.lost == name {
			o.lost = ""
		}
	}
	return []any{"deleted", int64(len(names))}, len(names) > 0
}

// advance counts a revision.
func (o *etcd) advance(before map[string]etcdKey) {
	o.past[o.revision] = before
	delete(o.past, o.revision-64)
	o.revision++
}

func (o *etcd) apply(d *draw, a *action) bool {
	o.open(d)
	a.result = o.does(d, a)
	return true
}

func (o *etcd) does(d *draw, a *action) history.Value {
	c := o.call(d, a.arg)
	refuse := func(why string) history.Value { return fields(d, "error", why) }
	before := maps.Clone(o.at)
	var result []any
	switch a.f {
	case "grant":
		if o.leases[c.int(d, "lease")] {
			return refuse("lease exists")
		}
		o.leases[c.int(d, "lease")] = true
	case "revoke":
		lease := c.int(d, "lease")
		if !o.leases[lease] {
			return refuse("no lease")
		}
		delete(o.leases, lease)
		changed := false
		for name, k := range before {
			if k.lease == lease {
				delete(o.at, name)
				changed = true
			}
		}
		if changed {
			o.advance(before)
		}
	case "compact":
		at := c.int(d, "revision")
		switch {
		case at <= o.compacted:
			return refuse("compacted")
		case at > o.revision:
			return refuse("future")
		}
		o.compacted = at
	case "range":
		if at := c.int(d, "revision"); at != 0 && at != o.revision {
			switch {
			case at > o.revision:
				return refuse("future")
			case at < o.compacted:
				return refuse("compacted")
			}
			past, known := o.past[at]
			if !known { // long ago: nothing is recorded of it
				result = nil
				break
			}
			result = o.shown(d, c, past)
			break
		}
		if result = o.shown(d, c, o.at); o.lost != "" && slices.Contains(c.within(d, map[string]etcdKey{o.lost: {}}),
			o.lost) && c["limit"] == 0 {
			o.proved = true
		}
	case "put", "delete":
		if o.missing(d, c) {
			return refuse("no lease")
		}
		var changed bool
		if result, changed = o.execute(d, a.f, c, o.revision+1); changed {
			o.advance(before)
		}
	case "txn":
		requests, _ := d.t.AsList(c["then"])
		compares, _ := d.t.AsList(c["compare"])
		succeeded := true
		for _, x := range compares {
			succeeded = succeeded && o.holds(d, o.call(d, x))
		}
		if !succeeded {
			requests, _ = d.t.AsList(c["else"])
		}
		for _, q := range requests {
			pair, _ := d.t.AsList(q)
			if o.missing(d, o.call(d, pair[1])) {
				return refuse("no lease")
			}
		}
		var responses []history.Value
		any := false
		for _, q := range requests {
			pair, _ := d.t.AsList(q)
			f, _ := d.t.AsString(pair[0])
			response, changed := o.execute(d, f, o.call(d, pair[1]), o.revision+1)
			any = any || changed
			if v := history.Nil; response == nil {
				responses = append(responses, v)
			} else {
				responses = append(responses, fields(d, response...))
			}
		}
		if any {
			o.advance(before)
		}
		result = append(result, "succeeded", d.t.Bool(succeeded), "responses", d.t.List(responses))
	}
	if !o.plain && !(d.free && d.coin(0.2)) {
		result = append(result, "revision", o.revision)
	}
	if len(result) == 0 && a.f != "range" {
		return history.Nil
	}
	return fields(d, result...)
}

// missing reports whether a put has a lease that does not exist.
func (o *etcd) missing(d *draw, c etcdCall) bool {
	lease := c.int(d, "lease")
	return lease != 0 && !o.leases[lease]
}

// holds evaluates a comparison.
func (o *etcd) holds(d *draw, c etcdCall) bool {
	name, _ := d.t.AsString(c["key"])
	target, _ := d.t.AsString(c["target"])
	op, _ := d.t.AsString(c["op"])
	k, exists := o.at[name]
	if target == "value" {
		return exists && (k.value == c["value"]) == (op == "=")
	}
	n, with := map[string]int64{"mod": k.mod, "create": k.create, "version": k.version, "lease": k.lease}[target],
		c.int(d, "value")
	switch op {
	case "=":
		return n == with
	case "!=":
		return n != with
	case "<":
		return n < with
	}
	return n > with
}

// guess returns another result for an operation: what a store in a similar state returns.
func (o *etcd) guess(d *draw, a *action) history.Value {
	o.open(d)
	other := &etcd{names: o.names, at: maps.Clone(o.at), leases: maps.Clone(o.leases), revision: o.revision,
		compacted: o.compacted, past: map[int64]map[string]etcdKey{}, plain: o.plain, leased: o.leased}
	if !o.plain {
		other.revision = max(1, other.revision+d.r.Int64N(3)-1)
	}
	name := o.name(d)
	k := other.at[name]
	switch d.r.IntN(3) {
	case 0:
		delete(other.at, name)
	case 1:
		other.at[name] = etcdKey{d.seen(), max(1, k.create), max(1, k.mod), max(1, k.version), 0}
	}
	return other.does(d, a)
}

func (o *etcd) start(d *draw) (history.Value, bool) {
	o.open(d)
	o.revision = 1 + d.r.Int64N(4)
	all := []any{"revision", o.revision}
	if d.coin(0.3) {
		o.leases[1], o.leased = true, 1
		all = append(all, "leases", d.t.List([]history.Value{d.t.Int(1)}))
	}
	name, value := o.names[0], d.value()
	k := etcdKey{value, 1, o.revision, 1 + d.r.Int64N(2), 0}
	if o.leases[1] && d.coin(0.5) {
		k.lease = 1
	}
	o.at[name] = k
	all = append(all, "kvs", d.t.List([]history.Value{fields(d, "key", name, "value", value, "create", k.create, "mod",
		k.mod, "version", k.version, "lease", k.lease)}))
	return fields(d, all...), true
}
