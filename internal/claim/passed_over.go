package claim

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// PassedOver claims that, in whatever order, the items that Over put in are there when By takes out
// what Insertion put in, should leave before it, and leave after By or never: nothing else can have
// taken what any of them put in. Between are removals that come after all of Over and before By.
type PassedOver struct {
	By, Insertion history.OpID
	Over, Between []history.OpID
}

func (c PassedOver) holds(w *Whole) bool {
	t, ok := w.collection(append(append([]history.OpID{c.By, c.Insertion}, c.Over...), c.Between...)...)
	if !ok || len(listed(c.Over)) != len(c.Over) || w.ops[c.By].Unknown || t.Does[c.By] != model.Remove ||
		t.Does[c.Insertion] != model.Insert || t.Value[c.By] != t.Value[c.Insertion] ||
		t.Object[c.By] != t.Object[c.Insertion] || !(PutInOnce{c.Insertion}).holds(w) {
		return false
	}
	for _, b := range c.Between {
		if t.Does[b] != model.Remove || t.Object[b] != t.Object[c.By] || !(Before{b, c.By}).holds(w) ||
			slices.ContainsFunc(c.Over, func(y history.OpID) bool { return !(Before{y, b}).holds(w) }) {
			return false
		}
	}
	for _, y := range c.Over {
		if t.Does[y] != model.Insert || t.Object[y] != t.Object[c.By] {
			return false
		}
		first := Before{c.Insertion, y}
		switch t.Discipline {
		case model.FIFO:
			first = Before{y, c.Insertion}
		case model.ByPriority:
			if first = (Before{y, c.By}); t.Rank[t.Value[y]] >= t.Rank[t.Value[c.By]] {
				return false
			}
		}
		if !first.holds(w) || !(Before{y, c.By}).holds(w) || !(PutInOnce{y}).holds(w) || w.ops[y].Pending() {
			return false
		}
		if !w.on(t.Object[y], func(r history.OpID, o *history.Op) bool {
			takes := t.Does[r] == model.Remove && (t.Value[r] == t.Value[y] || t.Value[r] == model.Anything)
			return !takes || o.Call > w.ops[c.By].Return || t.Value[r] == model.Anything && takenBySure(w, t, y)
		}) {
			return false
		}
	}
	return true
}

// takenBySure reports whether a removal that returned says that it took what y put in.
func takenBySure(w *Whole, t *model.CollectionTheory, y history.OpID) bool {
	return !w.on(t.Object[y], func(r history.OpID, o *history.Op) bool {
		return t.Does[r] != model.Remove || t.Value[r] != t.Value[y] || o.Pending() || o.Unknown
	})
}

// InBeforeAll claims that every removal on their object is called after each of these insertions
// returned.
type InBeforeAll struct{ Insertions []history.OpID }

func (c InBeforeAll) holds(w *Whole) bool {
	t, ok := w.collection(c.Insertions...)
	return ok && len(c.Insertions) > 0 && !slices.ContainsFunc(c.Insertions, func(y history.OpID) bool {
		return t.Does[y] != model.Insert || !w.on(t.Object[y], func(r history.OpID, _ *history.Op) bool {
			return t.Does[r] != model.Remove || (Before{y, r}).holds(w)
		})
	})
}
