package specs

import "github.com/linsat/linsat/internal/model"

// tallies describes a queue of known capacity by how many values it holds.
func (k *boundedPart) tallies(capacity int64, items []int32) *model.Tallies {
	n := len(k.ops)
	t := &model.Tallies{Init: []int64{int64(len(items))}, Ways: make([][]model.Way, n)}
	values := make([]int32, n)
	grows := func(by int64, find model.Found) model.Way {
		return model.Way{Finds: []model.Found{find}, Adds: []model.Added{{By: by}}}
	}
	takes := grows(-1, model.AtLeast(0, 1))
	inserts, full := grows(1, model.AtMost(0, capacity-1)), model.Way{Finds: []model.Found{model.Exactly(0, capacity)}}
	empty := model.Way{Finds: []model.Found{model.Exactly(0, 0)}}
	for i, o := range k.ops {
		values[i] = o.value
		switch {
		case o.verb <= boundedOffer:
			if o.result != no {
				t.Ways[i] = append(t.Ways[i], inserts)
			}
			if o.result != yes {
				t.Ways[i] = append(t.Ways[i], full)
			}
			if o.result == no {
				values[i] = model.Anything // it sees no value
			}
		case o.verb == boundedSize:
			w := model.Way{}
			if o.value != model.Anything {
				w = model.Way{Finds: []model.Found{model.Exactly(0, int64(o.value))}}
			}
			t.Ways[i], values[i] = []model.Way{w}, model.Anything
		case o.verb == boundedPeek && o.value == model.Anything:
			t.Ways[i] = []model.Way{{}}
		case o.value == model.Nothing:
			t.Ways[i] = []model.Way{empty}
		case o.verb == boundedPeek:
			t.Ways[i] = []model.Way{{Finds: takes.Finds}}
		case o.value == model.Anything:
			t.Ways[i] = []model.Way{takes, empty}
		default:
			t.Ways[i] = []model.Way{takes}
		}
	}
	moves := model.OneCollection(k.does(), values, items)
	t.Contents = &moves
	return t
}
