package claim

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// registers is the theory of the partition, if it is of registers.
func (w *Whole) registers(ops ...history.OpID) (*model.RegisterTheory, bool) {
	t, ok := w.theory.(*model.RegisterTheory)
	return t, ok && w.are(ops...)
}

// finds returns the ways in which an operation goes that depend on what it finds: the k-th alone if
// there is one, else all.
func finds(t *model.RegisterTheory, i history.OpID, k int) []model.Mode {
	if modes := t.Of(i); k < 0 || k >= len(modes) {
		return modes
	} else {
		return modes[k : k+1]
	}
}

// leaves reports whether an operation can leave a value that one of the modes allows, having found
// another.
func leaves(t *model.RegisterTheory, x history.OpID, modes []model.Mode) bool {
	for _, m := range t.Of(x) {
		for _, n := range modes {
			if m.Leaves != model.Keep && n.Test != model.Any && n.Allows(m.Leaves) {
				return true
			}
		}
	}
	return false
}

// OnlyFrom claims that By finds what one of From left, or what was there at the start where From
// names what is no operation: all others that could leave or put in such a value are called after
// By returned. Mode is how By goes, of several ways, or -1.
// What returned before the rank Since is part of what was there.
type OnlyFrom struct {
	By    history.OpID
	Mode  int
	From  []history.OpID
	Since history.Rank
}

func (c OnlyFrom) holds(w *Whole) bool {
	if !w.are(c.By) {
		return false
	}
	from := listed(c.From)
	start := false
	for i := range from {
		start = start || i < 0
	}
	later := func(i history.OpID) bool { return w.ops[c.By].Return < w.ops[i].Call || w.ops[i].Return < c.Since }
	switch t := w.theory.(type) {
	case *model.RegisterTheory:
		modes := finds(t, c.By, c.Mode)
		object := t.Object[c.By]
		for _, m := range modes {
			if m.Test != model.Any && m.Allows(t.Init[object]) && !start {
				return false
			}
		}
		return w.on(object, func(i history.OpID, _ *history.Op) bool {
			return i == c.By || from[i] || !leaves(t, i, modes) || later(i)
		})
	case *model.CollectionTheory:
		object, value := t.Object[c.By], t.Value[c.By]
		if value == model.Anything {
			return w.on(object, func(i history.OpID, _ *history.Op) bool {
				return t.Does[i] != model.Insert || from[i] || later(i)
			})
		}
		return value >= 0 && (start || heldAtStart(t, object, value) == 0) &&
			w.on(object, func(i history.OpID, _ *history.Op) bool {
				return t.Does[i] != model.Insert || t.Value[i] != value || from[i] || later(i)
			})
	}
	return false
}

// NeverLeft claims that no operation leaves or puts in what By finds, and that it is not there at
// the start.
type NeverLeft struct {
	By   history.OpID
	Mode int
}

func (c NeverLeft) holds(w *Whole) bool {
	switch t := w.theory.(type) {
	case *model.RegisterTheory:
		if !w.are(c.By) {
			return false
		}
		modes := finds(t, c.By, c.Mode)
		for _, m := range modes {
			if m.Test == model.Any || m.Allows(t.Init[t.Object[c.By]]) {
				return false
			}
		}
		return w.on(t.Object[c.By], func(i history.OpID, _ *history.Op) bool {
			return i == c.By || !leaves(t, i, modes)
		})
	case *model.CollectionTheory:
		return NeverPutIn{c.By}.holds(w)
	}
	return false
}

// Confined claims that from After (Start: from the start) until By, without the operations of
// Outside, the register has none of the values that By needs: whatever the order of the others that
// were called before By returned, and however often each comes. No operation goes in one of the
// ways that Not lists for it. What returned before the rank Since came before After.
// If Most is positive, the register has at most so many values then.
type Confined struct {
	After, By history.OpID
	Outside   []history.OpID
	Not       map[history.OpID][]int
	Since     history.Rank
	Most      int
}

