package monitor

// Values of a deque that are pushed at one end and popped at the other.
//
// What: each of the two operations has a window of moments. Of two values u and v, v cannot come
// before u
//
//	in one direction   if the push of u must precede that of v, or so the pops
//	in different ones  if the push of u must precede the pop of v, which is at the same end
//
// by their windows. Then u comes before v, which narrows the windows of both: in one direction push
// before push and pop before pop, in different ones the pop of u before the push of v. Besides,
// windows begin and end with moments that are free at their end, and a value is not popped before
// it is pushed. That is repeated until nothing changes, or a window is empty.
//
// Why that is enough: let every push come as late as its window allows and every pop as early as
// its window, its push and the values before it allow. In one direction the values come in the
// order of these pushes. If a pop would come too late because of a value before it, that value
// would have to come after. If v is pushed while u, of the other direction, is inside, the window
// of the pop of u, or of one that is before u, begins after that of the push of v has ended, since
// otherwise u would have been popped at the next free moment, which is no later; but then v comes
// before u, and so does its pop. So all is consistent, and as little as possible is inside: what
// found the deque empty may be at any moment free at both ends at which no value is inside by the
// windows alone.
//
// Values that stay are popped at the end by windows, and two of them are in no order there.
//
// Source: ours.
//
// Invariants: windows only become smaller, and each linearization has its operations in them.
//
// Cost: O(n) a round. Rounds follow chains of values that narrow each other's windows: a few.

import "slices"

// crossing narrows the windows of the values that cross, which it numbers anew.
type crossing struct {
	*deque
	value                      []int32
	insLo, insHi, remLo, remHi []moment
	rounds                     int
}

func newCrossing(d *deque, values []int32) *crossing {
	pick := func(from []moment) []moment {
		out := make([]moment, len(values))
		for k, v := range values {
			out[k] = from[v]
		}
		return out
	}
	return &crossing{deque: d, value: values, insLo: pick(d.insLo), insHi: pick(d.insHi), remLo: pick(d.remLo),
		remHi: pick(d.remHi)}
}

// way is the direction of a value: the end at which it is pushed.
func (x *crossing) way(k int) uint8 { return x.from[x.value[k]] }

func (x *crossing) staying(k int) bool { return x.stays[x.value[k]] }

// narrow narrows the windows as far as possible. If one is empty it returns where.
func (x *crossing) narrow() *dequeConflict {
	if len(x.value) == 0 {
		return nil
	}
	for changed := true; changed; x.rounds++ {
		changed = false
		if k := x.within(&changed); k >= 0 {
			return x.at(k)
		}
		x.later(&changed)
		if k := x.within(&changed); k >= 0 {
			return x.at(k)
		}
		x.earlier(&changed)
	}
	return nil
}

// at tells where value k of the crossing ones has no place.
func (x *crossing) at(k int) *dequeConflict {
	v := x.value[k]
	if x.maybeTaken(v) { // it is its push that comes too late
		return &dequeConflict{lo: x.deque.insLo[v], hi: min(x.deque.insHi[v], x.end)}
	}
	return &dequeConflict{lo: x.deque.insLo[v], hi: x.deque.remHi[v]}
}

// within narrows each window to what the free moments and the value's other one leave of it. It
// returns a value with an empty window, or -1.
func (x *crossing) within(changed *bool) int {
	for k := range x.value {
		in, out := &x.free[x.way(k)], &x.free[1-x.way(k)]
		insLo, remLo, insHi, remHi := x.insLo[k], x.remLo[k], x.insHi[k], x.remHi[k]
		insLo = in.next[min(insLo, x.end)]
		if !x.staying(k) {
			remLo = out.next[min(max(remLo, insLo), x.end)]
			remHi = out.previous[min(remHi-1, x.end)] + 1
		}
		if remLo >= remHi {
			return k
		}
		insHi = in.previous[min(insHi, remHi)-1] + 1
		if insLo >= insHi {
			return k
		}
		if insLo != x.insLo[k] || remLo != x.remLo[k] || insHi != x.insHi[k] || remHi != x.remHi[k] {
			x.insLo[k], x.remLo[k], x.insHi[k], x.remHi[k] = insLo, remLo, insHi, remHi
			*changed = true
		}
	}
	return -1
}

// bounds holds, by moment, the strictest of the bounds that count there: the greatest of those up
// to it, or the least of those from it on.
type bounds []moment

