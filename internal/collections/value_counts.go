package collections

import "github.com/linsat/linsat/internal/model"

// valueCounts bounds how often a value can be on a stack of unknown contents: as often as it was
// pushed and not popped, in the window and before. Which operations took effect by a beginning is
// the same on all ways to it, so this does not depend on the rest of the configuration.
type valueCounts struct {
	values  int32
	byLayer []int32 // layer × value: by the operations that returned before
}

// newValueCounts starts with bounds on how often each value can be present before the window.
func newValueCounts(l *lane, start []int32) (c valueCounts) {
	c.values = int32(len(start))
	if (len(l.returns)+1)*len(start) > countsLimit {
		return valueCounts{}
	}
	c.byLayer = append(c.byLayer, start...)
	for layer, r := range l.returns {
		c.byLayer = append(c.byLayer, c.byLayer[layer*len(start):]...)
		if o := &l.ops[r]; o.value >= 0 {
			c.byLayer[(layer+1)*len(start)+int(o.value)] += o.adds()
		}
	}
	return c
}

// adds returns by how much the operation changes the bound of its value. One that may have taken
// effect before the start is counted there if it pushes, and not at all if it pops.
func (o *laneOp) adds() int32 {
	switch {
	case o.early || o.value < 0:
		return 0
	case o.does == model.Insert:
		return 1
	case o.does == model.Remove:
		return -1
	}
	return 0
}

// atMost bounds how often a value is present after a beginning.
func (c *valueCounts) atMost(l *lane, b, value int32) int32 {
	if c.byLayer == nil {
		return 1
	}
	at := l.begun[b]
	n := c.byLayer[at.layer*c.values+value]
	if int(at.layer) < len(l.returns) {
		for _, i := range l.open.Of(at.layer) {
			if o := &l.ops[i]; o.value == value && at.mask>>o.bit&1 != 0 {
				n += o.adds()
			}
		}
	}
	for _, i := range l.pending {
		if o := &l.ops[i]; o.value == value && at.mask>>o.bit&1 != 0 {
			n += o.adds()
		}
	}
	return n
}
