package claim

// What is in a collection at a moment, where each value is put in once and taken out once at most.
//
// A moment lies between two ranks. An operation that is open from its call to its return takes
// effect at one of the moments in between, on one value in the order insertion, peeks, removal. So
// a value is certainly there from the first return of its operations to the last call. One that no
// completed operation takes out stays, but a pending removal may have taken it: of several such
// values, all but as many as there are pending removals called by then.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// span is from which rank to which an operation is open.
type span struct{ call, ret int64 }

const forever = int64(history.Never)

// life is what happens to one value.
type life struct {
	value      int32
	insert     span
	peeks      []span
	removals   []span
	insertions int
}

// there returns from when to when the value is certainly inside.
func (x *life) there() (from, to int64) {
	from, to = x.insert.ret, x.insert.call
	for _, s := range append(slices.Clone(x.peeks), x.removals...) {
		from, to = min(from, s.ret), max(to, s.call)
	}
	return from, to
}

// front returns the first return and the last call of what the value does at the front, or when it
// may leave at last.
func (x *life) front(pending []int64) (first, last int64) {
	first, last = forever, x.insert.call
	for _, s := range append(slices.Clone(x.peeks), x.removals...) {
		first, last = min(first, s.ret), max(last, s.call)
	}
	switch {
	case len(x.removals) > 0:
	case len(pending) == 0:
		last = forever
	default:
		last = max(last, slices.Min(pending))
	}
	return first, last
}

// effect narrows an operation on the value to when it can take effect.
func (x *life) effect(s span) span {
	insertion := s == x.insert
	removal := slices.Contains(x.removals, s)
	if !insertion {
		s.call = max(s.call, x.insert.call)
	}
	for _, r := range x.removals {
		if !removal {
			s.ret = min(s.ret, r.ret)
		}
	}
	for _, p := range x.peeks {
		if removal {
			s.call = max(s.call, p.call)
		}
		if insertion {
			s.ret = min(s.ret, p.ret)
		}
	}
	return s
}

// lives returns what happens to some values, and the calls of the pending removals. ok is false
// where that is not clear: an unknown result, or a value that is put in or taken out twice.
func (w *Whole) lives(t *model.CollectionTheory, values []int32) (all []*life, pending []int64, ok bool) {
	of := map[int32]*life{}
	for _, v := range values {
		all = append(all, &life{value: v})
		of[v] = all[len(all)-1]
	}
	if len(t.Initial) != 1 || len(of) != len(values) {
		return nil, nil, false
	}
	start := t.Initial[0]
	for k, v := range start {
		if x := of[v]; x != nil {
			age := int64(len(start) - k)
			if t.Discipline == model.LIFO {
				age = int64(k + 1)
			}
			x.insertions++
			x.insert = span{-2 * age, -2*age + 1}
		}
	}
	ok = w.each(func(i history.OpID, o *history.Op) bool {
		if t.Does[i] == model.Aside || o.Pending() && t.Does[i] == model.Peek {
			return true
		}
		s := span{int64(o.Call), int64(o.Return)}
		if o.Pending() && t.Does[i] == model.Remove {
			pending = append(pending, s.call)
			return true
		}
		x := of[t.Value[i]]
		switch {
		case t.Value[i] == model.Anything:
			return false
		case x == nil:
		case t.Does[i] == model.Insert:
			x.insertions++
			x.insert = s
		case t.Does[i] == model.Remove:
			x.removals = append(x.removals, s)
		default:
			x.peeks = append(x.peeks, s)
		}
		return true
	})
	for _, x := range all {
		ok = ok && x.insertions == 1 && len(x.removals) <= 1
	}
	return all, pending, ok
}

