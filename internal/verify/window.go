package verify

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Window applies a weakening, and returns what is left as a window over which axioms can
// be instantiated. Positions are those of b's partition; operations called after the cut are
// missing. It refuses what is no weakening: operations that are left out although others may depend
// on them, or an unknown start where the theory has none.
func Window(b *model.Instance, weakening *proof.Weakening) (*proof.Window, error) {
	bound, err := base.Weakened(b, weakening)
	if err != nil {
		return nil, err
	}
	return WindowOf(b, bound, weakening)
}

// WindowOf is Window for what base.Weakened returned, or would return.
func WindowOf(b, bound *model.Instance, weakening *proof.Weakening) (*proof.Window, error) {
	weak, p := bound.Partition, b.Partition
	w := &proof.Window{Optional: make([]bool, weak.Len()), Gone: make([]bool, weak.Len()),
		Unknown: weakening.From > 0 || weakening.AnyStart}
	for i := range w.Gone {
		w.Gone[i] = weakening.Of(history.OpID(i)) == proof.RetainNothing
	}
	w.Partition, w.Theory = weak, bound.Axiomatic()
	if weakening.View != 0 {
		view := View(bound, weakening)
		if view == nil {
			return nil, base.Faultf("", "the partition has no view %d", weakening.View)
		}
		if view.NoStart && !w.Unknown {
			return nil, base.Faultf("", "view %d does not tell what it starts with", weakening.View)
		}
		w.Theory = view.Theory
	}
	if t, ok := w.Theory.(*model.RegisterTheory); ok && weakening.AnyStart && t.FromInit {
		return nil, base.Faultf("", "start: that of values that only grow cannot be forgotten")
	}
	switch t := w.Theory.(type) {
	case nil:
		return nil, base.Faultf("", "the specification has no axioms for this partition")
	case *model.CollectionTheory:
		if w.Unknown {
			return nil, base.Faultf("", "from, start: the past and the start of a collection cannot be forgotten")
		}
		gone, err := gone(b, bound, weakening)
		switch {
		case err != nil:
			return nil, err
		case gone != nil:
			w.Theory = withoutItems(t, gone)
		}
	default:
		for i, gone := range w.Gone {
			if gone {
				return nil, base.Faultf(base.Op(p, history.OpID(i)),
					"only all operations on a value of a collection can be left out")
			}
		}
	}
	for i := range weak.Ops {
		o := &weak.Ops[i]
		w.Optional[i] = o.Pending() || o.Call < weakening.From
		if o.Return < weakening.From {
			w.Gone[i] = true
		}
	}
	if weakening.SomeOrder {
		w.Ordered = make(map[[2]history.OpID]bool, len(weakening.Order))
		for _, e := range weakening.Order {
			w.Ordered[e] = true
		}
	}
	return w, nil
}

// GoneItems returns, by object and place, which items of a collection at the start a weakening
// leaves out together with all operations on their values; nil if none. It refuses weakenings that
// leave out what cannot be left out.
func GoneItems(b *model.Instance, weakening *proof.Weakening) ([][]bool, error) {
	bound, err := base.Weakened(b, weakening)
	if err != nil {
		return nil, err
	}
	return gone(b, bound, weakening)
}

// gone is GoneItems for what Weakened returned.
func gone(b, weak *model.Instance, weakening *proof.Weakening) ([][]bool, error) {
	// Values are forgotten either of all that was recorded, and then it is cut, or of what the cut
	// leaves. Only the first knows the value of an operation that is open at the cut.
	if whole, ok := b.Theory.(*model.CollectionTheory); ok {
		if items, err := forgettable(whole, b.Partition, weakening); err == nil {
			return items, nil
		}
	}
	t, ok := weak.Theory.(*model.CollectionTheory)
	if !ok {
		return nil, base.Faultf("", "forgotten.all: operations are left out of what is no collection")
	}
	return forgettable(t, weak.Partition, weakening)
}

// View returns the view that a weakening is about, of what Weakened leaves; nil if there is none.
func View(weak *model.Instance, weakening *proof.Weakening) *model.View {
	if weak.View == nil || weakening.View <= 0 {
		return nil
	}
	return weak.View(weakening.View)
}

// forgettable checks that what a weakening leaves out of a partition of a collection can be:
// operations that found it empty, and all operations on some values that are called up to the cut.
// A legal sequence stays legal without them, unless a completed removal or peek with an unknown
// result took or saw one of the values. What the collection holds of such values at the start goes
// with them: gone marks it, by object and place.
func forgettable(t *model.CollectionTheory, p *model.Partition, weakening *proof.Weakening) (gone [][]bool, err error) {
	objects := len(t.Initial)
	said := newSaid(objects, t.Values)
	unknown := make([]bool, objects)
	any := false
	for i := range p.Ops {
		object, v := t.Object[i], t.Value[i]
		switch {
		case weakening.Of(history.OpID(i)) != proof.RetainNothing:
			unknown[object] = unknown[object] || v == model.Anything && !p.Ops[i].Pending()
			if v >= 0 && p.Ops[i].Call <= weakening.Cut {
				said.add(t.Stored(history.OpID(i)), isKept)
			}
		case v == model.Nothing: // it changes nothing: whatever is legal stays legal without it
		case v < 0:
			return nil, base.Faultf(base.Op(p, history.OpID(i)), "it is left out, but its value is not known")
		default:
			any = true
			said.add(t.Stored(history.OpID(i)), isGone)
		}
	}
	if !any {
		return nil, nil
	}
	for i := range p.Ops {
		object, v := t.Object[i], t.Value[i]
		if v < 0 || weakening.Of(history.OpID(i)) != proof.RetainNothing {
			continue
		}
		if said.of(t.Stored(history.OpID(i)))&isKept != 0 || unknown[object] {
			return nil, base.Faultf(base.Op(p, history.OpID(i)),
				"it is left out, but not all operations that are, or may be, on its value")
		}
	}
	gone = make([][]bool, objects)
	for o, items := range t.Initial {
		for _, v := range items {
			gone[o] = append(gone[o], said.of(model.Stored{Object: model.CellID(o), Value: v})&isGone != 0)
		}
	}
	return gone, nil
}

// withoutItems returns the theory of a collection that does not hold the marked items at the start.
func withoutItems(t *model.CollectionTheory, gone [][]bool) *model.CollectionTheory {
	less := *t
	less.Initial = make([][]int32, len(t.Initial))
	for o, items := range t.Initial {
		for k, v := range items {
			if !gone[o][k] {
				less.Initial[o] = append(less.Initial[o], v)
			}
		}
	}
	return &less
}

const isKept, isGone uint8 = 1, 2

// said is what is said of the values of every object: in a slice where there is one object.
type said struct {
	one  []uint8
	many map[model.Stored]uint8
}

func newSaid(objects, values int) *said {
	if objects == 1 {
		return &said{one: make([]uint8, values)}
	}
	return &said{many: map[model.Stored]uint8{}}
}

func (s *said) add(x model.Stored, how uint8) {
	if s.one != nil {
		s.one[x.Value] |= how
	} else {
		s.many[x] |= how
	}
}

func (s *said) of(x model.Stored) uint8 {
	if s.one != nil {
		return s.one[x.Value]
	}
	return s.many[x]
}
