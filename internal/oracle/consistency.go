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

// Inversions returns how many pairs of operations an order has to put the other way than time does,
// at least, of those that Sequential asks for; -1 if there is none. Of a pair, the first returned
// before the second was called.
func Inversions(b *model.Instance) int {
	n, m := b.Partition.Len(), b.NewMachine()
	best := -1
	var try func(order []history.OpID, done uint64, s model.State, inverted int)
	try = func(order []history.OpID, done uint64, s model.State, inverted int) {
		complete := true
		for i := range history.OpID(n) {
			o := &b.Partition.Ops[i]
			if done>>i&1 == 1 {
				continue
			}
			complete = complete && o.Pending()
			allowed, more := true, 0
			for j := range history.OpID(n) {
				p := &b.Partition.Ops[j]
				allowed = allowed && (p.Process != o.Process || j >= i || done>>j&1 == 1)
				if done>>j&1 == 1 && o.Return < p.Call {
					more++
				}
			}
			if !allowed || best >= 0 && inverted+more >= best {
				continue
			}
			for _, t := range m.Step(s, i, nil) {
				try(append(order, i), done|1<<i, t, inverted+more)
			}
		}
		if complete && (best < 0 || inverted < best) {
			best = inverted
		}
	}
	try(nil, 0, m.Init(), 0)
	return best
}
