package monitor

// FIFO queues in which values repeat.
//
// What: the i-th value that leaves is the i-th that came in. So there is a slot i for every value
// that leaves, and a linearization gives it an insertion and a removal of equal values. Slots are
// filled one after the other; how long the queue is does not matter. A state says which insertions
// and which operations at the front are used. The completed ones among them are closed under
// precedence, so a state is, for either end, the first return of an unused operation and those of
// the operations open at that return that are used: at most 2^k sets, k operations being open.
//
// Conditions (an insertion u and a removal d are put into the next slot): no unused insertion
// precedes u, and no unused operation at the front precedes d or u. They suffice: order insertions
// by slot, operations at the front by slot, and u before d. Precedence can only form a cycle with
// one edge from a removal back to an insertion, because precedence is an interval order (of two
// such edges one can be skipped), and that cycle is excluded by these conditions.
// An empty result, between two slots, splits all operations into used and unused ones; so no unused
// insertion may precede it or a used operation at the front. A peek belongs to the slot whose value
// it sees.
//
// Choices left out, by exchange: empty results are taken as soon as they can be, and so are peeks
// unless there are empty results, which a later call of a used operation can make impossible. Of
// the insertions of a value that can fill a slot, the one that returns first does; of the removals,
// too, unless there are empty results and another was called earlier. Operations that never return
// are used in the order of their calls, and after those that return.
//
// Source: ours. fptlin (PLDI 2026) decides complete histories of queues in fixed-parameter time,
// too.
//
// Unsupported: completed operations whose result is unknown, more than 64 operations open at one
// end.
//
// Invariants: no two operations of the chain of either end contradict precedence; no state is
// entered twice.
//
// Cost: O(n·k) for preparations; at most n·4^k states with k² moves each, few in practice.