// ways lists the modes of an operation.
func (c Confined) ways(t *model.RegisterTheory, i history.OpID) (all []model.Mode) {
	if len(c.Not[i]) == 0 {
		return t.Of(i)
	}
	for k, m := range t.Of(i) {
		if !slices.Contains(c.Not[i], k) {
			all = append(all, m)
		}
	}
	return all
}

func (c Confined) holds(w *Whole) bool {
	t, ok := w.registers(c.By)
	if !ok || c.After != Start && (!w.are(c.After) || t.Object[c.After] != t.Object[c.By]) {
		return false
	}
	object := t.Object[c.By]
	there := make([]bool, t.Values)
	if c.After == Start {
		there[t.Init[object]] = true
	} else {
		for _, m := range c.ways(t, c.After) {
			for v := range there {
				there[v] = there[v] || m.Leaves == int32(v) || m.Leaves == model.Keep && m.Allows(int32(v))
			}
		}
	}
	outside := listed(c.Outside)
	var inside []history.OpID
	w.on(object, func(i history.OpID, o *history.Op) bool {
		if i != c.By && i != c.After && !outside[i] && o.Call <= w.ops[c.By].Return && o.Return >= c.Since {
			inside = append(inside, i)
		}
		return true
	})
	for grown := true; grown && w.work > 0; {
		grown = false
		w.work -= len(inside)
		for _, i := range inside {
			for _, m := range c.ways(t, i) {
				if m.Leaves == model.Keep || there[m.Leaves] {
					continue
				}
				for v := range there {
					if there[v] && m.Allows(int32(v)) {
						there[m.Leaves], grown = true, true
						break
					}
				}
			}
		}
	}
	values := 0
	for v := range there {
		if !there[v] {
			continue
		}
		values++
		for _, m := range c.ways(t, c.By) {
			if m.Allows(int32(v)) {
				return false
			}
		}
	}
	return c.Most <= 0 || values <= c.Most
}

// value is the one value that an operation must find, -1 if there is not just one.
func value(t *model.RegisterTheory, i history.OpID) int32 {
	v := int32(-1)
	for _, m := range t.Of(i) {
		if m.Test != model.Is || v >= 0 && v != m.V {
			return -1
		}
		v = m.V
	}
	return v
}

// Fillers claims that all of Needs find one value, that at most Able leave it where it must come
// back, and that they are fewer than Times: all others that can leave it are in Outside, or are
// called after the last of Needs returned.
type Fillers struct {
	Needs, Able, Outside []history.OpID
	Times                int
	// Taken says that each of Needs leaves another value.
	Taken bool
	Since history.Rank // what returned before came before all of it
}

func (c Fillers) holds(w *Whole) bool {
	t, ok := w.registers(c.Needs...)
	if !ok || len(c.Needs) == 0 || len(c.Able) >= c.Times {
		return false
	}
	object, v := t.Object[c.Needs[0]], value(t, c.Needs[0])
	for _, i := range c.Needs {
		if v < 0 || value(t, i) != v || t.Object[i] != object {
			return false
		}
		for _, m := range t.Of(i) {
			if c.Taken && (m.Leaves == model.Keep || m.Leaves == v) {
				return false
			}
		}
	}
	last, known := w.lastReturn(c.Needs...), listed(c.Able, c.Outside)
	return w.on(object, func(i history.OpID, o *history.Op) bool {
		return !changes(t, i, v) || known[i] || o.Call > last || o.Return < c.Since
	})
}

// NeverBack claims that nothing but Able, and what is in Outside, ever leaves what Needs all find.
type NeverBack struct {
	Needs, Able, Outside []history.OpID
	Since                history.Rank // what returned before came before all of it
}

func (c NeverBack) holds(w *Whole) bool {
	t, ok := w.registers(c.Needs...)
	if !ok || len(c.Needs) == 0 {
		return false
	}
	v, known := value(t, c.Needs[0]), listed(c.Able, c.Outside)
	return v >= 0 && w.on(t.Object[c.Needs[0]], func(i history.OpID, o *history.Op) bool {
		return !changes(t, i, v) || known[i] || o.Return < c.Since
	})
}
