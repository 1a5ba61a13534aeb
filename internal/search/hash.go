package search

import "github.com/linsat/linsat/internal/model"

// mix takes x into the hash h.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// hashOf hashes a configuration.
func hashOf(layer int32, state model.State, mask []uint64) uint32 {
	h := mix(uint64(uint32(layer))<<32|uint64(uint32(state)), 0x5851f42d4c957f2d)
	for _, w := range mask {
		h = mix(h, w)
	}
	return uint32(h ^ h>>32)
}
