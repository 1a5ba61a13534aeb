package sync

import (
	real "sync"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Map is a concurrent map. In an execution each of its methods is one event, Range one for its keys
// and one for each of them.
type Map struct {
	real real.Map
	held core.Cell[*contents]
}

// contents are the entries of a map; keys keep the order in which they came.
type contents struct {
	values map[any]any
	keys   []any
}

// in prepares the map. In an execution it begins with what it holds outside of it.
func (m *Map) in(x *schedule.Running) int32 {
	return m.held.In(x, "map", func() *contents {
		c := &contents{values: map[any]any{}}
		m.real.Range(func(k, v any) bool {
			c.set(k, v)
			return true
		})
		return c
	})
}

func (c *contents) set(key, value any) {
	if _, there := c.values[key]; !there {
		c.keys = append(c.keys, key)
	}
	c.values[key] = value
}

func (c *contents) drop(key any) {
	if _, there := c.values[key]; !there {
		return
	}
	delete(c.values, key)
	for i, k := range c.keys {
		if k == key {
			c.keys = append(c.keys[:i:i], c.keys[i+1:]...)
			return
		}
	}
}

// where does an operation on a key, as an event, if its value is old, and reports whether it did.
func (m *Map) where(x *schedule.Running, key, old any, do func(), after any) bool {
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	v, there := m.held.V.values[key]
	if !there || v != old {
		x.Failed()
		x.Traced(v, v)
		return false
	}
	x.Traced(v, after)
	do()
	return true
}

// Load returns the value of a key.
func (m *Map) Load(key any) (value any, ok bool) {
	x := core.Running()
	if x == nil {
		return m.real.Load(key)
	}
	x.Point(schedule.Read, m.in(x), schedule.NoLocation, nil)
	value, ok = m.held.V.values[key]
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
	previous, loaded = m.held.V.values[key]
	x.Traced(previous, value)
	m.held.V.set(key, value)
	return previous, loaded
}

// LoadOrStore returns the value of a key, or sets it.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	x := core.Running()
	if x == nil {
		return m.real.LoadOrStore(key, value)
	}
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	if actual, loaded = m.held.V.values[key]; loaded {
		x.Failed()
		x.Traced(actual, actual)
		return actual, true
	}
	x.Traced(nil, value)
	m.held.V.set(key, value)
	return value, false
}

// LoadAndDelete removes a key and returns its value.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	x := core.Running()
	if x == nil {
		return m.real.LoadAndDelete(key)
	}
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	value, loaded = m.held.V.values[key]
	if !loaded {
		x.Failed()
	}
	x.Traced(value, nil)
	m.held.V.drop(key)
	return value, loaded
}

// Delete removes a key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// CompareAndSwap sets the value of a key if it is old, and reports whether it did.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	x := core.Running()
	if x == nil {
		return m.real.CompareAndSwap(key, old, new)
	}
	return m.where(x, key, old, func() { m.held.V.set(key, new) }, new)
}

// CompareAndDelete removes a key if its value is old, and reports whether it did.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	x := core.Running()
	if x == nil {
		return m.real.CompareAndDelete(key, old)
	}
	return m.where(x, key, old, func() { m.held.V.drop(key) }, nil)
}

// Clear removes all keys.
func (m *Map) Clear() {
	x := core.Running()
	if x == nil {
		m.real.Clear()
		return
	}
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	x.Traced(len(m.held.V.values), 0)
	*m.held.V = contents{values: map[any]any{}}
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
	x.Traced(len(m.held.V.values), len(m.held.V.values))
	for _, k := range append([]any(nil), m.held.V.keys...) {
		if v, ok := m.Load(k); ok && !f(k, v) {
			return
		}
	}
}
