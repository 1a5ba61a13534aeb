package logs

import (
	"math"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
)

// Reports of etcd's robustness tests (tests/robustness/report and model of etcd-io/etcd). A report
// is a directory with one for each client, client-0, client-1 and so on, whose operations.json has
// operations as Porcupine's:
//
//	{"ClientId": 3, "Input": {"Type": "txn", "Txn": {"Conditions": [{"Key": "a",
//	  "ExpectedRevision": 2}], "OperationsOnSuccess": [{"Type": "put-operation",
//	  "Put": {"Key": "a", "Value": {"Value": "x"}}}]}}, "Call": 10,
//	 "Output": {"Txn": {"Failure": false, "Results": [{}]}, "Revision": 3}, "Return": 20}
//
// They become operations of the specification etcd:
//
//   - A transaction of one operation without a condition is that operation.
//   - A condition compares the version of a key if it states one above 0, and otherwise the
//     revision of its last change, which is 0 for an absent key.
//   - A long value is its hash, in requests and in responses; it is read as "hash:" and the number.
//   - Revisions up to 0 in responses say nothing: older reports and stale reads have none. The
//     others are a chain, too (chain.go): revisions grow.
//   - An operation that failed with an error may have taken effect, and so may one of which nothing
//     is known. That a revision is compacted and that a lease is not there are answers.
//   - Watches are no operations of that specification, but show when requests took effect
//     (etcd_watch.go).

// Fields of inputs and outputs that the model of etcd's tests has, and Porcupine's own does not.
var (
	etcdRequests  = []string{"range", "txn", "leasegrant", "leaserevoke", "defragment", "compact"}
	etcdResponses = []string{"range", "txn", "leasegrant", "leaserevoke", "defragment", "compact", "revision", "error",
		"err", "clienterror", "persisted", "persistedrevision", "partialresponse"}
)

// etcdValues takes requests and responses apart.
type etcdValues struct{ *history.Values }

// field returns a field of an object in any case; ok is false if it has none or it is null.
func (t etcdValues) field(v history.Value, name string) (history.Value, bool) {
	pairs, _ := t.AsMap(v)
	for i := 0; i+1 < len(pairs); i += 2 {
		if s, _ := t.AsString(pairs[i]); strings.EqualFold(s, name) && pairs[i+1] != history.Nil {
			return pairs[i+1], true
		}
	}
	return history.Nil, false
}

func (t etcdValues) number(v history.Value, name string) int64 {
	f, _ := t.field(v, name)
	n, _ := t.AsInt(f)
	return n
}

func (t etcdValues) text(v history.Value, name string) string {
	f, _ := t.field(v, name)
	s, _ := t.AsString(f)
	return s
}

func (t etcdValues) list(v history.Value, name string) []history.Value {
	f, _ := t.field(v, name)
	list, _ := t.AsList(f)
	return list
}

// object makes a map of names and values in turn.
func (t etcdValues) object(pairs ...any) history.Value {
	all := make([]history.Value, len(pairs))
	for i, p := range pairs {
		switch p := p.(type) {
		case string:
			all[i] = t.String(p)
		case int64:
			all[i] = t.Int(p)
		case history.Value:
			all[i] = p
		}
	}
	return t.Map(all)
}

// value reads a value, or its hash.
func (t etcdValues) value(v history.Value, name string) history.Value {
	f, _ := t.field(v, name)
	if hash := t.number(f, "Hash"); hash != 0 {
		return t.String("hash:" + strconv.FormatInt(hash, 10))
	}
	return t.String(t.text(f, "Value"))
}

// ranged is the argument of a range.
func (t etcdValues) ranged(v history.Value) history.Value {
	pairs := []any{"key", t.text(v, "Start")}
	if end := t.text(v, "End"); end != "" {
		pairs = append(pairs, "end", end)
	}
	if limit := t.number(v, "Limit"); limit != 0 {
		pairs = append(pairs, "limit", limit)
	}
	if revision := t.number(v, "Revision"); revision != 0 {
		pairs = append(pairs, "revision", revision)
	}
	return t.object(pairs...)
}

