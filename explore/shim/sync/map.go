package sync

import (
	real "sync"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Map is a concurrent map. In an execution each of its methods is one event, Range one for its keys
// and one for each of them.
type Map struct {
	real real.Map
	held core.Cell[*contents]
}

// contents are the entries of a map in the order in which their keys came. They are no map of Go,
// since the race detector would watch that whoever uses it.
type contents struct{ entries []*entry }

// entry is a key and its value, if it has one. It stays when the key is removed, so that whoever
// finds it removed comes after whoever removed it.
type entry struct {
	key, value any
	there      bool
}

// in prepares the map. In an execution it begins with what it holds outside of it.
func (m *Map) in(x *schedule.Running) int32 {
	return m.held.In(x, nil, "map", func() *contents {
		c := &contents{}
		m.real.Range(func(k, v any) bool {
			c.entries = append(c.entries, &entry{k, v, true})
			return true
		})
		return c
	})
}

// entry returns the entry of a key, which may have no value.
func (c *contents) entry(key any) *entry {
	for _, e := range c.entries {
		if e.key == key {
			return e
		}
	}
	e := &entry{key: key}
	c.entries = append(c.entries, e)
	return e
}

// read is what a reading says of a key.
func (e *entry) read() (any, bool) {
	core.Acquire(unsafe.Pointer(e))
	return e.value, e.there
}

// write changes the value of a key, or removes it.
func (e *entry) write(value any, there bool) {
	core.ReleaseMerge(unsafe.Pointer(e))
	e.value, e.there = value, there
}

// size is how many keys have a value.
func (c *contents) size() (n int) {
	for _, e := range c.entries {
		if e.there {
			n++
		}
	}
	return n
}

// where changes a key, as an event, if its value is old, and reports whether it did.
func (m *Map) where(x *schedule.Running, key, old, after any, there bool) bool {
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	e := m.held.V.entry(key)
	v, is := e.read()
	if !is || v != old {
		x.Failed()
		x.Traced(v, v)
		return false
	}
	x.Traced(v, after)
	e.write(after, there)
	return true
}

// Load returns the value of a key.
func (m *Map) Load(key any) (value any, ok bool) {
	x := core.Running()
	if x == nil {
		return m.real.Load(key)
	}
	x.Point(schedule.Read, m.in(x), schedule.NoLocation, nil)
	value, ok = m.held.V.entry(key).read()
	x.Traced(value, value)
	return value, ok
}

// Store sets the value of a key.
func (m *Map) Store(key, value any) {
	if core.Running() == nil {
		m.real.Store(key, value)
		return
	}
	m.Swap(key, value)
}

// Swap sets the value of a key and returns the one before.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	x := core.Running()
	if x == nil {
		return m.real.Swap(key, value)
	}
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	e := m.held.V.entry(key)
	previous, loaded = e.read()
	x.Traced(previous, value)
	e.write(value, true)
	return previous, loaded
}

// LoadOrStore returns the value of a key, or sets it.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	x := core.Running()
	if x == nil {
		return m.real.LoadOrStore(key, value)
	}
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	e := m.held.V.entry(key)
	if actual, loaded = e.read(); loaded {
		x.Failed()
		x.Traced(actual, actual)
		return actual, true
	}
	x.Traced(nil, value)
	e.write(value, true)
	return value, false
}

// LoadAndDelete removes a key and returns its value.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	x := core.Running()
	if x == nil {
		return m.real.LoadAndDelete(key)
	}
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	e := m.held.V.entry(key)
	value, loaded = e.read()
	if !loaded {
		x.Failed()
		x.Traced(nil, nil)
		return nil, false
	}
	x.Traced(value, nil)
	e.write(nil, false)
	return value, true
}

// Delete removes a key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// CompareAndSwap sets the value of a key if it is old, and reports whether it did.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	x := core.Running()
	if x == nil {
		return m.real.CompareAndSwap(key, old, new)
	}
	return m.where(x, key, old, new, true)
}

// CompareAndDelete removes a key if its value is old, and reports whether it did.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	x := core.Running()
	if x == nil {
		return m.real.CompareAndDelete(key, old)
	}
	return m.where(x, key, old, nil, false)
}

// Clear removes all keys.
func (m *Map) Clear() {
	x := core.Running()
	if x == nil {
		m.real.Clear()
		return
	}
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	x.Traced(m.held.V.size(), 0)
	for _, e := range m.held.V.entries {
		e.write(nil, false)
	}
}

// Range calls f for the keys that are there when it begins, with the values that they have when
// their turn comes, as far as they are still there, until f returns false.
func (m *Map) Range(f func(key, value any) bool) {
	x := core.Running()
	if x == nil {
		m.real.Range(f)
		return
	}
	x.Point(schedule.Read, m.in(x), schedule.NoLocation, nil)
	x.Traced(m.held.V.size(), m.held.V.size())
	for _, e := range m.held.V.entries {
		if v, ok := m.Load(e.key); ok && !f(e.key, v) {
			return
		}
	}
}
