package oracle

import (
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// Kept is an operation of a collection among others of which nothing is known.
type Kept struct {
	Op      history.OpID
	Counts  bool // what it removes is not among the values that are kept, or nothing
	Unknown bool // it may remove what is not kept, too
	Pending bool
}

// Among reports whether what is kept of a collection can be rearranged among other operations:
// there is an order ρ′ of what is kept in which before holds, in which each removal has a place, in
// this order, and everything else stands between two places; each removal has a slot, at most the
// bound from its place, and what is left over has slots from the bound before the end on; and the
// specification accepts the sequence by slots of what is about the values that are kept, in which
// all else stands where it stood, or, under classes, in its order anywhere. Places are up to so
// many as can matter. The removals at each end of a deque have places and slots of their own, and
// everything stands between two places of either. The partition has one object, which is empty at
// the start.
func Among(b *model.Instance, relax quasi.Question, kept []Kept, before func(x, y history.OpID) bool) bool {
	a := &amongOthers{q: ask(b), relax: relax, before: before}
	a.machine = a.q.b.NewMachine()
	a.removal, a.end = make([]bool, b.Partition.Len()), make([]int, b.Partition.Len())
	for i := range a.removal {
		a.removal[i] = kind(a.q.b, history.OpID(i)) == "removals"
		if strings.HasSuffix(b.Spec.Info().Classes[b.Class[i]].Name, "-back") {
			a.end[i] = 1
		}
	}
	all := 1 << len(kept)
	for set := range all {
		a.kept = nil
		ok := true
		for k, x := range kept {
			if set>>k&1 == 1 {
				a.kept = append(a.kept, x)
			} else {
				ok = ok && x.Pending
			}
		}
		if ok && (len(a.kept) == 0 || a.order(nil)) {
			return true
		}
	}
	return false
}

type amongOthers struct {
	q       *question
	relax   quasi.Question
	machine model.Machine
	removal []bool // by operation
	end     []int  // by operation: 1 at the back of a deque
	before  func(x, y history.OpID) bool
	kept    []Kept

	sequence []Kept // ρ′
	place    []ends // by position in ρ′: the place of a removal, or the last place before
	drains   int
	last     ends // no slot comes after it
}

// ends are numbers for each end, of which only a deque has a second.
type ends [2]int

func (a *amongOthers) removes(x Kept) bool { return a.removal[x.Op] }

// order tries all ρ′ that begin with so.
func (a *amongOthers) order(so []Kept) bool {
	if len(so) == len(a.kept) {
		a.sequence = so
		removals, least, most := ends{}, 0, 0 // what is left over: unknown removals may take it
		for _, x := range so {
			switch o := a.q.b.Partition.Ops[x.Op]; {
			case !a.removes(x):
				if kind(a.q.b, x.Op) == "insertions" {
					least, most = least+1, most+1
				}
				continue
			case x.Counts:
			case x.Unknown:
				least--
			case o.Result != history.Nil:
				least, most = least-1, most-1
			}
			removals[a.end[x.Op]]++
		}
		if !a.relax.Drain {
			least, most = 0, 0
		}
		for a.drains = max(0, least); a.drains <= most; a.drains++ {
			a.last = ends{2*removals[0] + a.drains + 1, 2*removals[1] + min(1, removals[1])}
			if a.places(nil, ends{}) {
				return true
			}
		}
		return false
	}
next:
	for _, x := range a.kept {
		if slices.Contains(so, x) {
			continue
		}
		for _, y := range a.kept {
			if y != x && a.before(y.Op, x.Op) && !y.Pending && !slices.Contains(so, y) {
				continue next
			}
		}
		if a.order(append(slices.Clone(so), x)) {
			return true
		}
	}
	return false
}

// places tries all places from the next position of ρ′ on; at are the last ones so far.
func (a *amongOthers) places(so []ends, at ends) bool {
	if len(so) == len(a.sequence) {
		a.place = so
		return a.fill(ends{1, 1}, 0, 0, 0, []model.State{a.machine.Init()})
	}
	from := at
	if x := a.sequence[len(so)]; a.removes(x) {
		from[a.end[x.Op]]++
	}
	for p := from[0]; p <= a.last[0]; p++ {
		for q := from[1]; q <= a.last[1]; q++ {
			if a.places(append(slices.Clone(so), ends{p, q}), ends{p, q}) {
				return true
			}
		}
	}
	return false
}

// fill tries to fill the slots from these on. done are the operations that have been placed, as a
// set, put how many others than removals, in the order of ρ′, and drained how many drains.
func (a *amongOthers) fill(slot ends, done uint64, put, drained int, states []model.State) bool {
	if len(states) == 0 {
		return false
	}
	over := slot[0] > a.last[0] && slot[1] > a.last[1]
	// what comes before these slots
	for k, x := range a.sequence {
		if a.removes(x) || done>>k&1 == 1 {
			continue
		}
		if a.place[k][0] < slot[0] && a.place[k][1] < slot[1] || over || a.relax.Meaning == quasi.Classes {
			if a.fill(slot, done|1<<k, put+1, drained, advance(a.machine, states, x.Op)) {
				return true
			}
		}
		break
	}
	if over {
		return done == 1<<len(a.sequence)-1 && drained == a.drains && a.empty(states)
	}
	for e := range slot {
		if slot[e] <= a.last[e] && a.next(e, slot, done) && a.fillOne(e, slot, done, put, drained, states) {
			return true
		}
	}
	return false
}

// next reports whether the next slot of an end may come now: all slots of the other end, and all
// that does not move, have come that come before this place.
func (a *amongOthers) next(e int, slot ends, done uint64) bool {
	if a.relax.Meaning == quasi.Classes {
		return true
	}
	for k, x := range a.sequence {
		at := a.place[k]
		switch here := a.removes(x) && a.end[x.Op] == e; {
		case at[e] > slot[e] || at[e] == slot[e] && !here:
		case at[1-e] >= slot[1-e], !a.removes(x) && done>>k&1 == 0:
			return false
		}
	}
	return true
}

// fillOne tries to fill the next slot of an end, and those after it.
func (a *amongOthers) fillOne(e int, slot ends, done uint64, put, drained int, states []model.State) bool {
	at, last := slot[e], 0
	if slot[e]++; a.fill(slot, done, put, drained, states) {
		return true
	}
	bound := a.bound(e)
	for k, x := range a.sequence {
		last = max(last, a.place[k][e])
		if d := at - a.place[k][e]; !a.removes(x) || a.end[x.Op] != e || done>>k&1 == 1 || max(d, -d) > bound {
			continue
		}
		next := states
		if o := a.q.b.Partition.Ops[x.Op]; !x.Counts && x.Unknown {
			at := site{o.Key, o.F}
			for _, op := range append(slices.Clone(a.q.values[at]), a.q.nothing[at]) {
				next = append(slices.Clone(next), advance(a.machine, states, op)...)
			}
		} else if !x.Counts {
			next = advance(a.machine, states, x.Op)
		}
		if a.fill(slot, done|1<<k, put, drained, next) {
			return true
		}
	}
	if e == 0 && drained < a.drains && at >= last+1-bound {
		var next []model.State
		drain := a.q.b.Partition.History.Values.String(a.q.drain)
		for _, op := range a.q.values[site{a.sequence[0].key(a.q), drain}] {
			next = append(next, advance(a.machine, states, op)...)
		}
		return a.fill(slot, done, put, drained+1, next)
	}
	return false
}

func (x Kept) key(q *question) history.Value { return q.b.Partition.Ops[x.Op].Key }

// bound is that of the removals at an end.
func (a *amongOthers) bound(e int) int {
	for _, x := range a.sequence {
		if c := a.q.b.Class[x.Op]; a.removes(x) && a.end[x.Op] == e && int(c) < len(a.relax.Factor) {
			return int(min(a.relax.Factor[c], 1<<20))
		}
	}
	return int(min(a.relax.Factor[a.q.drained], 1<<20))
}

// empty reports whether some state holds nothing, or nothing is drained.
func (a *amongOthers) empty(states []model.State) bool {
	if !a.relax.Drain {
		return true
	}
	nothing := a.q.nothing[site{a.sequence[0].key(a.q), a.q.b.Partition.History.Values.String(a.q.drain)}]
	return len(advance(a.machine, states, nothing)) > 0
}