// request returns the name and the argument of an operation within a transaction; "" for an unknown
// one.
func (t etcdValues) request(v history.Value) (f string, arg history.Value) {
	switch t.text(v, "Type") {
	case "range-operation":
		o, _ := t.field(v, "Range")
		return "range", t.ranged(o)
	case "put-operation":
		o, _ := t.field(v, "Put")
		pairs := []any{"key", t.text(o, "Key"), "value", t.value(o, "Value")}
		if lease := t.number(o, "LeaseID"); lease != 0 {
			pairs = append(pairs, "lease", lease)
		}
		return "put", t.object(pairs...)
	case "delete-operation":
		o, _ := t.field(v, "Delete")
		return "delete", t.object("key", t.text(o, "Key"))
	}
	return "", history.Nil
}

// found is the result of a range within pairs of a larger one.
func (t etcdValues) found(v history.Value) []any {
	var kvs []history.Value
	for _, kv := range t.list(v, "KVs") {
		pairs := []any{"key", t.text(kv, "Key"), "value", t.value(kv, "Value")}
		if mod := t.number(kv, "ModRevision"); mod != 0 {
			pairs = append(pairs, "mod", mod)
		}
		if version := t.number(kv, "Version"); version != 0 {
			pairs = append(pairs, "version", version)
		}
		kvs = append(kvs, t.object(pairs...))
	}
	return []any{"count", t.number(v, "Count"), "kvs", t.List(kvs)}
}

// response is the result of an operation within a transaction.
func (t etcdValues) response(f string, v history.Value) []any {
	switch f {
	case "range":
		return t.found(v)
	case "delete":
		return []any{"deleted", t.number(v, "Deleted")}
	}
	return nil
}

// etcdTransaction is a transaction of a report.
type etcdTransaction struct {
	compare, then, orElse []history.Value
	alone                 string // the operation that it is, "" if it is more
	fs, elseFs            []string
}

func (t etcdValues) transaction(v history.Value) (x etcdTransaction, unknown bool) {
	for _, c := range t.list(v, "Conditions") {
		target, n := "mod", t.number(c, "ExpectedRevision")
		if version := t.number(c, "ExpectedVersion"); version > 0 {
			target, n = "version", version
		}
		x.compare = append(x.compare, t.object("key", t.text(c, "Key"), "target", target, "op", "=", "value", n))
	}
	for _, branch := range []struct {
		name     string
		requests *[]history.Value
		fs       *[]string
	}{{"OperationsOnSuccess", &x.then, &x.fs}, {"OperationsOnFailure", &x.orElse, &x.elseFs}} {
		for _, o := range t.list(v, branch.name) {
			f, arg := t.request(o)
			if f == "" {
				return x, true
			}
			*branch.fs = append(*branch.fs, f)
			*branch.requests = append(*branch.requests, t.List([]history.Value{t.String(f), arg}))
		}
	}
	if len(x.compare) == 0 && len(x.orElse) == 0 && len(x.then) == 1 {
		x.alone = x.fs[0]
	}
	return x, false
}

