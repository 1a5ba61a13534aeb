package dual

import (
	"math/bits"

	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// What: the nodes of one layer of the relaxation, found by configuration and listed by the size of
// their masks.

// layerTable finds the nodes of one layer and keeps them by the size of their masks.
type layerTable struct {
	index  []NodeID // id plus one
	bySize [65][]NodeID
	count  int
}

// reset empties the table.
func (t *layerTable) reset() {
	clear(t.index)
	for k := range t.bySize {
		t.bySize[k] = t.bySize[k][:0]
	}
	t.count = 0
}

// put returns the node of a configuration of a layer, a new one if it is not there.
func (t *layerTable) put(x *relaxation, layer layout.LayerID, mask uint64, s model.State) NodeID {
	if 2*t.count >= len(t.index) {
		t.index = make([]NodeID, max(64, 2*len(t.index)))
		for k := range t.bySize {
			for _, id := range t.bySize[k] {
				*t.place(x, x.masks[id], x.state[id]) = id + 1
			}
		}
	}
	cell := t.place(x, mask, s)
	if *cell == 0 {
		id := NodeID(len(x.masks))
		x.masks, x.state, x.layers = append(x.masks, mask), append(x.state, s), append(x.layers, layer)
		x.pass, x.marks = append(x.pass, -1), append(x.marks, -1)
		*cell = id + 1
		size := bits.OnesCount64(mask)
		t.bySize[size] = append(t.bySize[size], id)
		t.count++
	}
	return *cell - 1
}

// place returns where the node of a configuration is in the index, or belongs.
func (t *layerTable) place(x *relaxation, mask uint64, s model.State) *NodeID {
	h := layout.Mix(mask, uint64(uint32(s))+0x5851f42d4c957f2d)
	for k := int(h>>32) & (len(t.index) - 1); ; k = (k + 1) & (len(t.index) - 1) {
		if id := t.index[k]; id == 0 || x.masks[id-1] == mask && x.state[id-1] == s {
			return &t.index[k]
		}
	}
}
