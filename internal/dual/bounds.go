package dual

// What: lower bounds on what the rest of a linearization costs, for the search to cut by.
//
// Source: branch and bound with Lagrangian bounds (Held and Karp, Math. Programming 1971).
//
// Invariant: from a configuration without node the end is not reached, whatever is used.
//
// Cost: one look-up by configuration.

import (
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// Bounds is what the relaxation knows, by configuration.
type Bounds struct {
	Multipliers []int64 // by class
	Capacity    int64   // of all operations that are ever called

	graph *multipliers
	index []NodeID // node plus one
}

// newBounds indexes the nodes, with the best multipliers that were met.
func newBounds(p *multipliers) *Bounds {
	p.bounds()
	b := &Bounds{graph: p, Multipliers: p.multiplier, Capacity: p.capacity[len(p.capacity)-1]}
	size := 64
	for size < 2*len(p.masks) {
		size *= 2
	}
	b.index = make([]NodeID, size)
	for id := range p.masks {
		k := layout.Hash(p.layers[id], p.state[id], p.masks[id:id+1]) & uint32(size-1)
		for b.index[k] != 0 {
			k = (k + 1) & uint32(size-1)
		}
		b.index[k] = NodeID(id) + 1
	}
	return b
}

// Node returns the node of a configuration, -1 if it has none.
func (b *Bounds) Node(layer layout.LayerID, state model.State, mask []uint64) NodeID {
	for k := layout.Hash(layer, state, mask) & uint32(len(b.index)-1); b.index[k] != 0; k = (k +
		1) & uint32(len(b.index)-1) {
		if id := b.index[k] - 1; b.graph.layers[id] == layer && b.graph.state[id] == state &&
			b.graph.masks[id] == mask[0] {
			return id
		}
	}
	return -1
}

// Rest returns the cost of the cheapest way from a node to the end.
func (b *Bounds) Rest(node NodeID) int64 { return b.graph.rest[node] }

// Goal returns the node at which everything has returned.
func (b *Bounds) Goal() NodeID { return b.graph.goal() }
