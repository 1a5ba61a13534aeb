package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// ManySmallPartitions reports whether h would be split into so many and so small partitions that it
// pays to decide it as a whole first: a set of many elements.
func ManySmallPartitions(s model.Spec, h *history.History) bool {
	s, _ = Renamed(s)
	if s != model.Spec(set) || len(h.Ops) < wholeFrom || len(h.Ops) > wholeEach*h.Values.Len() || len(h.Edges) > 0 {
		return false
	}
	for i := range h.Ops {
		if h.Ops[i].Key != h.Ops[0].Key {
			return false
		}
	}
	return true
}
