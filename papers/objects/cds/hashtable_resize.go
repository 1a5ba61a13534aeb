package cds

import (
	"fmt"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

// growing is the hash table with its resize. Whoever finds no room makes a table of twice the size
// and moves every pair: a free key is closed, a value is frozen, written to the next table unless
// one is there, and then gone. Others move a pair when they come to it.
type growing struct {
	x     *c11.Exec
	table *c11.Atomic[*slots]
	gone  *boxed
	loose bool // values are moved without being frozen
}

type slots struct {
	next  *c11.Atomic[*slots]
	moved *c11.Int[int]
	keys  []*c11.Atomic[int] // closed for one that is never used
	vals  []*c11.Atomic[*boxed]
}

const closed = -1

// boxed is a value, frozen while it is moved.
type boxed struct {
	v      *c11.Cell[int]
	frozen bool
}

func (v *boxed) String() string {
	switch {
	case v == nil:
		return "null"
	case v.v == nil:
		return "gone"
	case v.frozen:
		return "a frozen value"
	}
	return "a value"
}

func newGrowing(x *c11.Exec, size int) *growing {
	return &growing{x: x, table: c11.NewAtomic(x, "table", newSlots(x, size)), gone: &boxed{frozen: true}}
}

func newSlots(x *c11.Exec, size int) *slots {
	p := &slots{next: c11.NewAtomic(x, "next", (*slots)(nil)), moved: c11.NewInt(x, "moved", 0)}
	for i := range size {
		p.keys = append(p.keys, c11.NewAtomic(x, fmt.Sprintf("key[%d] of %d", i, size), 0))
		p.vals = append(p.vals, c11.NewAtomic(x, fmt.Sprintf("val[%d] of %d", i, size), (*boxed)(nil)))
	}
	return p
}

// get returns the value of the key, 0 if there is none.
func (h *growing) get(key int) int {
	call := hashtableGet.Begin(h.x, h, key)
	got := h.find(h.table.Load(c11.Acquire), key)
	call.End(got)
	return got
}

func (h *growing) find(p *slots, key int) int {
	for i := range p.keys {
		at := (key + i) % len(p.keys)
		k := p.keys[at].Load(c11.Relaxed)
		cdsspec.Point(h.x, k == 0, "no key")
		if k == 0 {
			return 0
		}
		if k != key {
			continue
		}
		v := p.vals[at].Load(c11.Acquire)
		if v != nil && v.frozen {
			return h.find(h.move(p, at), key)
		}
		cdsspec.Point(h.x, true, "read")
		if v == nil {
			return 0
		}
		return v.v.Load()
	}
	next := p.next.Load(c11.Acquire)
	cdsspec.Point(h.x, next == nil, "no key")
	if next == nil {
		return 0
	}
	return h.find(next, key)
}

// put gives the key a value and returns the old one, 0 if there was none.
func (h *growing) put(key, content int) int {
	call := hashtablePut.Begin(h.x, h, pair{key, content})
	v := h.store(h.table.Load(c11.Acquire), key, &boxed{v: c11.NewCell(h.x, "content", content)}, true)
	old := 0
	if v != nil {
		old = v.v.Load()
	}
	call.End(old)
	return old
}

// store stores a value and returns the old one. A value that is moved does not replace another.
func (h *growing) store(p *slots, key int, to *boxed, replaces bool) *boxed {
	at := h.claim(p, key, replaces)
	if at < 0 {
		return h.store(h.grow(p), key, to, replaces)
	}
	v := p.vals[at].Load(c11.Acquire)
	for {
		if v != nil && v.frozen || p.next.Load(c11.Acquire) != nil {
			return h.store(h.move(p, at), key, to, replaces)
		}
		if v != nil && !replaces {
			return v
		}
		seen, done := p.vals[at].CompareAndSwap(v, to, c11.AcqRel, c11.Acquire)
		cdsspec.Point(h.x, done && replaces, "write")
		if done {
			return v
		}
		v = seen
	}
}

// claim returns the place of the key, which it takes if it is free; -1 if there is no room.
func (h *growing) claim(p *slots, key int, replaces bool) int {
	for i := range p.keys {
		at := (key + i) % len(p.keys)
		k := p.keys[at].Load(c11.Relaxed)
		if k == 0 {
			seen, ok := p.keys[at].CompareAndSwap(0, key, c11.Relaxed, c11.Relaxed)
			cdsspec.Point(h.x, ok && replaces, "claim")
			if ok {
				return at
			}
			k = seen
		}
		if k == key {
			return at
		}
	}
	return -1
}

// grow returns the next table, with everything that was in this one.
func (h *growing) grow(p *slots) *slots {
	if next := p.next.Load(c11.Acquire); next != nil {
		return next
	}
	if _, ok := p.next.CompareAndSwap(nil, newSlots(h.x, 2*len(p.keys)), c11.AcqRel, c11.Acquire); ok {
		for at := range p.keys {
			h.move(p, at)
		}
	}
	return p.next.Load(c11.Acquire)
}

// move moves a pair and returns the next table. Who moves the last one makes that the table.
func (h *growing) move(p *slots, at int) *slots {
	next := p.next.Load(c11.Acquire)
	key, ok := p.keys[at].CompareAndSwap(0, closed, c11.Relaxed, c11.Relaxed)
	if !ok {
		v := p.vals[at].Load(c11.Acquire)
		for v == nil || !v.frozen {
			to := h.gone
			if v != nil {
				to = &boxed{v.v, true}
			}
			if h.loose && v != nil {
				h.store(next, key, &boxed{v: v.v}, false)
				p.vals[at].Store(h.gone, c11.Release)
				v, ok = h.gone, true
				break
			}
			var seen *boxed
			if seen, ok = p.vals[at].CompareAndSwap(v, to, c11.AcqRel, c11.Acquire); ok {
				v = to
			} else {
				v = seen
			}
		}
		if v != h.gone {
			h.store(next, key, &boxed{v: v.v}, false)
			_, ok = p.vals[at].CompareAndSwap(v, h.gone, c11.AcqRel, c11.Relaxed)
		}
	}
	if ok && p.moved.FetchAdd(1, c11.AcqRel) == len(p.keys)-1 {
		h.table.CompareAndSwap(p, next, c11.AcqRel, c11.Relaxed)
	}
	return next
}
