package words

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Operation writes operation i of p in a few words, without its number: "enq 1", "deq → 2", "cas
// [1, 2] (never returned)".
func Operation(p *model.Partition, i history.OpID) string {
	return operationBefore(p, i, history.Never)
}

// operationBefore is Operation as it is known just before rank cut: what returns from there on has
// no result yet.
func operationBefore(p *model.Partition, i history.OpID, cut history.Rank) string {
	o := &p.Ops[i]
	t := p.History.Values
	var b strings.Builder
	if o.F == model.DrainName {
		return p.ID(i)
	}
	b.WriteString(Value(t, o.F))
	if o.Key != history.NoKey {
		fmt.Fprintf(&b, "(%s)", Short(t, o.Key))
	}
	if o.Arg != history.Nil {
		b.WriteString(" " + Short(t, o.Arg))
	}
	switch {
	case o.Pending():
		b.WriteString(" (never returned)")
	case o.Unknown || o.Return >= cut && (o.Result != history.Nil || ResultMatters(o)):
		b.WriteString(" → ?")
	case o.Result != history.Nil || ResultMatters(o):
		b.WriteString(" → " + Short(t, o.Result))
	}
	return b.String()
}

// ResultMatters reports whether a null result is worth showing: only operations without an argument
// have one.
func ResultMatters(o *history.Op) bool { return o.Arg == history.Nil }

// Numbered is Operation with its number, "deq → 2 (#3)".
func Numbered(p *model.Partition, i history.OpID) string { return numberedBefore(p, i, history.Never) }

// numberedBefore is Numbered as it is known just before rank cut.
func numberedBefore(p *model.Partition, i history.OpID, cut history.Rank) string {
	if o := &p.Ops[i]; o.F == model.DrainName {
		return p.ID(i)
	}
	return operationBefore(p, i, cut) + " (#" + p.ID(i) + ")"
}

func Value(t *history.Values, v history.Value) string {
	if s, ok := t.AsString(v); ok {
		return s
	}
	return t.Format(v)
}

// Short writes a value; the middle of a long one is left out.
func Short(t *history.Values, v history.Value) string {
	s := t.Format(v)
	if r := []rune(s); len(r) > shortText {
		s = string(r[:shortText/2]) + "…" + string(r[len(r)-shortText/2:])
	}
	return s
}
