package history

import (
	"slices"
	"strings"
)

// Transactions: lists of micro-operations, [:r name value], [:w name value] and [:append name
// value].
//
//	{:f :txn, :value [[:r "x" nil] [:append "y" 1]]}   as it is, also without :f
//	{:f :read, :value [[:r "x" nil]]}                  a transaction; nil is not known
//	{:f :append, :value [:append "x" 1]}               a transaction of one; also :r, :w
//
// A transaction that returns what it was called with has a result only if it reads: it found nil.

// transactions renames reads and writes of micro-operations to transactions.
func (l *eventLog) transactions() {
	t := l.b.Values
	read, write, txn := t.String("read"), t.String("write"), t.String("txn")
	single := []Value{t.String("r"), t.String("w"), t.String("append")}
	for i := range l.b.records {
		o := &l.b.records[i]
		switch {
		case slices.Contains(single, o.F):
			one := t.List([]Value{o.Arg})
			if !microOperations(t, one) {
				continue
			}
			if o.Arg = one; o.returned() {
				o.Result = t.List([]Value{o.Result})
			}
		case o.F != read && o.F != write || !microOperations(t, o.Arg):
			continue
		}
		if o.F = txn; o.Arg == o.Result {
			o.Result, o.NoResult = Nil, true
		}
	}
}

// microOperations reports whether v is a list of triples as transactions have, at least one.
func microOperations(t *Values, v Value) bool { return micros(t, v, 3) }

// micros reports whether v is a list of at least one micro-operation, each of at least so many
// parts.
func micros(t *Values, v Value, least int) bool {
	list, ok := t.AsList(v)
	for _, e := range list {
		parts, _ := t.AsList(e)
		ok = ok && len(parts) >= least && len(parts) <= 3 && microName(t, parts[0]) != ""
	}
	return ok && len(list) > 0
}

// microName returns the name of a micro-operation, "" if v is none.
func microName(t *Values, v Value) string {
	f, _ := t.AsString(v)
	switch f = strings.ToLower(strings.TrimPrefix(f, ":")); f {
	case "r", "read", "get":
		return "r"
	case "w", "write", "put", "set":
		return "w"
	case "append":
		return "append"
	}
	return ""
}

// reads reports whether some micro-operation of a list of them reads.
func reads(t *Values, v Value) bool {
	list, _ := t.AsList(v)
	return slices.ContainsFunc(list, func(e Value) bool {
		triple, _ := t.AsList(e)
		return len(triple) > 1 && microName(t, triple[0]) == "r"
	})
}

// isTransaction reports whether an operation is a transaction that may write.
func isTransaction(t *Values, r *Record) bool {
	return micros(t, r.Arg, 2) || t.kind(r.Arg) == kindMap && microName(t, r.F) == "w"
}
