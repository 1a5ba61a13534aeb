package history

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// compounds finds the lists and maps of a table by their elements: open addressing, at most half
// full. A key of its own for each would take more memory than the elements do.
type compounds struct {
	slots []compoundSlot // a power of two, or none
	count int
}

// compoundSlot is a list or map, or Nil where the slot is free.
type compoundSlot struct {
	hash uint32
	v    Value
}

// compoundSeed makes it hard to write a history whose lists meet in one slot.
var compoundSeed = maphash.Bytes(maphash.MakeSeed(), nil) | 1

// hash mixes elements two by two, each as wyhash does.
func (k valueKind) hash(elements []Value) uint32 {
	h := compoundSeed ^ uint64(len(elements))<<8 ^ uint64(k)
	for ; len(elements) > 1; elements = elements[2:] {
		high, low := bits.Mul64(h^(uint64(elements[0])<<32|uint64(elements[1])), compoundSeed)
		h = high ^ low
	}
	for _, e := range elements {
		h ^= uint64(e)
	}
	high, low := bits.Mul64(h, 0x9e3779b97f4a7c15)
	return uint32(high ^ low)
}

// compound interns a list or map. A loose table adds it without looking for it.
func (t *Values) compound(kind valueKind, elements []Value) Value {
	c := &t.compounds
	if t.loose {
		return t.addCompound(kind, elements)
	}
	hash := kind.hash(elements)
	if 2*c.count >= len(c.slots) {
		c.widen()
	}
	mask := uint32(len(c.slots) - 1)
	at := hash & mask
	for ; c.slots[at].v != Nil; at = (at + 1) & mask {
		if s := c.slots[at]; s.hash == hash {
			if d := t.data[s.v]; d.kind == kind && slices.Equal(t.lists[d.n], elements) {
				return s.v
			}
		}
	}
	c.count++
	c.slots[at] = compoundSlot{hash, t.addCompound(kind, elements)}
	return c.slots[at].v
}

// addCompound adds a list or map that the table does not hold.
func (t *Values) addCompound(kind valueKind, elements []Value) Value {
	v := t.add(datum{int64(len(t.lists)), kind}, 4*len(elements))
	if len(t.lists) == cap(t.lists) {
		t.lists = slices.Grow(t.lists, max(8, len(t.lists)))
	}
	t.lists = append(t.lists, t.room.list(elements))
	return v
}

// widen doubles the slots.
func (c *compounds) widen() {
	wider := make([]compoundSlot, max(8, 2*len(c.slots)))
	mask := uint32(len(wider) - 1)
	for _, s := range c.slots {
		if s.v == Nil {
			continue
		}
		at := s.hash & mask
		for wider[at].v != Nil {
			at = (at + 1) & mask
		}
		wider[at] = s
	}
	c.slots = wider
}