// occupied reports whether some of the values are certainly there at every moment of s.
func (w *Whole) occupied(all []*life, pending []int64, s span, but *life) bool {
	if s.call >= s.ret {
		return true
	}
	moments := []int64{s.call}
	for _, x := range all {
		_, to := x.there()
		moments = append(moments, to)
	}
	for _, at := range append(moments, pending...) {
		if at < s.call || at >= s.ret {
			continue
		}
		if w.work -= len(all) + len(pending); w.work <= 0 {
			return false
		}
		inside, staying := false, 0
		for _, x := range all {
			from, to := x.there()
			switch {
			case x == but || from > at:
			case at < to:
				inside = true
				fallthrough
			default:
				if len(x.removals) == 0 {
					staying++
				}
			}
		}
		for _, call := range pending {
			if call <= at {
				staying--
			}
		}
		if !inside && staying <= 0 {
			return false
		}
	}
	return true
}

// Occupied claims that at every moment at which Op can take effect, one of Values was there: any
// value, where Op found nothing, or one that goes before what it found.
type Occupied struct {
	Op     history.OpID
	Values []int32
}

func (c Occupied) holds(w *Whole) bool {
	t, ok := w.collection(c.Op)
	if !ok || t.Does[c.Op] == model.Insert || w.ops[c.Op].Pending() {
		return false
	}
	all, pending, ok := w.lives(t, c.Values)
	if !ok {
		return false
	}
	s := span{int64(w.ops[c.Op].Call), int64(w.ops[c.Op].Return)}
	if v := t.Value[c.Op]; v != model.Nothing {
		if v < 0 || t.Discipline != model.ByPriority {
			return false
		}
		for _, x := range all {
			if t.Rank[x.value] >= t.Rank[v] {
				return false
			}
		}
		own, _, once := w.lives(t, []int32{v})
		if !once {
			return false
		}
		s = own[0].effect(s)
	}
	return w.occupied(all, pending, s, nil)
}

// NoneFirst claims that each of Values has an operation that can take effect only while others of
// them are there.
type NoneFirst struct{ Values []int32 }

func (c NoneFirst) holds(w *Whole) bool {
	t, ok := w.collection()
	if !ok || t.Discipline != model.LIFO {
		return false
	}
	all, pending, ok := w.lives(t, c.Values)
	for _, x := range all {
		operations := append(slices.Clone(x.peeks), x.removals...)
		if x.insert.call >= 0 { // no initial item
			operations = append(operations, x.insert)
		}
		blocked := slices.ContainsFunc(operations, func(s span) bool {
			return w.occupied(all, pending, x.effect(s), x)
		})
		ok = ok && blocked
	}
	return ok
}

// Ahead claims that all of Others went into a queue before Value (or before Via, which was at the
// front before Value was for the last time), and that Value was at the front before all of them can
// have left.
type Ahead struct {
	Value, Via int32 // Via: -1 for none
	Others     []int32
}

func (c Ahead) holds(w *Whole) bool {
	t, ok := w.collection()
	if !ok || t.Discipline != model.FIFO {
		return false
	}
	values := append([]int32{c.Value}, c.Others...)
	if c.Via >= 0 {
		values = append(values, c.Via)
	}
	all, pending, ok := w.lives(t, values)
	if !ok {
		return false
	}
	at, last := all[0].front(pending)
	behind := all[0].insert.call
	if c.Via >= 0 {
		via := all[len(all)-1]
		if first, _ := via.front(pending); first >= last {
			return false
		}
		behind = via.insert.call
	}
	still, staying := false, 0
	for _, x := range all[1 : 1+len(c.Others)] {
		if in, _ := x.there(); in >= behind {
			return false
		}
		_, left := x.front(pending)
		if still = still || left > at; len(x.removals) == 0 {
			staying++
		}
	}
	for _, call := range pending {
		if call < at {
			staying--
		}
	}
	return at < forever && (still || staying > 0)
}

// EachFirst claims that each of two values was at the front of a queue before the other was for the
// last time.
type EachFirst struct{ A, B int32 }

func (c EachFirst) holds(w *Whole) bool {
	t, ok := w.collection()
	if !ok || t.Discipline != model.FIFO {
		return false
	}
	all, pending, ok := w.lives(t, []int32{c.A, c.B})
	if !ok {
		return false
	}
	firstA, lastA := all[0].front(pending)
	firstB, lastB := all[1].front(pending)
	return firstA < lastB && firstB < lastA
}
