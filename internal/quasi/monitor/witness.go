package monitor

// From slots and places to a witness: ρ′ and ρ″.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/window"
	"github.com/linsat/linsat/quasi"
)

// sequences builds ρ′ and ρ″ from slots and places, drains included.
//
// ρ′: removals in the order of their places; insertions in the order of their slots, each as late
// as the next removal allows. A removal comes after the insertions that precede it, under slots
// after that of the content of its place, and with causality after that of its own value. So the
// queue is empty wherever an empty result needs it to be, if that is possible. ρ″: under slots the
// same pattern, with the removals that take the contents in their places; under classes every value
// is inserted just before its slot is taken.
func sequences(q *window.Queue, pos []window.Position, causal bool, n int) (linear, rearranged []history.OpID) {
	content := make([]window.Variable, q.M+1) // by slot
	place := make([]window.Removal, q.R+1)    // by place
	for x := range q.M {
		content[pos[x]] = window.Variable(x)
	}
	for y := range q.R {
		place[pos[q.M+y]] = window.Removal(y)
	}
	order := make([]window.Variable, 0, q.N) // insertions by slot
	number := make([]int32, q.N)             // by insertion: its number in order, from 1
	takers := make([]history.OpID, q.M+1)    // by slot: the operation that takes its content, or -1
	drained := history.OpID(0)
	for p := 1; p <= q.M; p++ {
		x := content[p]
		if int(x) < q.N {
			order = append(order, x)
			number[x] = int32(len(order))
		}
		switch {
		case q.Taker[x] >= 0:
			takers[p] = q.RemOp[q.Taker[x]]
		case q.D > 0:
			takers[p] = history.OpID(n) + drained
			drained++
		default:
			takers[p] = -1
		}
	}
	// precede[p]: how many insertions must stand before place p.
	precede := make([]int32, q.R+1)
	i, top := 0, int32(0)
	for y, call := range q.RemCall {
		for ; i < q.N && q.InsRet[q.InsByRet[i]] < call; i++ {
			top = max(top, number[q.InsByRet[i]])
		}
		precede[pos[q.M+y]] = top
	}
	size := q.N - q.Initial + q.R + q.D
	linear, rearranged = make([]history.OpID, 0, size), make([]history.OpID, 0, size)
	put := int32(0)
	insert := func(upTo int32) {
		for ; put < upTo; put++ {
			if op := q.InsOp[order[put]]; op >= 0 {
				linear = append(linear, op)
				if q.Meaning == quasi.Slots {
					rearranged = append(rearranged, op)
				}
			}
		}
	}
	for p := 1; p <= q.R; p++ {
		insert(precede[p])
		if x := content[p]; q.Meaning == quasi.Slots && int(x) < q.N {
			insert(number[x])
		}
		if x := q.Content[place[p]]; causal && int(x) < q.N {
			insert(number[x])
		}
		linear = append(linear, q.RemOp[place[p]])
		if q.Meaning == quasi.Slots {
			rearranged = append(rearranged, takers[p])
		}
	}
	insert(int32(q.N))
	for d := range q.D {
		linear = append(linear, history.OpID(n+d))
		if q.Meaning == quasi.Slots {
			rearranged = append(rearranged, takers[q.R+1+d])
		}
	}
	if q.Meaning == quasi.Classes {
		for p := 1; p <= q.M; p++ {
			if x := content[p]; int(x) < q.N && q.InsOp[x] >= 0 {
				rearranged = append(rearranged, q.InsOp[x])
			}
			if takers[p] >= 0 {
				rearranged = append(rearranged, takers[p])
			}
		}
	}
	return linear, rearranged
}

// causal reports whether no removal of ρ′ comes before the insertion of its value. For causality,
// sequences moves insertions ahead, which may put them before operations that precede them in real
// time, or before an empty result: then it returns false.
func causal(q *window.Queue, b *model.Instance, linear, rearranged []history.OpID) bool {
	c, n := b.Theory.(*model.CollectionTheory), b.Partition.Len()
	inserted := make([]bool, c.Values)
	for _, v := range c.Initial[0] {
		inserted[v] = true
	}
	latest := history.Rank(-1) // latest call
	for _, op := range linear[:len(linear)-q.D] {
		if b.Partition.Ops[op].Return < latest {
			return false
		}
		latest = max(latest, b.Partition.Ops[op].Call)
		v := c.Value[op]
		switch {
		case v < 0:
		case c.Does[op] != model.Remove:
			inserted[v] = true
		case !inserted[v]:
			return false
		}
	}
	size := q.Initial
	for _, op := range rearranged {
		switch {
		case int(op) < n && c.Does[op] != model.Remove:
			size++
		case int(op) >= n || c.Value[op] != model.Nothing:
			size--
		case size > 0:
			return false
		}
	}
	return true
}
