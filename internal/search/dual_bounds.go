package search

import "github.com/linsat/linsat/internal/model"

// bounds is what the relaxation knows, by configuration.
type bounds struct {
	*pricing
	index  []int32 // node plus one
	prices []int64 // by class
	total  int64   // what all operations are worth that are ever called
}

func newBounds(p *pricing) *bounds {
	p.bounds()
	b := &bounds{pricing: p, prices: p.price, total: p.worth[len(p.worth)-1]}
	size := 64
	for size < 2*len(p.masks) {
		size *= 2
	}
	b.index = make([]int32, size)
	for id := range p.masks {
		k := hashOf(p.layers[id], p.state[id], p.masks[id:id+1]) & uint32(size-1)
		for b.index[k] != 0 {
			k = (k + 1) & uint32(size-1)
		}
		b.index[k] = int32(id) + 1
	}
	return b
}

// node returns the node of a configuration, -1 if it has none.
func (b *bounds) node(layer int32, state model.State, mask []uint64) int32 {
	for k := hashOf(layer, state, mask) & uint32(len(b.index)-1); b.index[k] != 0; k = (k + 1) & uint32(len(b.index)-1) {
		if id := b.index[k] - 1; b.layers[id] == layer && b.state[id] == state && b.masks[id] == mask[0] {
			return id
		}
	}
	return -1
}

// least returns the cost of the cheapest way from a node to the end.
func (b *bounds) least(node int32) int64 { return b.rest[node] }
