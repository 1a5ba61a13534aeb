package search

// What: decides quasi-linearizability under slots, for any specification with classes and any
// factor, by depth-first search with an explicit stack.
//
// Source: Wing and Gong (JPDC'93) with Lowe's memo for ρ′; the debts between ρ′ and ρ″ are ours,
// from the definition of slots (Round-Up, Algorithms 1 and 2) and the exchange argument that
// contents of equal effect can be matched in sorted order.
//
// A move linearizes the next operation of ρ′; its class has one more place then, which some content
// of the class fills: applied to the machine, it is the next operation of ρ″. A content can be
// applied when its operation is linearized, after it (owed) or before it (early), by at most the
// bound of the class (slots_moves.go). Drains are removals that come after everything else; how
// many there are follows from the pending operations that were included, so the first drain ends
// the choice. With causality an unknown removal is told what it takes when it is linearized, since
// that must be in the object in ρ′ then, and it takes the same in ρ″.
//
// Accepted: all completed operations are linearized, nothing is owed or early, nothing is left to
// drain.
//
//	slots_layout.go    the part, its classes of places, its contents
//	slots_moves.go     the configuration, made and undone
//	slots_children.go  the moves, in order
//	slots_prune.go     debts that cannot be settled in time
//	slots_shelf.go     what a collection holds, for that
//	slots_ranks.go     places that a value can leave at
//	slots_classes.go   the same under the classes meaning, for small parts
//	slots_memo.go      configurations visited before, with dominance
//
// Invariants: in every group as many contents are owed as are early; r.trail makes the
// configuration from the first one; the moves of the frames lie on top of each other.
//
// Cost: exponential at worst; with n operations of which w are open and a bound K there are at most
// about n·2^w·(w+K)^2K keys per state. Priority queues, whose insertions commute, stay near n.

import (
	"context"
	"math"

	"github.com/linsat/linsat/internal/engine"
)

type slotRun struct {
	budget
	transitions
	*ledger
	memo   slotMemo
	frames []slotFrame
	// appends the moves that linearize v, which turns out to have a content
	add   func(v, turns int32)
	moves []slotMove
	nodes int64

	ready     []int32
	stamp     int32
	stamps    []int32 // by kind
	epoch     int32
	epochs    []int32 // by kind
	scratch   []int32
	keyBuffer []int32
	deadlines []int32
}

// slotFrame is a configuration whose moves are being tried.
type slotFrame struct {
	mark  int   // length of the trail
	first int   // its moves in slotRun.moves, to the end
	next  int   // the move in work
	succ  int32 // next of the states that it may leave
}

// slots decides a part under the slots meaning.
func (e *Engine) slots(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	return e.relaxed(ctx, p, m, func(r *slotRun) (outcome, func() (before, after []int32, drains int)) {
		return r.search(), r.orders
	})
}

// relaxed decides a part under a factor by a search that is given.
func (e *Engine) relaxed(ctx context.Context, p *engine.Problem, m *engine.Budget, search func(r *slotRun) (outcome, func() (before, after []int32, drains int))) (engine.Answer, error) {
	switch {
	case p.Instance.Class == nil:
		return engine.Answer{Cause: engine.Unsupported, Detail: "the specification has no classes"}, nil
	case p.Quasi.Causal && p.Instance.ItemDelta == nil:
		return engine.Answer{Cause: engine.Unsupported, Detail: "causality is only known where something is stored"}, nil
	}
	b := budget{ctx: ctx, meter: m, limit: math.MaxInt64}
	if !b.look() || !b.grow(slotBytes(p.Instance.Partition.Len(), len(p.Instance.Partition.Edges))) {
		b.close()
		return engine.Answer{Cause: b.cause}, nil
	}
	l, err := newSlotLayout(p.Instance, p.Quasi)
	if err != nil {
		b.close()
		return engine.Answer{}, err
	}
	if l.lacking() {
		b.close()
		return engine.Answer{Verdict: engine.NotLinearizable}, nil
	}
	r := newSlotRun(l, b)
	outcome, orders := search(r)
	r.close()
	answer := engine.Answer{Effort: engine.Effort{Steps: r.steps, States: int64(r.top) + 1, Nodes: r.nodes}}
	switch outcome {
	case found:
		answer.Verdict = engine.Linearizable
		answer.Witness, answer.Rearranged, answer.Drains = orders()
	case failed:
		answer.Verdict = engine.NotLinearizable
	default:
		answer.Cause = r.cause
	}
	return answer, nil
}

func newSlotRun(l *slotLayout, b budget) *slotRun {
	r := &slotRun{budget: b, transitions: newTransitions(l.bound.NewMachine(), l.kind), ledger: newLedger(l),
		stamps: make([]int32, len(l.sample)), epochs: make([]int32, len(l.sample))}
	r.state, r.add = r.machine.Init(), r.fill
	r.footprint = func() int64 {
		return r.machine.Bytes() + r.transitions.bytes() + r.memo.bytes() + int64(cap(r.moves))*24 + int64(cap(r.frames))*32 + int64(cap(r.trail))*64
	}
	return r
}

// search runs to the end.
func (r *slotRun) search() outcome {
	o := r.enter()
	for o == opened || o == failed && len(r.frames) > 0 {
		if o == failed && len(r.trail) > r.frames[len(r.frames)-1].mark {
			r.undo()
		}
		o = r.proceed()
	}
	return o
}

// enter visits the configuration at hand.
func (r *slotRun) enter() outcome {
	r.nodes++
	if r.byReturn.next[r.n] == r.n && r.debts == 0 && r.leftover() < 0 {
		return found
	}
	if r.hopeless() || r.memo.visited(r.key()) {
		return failed
	}
	r.frames = append(r.frames, slotFrame{mark: len(r.trail), first: len(r.moves), next: len(r.moves)})
	if !r.children() {
		return gaveUp
	}
	return opened
}

// proceed makes the next move of the frame on top, or ends the frame if none is left.
func (r *slotRun) proceed() outcome {
	f := &r.frames[len(r.frames)-1]
	for ; f.next < len(r.moves); f.next, f.succ = f.next+1, 0 {
		m := r.moves[f.next]
		if f.succ == 0 && !r.step() {
			return gaveUp
		}
		code := r.lookup(r.state, r.sample[m.fill])
		for {
			t, ok := r.transitions.next(code, f.succ)
			if !ok {
				break
			}
			f.succ++
			if op := r.sample[m.fill]; op >= r.n && t == r.state && r.drains[r.object[op]] == op {
				continue // a drain takes something
			}
			r.make(m, t)
			return r.enter()
		}
	}
	r.moves = r.moves[:f.first]
	r.frames = r.frames[:len(r.frames)-1]
	return failed
}

// orders returns ρ′, ρ″ and the number of drains. The i-th content of a kind in ρ″ is that of the
// i-th operation of that kind in ρ′.
func (r *slotRun) orders() (before, after []int32, drains int) {
	of := make(map[int32][]int32, len(r.sample))
	for _, s := range r.trail {
		v := s.op
		if v >= r.n {
			v = r.n + int32(drains)
			drains++
		}
		before = append(before, v)
		of[s.turns] = append(of[s.turns], v)
	}
	for _, s := range r.trail {
		after = append(after, of[s.fill][0])
		of[s.fill] = of[s.fill][1:]
	}
	return before, after, drains
}
