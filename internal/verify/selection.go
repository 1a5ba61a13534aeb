package verify

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Claims that keep few operations of a long part of a collection, as claims about these alone.
//
// What: the operations that a claim keeps, up to its cut, make a part of their own. Looking at it
// costs what these few cost, where Window copies and binds the whole part anew.
//
// Why that is enough: forgettable has checked, on the part as it was recorded, that what is left
// out can be; so if the part is linearizable, the few are, and the rest of the claim is about them.
//
// Only for parts without explicit order, draining and contents at the start, of which the rest of
// Window knows more.

// Selection is such a claim.
type Selection struct {
	Instance *model.Instance // of the few operations
	Claim    *proof.Weakening
	Left     []history.OpID // their positions in the whole part, ascending
}

// Select returns a claim as one about the few operations that it keeps; nil where it keeps too many
// for that to pay, or is of another kind. Where it returns nil, Window says what is wrong.
func Select(b *model.Instance, claim *proof.Weakening) *Selection {
	p := b.Partition
	t, ok := b.Theory.(*model.CollectionTheory)
	switch {
	case !ok || len(claim.Retain) != p.Len() || len(p.Edges)+len(p.Demands) > 0 || p.Drains > 0:
		return nil
	case claim.From > 0 || claim.AnyStart || claim.View != 0:
		return nil
	case slices.ContainsFunc(t.Initial, func(items []int32) bool { return len(items) > 0 }):
		return nil
	}
	var left []history.OpID
	for i, kept := range claim.Retain {
		if kept == proof.RetainNothing || p.Ops[i].Call > claim.Cut {
			continue
		}
		if left = append(left, history.OpID(i)); len(left) > p.Len()/2 {
			return nil
		}
	}
	if _, err := forgettable(t, p, claim); err != nil {
		return nil
	}
	bound, err := b.Spec.Bind(p.Select(left, p.Name))
	if err != nil {
		return nil
	}
	s := &Selection{Instance: bound, Left: left}
	few := *claim
	few.Retain = make([]proof.Retained, len(left))
	for k, i := range left {
		few.Retain[k] = claim.Retain[i]
	}
	few.Order, few.Given = s.pairs(claim.Order), s.pairs(claim.Given)
	s.Claim = &few
	return s
}

// local is the position in the selection of an operation of the part; ok is false if it is not
// there. What stands for no operation stays as it is.
func (s *Selection) local(i history.OpID) (k history.OpID, ok bool) {
	if i < 0 {
		return i, true
	}
	at, ok := slices.BinarySearch(s.Left, i)
	return history.OpID(at), ok
}

// pairs are the pairs of operations that are both in the selection.
func (s *Selection) pairs(of [][2]history.OpID) (own [][2]history.OpID) {
	for _, e := range of {
		before, ok := s.local(e[0])
		after, also := s.local(e[1])
		if ok && also {
			own = append(own, [2]history.OpID{before, after})
		}
	}
	return own
}

// Argument returns an argument about the part as one about the selection; ok is false if it names
// an operation that is not there.
func (s *Selection) Argument(a *proof.Node) (own *proof.Node, ok bool) {
	ok = true
	own = a.Renamed(func(i history.OpID) history.OpID {
		k, there := s.local(i)
		ok = ok && there
		return k
	})
	return own, ok
}

// Whole is the position in the part of an operation of the selection.
func (s *Selection) Whole(k history.OpID) history.OpID {
	if k < 0 {
		return k
	}
	return s.Left[k]
}
