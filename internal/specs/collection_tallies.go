package specs

import "github.com/linsat/linsat/internal/model"

// counted gives b tallies: the collection has sizes or drains, which depend on how many values
// there are. finish sets its discipline, and returns which
// operations are at the back of a deque, else nil.
func (c *contents) counted(b *model.Instance, finish func(*model.CollectionTheory) (back []bool)) {
	b.Tallies = func() *model.Tallies {
		t := &model.Tallies{Init: []int64{int64(len(c.initial))}, Ways: make([][]model.Way, len(c.does)),
			Drained: make([][]int32, len(c.does))}
		does, values := make([]model.Action, len(c.does)), make([]int32, len(c.does))
		for i, d := range c.does {
			does[i], values[i] = d, c.value[i]
			var w model.Way
			switch {
			case d == model.Insert:
				w.Adds = []model.Added{{By: 1}}
			case d == model.Remove && c.value[i] != model.Nothing:
				w.Adds = []model.Added{{By: -1}}
			case d == counts:
				does[i], values[i] = model.Peek, model.Anything
				w.Finds = []model.Found{model.Exactly(0, int64(c.value[i]))}
			case d == empties && c.value[i] == model.Anything:
				does[i] = model.Aside
				w.Adds = []model.Added{{Sets: true}}
			case d == empties:
				does[i], values[i] = model.Remove, model.Nothing
				list := c.lists[c.value[i]]
				if len(list) == 1 && list[0] == model.Nothing {
					continue // out of order: it has no way
				}
				t.Drained[i] = list
				w.Finds = []model.Found{model.Exactly(0, int64(len(list)))}
				w.Adds = []model.Added{{By: -int64(len(list))}}
			}
			t.Ways[i] = []model.Way{w}
			if d == model.Remove && c.value[i] == model.Anything {
				t.Ways[i] = append(t.Ways[i], model.Way{})
			}
		}
		moves := model.OneCollection(does, values, c.initial)
		t.Back = finish(&moves)
		t.Contents = &moves
		return t
	}
}
