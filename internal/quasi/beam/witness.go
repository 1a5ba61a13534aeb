package beam

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// orders returns ρ′, ρ″ and the number of drains. What leaves at a place of ρ″ is that of the
// operation of its key that comes next in ρ′.
func (q *problem) orders(last *configuration) (first, then []history.OpID, drains int) {
	var path []*configuration
	for x := last; x.parent != nil; x = x.parent {
		path = append(path, x)
	}
	slices.Reverse(path)
	of := map[int32][]history.OpID{}
	for _, x := range path {
		first = append(first, history.OpID(x.op))
		if q.drains(x.op) {
			drains++
		}
		if !q.inserts(x.op) {
			of[q.keyOf(x.op)] = append(of[q.keyOf(x.op)], history.OpID(x.op))
		}
	}
	for _, x := range path {
		if q.inserts(x.op) {
			then = append(then, history.OpID(x.op))
			continue
		}
		k := q.key(x.left)
		then = append(then, of[k][0])
		of[k] = of[k][1:]
	}
	return first, then, drains
}
