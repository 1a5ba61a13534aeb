package gen

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// The ends of a list.
const (
	front = iota
	back
)

// list is a queue, a stack or a deque: insertions and removals at its ends.
type list struct {
	insert, remove []string // names of the operations
	put, take      []int    // at which end each works; insertions of queue and stack at the back
	peek           string   // "" if it has none
	items          []history.Value
	reserved       int // removals that were called and have not taken effect
}

func (o *list) pick(d *draw, a *action) bool {
	remove := d.coin(1 / (2 - d.empty))
	switch {
	case d.free:
		if o.peek != "" && d.coin(0.1) {
			a.f = o.peek
			return true
		}
	case d.empty == 0 && len(o.items) <= o.reserved:
		remove = false
	}
	if !remove {
		a.f, a.arg = o.insert[d.r.IntN(len(o.insert))], d.value()
		return true
	}
	o.reserved++
	a.f = o.remove[d.r.IntN(len(o.remove))]
	return true
}

func (o *list) apply(_ *draw, a *action) bool {
	if k := slices.Index(o.insert, a.f); k >= 0 {
		if o.put != nil && o.put[k] == front {
			o.items = slices.Insert(o.items, 0, a.arg)
		} else {
			o.items = append(o.items, a.arg)
		}
		return true
	}
	k := slices.Index(o.remove, a.f)
	if k >= 0 {
		o.reserved--
	} else {
		k = 0
	}
	if len(o.items) == 0 {
		return true
	}
	if o.take[k] == front {
		a.result = o.items[0]
		if a.f != o.peek {
			o.items = o.items[1:]
		}
		return true
	}
	last := len(o.items) - 1
	a.result = o.items[last]
	if a.f != o.peek {
		o.items = o.items[:last]
	}
	return true
}

func (o *list) crash(d *draw, a *action) bool {
	if d.coin(0.5) {
		return true
	}
	if slices.Contains(o.remove, a.f) {
		o.reserved--
	}
	return false
}

func (o *list) guess(d *draw, a *action) history.Value {
	if slices.Contains(o.insert, a.f) || d.coin(0.25) {
		return history.Nil
	}
	return d.seen()
}

func (o *list) start(d *draw) (history.Value, bool) {
	for range 1 + d.r.IntN(2) {
		o.items = append(o.items, d.value())
	}
	return d.t.List(o.items), true
}
