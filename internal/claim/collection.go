package claim

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// collection is the theory of the partition, if it is of a collection.
func (w *Whole) collection(ops ...history.OpID) (*model.CollectionTheory, bool) {
	t, ok := w.theory.(*model.CollectionTheory)
	return t, ok && w.are(ops...)
}

// heldAtStart counts how often a value is in a collection at the start.
func heldAtStart(t *model.CollectionTheory, object model.CellID, value int32) (n int) {
	for _, v := range t.Initial[object] {
		if v == value {
			n++
		}
	}
	return n
}

// PutInOnce claims that no other operation puts in what Insertion puts in, and that it is not there
// at the start.
type PutInOnce struct{ Insertion history.OpID }

func (c PutInOnce) holds(w *Whole) bool {
	return PutInOnly{Removal: c.Insertion, By: []history.OpID{c.Insertion}}.holds(w)
}

// Stays claims that nothing takes out what Insertion put in, except perhaps what the sentence names
// (Except), and what returned after Until.
type Stays struct {
	Insertion history.OpID
	Until     history.Rank // history.Never: ever
	Except    []history.OpID
}

func (c Stays) holds(w *Whole) bool {
	t, ok := w.collection(c.Insertion)
	if !ok || t.Does[c.Insertion] != model.Insert {
		return false
	}
	except := listed(c.Except)
	return w.on(t.Object[c.Insertion], func(r history.OpID, o *history.Op) bool {
		takes := t.Does[r] == model.Remove && (t.Value[r] == t.Value[c.Insertion] || t.Value[r] == model.Anything)
		return !takes || except[r] || c.Until != history.Never && o.Return > c.Until
	})
}

// TakenLater claims that By takes out what Insertion put in, was called after Until, and that
// nothing else can have taken it.
type TakenLater struct {
	Insertion, By history.OpID
	Until         history.Rank
}

func (c TakenLater) holds(w *Whole) bool {
	t, ok := w.collection(c.Insertion, c.By)
	return ok && t.Does[c.By] == model.Remove && t.Value[c.By] == t.Value[c.Insertion] &&
		t.Object[c.By] == t.Object[c.Insertion] &&
		!w.ops[c.By].Pending() && w.ops[c.By].Call > c.Until
}

// NeverPutIn claims that nothing puts in what Removal takes out or sees, and that it is not there
// at the start.
type NeverPutIn struct{ Removal history.OpID }

func (c NeverPutIn) holds(w *Whole) bool { return PutInOnly{Removal: c.Removal}.holds(w) }

// PutInOnly claims that only By put in what Removal takes out or sees, and that it is at the start
// there Initial times.
type PutInOnly struct {
	Removal history.OpID
	By      []history.OpID
	Initial int
}

func (c PutInOnly) holds(w *Whole) bool {
	t, ok := w.collection(append([]history.OpID{c.Removal}, c.By...)...)
	if !ok || t.Value[c.Removal] < 0 {
		return false
	}
	object, value := t.Object[c.Removal], t.Value[c.Removal]
	for _, i := range c.By {
		if t.Does[i] != model.Insert || t.Value[i] != value || t.Object[i] != object {
			return false
		}
	}
	by := listed(c.By)
	return heldAtStart(t, object, value) == c.Initial && w.on(object, func(i history.OpID, _ *history.Op) bool {
		return t.Does[i] != model.Insert || t.Value[i] != value || by[i]
	})
}

// CalledLater claims that Ops were called after After returned.
type CalledLater struct {
	After history.OpID
	Ops   []history.OpID
}

func (c CalledLater) holds(w *Whole) bool {
	for _, i := range c.Ops {
		if c.After < 0 || !(Before{c.After, i}).holds(w) {
			return false
		}
	}
	return true
}

// TakenOut claims that Removals all take out one value, and, with Exactly, that no other operation
// is known to.
type TakenOut struct {
	Removals []history.OpID
	Exactly  bool
}

func (c TakenOut) holds(w *Whole) bool {
	t, ok := w.collection(c.Removals...)
	if !ok || len(c.Removals) == 0 {
		return false
	}
	object, value := t.Object[c.Removals[0]], t.Value[c.Removals[0]]
	these := listed(c.Removals)
	for r := range these {
		if t.Does[r] != model.Remove || t.Value[r] != value || t.Object[r] != object || w.ops[r].Unknown {
			return false
		}
	}
	return len(these) == len(c.Removals) && value >= 0 &&
		(!c.Exactly || w.on(object, func(r history.OpID, _ *history.Op) bool {
			return t.Does[r] != model.Remove || t.Value[r] != value || these[r]
		}))
}

// Overdrawn claims that, by the return of By, what it takes out was taken out more often than it
// can have been put in: more removals of it had returned than insertions were called.
type Overdrawn struct{ By history.OpID }

func (c Overdrawn) holds(w *Whole) bool {
	t, ok := w.collection(c.By)
	if !ok || t.Does[c.By] != model.Remove || t.Value[c.By] < 0 {
		return false
	}
	object, value, until := t.Object[c.By], t.Value[c.By], w.ops[c.By].Return
	there := heldAtStart(t, object, value)
	return w.on(object, func(i history.OpID, o *history.Op) bool {
		switch {
		case t.Value[i] != value:
		case t.Does[i] == model.Insert && o.Call <= until:
			there++
		case t.Does[i] == model.Remove && o.Return <= until && !o.Unknown:
			there--
		}
		return true
	}) && there < 0
}

// WrongWayRound claims that First returned before Second was called, though both are about one
// value, which is put in or there at the start once, and First takes it out, or Second puts it in.
type WrongWayRound struct{ First, Second history.OpID }

func (c WrongWayRound) holds(w *Whole) bool {
	t, ok := w.collection(c.First, c.Second)
	return ok && Before{c.First, c.Second}.holds(w) && t.Value[c.First] >= 0 && t.Value[c.First] == t.Value[c.Second] &&
		t.Object[c.First] == t.Object[c.Second] &&
		(t.Does[c.First] == model.Remove || t.Does[c.Second] == model.Insert) && PutInAtMost{c.First, 1}.holds(w)
}

func (w *Whole) insertions(t *model.CollectionTheory, object model.CellID, value int32) (all []history.OpID) {
	w.on(object, func(i history.OpID, _ *history.Op) bool {
		if t.Does[i] == model.Insert && t.Value[i] == value {
			all = append(all, i)
		}
		return true
	})
	return all
}

// PutInAtMost claims that what the operation Of takes out or puts in is put in no more often than
// Times, what is there at the start included.
type PutInAtMost struct {
	Of    history.OpID
	Times int
}

func (c PutInAtMost) holds(w *Whole) bool {
	t, ok := w.collection(c.Of)
	return ok && t.Value[c.Of] >= 0 && heldAtStart(t, t.Object[c.Of], t.Value[c.Of])+
		len(w.insertions(t, t.Object[c.Of], t.Value[c.Of])) <= c.Times
}
