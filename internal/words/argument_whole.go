package words

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
)

// What is said of a whole history by an argument that is about its beginning: what is not taken out
// of a collection by then may be taken out later, and what was not put in by then may be put in
// later. The strongest claim that holds is told.

// holds reports whether a claim is true of the whole partition. If it is, the sentence makes it.
func (t *teller) holds(claims ...claim.Claim) bool {
	if !t.whole.judge.All(claims) {
		return false
	}
	t.claim(claims...)
	return true
}

// notTaken says that no operation of the argument takes out what y put in, or what was there at the
// start, apart from those that cannot have taken it (except): never, or not before the return at
// which the argument ends. repeated reports whether the value may have been put in more than once,
// so that an operation that takes it may take another.
func (t *teller) notTaken(y history.OpID, except []history.OpID) (text string, repeated bool) {
	p, cut := t.whole.b.Partition, t.whole.cut
	last := history.OpID(slices.IndexFunc(p.Ops, func(o history.Op) bool { return o.Return == cut }))
	whole := last < 0 || cut == history.Never
	until := func() string { return " is not taken out before " + t.wholeOp(last) + " returns" }
	if y < 0 {
		if whole {
			return " is never taken out", false
		}
		return until(), false
	}
	at := t.at(y)
	open := func(i history.OpID) bool { return cut != history.Never && p.Ops[i].Return > cut }
	closed := slices.DeleteFunc(slices.Clone(except), open) // they never take it
	once := t.holds(claim.PutInOnce{Insertion: at})
	switch {
	case once && t.holds(claim.Stays{Insertion: at, Until: history.Never, Except: closed}):
		return " is never taken out", false
	case whole:
		t.claim(claim.Stays{Insertion: at, Until: history.Never, Except: except})
		return " is not taken out", !once
	}
	t.claim(claim.Stays{Insertion: at, Until: cut, Except: except})
	text = until()
	if by := t.takenLater(at); by >= 0 && once && t.holds(claim.TakenLater{Insertion: at, By: by, Until: cut}) {
		text += " (" + t.wholeOp(by) + " takes it out later)"
	}
	return text, !once
}

// takenLater is the one operation that returns what an insertion put in, -1 if there is not just
// one.
func (t *teller) takenLater(insertion history.OpID) history.OpID {
	c, ok := t.whole.judge.Theory().(*model.CollectionTheory)
	by := history.OpID(-1)
	if !ok {
		return by
	}
	for i := range c.Value {
		if c.Does[i] == model.Remove && c.Object[i] == c.Object[insertion] && c.Value[i] == c.Value[insertion] {
			if by >= 0 {
				return -1
			}
			by = history.OpID(i)
		}
	}
	return by
}

// putInLater says of the operations that put in what a removal took, besides those that are able to
// be what it took, that they come later; "" if there are none.
func (t *teller) putInLater(removal history.OpID, able []history.OpID) string {
	c, ok := t.whole.judge.Theory().(*model.CollectionTheory)
	if !ok {
		return ""
	}
	at := t.at(removal)
	known := map[history.OpID]bool{}
	only := claim.PutInOnly{Removal: at}
	for _, i := range able {
		if known[t.at(i)] = true; i < 0 {
			only.Initial++
		} else {
			only.By = append(only.By, t.at(i))
		}
	}
	others := claim.CalledLater{After: at}
	var names []string
	for i := range c.Value {
		if c.Does[i] == model.Insert && c.Object[i] == c.Object[at] && c.Value[i] == c.Value[at] &&
			!known[history.OpID(i)] {
			others.Ops = append(others.Ops, history.OpID(i))
			if len(others.Ops) <= fewListed {
				names = append(names, t.wholeOp(history.OpID(i)))
			}
		}
	}
	only.By = append(only.By, others.Ops...)
	t.claim(only)
	if len(others.Ops) > fewListed {
		names = append(names[:fewListed/2:fewListed/2], "others")
	}
	switch {
	case len(names) == 0:
		return ""
	case !t.holds(others):
		return join(names) + " cannot come before"
	case len(names) == 1:
		return names[0] + " comes later"
	}
	return join(names) + " come later"
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
