package claim

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Outranked claims that, in whatever order, By takes out what From puts in, while what Insertion
// puts in should leave before that: in a queue it came in first; in a stack it came in last, and
// before By; in a priority queue it is better, and came in before By.
type Outranked struct{ Insertion, By, From history.OpID }

func (c Outranked) holds(w *Whole) bool {
	t, ok := w.collection(c.Insertion, c.By, c.From)
	if !ok || t.Does[c.Insertion] != model.Insert || t.Does[c.From] != model.Insert || t.Does[c.By] != model.Remove ||
		w.ops[c.By].Unknown || w.ops[c.By].Pending() || t.Object[c.By] != t.Object[c.Insertion] ||
		t.Object[c.From] != t.Object[c.Insertion] || t.Value[c.By] != t.Value[c.From] ||
		t.Value[c.From] == t.Value[c.Insertion] || !(PutInOnce{c.Insertion}).holds(w) || !(PutInOnce{c.From}).holds(w) {
		return false
	}
	switch there := (Before{c.Insertion, c.By}); t.Discipline {
	case model.FIFO:
		return Before{c.Insertion, c.From}.holds(w)
	case model.LIFO:
		return there.holds(w) && Before{c.From, c.Insertion}.holds(w)
	case model.ByPriority:
		return there.holds(w) && t.Rank[t.Value[c.Insertion]] < t.Rank[t.Value[c.From]]
	}
	return false
}

// Overtaken claims that each of By, which takes out what From at the same place puts in, is
// Outranked by what Insertion puts in, and comes before all that can take that out.
type Overtaken struct {
	Insertion history.OpID
	By, From  []history.OpID
}

func (c Overtaken) holds(w *Whole) bool {
	if len(c.By) == 0 || len(c.By) != len(c.From) || len(listed(c.By)) != len(c.By) {
		return false
	}
	for k, p := range c.By {
		if !(Outranked{c.Insertion, p, c.From[k]}).holds(w) {
			return false
		}
	}
	return takenAfter(w, c.Insertion, c.By)
}

// takenAfter reports whether all that can take out what an insertion puts in comes after some
// operations.
func takenAfter(w *Whole, insertion history.OpID, after []history.OpID) bool {
	t, _ := w.collection(insertion)
	value := t.Value[insertion]
	return w.on(t.Object[insertion], func(r history.OpID, o *history.Op) bool {
		takes := t.Does[r] == model.Remove && (t.Value[r] == value || t.Value[r] == model.Anything)
		return !takes || t.Value[r] == model.Anything && takenBySure(w, t, insertion) ||
			!slices.ContainsFunc(after, func(p history.OpID) bool { return !(Before{p, r}).holds(w) })
	})
}

// Between claims that, in whatever order, Removals take out something of the object that First and
// Last are on, after First and before Last.
type Between struct {
	First, Last history.OpID
	Removals    []history.OpID
}

func (c Between) holds(w *Whole) bool {
	t, ok := w.collection(append([]history.OpID{c.First, c.Last}, c.Removals...)...)
	if !ok || len(listed(c.Removals)) != len(c.Removals) || t.Object[c.First] != t.Object[c.Last] ||
		!(Before{c.First, c.Last}).holds(w) {
		return false
	}
	return !slices.ContainsFunc(c.Removals, func(x history.OpID) bool {
		return t.Does[x] != model.Remove || t.Object[x] != t.Object[c.First] || !(Before{c.First, x}).holds(w) ||
			!(Before{x, c.Last}).holds(w)
	})
}
