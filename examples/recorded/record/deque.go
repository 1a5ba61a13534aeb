package main

import "sync"

// deque has two ends, 0 the front and 1 the back, each with a lock and a list of its own, last to
// leave first. An operation that finds the list of its end empty takes both locks, front before
// back, and half of the other list.
type deque struct{ ends [2]end }

type end struct {
	sync.Mutex
	items []int64
}

func (d *deque) push(at int, v int64) {
	e := &d.ends[at]
	e.Lock()
	defer e.Unlock()
	e.items = append(e.items, v)
}

func (d *deque) pop(at int) (v int64, ok bool) {
	e := &d.ends[at]
	e.Lock()
	v, ok = e.last()
	e.Unlock()
	if ok {
		return v, true
	}
	for i := range d.ends {
		d.ends[i].Lock()
		defer d.ends[i].Unlock()
	}
	if len(e.items) == 0 { // it may have got some in between
		other := &d.ends[1-at]
		half := (len(other.items) + 1) / 2
		for i := half - 1; i >= 0; i-- {
			e.items = append(e.items, other.items[i])
		}
		other.items = append([]int64(nil), other.items[half:]...)
	}
	return e.last()
}

// last takes the item nearest to the end.
func (e *end) last() (v int64, ok bool) {
	if len(e.items) == 0 {
		return 0, false
	}
	v = e.items[len(e.items)-1]
	e.items = e.items[:len(e.items)-1]
	return v, true
}
