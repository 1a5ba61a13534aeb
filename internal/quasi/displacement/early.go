package displacement

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// RemovedEarly counts the removals that come in order before the insertion of the value that they
// return. Both meanings allow that, which may surprise; so it is reported. It is 0 for
// specifications that store no values; removals whose result is unknown do not count.
func RemovedEarly(b *model.Instance, order []history.OpID) int {
	if b.Items.Delta == nil {
		return 0
	}
	type item struct {
		object model.ObjectID
		value  history.Value
	}
	object, keys := b.Objects()
	inside := map[item]int{}
	if b.Partition.HasInitial {
		list, _ := b.Partition.History.Values.AsList(b.Partition.Initial)
		for k := range keys {
			for _, v := range list {
				inside[item{model.ObjectID(k), v}]++
			}
		}
	}
	early := 0
	for _, i := range order {
		switch o := &b.Partition.Ops[i]; {
		case b.Items.Delta[i] > 0:
			inside[item{object[i], o.Arg}]++
		case b.Items.Delta[i] < 0 && !o.Unknown:
			e := item{object[i], o.Result}
			if inside[e]--; inside[e] < 0 {
				early++
			}
		}
	}
	return early
}
