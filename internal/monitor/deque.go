package monitor

// Double-ended queues with distinct values.
//
// What: picture the contents as a strip of which one edge is the front, the other one the back, and
// time runs along both. A value that is pushed and popped at one end is an arc over that edge; one
// that is pushed at one end and popped at the other crosses the strip. A sequence is legal exactly
// if these lines do not meet. So arcs at one edge are a stack, and have nothing to do with those at
// the other. A crossing value is pushed and popped where no arc is over that place of the edge;
// crossing values of one direction are a queue; of two with different directions one is gone before
// the other is pushed. A value that stays crosses at the end of time; those that stay do not hinder
// each other there.
//
// How: arcs are decided as two stacks (stack.go). At a moment at which no arc over an edge is
// certain, the stack can be empty, whatever is chosen elsewhere (empties.go). So crossing values
// have only such moments, the free ones of each edge, and otherwise are independent of the stacks:
// deque_crossing.go. A pop or a peek that found the deque empty needs a moment that is free at both
// edges and at which no crossing value is certainly inside.
//
// Pending pops: deque_pending.go, deque_parts.go. Refutations name values that are not linearizable
// alone: deque_refute.go.
//
// Unsupported: values inserted twice, unknown results, explicit order, and peeks at values that
// cross, or at another end than that of the arc.
//
// Source: ours. No polynomial algorithm is published. That planar drawings on a cylinder are the
// legal sequences of a deque is by Auer, Bachmaier, Brandenburg, Brunner and Gleißner (Plane
// drawings of queue and deque graphs, GD 2010); intervals of time are not considered there.
//
// Invariants: the history is linearizable exactly if the arcs of both edges are, the windows of the
// crossing values are not empty in the end, and empty results have their moments.
//
// Cost: that of two stacks, O(n log n), and O(n) for each round of narrowing.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// The edges.
const (
	atFront = iota
	atBack
	ends
)

// deque is a history of one deque with distinct values, as far as it is decided. Initial values
// were pushed at the back.
type deque struct {
	*collected
	back  []bool     // by operation: it works at the back
	stays []bool     // by value: nothing removes it
	from  []uint8    // by value: the end at which it is inserted
	to    []uint8    // by value: the end at which it is removed; not from if it stays
	free  [ends]free // moments without a certain arc
	work  *int       // values decided so far, also of parts of it
}

// dequeConflict says why a deque is not linearizable: values that are refuted alone, or else where
// to look for such.
type dequeConflict struct {
	values []int32
	lo, hi moment // moments of what has no place
}

// checkDeque decides one deque.
func checkDeque(ctx context.Context, b *model.Instance, t *model.DequeTheory) engine.Answer {
	if len(b.Partition.Edges) > 0 {
		return engine.Answer{Cause: engine.Unsupported, Detail: "explicit order"}
	}
	d, flaw, reason := readDeque(b.Partition.Ops, t)
	switch {
	case reason == twiceAtStart || reason == twiceInserted:
		return onlyOverdrawn(b, &t.Moves, reason)
	case reason != "":
		return engine.Answer{Cause: engine.Unsupported, Detail: reason}
	case flaw != nil:
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: onlyValues(b, []int32{flaw.Values[0]}, nil)}
	}
	return d.withPending(ctx, b)
}

// readDeque reads a part as collect does: the initial values are a queue that was inserted from the
// front on.
func readDeque(ops []history.Op, t *model.DequeTheory) (d *deque, flaw *proof.CollectionConflict, reason string) {
	c := &collected{theory: &t.Moves}
	if flaw, reason = c.read(ops); flaw == nil && reason == "" {
		flaw = c.clip()
	}
	if flaw != nil || reason != "" {
		return nil, flaw, reason
	}
	d = newDeque(c, t.Back, new(int))
	for v := range c.ins {
		for k := c.peekFrom[v]; k < c.peekFrom[v+1]; k++ {
			if at := edge(d.back[c.peekOp[k]]); d.stays[v] || d.from[v] != at || d.to[v] != at {
				return nil, nil, "a peek at a value that is not inserted and removed at the same end"
			}
		}
	}
	return d, nil, ""
}

func edge(back bool) uint8 {
	if back {
		return atBack
	}
	return atFront
}

func newDeque(c *collected, back []bool, work *int) *deque {
	d := &deque{collected: c, back: back, work: work, stays: make([]bool, len(c.ins)), from: make([]uint8, len(c.ins)),
		to: make([]uint8, len(c.ins))}
	for _, v := range c.values {
		d.turn(v)
	}
	return d
}

// turn sets the ends of v by its operations.
func (d *deque) turn(v int32) {
	d.from[v] = atBack
	if i := d.ins[v]; i >= 0 {
		d.from[v] = edge(d.back[i])
	}
	if d.stays[v] = d.rem[v] == absent; d.stays[v] {
		d.to[v] = 1 - d.from[v]
	} else {
		d.to[v] = edge(d.back[d.rem[v]])
	}
}

// decide decides with pending pops as they are assigned: it returns a conflict, or nil and, if that
// is wanted, a linearization. ok is false if ctx is done.
func (d *deque) decide(ctx context.Context, wanted bool) (witness []history.OpID, no *dequeConflict, ok bool) {
	*d.work += len(d.values) + 1
	var arcs [ends]*peeler
	var crossing []int32
	for e := range d.free {
		own := *d.collected
		own.values, own.emptyOp, own.pendOp, own.left = nil, nil, nil, nil
		for _, v := range d.values {
			if d.from[v] == uint8(e) && d.to[v] == uint8(e) {
				own.values = append(own.values, v)
			}
		}
		arcs[e] = newPeeler(&own)
		if !arcs[e].run(ctx) {
			return nil, nil, false
		}
		if len(arcs[e].order) < arcs[e].values {
			return nil, &dequeConflict{values: own.blockedSet(arcs[e].stuck())}, true
		}
		d.free[e] = newFree(own.nextFree())
	}
	for _, v := range d.values {
		if d.from[v] != d.to[v] {
			crossing = append(crossing, v)
		}
	}
	x := newCrossing(d, crossing)
	if no := x.narrow(); no != nil {
		return nil, no, true
	}
	empties, no := x.placeEmpties()
	if no != nil || !wanted {
		return nil, no, true
	}
	return x.witness(arcs, empties), nil, true
}

// free lists moments: the first from each one on, the last up to each one or -1.
type free struct{ next, previous []moment }

func newFree(next []moment) free {
	previous := make([]moment, len(next))
	last := moment(-1)
	for g := range next {
		if next[g] == moment(g) {
			last = moment(g)
		}
		previous[g] = last
	}
	return free{next, previous}
}
