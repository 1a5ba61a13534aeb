package monitor

// Few values of a deque that are not linearizable alone.
//
// What: without all operations on some values, and without some empty results, a linearizable
// history remains one. So from the place of a conflict on, more and more values around it are taken
// until they are refuted alone, and then as many as possible are left out again, in halves,
// quarters and so on. What remains is proved by trying all orders.
//
// Cost: O(n) for each width, and a decision of those that are left for each attempt to leave some
// out, within blockingSteps.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// conflictCore returns values and empty results (by position in emptyOp) that are refuted alone.
func (d *deque) conflictCore(ctx context.Context, no *dequeConflict) (values []int32, empties []int) {
	values = no.values
	if values == nil {
		values, empties = d.around(ctx, no.lo, no.hi)
	}
	items := items(values, empties)
	steps := 0
	for size := (len(items) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(items) && steps < blockingSteps; {
			rest := slices.Delete(slices.Clone(items), at, min(at+size, len(items)))
			steps += len(rest)
			if d.refuted(ctx, rest) {
				items = rest
			} else {
				at += size
			}
		}
	}
	values, empties = values[:0:0], empties[:0:0]
	for _, i := range items {
		if i >= 0 {
			values = append(values, int32(i))
		} else {
			empties = append(empties, i.emptyAt())
		}
	}
	return values, empties
}

// around returns the values and empty results that are there at some moment around [lo, hi), as far
// around as it takes for them to be refuted.
func (d *deque) around(ctx context.Context, lo, hi moment) (values []int32, empties []int) {
	for width := moment(0); ; width = 2*width + 1 {
		values, empties = nil, nil
		for _, v := range d.values {
			if d.insLo[v] < hi+width && d.remHi[v] > lo-width {
				values = append(values, v)
			}
		}
		for e := range d.emptyOp {
			if d.emptyLo[e] < hi+width && d.emptyHi[e] > lo-width {
				empties = append(empties, e)
			}
		}
		if width > d.end || d.refuted(ctx, items(values, empties)) {
			return values, empties
		}
	}
}

// refuted reports whether values and empty results are refuted alone.
func (d *deque) refuted(ctx context.Context, items []dequeItem) bool {
	_, no, ok := d.only(items).decide(ctx, false)
	return ok && no != nil
}

// only returns the deque with some of its values and empty results, and without pending pops that
// took nothing. Values are numbered anew. Only the last moments of operations are left: nothing has
// to take effect earlier than the first of them that is open.
func (d *deque) only(items []dequeItem) *deque {
	own, _ := d.onlyWith(items)
	return own
}

// onlyWith is only, and tells what moment becomes of one at which an operation begins.
func (d *deque) onlyWith(items []dequeItem) (own *deque, moved func(g moment) moment) {
	c := &collected{theory: d.theory, end: d.end}
	last := []moment{d.end}
	ends := func(hi ...moment) {
		for _, g := range hi {
			if g <= d.end {
				last = append(last, g-1)
			}
		}
	}
	for _, i := range items {
		if i < 0 {
			ends(d.emptyHi[i.emptyAt()])
			continue
		}
		ends(d.insHi[i], d.remHi[i])
		ends(d.peekHi[d.peekFrom[i]:d.peekFrom[i+1]]...)
	}
	last = inorder.Distinct(last)
	moved = func(g moment) moment { k, _ := slices.BinarySearch(last, g); return moment(k) }
	c.end = moved(d.end)
	until := func(hi moment) moment {
		if hi > d.end {
			return c.end + 1
		}
		return moved(hi)
	}
	c.peekFrom = append(c.peekFrom, 0)
	for _, i := range items {
		if i < 0 {
			e := i.emptyAt()
			c.emptyOp, c.emptyLo, c.emptyHi = append(c.emptyOp, d.emptyOp[e]), append(c.emptyLo, moved(d.emptyLo[e])),
				append(c.emptyHi, moved(d.emptyHi[e]))
			continue
		}
		c.values = append(c.values, int32(len(c.ins)))
		c.ins, c.rem = append(c.ins, d.ins[i]), append(c.rem, d.rem[i])
		c.insLo, c.insHi = append(c.insLo, moved(d.insLo[i])), append(c.insHi, until(d.insHi[i]))
		c.remLo, c.remHi = append(c.remLo, moved(d.remLo[i])), append(c.remHi, until(d.remHi[i]))
		for k := d.peekFrom[i]; k < d.peekFrom[i+1]; k++ {
			c.peekOp, c.peekLo, c.peekHi = append(c.peekOp, d.peekOp[k]), append(c.peekLo, moved(d.peekLo[k])),
				append(c.peekHi, until(d.peekHi[k]))
		}
		c.peekFrom = append(c.peekFrom, int32(len(c.peekOp)))
	}
	return newDeque(c, d.back, d.work), moved
}

// onlyValues proves that a part is refuted by some values and some operations that found the deque
// empty. Initial values stay.
func onlyValues(b *model.Instance, values []int32, empties []history.OpID) *proof.Exhaustion {
	moves := b.Contents()
	keep := map[int32]bool{model.Anything: true}
	for _, v := range slices.Concat(values, moves.Initial[0]) {
		keep[v] = true
	}
	w := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
	for i, v := range moves.Value {
		if !keep[v] {
			w.Retain[i] = proof.RetainNothing
		}
	}
	for _, i := range empties {
		w.Retain[i] = proof.RetainAll
	}
	return &proof.Exhaustion{Weakening: w, Cases: dequeCases}
}
