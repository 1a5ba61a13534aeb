package claim

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Sooner claims that what X puts in should leave before what Y puts in, where both are there: in a
// queue it came in first, in a stack last, in a priority queue it is better. Nothing else puts in
// either.
type Sooner struct{ X, Y history.OpID }

func (c Sooner) holds(w *Whole) bool {
	t, ok := w.collection(c.X, c.Y)
	if !ok || t.Does[c.X] != model.Insert || t.Does[c.Y] != model.Insert || t.Object[c.X] != t.Object[c.Y] ||
		t.Value[c.X] == t.Value[c.Y] || !(PutInOnce{c.X}).holds(w) || !(PutInOnce{c.Y}).holds(w) {
		return false
	}
	switch t.Discipline {
	case model.FIFO:
		return Before{c.X, c.Y}.holds(w)
	case model.LIFO:
		return Before{c.Y, c.X}.holds(w)
	case model.ByPriority:
		return t.Rank[t.Value[c.X]] < t.Rank[t.Value[c.Y]]
	}
	return false
}

// Takes claims that By takes out what Insertion puts in, which nothing else puts in.
type Takes struct{ By, Insertion history.OpID }

func (c Takes) holds(w *Whole) bool {
	t, ok := w.collection(c.By, c.Insertion)
	return ok && t.Does[c.By] == model.Remove && t.Does[c.Insertion] == model.Insert && !w.ops[c.By].Pending() &&
		!w.ops[c.By].Unknown && t.Object[c.By] == t.Object[c.Insertion] && t.Value[c.By] == t.Value[c.Insertion] &&
		PutInOnce{c.Insertion}.holds(w)
}
