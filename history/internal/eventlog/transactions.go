package eventlog

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
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
func (l *EventLog) transactions() {
	t := l.b.Values
	read, write, txn := t.String("read"), t.String("write"), t.String("txn")
	single := []history.Value{t.String("r"), t.String("w"), t.String("append")}
	for i := range l.b.Records() {
		o := &l.b.Records()[i]
		switch {
		case slices.Contains(single, o.F):
			one := t.List([]history.Value{o.Arg})
			if !microOperations(t, one) {
				continue
			}
			if o.Arg = one; completed(o) {
				o.Result = t.List([]history.Value{o.Result})
			}
		case o.F != read && o.F != write || !microOperations(t, o.Arg):
			continue
		}
		if o.F = txn; o.Arg == o.Result {
			o.Result, o.NoResult = history.Nil, true
		}
	}
}

// microOperations reports whether v is a list of triples as transactions have, at least one.
func microOperations(t *history.Values, v history.Value) bool {
	list, ok := t.AsList(v)
	for _, e := range list {
		parts, _ := t.AsList(e)
		if len(parts) != 3 {
			return false
		}
		f, _ := t.AsString(parts[0])
		ok = ok && lex.MicroName(f) != ""
	}
	return ok && len(list) > 0
}

// reads reports whether some micro-operation of a list of them reads.
func reads(t *history.Values, v history.Value) bool {
	list, _ := t.AsList(v)
	return slices.ContainsFunc(list, func(e history.Value) bool {
		triple, _ := t.AsList(e)
		if len(triple) < 2 {
			return false
		}
		f, _ := t.AsString(triple[0])
		return lex.MicroName(f) == "r"
	})
}