func (b bounds) atLeast(g, bound moment) { b[g] = max(b[g], bound) }
func (b bounds) atMost(g, bound moment)  { b[g] = min(b[g], bound) }

func (b bounds) ascend() {
	for g := 1; g < len(b); g++ {
		b[g] = max(b[g], b[g-1])
	}
}

func (b bounds) descend() {
	for g := len(b) - 2; g >= 0; g-- {
		b[g] = min(b[g], b[g+1])
	}
}

// table makes bounds for both directions.
func (x *crossing) table(strictest moment) [ends]bounds {
	var out [ends]bounds
	for d := range out {
		out[d] = slices.Repeat(bounds{strictest}, int(x.end)+2)
	}
	return out
}

// later raises the beginnings of windows for what must come before.
func (x *crossing) later(changed *bool) {
	// by what ends: pushes, pops, pushes of values that do not stay
	afterPush, afterPop, opposite, leaving := x.table(-1), x.table(-1), x.table(-1), x.table(-1)
	for k := range x.value {
		d := x.way(k)
		afterPush[d].atLeast(x.insHi[k], x.remLo[k])
		afterPop[d].atLeast(x.remHi[k], x.insLo[k])
		opposite[d].atLeast(x.insHi[k], x.remLo[k])
		if !x.staying(k) {
			leaving[d].atLeast(x.insHi[k], x.remLo[k])
		}
	}
	for _, t := range [...][ends]bounds{afterPush, afterPop, opposite, leaving} {
		for d := range t {
			t[d].ascend()
		}
	}
	for k := range x.value {
		d := x.way(k)
		other := opposite[1-d]
		if x.staying(k) {
			other = leaving[1-d]
		}
		insLo := max(x.insLo[k], afterPop[d][x.remLo[k]], other[x.remLo[k]])
		remLo := max(x.remLo[k], afterPush[d][x.insLo[k]])
		if insLo > x.insLo[k] || remLo > x.remLo[k] {
			x.insLo[k], x.remLo[k] = insLo, remLo
			*changed = true
		}
	}
}

// earlier lowers the ends of windows for what must come after.
func (x *crossing) earlier(changed *bool) {
	// by what begins: pushes, pops, pops of values that do not stay
	beforePush, beforePop, opposite, leaving := x.table(x.end+1), x.table(x.end+1), x.table(x.end+1), x.table(x.end+1)
	for k := range x.value {
		d := x.way(k)
		beforePush[d].atMost(x.insLo[k], x.remHi[k])
		beforePop[d].atMost(x.remLo[k], x.insHi[k])
		opposite[d].atMost(x.remLo[k], x.insHi[k])
		if !x.staying(k) {
			leaving[d].atMost(x.remLo[k], x.insHi[k])
		}
	}
	for _, t := range [...][ends]bounds{beforePush, beforePop, opposite, leaving} {
		for d := range t {
			t[d].descend()
		}
	}
	for k := range x.value {
		d := x.way(k)
		other := opposite[1-d]
		if x.staying(k) {
			other = leaving[1-d]
		}
		insHi := min(x.insHi[k], beforePop[d][x.remHi[k]])
		remHi := min(x.remHi[k], beforePush[d][x.insHi[k]], other[x.insHi[k]])
		if insHi < x.insHi[k] || remHi < x.remHi[k] {
			x.insHi[k], x.remHi[k] = insHi, remHi
			*changed = true
		}
	}
}

// placeEmpties chooses for each empty result the first moment that is free at both ends and at
// which no value that crosses is inside, or says where there is none.
func (x *crossing) placeEmpties() (at []moment, no *dequeConflict) {
	if len(x.emptyOp) == 0 {
		return nil, nil
	}
	cover := make([]int32, x.end+2)
	for k := range x.value {
		if x.insHi[k] < x.remLo[k] {
			cover[x.insHi[k]]++
			cover[x.remLo[k]]--
		}
	}
	next := make([]moment, x.end+1)
	for g := moment(1); g <= x.end; g++ {
		cover[g] += cover[g-1]
	}
	last := x.end
	for g := x.end; g >= 0; g-- {
		if cover[g] == 0 && x.free[atFront].next[g] == g && x.free[atBack].next[g] == g {
			last = g
		}
		next[g] = last
	}
	at = make([]moment, len(x.emptyOp))
	for e := range at {
		if at[e] = next[x.emptyLo[e]]; at[e] >= x.emptyHi[e] {
			return nil, &dequeConflict{lo: x.emptyLo[e], hi: x.emptyHi[e]}
		}
	}
	return at, nil
}