import (
	"cmp"
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/downset"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// repeatedQueue is the search.
type repeatedQueue struct {
	theory *model.CollectionTheory
	ops    []history.Op
	start  []int32 // values at the start, next to leave first

	enter, front *downset.Order
	pendingIn    [][]history.OpID // by value: insertions that never return, by call
	pendingOut   []history.OpID   // removals that never return, by call
	empties      bool
	taken        multisets // of pending insertions, by value

	withPending []int32 // values with such insertions
	epoch       int32
	tried       []int32 // by value: the epoch in which it was offered

	visited []queueState
	numbers layout.Numbering // of visited
	frames  []queueFrame
	moves   []queueMove
	path    []queueMove // one for each frame but the first
}

// queueState is what is used between two slots.
type queueState struct {
	enter, front downset.Set
	start        int32      // values of the start
	pendingIn    multisetID // number of the multiset of values
	pendingOut   int32
}

// queueMove fills a slot.
type queueMove struct {
	insertion history.OpID // fromStart for a value of the start
	peeks     int32        // how many see the value
	removal   history.OpID // noRemoval at the end, where only peeks see the value
	next      queueState
}

// What stands for operations in moves.
const (
	fromStart history.OpID = -1
	noRemoval history.OpID = -1
)

type queueFrame struct{ first, next int }

// queueRepeated decides a partition with one queue.
func queueRepeated(ctx context.Context, p *model.Partition, t *model.CollectionTheory, m *engine.Budget) engine.Answer {
	q, reason := newRepeatedQueue(p.Ops, t)
	if q == nil {
		return engine.Answer{Cause: engine.Unsupported, Detail: reason}
	}
	account := engine.Account{Ctx: ctx, Budget: m, Limit: repeatedSteps + repeatedEach*int64(len(q.ops)),
		MostBytes: m.SearchBytes()}
	account.Footprint = q.bytes
	defer account.Close()
	verdict := q.search(&account)
	a := engine.Answer{Verdict: verdict, Effort: engine.Effort{Steps: account.Steps, Nodes: int64(len(q.visited))}}
	switch verdict {
	case engine.Unknown:
		if a.Cause = account.Cause; a.Cause == engine.Steps && m.Left() > 0 {
			a.Cause, a.Detail = engine.Undecided, "too many sets of open operations"
		}
	case engine.Linearizable:
		a.Witness = q.witness()
	case engine.NotLinearizable:
		for _, s := range q.visited {
			a.Reached = max(a.Reached, q.front.First(s.front))
		}
	}
	return a
}

// newRepeatedQueue sorts the operations, or says why it cannot.
func newRepeatedQueue(ops []history.Op, t *model.CollectionTheory) (*repeatedQueue, string) {
	q := &repeatedQueue{theory: t, ops: ops, start: t.Initial[0], taken: newMultisets()}
	q.pendingIn, q.tried = make([][]history.OpID, t.Values), make([]int32, t.Values)
	var enter, front []history.OpID
	for i := range q.ops {
		op, pending := history.OpID(i), q.ops[i].Pending()
		switch {
		case t.Does[i] == model.Aside:
		case t.Does[i] == model.Insert && pending:
			q.pendingIn[t.Value[i]] = append(q.pendingIn[t.Value[i]], op)
		case t.Does[i] == model.Insert:
			enter = append(enter, op)
		case pending:
			if t.Does[i] == model.Remove {
				q.pendingOut = append(q.pendingOut, op)
			}
		case t.Value[i] == model.Anything:
			return nil, "a result is unknown"
		default:
			q.empties = q.empties || t.Value[i] == model.Nothing
			front = append(front, op)
		}
	}
	for v := range q.pendingIn {
		if len(q.pendingIn[v]) > 0 {
			q.withPending = append(q.withPending, int32(v))
		}
	}
	var narrow bool
	if q.enter, narrow = downset.New(q.ops, enter); narrow {
		q.front, narrow = downset.New(q.ops, front)
	}
	if !narrow {
		return nil, "more than 64 operations are open at once"
	}
	return q, ""
}

// bytes estimates what the search keeps.
func (q *repeatedQueue) bytes() int64 {
	return int64(cap(q.visited))*48 + q.numbers.Bytes() + int64(cap(q.moves)+cap(q.path))*64 + int64(cap(q.frames))*16 +
		q.enter.Bytes() + q.front.Bytes()
}

// search runs to the end or to the limits of the account.
func (q *repeatedQueue) search(account *engine.Account) engine.Verdict {
	first := q.settle(queueState{}, nil)
	if q.done(first) {
		return engine.Linearizable
	}
	q.visit(first)
	q.open(first)
	for len(q.frames) > 0 {
		f := &q.frames[len(q.frames)-1]
		q.path = q.path[:len(q.frames)-1]
		if f.next == len(q.moves) {
			q.moves = q.moves[:f.first]
			q.frames = q.frames[:len(q.frames)-1]
			continue
		}
		m := q.moves[f.next]
		f.next++
		if !account.Step() {
			return engine.Unknown
		}
		if q.done(m.next) {
			q.path = append(q.path, m)
			return engine.Linearizable
		}
		if !q.visit(m.next) {
			continue
		}
		q.path = append(q.path, m)
		q.open(m.next)
	}
	return engine.NotLinearizable
}

// visit reports whether a state is entered for the first time.
func (q *repeatedQueue) visit(s queueState) bool {
	n := int32(len(q.visited))
	h := layout.Mix(layout.Mix(0, s.enter.Hash()), s.front.Hash()) // the two are often equal
	h = layout.Mix(h, uint64(uint32(s.start))<<32|uint64(uint32(s.pendingIn)))
	h = layout.Mix(h, uint64(uint32(s.pendingOut)))
	if q.numbers.Find(uint32(h>>32), n, func(k int32) bool { return q.visited[k] == s }) < n {
		return false
	}
	q.visited = append(q.visited, s)
	return true
}

// done reports whether every completed operation at the front is used. Insertions that are left
// over can follow.
func (q *repeatedQueue) done(s queueState) bool { return q.front.All(s.front) }

// open pushes a frame with the moves from s, those whose removal returns first in front.
func (q *repeatedQueue) open(s queueState) {
	from := len(q.moves)
	q.frames = append(q.frames, queueFrame{from, from})
	q.eachInsertion(s, func(op history.OpID, value int32, after queueState) {
		q.eachLook(after.front, value, func(peeks int32, front downset.Set) {
			after.front = front
			if q.done(after) {
				q.moves = append(q.moves, queueMove{op, peeks, noRemoval, after})
				return
			}
			q.eachRemoval(after, value, func(removal history.OpID, next queueState) {
				q.moves = append(q.moves, queueMove{op, peeks, removal, q.settle(next, nil)})
			})
		})
	})
	if len(q.moves)-from > 1 {
		inorder.Sort(q.moves[from:], func(a, b queueMove) int { return cmp.Compare(q.due(a), q.due(b)) })
	}
}

// due returns when the removal of a move returns.
func (q *repeatedQueue) due(m queueMove) history.Rank {
	if m.removal == noRemoval {
		return -1
	}
	return q.ops[m.removal].Return
}

// eachInsertion yields the insertions that can fill the next slot, their values and what is used
// then.
func (q *repeatedQueue) eachInsertion(s queueState, yield func(op history.OpID, value int32, after queueState)) {
	if int(s.start) < len(q.start) {
		after := s
		after.start++
		yield(fromStart, q.start[s.start], after)
		return
	}
	// An insertion called later than this is preceded by an unused operation.
	before := min(q.enter.First(s.enter), q.front.First(s.front))
	q.epoch++
	for _, op := range q.enter.Open(s.enter) { // by return
		value := q.theory.Value[op]
		if q.enter.Has(s.enter, op) || q.ops[op].Call > before || q.tried[value] == q.epoch {
			continue
		}
		q.tried[value] = q.epoch
		after := s
		after.enter = q.enter.Use(s.enter, op)
		yield(op, value, after)
	}
	for _, value := range q.withPending {
		k := q.taken.count(s.pendingIn, value)
		if k == len(q.pendingIn[value]) || q.tried[value] == q.epoch || q.ops[q.pendingIn[value][k]].Call > before {
			continue
		}
		after := s
		after.pendingIn = q.taken.with(s.pendingIn, value)
		yield(q.pendingIn[value][k], value, after)
	}
}

// eachRemoval yields the removals that can take a value next, and what is used then.
func (q *repeatedQueue) eachRemoval(s queueState, value int32, yield func(op history.OpID, after queueState)) {
	before := q.front.First(s.front)
	called := history.Never // the earliest call of a removal that was yielded
	for _, op := range q.front.Open(s.front) {
		if q.theory.Does[op] != model.Remove || q.theory.Value[op] != value || q.front.Has(s.front, op) ||
			q.ops[op].Call > min(before, called) {
			continue
		}
		after := s
		after.front = q.front.Use(s.front, op)
		yield(op, after)
		if !q.empties {
			return
		}
		called = q.ops[op].Call
	}
	if int(s.pendingOut) < len(q.pendingOut) {
		if op := q.pendingOut[s.pendingOut]; q.ops[op].Call < min(before, called) {
			s.pendingOut++
			yield(op, s)
		}
	}
}

// eachLook yields how many peeks may see the value in the next slot, and what is used at the front
// then. Peeks are taken in the order of calls. Without empty results all are taken that can be.
func (q *repeatedQueue) eachLook(front downset.Set, value int32, yield func(peeks int32, after downset.Set)) {
	for peeks := int32(0); ; peeks++ {
		next := q.nextLook(front, value)
		if next < 0 || q.empties {
			yield(peeks, front)
		}
		if next < 0 {
			return
		}
		front = q.front.Use(front, next)
	}
}

// nextLook returns the peek, or the empty result, that can come next at the front and was called
// first, or -1.
func (q *repeatedQueue) nextLook(front downset.Set, value int32) history.OpID {
	best, before := history.OpID(-1), q.front.First(front)
	for _, op := range q.front.Open(front) {
		if q.theory.Value[op] == value && (q.theory.Does[op] == model.Peek || value == model.Nothing) &&
			!q.front.Has(front, op) && q.ops[op].Call < before {
			best, before = op, q.ops[op].Call
		}
	}
	return best
}

// settle uses every empty result that can stand between the used operations and the others, and
// appends them to log unless it is nil.
func (q *repeatedQueue) settle(s queueState, log *[]history.OpID) queueState {
	if !q.empties || int(s.start) < len(q.start) {
		return s
	}
	inserted := q.enter.First(s.enter)
	latest := q.front.LatestCall(s.front)
	if s.pendingOut > 0 {
		latest = max(latest, q.ops[q.pendingOut[s.pendingOut-1]].Call)
	}
	if latest > inserted {
		return s
	}
	for {
		op := q.nextLook(s.front, model.Nothing)
		if op < 0 || q.ops[op].Call > inserted {
			return s
		}
		s.front = q.front.Use(s.front, op)
		if log != nil {
			*log = append(*log, op)
		}
	}
}

// witness returns the linearization of the moves on the path. Insertions come as late as the
// operations at the front allow.
func (q *repeatedQueue) witness() []history.OpID {
	// seat is an operation at the front that comes after the insertions of so many slots.
	type seat struct {
		op    history.OpID
		slots int32
	}
	var seats []seat
	var slots, log []history.OpID
	isUsed := make([]bool, len(q.ops))
	sit := func() {
		for _, op := range log {
			seats = append(seats, seat{op, int32(len(slots))})
		}
		log = log[:0]
	}
	s := q.settle(queueState{}, &log)
	sit()
	for _, m := range q.path {
		value := int32(0)
		if m.insertion == fromStart {
			value = q.start[s.start]
		} else {
			value, isUsed[m.insertion] = q.theory.Value[m.insertion], true
		}
		slots = append(slots, m.insertion)
		front := s.front
		for range m.peeks {
			op := q.nextLook(front, value)
			front = q.front.Use(front, op)
			log = append(log, op)
		}
		if m.removal != noRemoval {
			log = append(log, m.removal)
			if !q.ops[m.removal].Pending() {
				front = q.front.Use(front, m.removal)
			}
		}
		sit()
		s = m.next
		s.front = front
		s = q.settle(s, &log)
		sit()
	}
	for _, op := range q.enter.ByReturn {
		if !isUsed[op] {
			slots = append(slots, op) // left over: nothing removes it
		}
	}
	order := make([]history.OpID, 0, len(q.ops))
	put := 0
	insert := func(upTo int) {
		for ; put < upTo; put++ {
			if slots[put] != fromStart {
				order = append(order, slots[put])
			}
		}
	}
	number := make([]int, len(q.ops)) // by insertion: its slot, from 1
	for k, op := range slots {
		if op != fromStart {
			number[op] = k + 1
		}
	}
	preceding, top := 0, 0 // insertions that return before the call in work, and their latest slot
	for _, x := range seats {
		for ; preceding < len(q.enter.ByReturn) &&
			q.ops[q.enter.ByReturn[preceding]].Return < q.ops[x.op].Call; preceding++ {
			top = max(top, number[q.enter.ByReturn[preceding]])
		}
		insert(max(top, int(x.slots)))
		order = append(order, x.op)
	}
	insert(len(slots))
	return order
}