// etcdOperation makes an operation of the specification etcd of one that was read.
func (r *porcupineReader) etcdOperation(op *porcupineOp) error {
	t := etcdValues{r.b.Values}
	in, out := t.object(), t.object()
	if len(op.request) > 0 {
		in = t.object(op.request...)
	}
	if len(op.response) > 0 {
		out = t.object(op.response...)
	}
	var x etcdTransaction
	unknown := false
	switch op.f {
	case "range":
		o, ok := t.field(in, "range")
		op.Arg, unknown = t.ranged(o), !ok
	case "txn":
		o, ok := t.field(in, "txn")
		if x, unknown = t.transaction(o); unknown || !ok {
			return &history.Error{Line: op.line, What: "a transaction with an operation of unknown type",
				Hint: `types are "range-operation", "put-operation" and "delete-operation"`}
		}
		if x.alone != "" {
			pair, _ := t.AsList(x.then[0])
			op.f, op.Arg = x.alone, pair[1]
			break
		}
		op.Arg = t.object("compare", t.List(x.compare), "then", t.List(x.then), "else", t.List(x.orElse))
	case "leasegrant", "leaserevoke":
		o, ok := t.field(in, op.f)
		op.f, op.Arg, unknown = strings.TrimPrefix(op.f, "lease"), t.object("lease", t.number(o, "LeaseID")), !ok
	case "compact":
		o, ok := t.field(in, "compact")
		op.Arg, unknown = t.object("revision", t.number(o, "Revision")), !ok
	case "defragment":
		op.Arg = history.Nil
	default:
		unknown = true
	}
	if unknown {
		return &history.Error{Line: op.line, What: "a request of type " + strconv.Quote(op.f) + " without its content",
			Hint: "types of etcd's robustness tests are range, txn, leaseGrant, leaseRevoke, defragment and compact"}
	}
	r.b.SetSpec("etcd")
	op.seen |= hasResult
	op.NoResult = false
	op.Result, op.unknown = r.etcdResult(t, op.f, &x, out)
	op.unknown = op.unknown || op.Return == -1 || op.Return == math.MaxInt64
	if n := t.number(op.Result, "revision"); n > 0 && !op.unknown {
		op.Revision = &history.Revision{Chain: history.Nil, Number: n}
	}
	return nil
}

// etcdResult makes the result of a response; open says that it is not known whether there was an
// effect.
func (r *porcupineReader) etcdResult(t etcdValues, f string, x *etcdTransaction,
	out history.Value) (result history.Value, open bool) {
	var pairs []any
	if n := t.number(out, "revision"); n > 0 {
		pairs = []any{"revision", n}
	}
	failed := t.text(out, "clienterror")
	is := func(name string) bool { v, _ := t.field(out, name); return v == history.True }
	switch {
	case t.text(out, "error") != "" || t.text(out, "err") != "":
		return history.Nil, true
	case strings.Contains(failed, "compacted"):
		return t.object("error", "compacted"), false
	case strings.Contains(failed, "lease not found"):
		return t.object("error", "no lease"), false
	case failed != "":
		return history.Nil, true
	case is("persisted"):
		if n := t.number(out, "persistedrevision"); n > 0 {
			return t.object("revision", n), f == "range"
		}
		return history.True, f == "range"
	case is("partialresponse"):
		return t.object(pairs...), f == "range"
	}
	answer := func(name string) (history.Value, bool) { return t.field(out, name) }
	switch f {
	case "range":
		if v, ok := answer("range"); ok {
			return t.object(append(pairs, t.found(v)...)...), false
		}
	case "grant", "revoke":
		if _, ok := answer("lease" + f); ok {
			return t.orTrue(pairs), false
		}
	case "compact", "defragment":
		if _, ok := answer(f); ok {
			return t.orTrue(pairs), false
		}
	}
	v, ok := answer("txn")
	if !ok {
		return history.Nil, true
	}
	results := t.list(v, "Results")
	if x.alone != "" {
		if len(results) == 1 {
			pairs = append(pairs, t.response(x.alone, results[0])...)
		}
		return t.orTrue(pairs), false
	}
	failure, _ := t.field(v, "Failure")
	fs, succeeded := x.fs, history.True
	if failure == history.True {
		fs, succeeded = x.elseFs, history.False
	}
	pairs = append(pairs, "succeeded", succeeded)
	if len(results) == len(fs) {
		responses := make([]history.Value, len(fs))
		for i, f := range fs {
			if of := t.response(f, results[i]); of != nil {
				responses[i] = t.object(of...)
			}
		}
		pairs = append(pairs, "responses", t.List(responses))
	}
	return t.object(pairs...), false
}

// orTrue makes an object, or true of nothing: it is done, and nothing else is known.
func (t etcdValues) orTrue(pairs []any) history.Value {
	if len(pairs) == 0 {
		return history.True
	}
	return t.object(pairs...)
}
