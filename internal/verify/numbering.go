package verify

// numbering numbers keys from 0, in the order in which they came, for what a saturation knows
// (saturation.go): a hash table with open addressing.
type numbering[K comparable] struct {
	keys  []K
	slots []uint64 // hash and number + 1, 0 for none; the size is a power of two
}

// find returns the number of a key with this hash, which is added if it is new.
func (t *numbering[K]) find(k K, hash uint64) contentsID {
	if 4*len(t.keys) >= 3*len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for at := hash >> 32 & mask; ; at = (at + 1) & mask {
		switch x := t.slots[at]; {
		case x == 0:
			t.keys = append(t.keys, k)
			t.slots[at] = hash&^(1<<32-1) | uint64(len(t.keys))
			return contentsID(len(t.keys) - 1)
		case x>>32 == hash>>32 && t.keys[uint32(x)-1] == k:
			return contentsID(uint32(x) - 1)
		}
	}
}

// grow doubles the table.
func (t *numbering[K]) grow() {
	old := t.slots
	t.slots = make([]uint64, max(fewNumbered, 2*len(old)))
	mask := uint64(len(t.slots) - 1)
	for _, x := range old {
		if x == 0 {
			continue
		}
		at := x >> 32 & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = x
	}
}

// hashOf hashes two words.
func hashOf(a, b uint64) uint64 {
	h := (a ^ b*0xbf58476d1ce4e5b9) * 0x9e3779b97f4a7c15
	return (h ^ h>>29) * 0x94d049bb133111eb
}
