package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// tallies describes a set that is seen as a whole: each element is there 0 or 1 times, and the last
// number is how many are there.
func (k *setPart) tallies() *model.Tallies {
	n := int32(len(k.values))
	t := &model.Tallies{Init: make([]int64, n+1), Ways: make([][]model.Way, len(k.ops))}
	bit := func(words []int32, x int32) int64 { return int64(words[x/32] >> (x % 32) & 1) }
	for x := range n {
		t.Init[x] = bit(k.init, x)
		t.Init[n] += t.Init[x]
	}
	for i, o := range k.ops {
		adds := func(there, by int64) model.Way {
			w := model.Way{Finds: []model.Found{model.Exactly(o.x, there)}}
			if by != 0 {
				w.Adds = []model.Added{{Tally: o.x, By: by}, {Tally: n, By: by}}
			}
			return w
		}
		yes1, no1 := adds(1, 0), adds(0, 0)
		switch o.verb {
		case setAdd:
			yes1, no1 = adds(0, 1), yes1
		case setRemove:
			yes1 = adds(1, -1)
		case setSize:
			yes1 = model.Way{Finds: []model.Found{model.Exactly(n, int64(o.x))}}
		case setElements:
			yes1 = model.Way{Bits: k.found[history.OpID(i)]}
		}
		switch {
		case o.verb >= setContains && o.result == unknown:
			t.Ways[i] = []model.Way{{}}
		case o.verb == setElements && o.result == no: // it has no way
		case o.result == yes:
			t.Ways[i] = []model.Way{yes1}
		case o.result == no:
			t.Ways[i] = []model.Way{no1}
		default:
			t.Ways[i] = []model.Way{yes1, no1}
		}
	}
	return t
}
