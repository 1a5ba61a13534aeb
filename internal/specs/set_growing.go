package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// growing describes a set from which nothing is removed and of which no size is known; nil for
// others. A remove that found nothing says that its element is not there.
func (k *setPart) growing() *model.GrowingTheory {
	for i := range k.ops {
		o := &k.ops[i]
		if o.verb == setRemove && o.result != no || o.verb == setSize && o.result != unknown {
			return nil
		}
	}
	g := &model.GrowingTheory{Does: make([]model.GrowthAction, len(k.ops)), Element: make([]int32, len(k.ops)),
		Found: make([][]int32, len(k.ops)), Initial: k.init, Values: k.values}
	number := map[history.Value]int32{} // of elements that are listed twice
	for i := range k.ops {
		o := &k.ops[i]
		g.Element[i] = model.Nothing
		if o.verb < setSize {
			g.Element[i] = o.x
		}
		switch {
		case o.verb == setAdd && o.result == yes:
			g.Does[i] = model.GrowthAddsNew
		case o.verb == setAdd && o.result == unknown:
			g.Does[i] = model.GrowthAdds
		case o.result == unknown:
		case o.verb == setElements && o.result == yes:
			g.Does[i], g.Found[i] = model.GrowthReads, k.found[history.OpID(i)]
		case o.verb == setElements:
			if len(number) == 0 {
				for x, v := range k.values {
					number[v] = int32(x)
				}
			}
			g.Does[i], g.Element[i] = model.GrowthRepeated, number[k.twice(history.OpID(i))]
		case o.verb == setAdd || o.verb == setContains && o.result == yes: // it changed nothing
			g.Does[i] = model.GrowthFinds
		default:
			g.Does[i] = model.GrowthMisses
		}
	}
	return g
}
