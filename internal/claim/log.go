package claim

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// entry returns what an operation of a log (Start: the initial contents) says is at an offset.
func (w *Whole) entry(i history.OpID, offset int64) (v history.Value, ok bool) {
	from, values := int64(0), w.log().Initial
	if i >= 0 {
		o := w.log().Ops[i]
		if from, values = o.Offset, o.Values; !o.Reads {
			values = []history.Value{o.Value}
		}
		if !o.Known || w.ops[i].Pending() {
			return v, false
		}
	}
	if k := offset - from; k >= 0 && k < int64(len(values)) {
		return values[k], true
	}
	return v, false
}

// OneOffset claims that A and B are appends at the same offset.
type OneOffset struct {
	A, B   history.OpID
	Offset int64
}

func (c OneOffset) holds(w *Whole) bool {
	if w.log() == nil || !w.are(c.A, c.B) || c.A == c.B {
		return false
	}
	x, y := w.log().Ops[c.A], w.log().Ops[c.B]
	return !x.Reads && !y.Reads && x.Known && y.Known && x.Offset == c.Offset && y.Offset == c.Offset
}

// Differ claims that A (Start: the initial contents) and B say different things of one offset.
type Differ struct {
	A, B   history.OpID
	Offset int64
}

func (c Differ) holds(w *Whole) bool {
	if w.log() == nil || c.A != Start && !w.are(c.A) || !w.are(c.B) {
		return false
	}
	x, known := w.entry(c.A, c.Offset)
	y, also := w.entry(c.B, c.Offset)
	return known && also && x != y
}

// NotFound claims that Read, which says what the whole log holds, does not find what Append
// appends.
type NotFound struct{ Read, Append history.OpID }

func (c NotFound) holds(w *Whole) bool {
	if w.log() == nil || !w.are(c.Read, c.Append) {
		return false
	}
	r, a := w.log().Ops[c.Read], w.log().Ops[c.Append]
	w.work -= len(r.Values)
	return r.Reads && r.Known && !r.Limited && r.Offset == 0 && !a.Reads && !slices.Contains(r.Values, a.Value)
}

// Appended claims that, besides both operations, Count appends certainly took effect between First
// (Start: the start) and Second, or, with AtMost, that so many can have.
type Appended struct {
	First, Second history.OpID
	Count         int64
	AtMost        bool
}

func (c Appended) holds(w *Whole) bool {
	if w.log() == nil || c.First != Start && !w.are(c.First) || !w.are(c.Second) {
		return false
	}
	n := int64(0)
	return w.each(func(i history.OpID, o *history.Op) bool {
		sure := (c.First < 0 || w.ops[c.First].Return < o.Call) && o.Return < w.ops[c.Second].Call
		free := (c.First < 0 || w.ops[c.First].Call <= o.Return) && o.Call <= w.ops[c.Second].Return
		if i != c.First && i != c.Second && !w.log().Ops[i].Reads && (sure || c.AtMost && free) {
			n++
		}
		return true
	}) && n == c.Count
}

// NotAppended claims that nothing can have put at an offset what By finds there.
type NotAppended struct {
	By     history.OpID
	Offset int64
}

func (c NotAppended) holds(w *Whole) bool {
	if w.log() == nil || !w.are(c.By) {
		return false
	}
	v, ok := w.entry(c.By, c.Offset)
	if _, initially := w.entry(Start, c.Offset); !ok || initially && v != history.Nil {
		return false
	}
	return v == history.Nil || w.each(func(i history.OpID, o *history.Op) bool {
		x := w.log().Ops[i]
		puts := !x.Reads && o.Call <= w.ops[c.By].Return && (x.Known && !o.Pending() && x.Offset == c.Offset ||
			(!x.Known || o.Pending()) && x.Value == v)
		return !puts
	})
}

// log is the theory of the partition if it is a log, else nil.
func (w *Whole) log() *model.LogTheory { return model.As[*model.LogTheory](w.b) }
