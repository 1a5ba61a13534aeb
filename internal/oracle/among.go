package oracle

import (
	"slices"

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
// many as can matter. The partition has one object, which is empty at the start.
func Among(b *model.Instance, relax quasi.Question, kept []Kept, before func(x, y history.OpID) bool) bool {
	a := &amongOthers{q: ask(b), relax: relax, before: before}
	a.machine = a.q.b.NewMachine()
	a.removal = make([]bool, b.Partition.Len())
	for i := range a.removal {
		a.removal[i] = kind(a.q.b, history.OpID(i)) == "removals"
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
	before  func(x, y history.OpID) bool
	kept    []Kept

	sequence []Kept // ρ′
	place    []int  // by position in ρ′: the place of a removal, or the last place before
	drains   int
	last     int // no slot comes after it
}

func (a *amongOthers) removes(x Kept) bool { return a.removal[x.Op] }

// order tries all ρ′ that begin with so.
func (a *amongOthers) order(so []Kept) bool {
	if len(so) == len(a.kept) {
		a.sequence = so
		removals, least, most := 0, 0, 0 // what is left over: unknown removals may take it
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
			removals++
		}
		if !a.relax.Drain {
			least, most = 0, 0
		}
		for a.drains = max(0, least); a.drains <= most; a.drains++ {
			if a.last = 2*removals + a.drains + 1; a.places(nil, 0) {
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

// places tries all places from the next position of ρ′ on; at is the last place so far.
func (a *amongOthers) places(so []int, at int) bool {
	if len(so) == len(a.sequence) {
		a.place = so
		return a.fill(1, 0, 0, 0, []model.State{a.machine.Init()})
	}
	from := at
	if a.removes(a.sequence[len(so)]) {
		from++
	}
	for p := from; p <= a.last; p++ {
		if a.places(append(slices.Clone(so), p), p) {
			return true
		}
	}
	return false
}

// fill tries to fill the slots from this one on. done are the operations that have been placed, as
// a set, put how many others than removals, in the order of ρ′, and drained how many drains.
func (a *amongOthers) fill(slot int, done uint64, put, drained int, states []model.State) bool {
	if len(states) == 0 {
		return false
	}
	end := 0
	if n := len(a.place); n > 0 {
		end = a.place[n-1]
	}
	bound := a.bound()
	// what comes before this slot
	for k, x := range a.sequence {
		if a.removes(x) || done>>k&1 == 1 {
			continue
		}
		must := a.relax.Meaning == quasi.Slots && a.place[k] < slot || slot > a.last
		may := a.relax.Meaning == quasi.Classes
		if must || may {
			if a.fill(slot, done|1<<k, put+1, drained, advance(a.machine, states, x.Op)) {
				return true
			}
			if must {
				return false
			}
		}
		break
	}
	if slot > a.last {
		return done == 1<<len(a.sequence)-1 && drained == a.drains && a.empty(states)
	}
	if a.fill(slot+1, done, put, drained, states) {
		return true
	}
	for k, x := range a.sequence {
		if d := slot - a.place[k]; !a.removes(x) || done>>k&1 == 1 || max(d, -d) > bound {
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
		if a.fill(slot+1, done|1<<k, put, drained, next) {
			return true
		}
	}
	if drained < a.drains && slot >= end+1-bound {
		var next []model.State
		drain := a.q.b.Partition.History.Values.String(a.q.drain)
		for _, op := range a.q.values[site{a.sequence[0].key(a.q), drain}] {
			next = append(next, advance(a.machine, states, op)...)
		}
		return a.fill(slot+1, done, put, drained+1, next)
	}
	return false
}

func (x Kept) key(q *question) history.Value { return q.b.Partition.Ops[x.Op].Key }

// bound is that of the class of removals.
func (a *amongOthers) bound() int {
	for _, x := range a.sequence {
		if c := a.q.b.Class[x.Op]; a.removes(x) && int(c) < len(a.relax.Factor) {
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
