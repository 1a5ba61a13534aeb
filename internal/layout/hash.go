package layout

import "github.com/linsat/linsat/internal/model"

// Mix takes x into the hash h.
func Mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// Hash hashes a configuration.
func Hash(layer LayerID, state model.State, mask []uint64) uint32 {
	h := Mix(uint64(uint32(layer))<<32|uint64(uint32(state)), 0x5851f42d4c957f2d)
	for _, w := range mask {
		h = Mix(h, w)
	}
	return uint32(h ^ h>>32)
}

// HashOf hashes two numbers.
func HashOf(a, b int32) uint32 {
	h := (uint64(uint32(a))<<32 | uint64(uint32(b))) * 0x9e3779b97f4a7c15
	return uint32(h>>32) ^ uint32(h>>15)
}
