package monitor

// Many pending pops of a deque: what they took is found out in one place after the other.
//
// What: the deque is decided. If that is refuted, by some values alone, these are decided with the
// pending pops, whichever of these took them (deque_pending.go). If they are refuted so, the deque
// is. Else that tells what some pops took, and the deque is decided again. Rather than from these
// values alone it is told by all around them, or where that takes too long by the values of the
// last conflicts. It is undecided when nothing changes any more, or after some rounds.
//
// Source: ours.
//
// Invariants: no pop takes two values; a refutation does not depend on what pops are assumed to
// have taken.
//
// Cost: a decision of the whole for each round, of which there are little more than pending pops.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// byParts decides the deque, or leaves it Unknown, whatever was assigned until then.
func (d *deque) byParts(ctx context.Context, b *model.Instance) engine.Answer {
	var recent [][]dequeItem      // values named last
	met := map[[2]dequeItem]int{} // how often what is first and last of a core was met
	for !d.spent() {
		witness, no, ok := d.decide(ctx, true)
		switch {
		case !ok:
			return engine.Answer{}
		case no == nil:
			return engine.Answer{Verdict: engine.Linearizable, Witness: witness}
		}
		values, empties := d.conflictCore(ctx, no)
		core := items(values, empties)
		at := [2]dequeItem{core[0], core[len(core)-1]}
		if met[at]++; met[at] > sameCore {
			break
		}
		known := d.choose(ctx, core, anyPop, dequeTries)
		if !known.yes && known.complete {
			return known.refutation(b, func(v int32) int32 { return values[v] })
		}
		lo, hi := d.bounds(core)
		wide := items(d.around(ctx, lo, hi))
		if recent = append(recent, core); len(recent) > recentCores {
			recent = recent[1:]
		}
		last := slices.Concat(recent...)
		last = inorder.Distinct(last)
		better := d.choose(ctx, wide, otherPop, fewTries)
		for _, try := range [...]struct {
			items []dequeItem
			pops  which
		}{{wide, ownPop}, {last, ownPop}, {last, anyPop}} {
			if !better.yes {
				better = d.choose(ctx, try.items, try.pops, fewTries)
			}
		}
		if better.yes {
			known = better
		}
		if !known.yes || !d.adopt(known) {
			break
		}
	}
	return engine.Answer{}
}

// spent reports whether nothing more should be tried.
func (d *deque) spent() bool { return *d.work > dequeWork+dequeWorkEach*len(d.back) }

// dequeItem is a value, or as -1-e an operation that found the deque empty, by its position in
// emptyOp.
type dequeItem int32

// emptyAt returns the position in emptyOp of what is no value.
func (i dequeItem) emptyAt() int { return int(-1 - i) }

// items lists values and operations that found nothing.
func items(values []int32, empties []int) []dequeItem {
	out := make([]dequeItem, 0, len(values)+len(empties))
	for _, v := range values {
		out = append(out, dequeItem(v))
	}
	for _, e := range empties {
		out = append(out, dequeItem(-1-e))
	}
	return out
}

// bounds returns the moments from the first to the last at which something must be done about the
// items.
func (d *deque) bounds(items []dequeItem) (lo, hi moment) {
	lo = d.end
	for _, i := range items {
		if i < 0 {
			lo, hi = min(lo, d.emptyLo[i.emptyAt()]), max(hi, d.emptyHi[i.emptyAt()])
			continue
		}
		lo = min(lo, d.insLo[i])
		for _, g := range [...]moment{d.insHi[i], d.remHi[i]} {
			if g <= d.end {
				hi = max(hi, g)
			}
		}
	}
	return lo, hi
}

// choice is a decision about some values with pending pops that may have taken them.
type choice struct {
	*takers
	yes    bool
	values []int32 // of the deque, by number
	pops   []int   // of the deque, by number
}

// which says which pending pops may take the values of a choice.
type which uint8

const (
	otherPop which = iota // those that took nothing; what took something keeps it
	ownPop                // besides, those that took one of these values
	anyPop
)

// choose decides about some values, in so many tries.
func (d *deque) choose(ctx context.Context, items []dequeItem, pops which, tries int) choice {
	own, moved := d.onlyWith(items)
	c := choice{takers: newTakers(own)}
	c.limit = tries
	for _, i := range items {
		if i >= 0 {
			c.values = append(c.values, int32(i))
		}
	}
	open := int32(0) // values that a pending pop may take
	mine := map[history.OpID]bool{}
	for v := range own.ins {
		if pops != otherPop {
			mine[own.rem[v]] = true
			own.take(int32(v), -1)
		}
		if own.stays[v] {
			open++
		}
	}
	taken := map[history.OpID]bool{}
	for _, v := range d.values {
		if d.maybeTaken(v) && !d.stays[v] {
			taken[d.rem[v]] = true
		}
	}
	type kind struct {
		lo moment
		at uint8
	}
	alike := map[kind]int32{}
	for p, i := range d.pendOp {
		k := kind{moved(d.pendLo[p]), edge(d.back[i])}
		if k.lo == own.end || alike[k] == open || pops != anyPop && taken[i] && !mine[i] {
			continue
		}
		alike[k]++
		own.pendOp, own.pendLo = append(own.pendOp, i), append(own.pendLo, k.lo)
		c.pops = append(c.pops, p)
	}
	c.used = make([]bool, len(own.pendOp))
	c.yes = c.try(ctx)
	return c
}

// adopt lets pending pops take the values that they took in a choice, and nothing else of these. It
// reports whether anything is new.
func (d *deque) adopt(c choice) (changed bool) {
	place := map[history.OpID]int{} // of pending pops, by operation
	for p, i := range d.pendOp {
		place[i] = p
	}
	by := map[history.OpID]int32{} // operation → value
	for k, v := range c.values {
		if !c.deque.stays[k] && c.deque.maybeTaken(int32(k)) {
			by[c.deque.rem[k]] = v
		}
	}
	for _, v := range d.values {
		if other, stolen := by[d.rem[v]]; stolen && other != v {
			d.take(v, -1)
			changed = true
		}
	}
	for k, v := range c.values {
		if !d.maybeTaken(v) || d.rem[v] == c.deque.rem[k] {
			continue
		}
		changed = true
		if c.deque.stays[k] {
			d.take(v, -1)
		} else {
			d.take(v, place[c.deque.rem[k]])
		}
	}
	return changed
}
