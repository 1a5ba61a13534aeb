package monitor

import "github.com/linsat/linsat/history"

// Points for the operations on a queue whose values leave in a given order, and the linearization
// that they make.
//
// What: the empty results have moments, in ascending order; a value whose removal cannot begin
// before such a moment comes after it, all others come before it (sorted so, stably, the order
// still does). Within such a stretch every operation comes as early as it can: insertions one after
// the other, operations at the front one after the other. So there are three ascending sequences —
// insertions, front, empty results — that are merged.
//
// A point counts halves of moments: 2g is the moment g, 2g+1 the rest of it, after empty results.
//
// Invariants: no point is beyond the moments of its operation, because the order respects all
// clipped precedences; a value is inserted before it is at the front.
//
// Cost: O(n).

func (c *collected) queueWitness(order []int32, empties []moment) []history.OpID {
	type point struct {
		at    int32 // in halves of moments
		place int   // in the order of the values
		op    history.OpID
	}
	if len(empties) > 0 {
		stretch := make([]int32, len(c.ins))
		before := make([]int32, c.end+2) // how many different moments of empty results are earlier
		for _, g := range empties {
			before[g+1] = 1
		}
		for g := 1; g < len(before); g++ {
			before[g] += before[g-1]
		}
		for _, v := range order {
			stretch[v] = before[c.remLo[v]]
		}
		order = byKey(order, stretch, before[len(before)-1]+1)
	}
	enter, front := make([]point, 0, len(order)), make([]point, 0, len(order)+len(c.peekOp))
	var in, out int32
	next := 0 // empty results whose moment is over for this value
	for place, v := range order {
		for ; next < len(empties) && empties[next] < c.remLo[v]; next++ {
			in = max(in, 2*int32(empties[next])+1)
		}
		in = max(in, 2*int32(c.insLo[v]))
		if c.ins[v] >= 0 {
			enter = append(enter, point{in, place, c.ins[v]})
		}
		start := max(out, in)
		for k := c.peekFrom[v]; k < c.peekFrom[v+1]; k++ {
			at := max(start, 2*int32(c.peekLo[k]))
			out = max(out, at)
			front = append(front, point{at, place, c.peekOp[k]})
		}
		out = max(out, start, 2*int32(c.remLo[v]))
		if c.rem[v] != absent {
			front = append(front, point{out, place, c.rem[v]})
		}
	}
	witness := make([]history.OpID, 0, len(enter)+len(front)+len(empties))
	i, j := 0, 0
	for e := range len(empties) + 1 {
		until := 2*int32(c.end) + 2
		if e < len(empties) {
			until = 2*int32(empties[e]) + 1
		}
		for {
			enters := i < len(enter) && enter[i].at < until
			leaves := j < len(front) && front[j].at < until
			switch {
			case enters && (!leaves || enter[i].at < front[j].at || enter[i].at == front[j].at &&
				enter[i].place <= front[j].place):
				witness = append(witness, enter[i].op)
				i++
				continue
			case leaves:
				witness = append(witness, front[j].op)
				j++
				continue
			}
			break
		}
		if e < len(empties) {
			witness = append(witness, c.emptyOp[e])
		}
	}
	return witness
}
