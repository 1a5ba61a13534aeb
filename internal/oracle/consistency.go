package oracle

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Consistency of one object, from the definitions: which operations have to come before which in
// an order that the specification accepts.

// Sequential reports whether some subset of the pending operations and all completed operations
// have a total order that the specification accepts and in which those of each process are in
// theirs [Lamport, IEEE Trans. Comp. C-28, 1979].
func Sequential(b *model.Instance) bool {
	return ordered(b, func(i, j history.OpID) bool { return b.Partition.Ops[i].Process == b.Partition.Ops[j].Process })
}

// ordered reports whether such a total order exists in which i comes before j if i was called
// before j and they are related.
func ordered(b *model.Instance, related func(i, j history.OpID) bool) bool {
	n, m := b.Partition.Len(), b.NewMachine()
	completed := uint64(0)
	for i := range n {
		if !b.Partition.Ops[i].Pending() {
			completed |= 1 << i
		}
	}
	type point struct {
		done  uint64
		state model.State
	}
	dead := map[point]bool{}
	var try func(at point) bool
	try = func(at point) bool {
		if at.done&completed == completed {
			return true
		}
		if dead[at] {
			return false
		}
		dead[at] = true
		for i := range history.OpID(n) {
			allowed := at.done>>i&1 == 0
			for j := range history.OpID(n) {
				earlier, later := j < i && completed>>j&1 == 1 && at.done>>j&1 == 0, j > i && at.done>>j&1 == 1
				allowed = allowed && !(earlier && related(j, i)) && !(later && related(i, j))
			}
			if !allowed {
				continue
			}
			for _, t := range m.Step(at.state, i, nil) {
				if try(point{at.done | 1<<i, t}) {
					return true
				}
			}
		}
		return false
	}
	return try(point{0, m.Init()})
}
