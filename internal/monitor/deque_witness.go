package monitor

import "github.com/linsat/linsat/history"

// The linearization that the windows of a deque make.
//
// What: pushes come as late, pops as early as deque_crossing.go says. Inside one moment come first
// the pops, those of arcs and those of values that cross; then what found the deque empty; then
// values that are pushed and popped in this moment, one after the other; then values that cross and
// stay inside; then what leaves the stacks as they were, and the pushes of arcs.
//
// Whatever would come after all moments is left out: it never returned, or stands for no operation.
//
// Cost: O(n).

const (
	dequePopping = iota
	dequeLeaving
	dequeEmpty
	dequePassing  // in one direction
	dequeOpposite // in the other one
	dequeEntering
	dequeResting
	dequePushing
	partsOfDeque
)

// dequeParts are the parts of a moment for the parts that stacks know.
var dequeParts = [partsOfMoment]int{popping: dequePopping, resting: dequeResting, pushing: dequePushing}

func (x *crossing) witness(arcs [ends]*peeler, empties []moment) []history.OpID {
	out := newSlots(int(x.end) * partsOfDeque)
	leave := x.schedule()
	return out.fill(func(put func(slot int, op history.OpID)) {
		at := func(g moment, part int, op history.OpID) {
			if g < x.end && op >= 0 {
				put(int(g)*partsOfDeque+part, op)
			}
		}
		for _, s := range arcs {
			s.place(func(g moment, part int, op history.OpID) { at(g, dequeParts[part], op) })
		}
		for e, g := range empties {
			at(g, dequeEmpty, x.emptyOp[e])
		}
		for _, m := range leave {
			v := x.value[m.k]
			part := dequePassing
			if x.from[v] == atBack {
				part = dequeOpposite
			}
			switch {
			case m.push == m.pop:
				at(m.push, part, x.ins[v])
				at(m.pop, part, x.rem[v])
			default:
				at(m.push, dequeEntering, x.ins[v])
				at(m.pop, dequeLeaving, x.rem[v])
			}
		}
	})
}

// stay is when a value is pushed and popped.
type stay struct {
	k         int // of the crossing values
	push, pop moment
}

// schedule returns the stays of the values, those of each direction in their order.
func (x *crossing) schedule() []stay {
	all := make([]int32, len(x.value))
	for k := range all {
		all[k] = int32(k)
	}
	all = byKey(byKey(all, x.remLo, x.end+2), x.insHi, x.end+2)
	out := make([]stay, len(all))
	var popped [ends]moment
	for i, k := range all {
		d := x.way(int(k))
		s := stay{k: int(k), push: x.insHi[k] - 1, pop: x.end}
		if !x.staying(int(k)) {
			s.pop = x.free[1-d].next[max(s.push, x.remLo[k])]
		}
		popped[d] = max(popped[d], s.pop)
		s.pop = popped[d]
		out[i] = s
	}
	return out
}
