package explain

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// What is said of a whole history by an argument that is about its beginning: what is not taken out
// of a collection by then may be taken out later, and what was not put in by then may be put in
// later.

// notTaken says that no operation of the argument takes out what y put in, or what was there at the
// start: never, or not before the return at which the argument ends. repeated reports whether the
// value may have been put in more than once, so that an operation that takes it may take another.
func (t *teller) notTaken(y history.OpID) (text string, repeated bool) {
	c, ok := t.whole.b.Theory.(*model.CollectionTheory)
	if !ok {
		return " is not taken out", true
	}
	p := t.whole.b.Partition
	last := slices.IndexFunc(p.Ops, func(o history.Op) bool { return o.Return == t.whole.cut })
	if y < 0 {
		if last < 0 || t.whole.cut == history.Never {
			return " is never taken out", false
		}
		return " is not taken out before " + t.wholeOp(history.OpID(last)) + " returns", false
	}
	at := t.whole.position(y)
	var later []history.OpID
	taken := false // perhaps, after the argument's end
	for i := range c.Value {
		switch r := history.OpID(i); {
		case c.Object[i] != c.Object[at] || c.Does[i] == model.Insert && c.Value[i] != c.Value[at]:
		case c.Does[i] == model.Insert:
			repeated = repeated || r != at
		case c.Does[i] != model.Remove || p.Ops[i].Return <= t.whole.cut || c.Value[i] != model.Anything && c.Value[i] != c.Value[at]:
		default:
			if taken = true; p.Ops[i].Call > t.whole.cut && c.Value[i] == c.Value[at] {
				later = append(later, r)
			}
		}
	}
	for _, v := range c.Initial[c.Object[at]] {
		repeated = repeated || v == c.Value[at]
	}
	switch {
	case last >= 0 && t.whole.cut != history.Never && (taken || repeated):
		text = " is not taken out before " + t.wholeOp(history.OpID(last)) + " returns"
		if !repeated && len(later) == 1 {
			text += " (" + t.wholeOp(later[0]) + " takes it out later)"
		}
	case repeated || taken:
		text = " is not taken out"
	default:
		text = " is never taken out"
	}
	return text, repeated
}

// putInLater says of the operations that put in what a removal took, besides those that are able to
// be what it took, that they come later; "" if there are none.
func (t *teller) putInLater(removal history.OpID, able []history.OpID) string {
	c, ok := t.whole.b.Theory.(*model.CollectionTheory)
	if !ok {
		return ""
	}
	at := t.whole.position(removal)
	known := map[history.OpID]bool{}
	for _, i := range able {
		if i >= 0 {
			known[t.whole.position(i)] = true
		}
	}
	var others []string
	later := true // by time
	for i := range c.Value {
		if c.Does[i] == model.Insert && c.Object[i] == c.Object[at] && c.Value[i] == c.Value[at] && !known[history.OpID(i)] {
			others = append(others, t.wholeOp(history.OpID(i)))
			later = later && t.whole.b.Partition.Ops[i].Call > t.whole.b.Partition.Ops[at].Return
		}
	}
	if len(others) > fewListed {
		others = append(others[:fewListed/2:fewListed/2], "others")
	}
	switch {
	case len(others) == 0:
		return ""
	case !later:
		return list(others) + " cannot come before"
	case len(others) == 1:
		return others[0] + " comes later"
	}
	return list(others) + " come later"
}

// wholeOp names an operation of the whole partition.
func (t *teller) wholeOp(i history.OpID) string {
	for own := range t.b.Partition.Ops {
		if t.whole.position(history.OpID(own)) == i {
			return t.op(history.OpID(own))
		}
	}
	return t.whole.name(i)
}
