package wgl

// numbering numbers keys: a hash table with open addressing that stores only the numbers, and so
// takes 8 to 16 bytes for each.
type numbering struct {
	slots []uint64 // hash and number + 1; 0 for none
	count int
}

// find returns the number among those with this hash that same accepts, or adds n.
func (t *numbering) find(hash uint32, n int32, same func(k int32) bool) int32 {
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
func (t *numbering) grow() {
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

// emptied returns an empty table in the same memory, with room for about as many as there were.
func (t *numbering) emptied() numbering {
	size := 16
	for size < 2*t.count {
		size *= 2
	}
	slots := t.slots[:min(size, len(t.slots))]
	clear(slots)
	return numbering{slots: slots}
}

// bytes returns the memory of the table.
func (t *numbering) bytes() int64 { return int64(len(t.slots)) * 8 }

// hashOf hashes two numbers.
func hashOf(a, b int32) uint32 {
	h := (uint64(uint32(a))<<32 | uint64(uint32(b))) * 0x9e3779b97f4a7c15
	return uint32(h>>32) ^ uint32(h>>15)
}
