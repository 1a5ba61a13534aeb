package layout

// Numbering numbers keys, which are stored elsewhere: a hash table with open addressing that takes
// 8 to 16 bytes for each.
type Numbering struct {
	slots []uint64 // hash and number + 1; 0 for none
	count int
}

// Find returns the number among those with this hash that same accepts, or adds n.
func (t *Numbering) Find(hash uint32, n int32, same func(k int32) bool) int32 {
	if 4*t.count >= 3*len(t.slots) {
		t.grow()
	}
	mask := uint32(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		switch x := t.slots[at]; {
		case x == 0:
			t.slots[at] = uint64(hash)<<32 | uint64(n+1)
			t.count++
			return n
		case uint32(x>>32) == hash && same(int32(uint32(x))-1):
			return int32(uint32(x)) - 1
		}
	}
}

// grow doubles the table.
func (t *Numbering) grow() {
	old := t.slots
	t.slots = make([]uint64, max(16, 2*len(old)))
	mask := uint32(len(t.slots) - 1)
	for _, x := range old {
		if x == 0 {
			continue
		}
		at := uint32(x>>32) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = x
	}
}

// Emptied returns an empty table in the same memory, with room for about as many as there were.
func (t *Numbering) Emptied() Numbering {
	size := 16
	for size < 2*t.count {
		size *= 2
	}
	slots := t.slots[:min(size, len(t.slots))]
	clear(slots)
	return Numbering{slots: slots}
}

// Bytes returns the memory of the table.
func (t *Numbering) Bytes() int64 { return int64(len(t.slots)) * 8 }
