package beam

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// orders implements object: it returns ρ′, ρ″ and the number of drains.
func (q *problem) orders(end *configuration) (first, then []history.OpID, drains int) {
	first, then = end.orders(func(op history.OpID) (int32, bool) {
		if q.inserts(op) {
			return 0, false
		}
		return q.keyOf(op), true
	}, q.key)
	for _, op := range first {
		if q.drains(op) {
			drains++
		}
	}
	return first, then, drains
}

// orders returns ρ′ and ρ″. What leaves at a place of ρ″ is that of the operation of its key that
// comes next in ρ′.
func (x *configuration) orders(own func(history.OpID) (key int32, moves bool), key func(left int32) int32) (first,
	then []history.OpID) {
	var path []*configuration
	for ; x.parent != nil; x = x.parent {
		path = append(path, x)
	}
	slices.Reverse(path)
	of := map[int32][]history.OpID{}
	for _, x := range path {
		first = append(append(first, x.with...), x.op)
		if k, moves := own(x.op); moves {
			of[k] = append(of[k], x.op)
		}
	}
	for _, x := range path {
		op := x.op
		if _, moves := own(op); moves {
			k := key(x.left)
			op, of[k] = of[k][0], of[k][1:]
		}
		then = append(append(then, x.with...), op)
	}
	return first, then
}
