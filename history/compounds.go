package history

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// compounds finds the lists and maps of a table by their elements: open addressing, at most half
// full. A key of its own for each would take more memory than the elements do.
type compounds struct {
	slots []compoundSlot // a power of two, or none
	count int
	key   []byte // of the last one that was looked for
}

// compoundSlot is a list or map, or Nil where the slot is free.
type compoundSlot struct {
	hash uint32
	v    Value
}

var compoundSeed = maphash.MakeSeed()

// compound interns a list or map. A loose table adds it without looking for it.
func (t *Values) compound(kind valueKind, elements []Value) Value {
	c := &t.compounds
	if t.loose {
		return t.addCompound(kind, elements)
	}
	c.key = append(c.key[:0], byte(kind))
	for _, e := range elements {
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(e))
	}
	hash := uint32(maphash.Bytes(compoundSeed, c.key))
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
