package history

import (
	"github.com/linsat/linsat/history/internal/lex"
)

// isTransaction reports whether an operation is a transaction that may write.
func isTransaction(t *Values, r *Record) bool {
	return micros(t, r.Arg, 2) || t.kind(r.Arg) == kindMap && microOf(t, r.F) == "w"
}

// micros reports whether v is a list of at least one micro-operation, each of at least so many
// parts.
func micros(t *Values, v Value, least int) bool {
	list, ok := t.AsList(v)
	for _, e := range list {
		parts, _ := t.AsList(e)
		ok = ok && len(parts) >= least && len(parts) <= 3 && microOf(t, parts[0]) != ""
	}
	return ok && len(list) > 0
}

func microOf(t *Values, v Value) string {
	f, _ := t.AsString(v)
	return lex.MicroName(f)
}
