package specs

import (
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// etcdReader reads the arguments and results of etcd's operations. Its methods return what was
// expected instead, "" if nothing is wrong.
type etcdReader struct{ t *history.Values }

// fields calls take with every field of a map. It reports whether v is a map and take accepts all.
func (r etcdReader) fields(v history.Value, take func(field string, v history.Value) bool) bool {
	pairs, isMap := r.t.AsMap(v)
	if !isMap {
		return false
	}
	for j := 0; j < len(pairs); j += 2 {
		if field, _ := r.t.AsString(pairs[j]); !take(field, pairs[j+1]) {
			return false
		}
	}
	return true
}

// count reads a number from 0 on.
func (r etcdReader) count(v history.Value, n *int64) bool {
	m, isInt := r.t.AsInt(v)
	*n = m
	return isInt && m >= 0
}

func (r etcdReader) text(v history.Value, s *string) bool {
	text, isString := r.t.AsString(v)
	*s = text
	return isString
}

const (
	etcdRangeWords   = `{"key": k, "end": k, "prefix": true, "limit": n, "revision": n}`
	etcdPutWords     = `{"key": k, "value": v, "lease": n}`
	etcdDeleteWords  = `{"key": k, "end": k, "prefix": true}`
	etcdTxnWords     = `{"compare": [{"key": k, "target": "mod", "op": "=", "value": n}, …], "then": [["put", {…}], …], "else": […]}`
	etcdLeaseWords   = `{"lease": n}`
	etcdCompactWords = `{"revision": n}`
)

// argument reads the argument of an operation.
func (r etcdReader) argument(verb int, v history.Value, o *etcdOp) (want string) {
	switch verb {
	case etcdRange, etcdPut, etcdDelete:
		q, at, ok := r.request(verb, v)
		if !ok {
			return [...]string{etcdRangeWords, etcdPutWords, etcdDeleteWords}[verb]
		}
		o.then, o.at, o.made = []etcdRequest{q}, at, yes
	case etcdTxn:
		ok := r.fields(v, func(field string, v history.Value) bool {
			switch field {
			case "compare":
				return r.list(v, func(v history.Value) bool {
					c, ok := r.compare(v)
					o.compares = append(o.compares, c)
					return ok
				})
			case "then":
				return r.requests(v, &o.then)
			case "else":
				return r.requests(v, &o.orElse)
			}
			return false
		})
		if !ok {
			return etcdTxnWords
		}
	case etcdGrant, etcdRevoke:
		given := false
		if !r.fields(v, func(field string, v history.Value) bool {
			given = true
			return field == "lease" && r.count(v, &o.number)
		}) || !given {
			return etcdLeaseWords
		}
	case etcdCompact:
		given := false
		if !r.fields(v, func(field string, v history.Value) bool {
			given = true
			return field == "revision" && r.count(v, &o.number)
		}) || !given {
			return etcdCompactWords
		}
	}
	return ""
}

func (r etcdReader) list(v history.Value, take func(v history.Value) bool) bool {
	if v == history.Nil {
		return true
	}
	elements, isList := r.t.AsList(v)
	if !isList {
		return false
	}
	for _, e := range elements {
		if !take(e) {
			return false
		}
	}
	return true
}

// requests reads a branch of a transaction: [["put", {…}], …].
func (r etcdReader) requests(v history.Value, dst *[]etcdRequest) bool {
	return r.list(v, func(v history.Value) bool {
		pair, _ := r.t.AsList(v)
		if len(pair) != 2 {
			return false
		}
		name, _ := r.t.AsString(pair[0])
		verb, known := etcdVerbs[Fold(name)]
		if !known || verb > etcdDelete {
			return false
		}
		q, at, ok := r.request(verb, pair[1])
		*dst = append(*dst, q)
		return ok && at == 0
	})
}

// request reads a range, put or delete, and the revision that a range asks for.
func (r etcdReader) request(verb int, v history.Value) (q etcdRequest, at int64, ok bool) {
	q.verb = verb
	keyed, valued, prefix, ended := false, verb != etcdPut, false, false
	ok = r.fields(v, func(field string, v history.Value) bool {
		switch {
		case field == "key":
			keyed = true
			return r.text(v, &q.key)
		case field == "value" && verb == etcdPut:
			valued, q.value = true, v
			return true
		case field == "lease" && verb == etcdPut:
			return r.count(v, &q.lease)
		case verb == etcdPut:
			return false
		case field == "end":
			ended = true
			return r.text(v, &q.end)
		case field == "prefix":
			prefix = v == history.True
			return prefix || v == history.False
		case field == "limit" && verb == etcdRange:
			return r.count(v, &q.limit)
		case field == "revision" && verb == etcdRange:
			return r.count(v, &at)
		}
		return false
	})
	if prefix {
		q.end = prefixEnd(q.key)
	}
	return q, at, ok && keyed && valued && !(prefix && ended)
}

// prefixEnd returns the first key after all that begin with prefix, "\x00" if there is none.
func prefixEnd(prefix string) string {
	for n := len(prefix) - 1; n >= 0; n-- {
		if prefix[n] < 0xff {
			return prefix[:n] + string([]byte{prefix[n] + 1})
		}
	}
	return "\x00"
}

// compare reads a comparison of a transaction.
func (r etcdReader) compare(v history.Value) (c etcdCompare, ok bool) {
	c.op = "="
	keyed, given := false, false
	ok = r.fields(v, func(field string, v history.Value) bool {
		switch field {
		case "key":
			keyed = true
			return r.text(v, &c.key)
		case "target":
			return r.text(v, &c.target)
		case "op":
			return r.text(v, &c.op)
		case "value":
			given, c.value = true, v
			return true
		}
		return false
	})
	switch c.op {
	case "=", "!=", "<", ">":
	default:
		return c, false
	}
	switch c.target {
	case "value":
		ordered := c.op == "<" || c.op == ">"
		return c, ok && keyed && given && (!ordered || model.KindOf(r.t, c.value) == model.KindString)
	case "version", "create", "mod", "lease":
		return c, ok && keyed && given && r.count(c.value, &c.n)
	}
	return c, false
}

// etcdErrors are the refusals that an operation may return.
var etcdErrors = [...][]string{
	etcdRange: {"compacted", "future"}, etcdPut: {"no lease"}, etcdDelete: nil, etcdTxn: {"no lease"},
	etcdGrant: {"lease exists"}, etcdRevoke: {"no lease"},
	etcdCompact: {"compacted", "future"}, etcdDefragment: nil,
}

// result reads the result of an operation that returned.
func (r etcdReader) result(verb int, v history.Value, o *etcdOp) (want string) {
	if text, _ := r.t.AsString(v); verb != etcdRange && (v == history.Nil || v == history.True ||
		strings.EqualFold(text, "ok")) {
		return ""
	}
	want = etcdRows[verb].Result
	one := etcdResponse{count: unstated, deleted: unstated}
	ok := r.fields(v, func(field string, v history.Value) bool {
		switch {
		case field == "error":
			if !r.text(v, &o.refused) {
				return false
			}
			for _, e := range etcdErrors[verb] {
				if e == o.refused {
					return true
				}
			}
			return false
		case field == "revision":
			return r.count(v, &o.revision)
		case field == "succeeded" && verb == etcdTxn:
			if o.made = no; v == history.True {
				o.made = yes
			}
			return v == history.True || v == history.False
		case field == "responses" && verb == etcdTxn:
			o.shows = v != history.Nil
			return r.list(v, func(v history.Value) bool {
				x := etcdResponse{count: unstated, deleted: unstated}
				ok := v == history.Nil || r.fields(v, func(field string, v history.Value) bool {
					return r.response(field, v, &x)
				})
				o.shown = append(o.shown, x)
				return ok
			})
		case verb == etcdRange && (field == "kvs" || field == "count"), verb == etcdDelete && field == "deleted":
			o.shows = true
			return r.response(field, v, &one)
		}
		return false
	})
	if !ok || o.refused != "" && (o.shows || verb == etcdTxn && o.made != unknown) {
		return want
	}
	if o.shows && verb != etcdTxn {
		o.shown = []etcdResponse{one}
	}
	return ""
}

// response reads one field of the response to a request.
func (r etcdReader) response(field string, v history.Value, x *etcdResponse) bool {
	switch field {
	case "count":
		return r.count(v, &x.count)
	case "deleted":
		return r.count(v, &x.deleted)
	case "kvs":
		x.listed = v != history.Nil
		return r.list(v, func(v history.Value) bool {
			kv, ok := r.shown(v)
			x.kvs = append(x.kvs, kv)
			return ok
		})
	}
	return false
}

// shown reads a key as ranges and initial states show it.
func (r etcdReader) shown(v history.Value) (kv etcdShown, ok bool) {
	kv = etcdShown{create: unstated, mod: unstated, version: unstated, lease: unstated}
	keyed := false
	ok = r.fields(v, func(field string, v history.Value) bool {
		switch field {
		case "key":
			keyed = true
			return r.text(v, &kv.key)
		case "value":
			kv.valued, kv.value = true, v
			return true
		case "create":
			return r.count(v, &kv.create)
		case "mod":
			return r.count(v, &kv.mod)
		case "version":
			return r.count(v, &kv.version)
		case "lease":
			return r.count(v, &kv.lease)
		}
		return false
	})
	return kv, ok && keyed
}

// initial reads the initial state. Numbers of a key that it leaves out are those of a key put once,
// at the initial revision.
func (r etcdReader) initial(v history.Value) (s etcdStart, ok bool) {
	s = etcdStart{revision: 1, compacted: -1}
	ok = r.fields(v, func(field string, v history.Value) bool {
		switch field {
		case "revision":
			return r.count(v, &s.revision)
		case "compacted":
			return r.count(v, &s.compacted)
		case "leases":
			return r.list(v, func(v history.Value) bool {
				var n int64
				ok := r.count(v, &n) && n > 0
				s.leases = append(s.leases, n)
				return ok
			})
		case "kvs":
			return r.list(v, func(v history.Value) bool {
				kv, ok := r.shown(v)
				for _, other := range s.kvs {
					ok = ok && other.key != kv.key
				}
				s.kvs = append(s.kvs, kv)
				return ok && kv.valued
			})
		}
		return false
	})
	ok = ok && s.revision > 0 && s.compacted <= s.revision
	for j := range s.kvs {
		kv := &s.kvs[j]
		if kv.mod == unstated {
			kv.mod = s.revision
		}
		if kv.create == unstated {
			kv.create = kv.mod
		}
		if kv.version == unstated {
			kv.version = 1
		}
		if kv.lease == unstated {
			kv.lease = 0
		}
		held := kv.lease == 0
		for _, n := range s.leases {
			held = held || n == kv.lease
		}
		ok = ok && held && kv.create <= kv.mod && kv.mod <= s.revision && kv.version > 0
	}
	return s, ok
}

// leased reports whether an initial state has leases.
func (r etcdReader) leased(v history.Value) bool {
	return !r.fields(v, func(field string, _ history.Value) bool { return field != "leases" }) && v != history.Nil
}
