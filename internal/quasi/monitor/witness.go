package monitor

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/window"
	"github.com/linsat/linsat/quasi"
)

// sequences makes ρ′ and ρ″ from slots and places, drains included.
//
// ρ′: removals in the order of their places; insertions, in the order of their slots, as late as
// the next removal allows: before it come the insertions that precede it, under slots that of the
// content of its place, and if causal that of its own value. So the queue is empty wherever an
// empty result needs it, if it can be. ρ″: under slots the same pattern with the takers of the
// contents in the places; under classes every value is inserted just before its slot is taken.
func sequences(q *window.Queue, pos []int32, causal bool, n int) (linear, rearranged []int32) {
	content := make([]int32, q.M+1) // by slot
	place := make([]int32, q.R+1)   // by place
	for x := range q.M {
		content[pos[x]] = int32(x)
	}
	for y := range q.R {
		place[pos[q.M+y]] = int32(y)
	}
	order := make([]int32, 0, q.N) // insertions by slot
	number := make([]int32, q.N)   // by insertion: its number in order, from 1
	takers := make([]int32, q.M+1) // by slot: the operation that takes its content, or -1
	drained := int32(0)
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
			takers[p] = int32(n) + drained
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
	linear, rearranged = make([]int32, 0, size), make([]int32, 0, size)
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
		linear = append(linear, int32(n+d))
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

// replay checks ρ′ and ρ″ against the definition, on the part itself: ρ′ holds every completed
// operation, some pending ones and the drains at its end, and extends the order; ρ″ has the same
// operations, each class in places at most its bound away, under slots in the same pattern; the
// queue accepts ρ″. O(n).
func replay(b *model.Instance, relax *quasi.Question, bound int32, a *engine.Answer) bool {
	ops := b.Partition.Ops
	c := b.Theory.(*model.CollectionTheory)
	n := len(ops)
	if len(a.Witness) != len(a.Rearranged) {
		return false
	}
	removal := func(op int32) bool { return int(op) >= n || c.Does[op] == model.Remove }
	rank := make([]int32, n+a.Drains) // in ρ′, by class, from 1
	latest, insertions, removals, drains := int32(-1), int32(0), int32(0), 0
	inserted := make([]bool, c.Values)
	for _, v := range c.Initial[0] {
		inserted[v] = true
	}
	for _, op := range a.Witness {
		if op < 0 || int(op) >= n+a.Drains || rank[op] != 0 {
			return false
		}
		if removal(op) {
			removals++
			rank[op] = removals
		} else {
			insertions++
			rank[op] = insertions
		}
		if int(op) >= n {
			drains++
			continue
		}
		if drains > 0 || ops[op].Return < latest {
			return false
		}
		latest = max(latest, ops[op].Call)
		if v := c.Value[op]; v >= 0 {
			if relax.Causal && removal(op) && !inserted[v] {
				return false
			}
			inserted[v] = inserted[v] || !removal(op)
		}
	}
	for i := range ops {
		if !ops[i].Pending() && rank[i] == 0 {
			return false
		}
	}
	queue := append(make([]int32, 0, n+len(c.Initial[0])), c.Initial[0]...)
	insertions, removals, drains = 0, 0, 0
	for k, op := range a.Rearranged {
		if op < 0 || int(op) >= n+a.Drains || rank[op] == 0 {
			return false
		}
		if relax.Meaning == quasi.Slots && removal(op) != removal(a.Witness[k]) {
			return false
		}
		if !removal(op) {
			insertions++
			if rank[op] != insertions {
				return false
			}
			queue = append(queue, c.Value[op])
		} else {
			removals++
			if d := int64(rank[op]) - int64(removals); d > int64(bound) || -d > int64(bound) {
				return false
			}
			switch {
			case int(op) < n && c.Value[op] == model.Nothing:
				if len(queue) != 0 {
					return false
				}
			case len(queue) == 0 || int(op) < n && queue[0] != c.Value[op]:
				return false
			default:
				queue = queue[1:]
			}
		}
		rank[op] = 0 // once only
	}
	return a.Drains == 0 && !relax.Drain || relax.Drain && len(queue) == 0
}
