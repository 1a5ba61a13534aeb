package verify

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Weakenings that keep few operations of a long partition of a collection, turned into weakenings
// of these operations alone.
//
// What: the operations that a weakening keeps, up to its cut, become a partition of their own.
// Checking it costs as much as these few operations do, whereas Window copies and binds the whole
// partition again.
//
// Why that is sound: forgettable has checked, on the partition as it was recorded, that the other
// operations may be left out. So if the partition is linearizable, the few operations are too, and
// the rest of the weakening mentions no others.
//
// It applies to partitions without explicit order, drains and initial contents; Window handles the
// others.

// Selection is a partition of the retained operations, with the weakening restated for it.
type Selection struct {
	Instance  *model.Instance // of the few operations
	Weakening *proof.Weakening
	Left      []history.OpID // their positions in the whole partition, ascending
}

// Select restates a weakening for the few operations that it retains. It returns nil where there
// are too many of them for this to pay, or where the weakening does not qualify; Window then says
// what is wrong, if anything is.
func Select(b *model.Instance, weakening *proof.Weakening) *Selection {
	p := b.Partition
	t, ok := b.Theory.(*model.CollectionTheory)
	switch {
	case !ok || len(weakening.Retain) != p.Len() || len(p.Edges)+len(p.Demands) > 0 || p.Drains > 0:
		return nil
	case weakening.From > 0 || weakening.AnyStart || weakening.View != 0:
		return nil
	case slices.ContainsFunc(t.Initial, func(items []int32) bool { return len(items) > 0 }):
		return nil
	}
	var left []history.OpID
	for i, kept := range weakening.Retain {
		if kept == proof.RetainNothing || p.Ops[i].Call > weakening.Cut {
			continue
		}
		if left = append(left, history.OpID(i)); len(left) > p.Len()/2 {
			return nil
		}
	}
	if _, err := forgettable(t, p, weakening); err != nil {
		return nil
	}
	bound, err := b.Spec.Bind(p.Select(left, p.Name))
	if err != nil {
		return nil
	}
	s := &Selection{Instance: bound, Left: left}
	few := *weakening
	few.Retain = make([]proof.Retained, len(left))
	for k, i := range left {
		few.Retain[k] = weakening.Retain[i]
	}
	few.Order, few.Given = s.pairs(weakening.Order), s.pairs(weakening.Given)
	s.Weakening = &few
	return s
}

// local is the position in the selection of an operation of the partition; ok is false if it is not
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

// Argument returns an argument about the partition as one about the selection; ok is false if it
// names an operation that is not there.
func (s *Selection) Argument(a *proof.Node) (own *proof.Node, ok bool) {
	ok = true
	own = a.Renamed(func(i history.OpID) history.OpID {
		k, there := s.local(i)
		ok = ok && there
		return k
	})
	return own, ok
}

// Whole is the position in the partition of an operation of the selection.
func (s *Selection) Whole(k history.OpID) history.OpID {
	if k < 0 {
		return k
	}
	return s.Left[k]
}
