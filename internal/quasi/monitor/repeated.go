package monitor

// Quasi-linearizable FIFO queues in which values repeat.
//
// What: only removals may move, and the meaning is slots: ρ″ has the pattern of ρ′, so every place
// of a removal in ρ′ is filled with a content in ρ″. The i-th content that is a value is the i-th
// value inserted. So the search fills one place after the other: it chooses the removal that has
// the place in ρ′, the content that has it in ρ″, and for a value the next insertion. The other
// items in the queue do not matter. A state is the insertions and removals used, which are sets
// closed under precedence (package downset), and the debts: contents of removals that have no place
// yet (owed) and places whose contents belong to no removal yet (early), each with the last place
// at which it can be settled. The i-th removal of a content owns the i-th place with that content,
// since matching sorted sequences in order gives the least displacement.
//
// Conditions: as for a queue without a factor (internal/monitor/queue_repeated.go). No unused
// insertion precedes the next one, and no unused removal precedes the next removal or the next
// insertion. A place at which nothing is found splits all operations: no unused insertion may
// precede a used removal.
//
// Draining: the drains have the last places of ρ′. Their content may be any value.
//
// Choices left out, by exchange: of the possible next insertions of one value, only the one that
// returns first is tried. The same holds for removals, unless there are empty results and another
// removal was called earlier.
//
// Source: ours; debts as in internal/quasi/search.
//
// Operations that never returned: repeated_pending.go.
//
// Invariants: debts are sorted by content and due; no content is both owed and early; each state is
// entered once.
//
// Cost: the states grow exponentially with the operations open at once and with the bound.

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/downset"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/window"
	"github.com/linsat/linsat/quasi"
)

// drained is the content of a drain: any value. Other contents are values and model.Nothing.
const drained int32 = -2

// noInsertion stands for the insertion at a place where nothing is found, and for that of an
// initial value.
const noInsertion history.OpID = -1

// repeated is the search.
type repeated struct {
	theory  *model.CollectionTheory
	ops     []history.Op
	start   []int32
	bound   int32
	places  int32 // removals and drains, but those of pending insertions
	most    int32 // with those
	drains  int32 // at most: pending removals take their share
	crashed       // what never returned

	enter, front *downset.Order
	empties      bool
	left         map[int32]int32 // by content: removals that have no place in ρ″ yet

	debts   [][]debt // by number
	numbers map[string]int32
	visited map[repeatedState]struct{}
	frames  []repeatedFrame
	moves   []repeatedMove
	path    []repeatedMove
	epoch   int32
	tried   []int32 // by value
}

// repeatedState is what is used and owed after a number of places.
type repeatedState struct {
	enter, front downset.Set
	start        history.OpID
	drains       int32  // used ones
	pending      int32  // removals that never returned: used ones
	late         uint64 // insertions that never returned: a hash of the used ones
	debts        int32  // their number
}

// repeatedMove fills the next place.
type repeatedMove struct {
	insertion history.OpID
	removal   history.OpID // -1: a drain
	content   int32
	fewest    int32 // debts after it, and what pending operations count
	next      repeatedState
}

type repeatedFrame struct{ first, next int }

// debt is a content that is owed, or early.
type debt struct {
	content, due int32
	early        bool
}

// decideRepeated decides a partition that is one queue whose removals are bounded.
func decideRepeated(ctx context.Context, p *engine.Task, m *engine.Budget) engine.Answer {
	r := newRepeated(p.Instance, p.Quasi)
	if r == nil {
		return engine.Answer{Cause: engine.Unsupported}
	}
	account := engine.Account{Ctx: ctx, Budget: m, Limit: repeatedSteps + repeatedEach*int64(len(r.ops)),
		MostBytes: m.SearchBytes()}
	account.Footprint = r.bytes
	defer account.Close()
	verdict := r.search(&account)
	a := engine.Answer{Verdict: verdict, Effort: engine.Effort{Steps: account.Steps, Nodes: int64(len(r.visited))}}
	switch {
	case verdict == engine.Linearizable:
		a.Witness, a.Rearranged = r.sequences()
		a.Drains = int(r.drains + r.moreDrains() - r.last().pending)
	case verdict == engine.NotLinearizable && r.some:
		a.Verdict, a.Cause, a.Detail = engine.Unknown, engine.Undecided,
			"refuted without some of what pending operations may do only"
	case verdict == engine.Unknown:
		if a.Cause = account.Cause; a.Cause == engine.Steps && m.Left() > 0 {
			a.Cause, a.Detail = engine.Undecided, "too many sets of open operations"
		}
	}
	return a
}

// newRepeated sorts the operations. It returns nil if the question or the history is not supported.
func newRepeated(b *model.Instance, q *quasi.Question) *repeated {
	bound, ok := window.Bound(b, q)
	if !ok || q.Meaning != quasi.Slots || q.Causal {
		return nil
	}
	t := b.Theory.(*model.CollectionTheory)
	r := &repeated{theory: t, ops: b.Partition.Ops, start: t.Initial[0], bound: bound, left: map[int32]int32{},
		tried: make([]int32, t.Values),
		debts: [][]debt{nil}, numbers: map[string]int32{"": 0}, visited: map[repeatedState]struct{}{}}
	var enter, front []history.OpID
	stays := int32(len(r.start))
	for i := range r.ops {
		op, v := history.OpID(i), t.Value[i]
		switch {
		case t.Does[i] == model.Peek || !r.ops[i].Pending() && v == model.Anything:
			return nil
		case r.ops[i].Pending() && t.Does[i] == model.Remove:
			r.some = true
			r.takers = append(r.takers, op)
		case r.ops[i].Pending():
			r.some = true
			r.noteLate(v, op)
		case t.Does[i] == model.Insert:
			stays++
			enter = append(enter, op)
		default:
			if v == model.Nothing {
				r.empties = true
			} else {
				stays--
			}
			r.left[v]++
			front = append(front, op)
		}
	}
	if r.drain = q.Drain; r.drain {
		r.drains = max(0, stays)
		r.left[drained] = r.drains
	}
	r.places = int32(len(front)) + r.drains
	r.most = r.places
	for _, ops := range r.late {
		if r.drain {
			r.most += int32(len(ops))
		}
	}
	if r.enter, ok = downset.New(r.ops, enter); ok {
		r.front, ok = downset.New(r.ops, front)
	}
	if !ok {
		return nil
	}
	return r
}

// bytes estimates the memory of the search.
func (r *repeated) bytes() int64 {
	return int64(len(r.visited))*100 + int64(len(r.debts))*160 + int64(cap(r.moves)+cap(r.path))*64 +
		int64(cap(r.frames))*16 + r.enter.Bytes() + r.front.Bytes()
}

// search runs to the end or to the limits of the account.
func (r *repeated) search(account *engine.Account) engine.Verdict {
	first := repeatedState{}
	if r.places == 0 {
		return engine.Linearizable
	}
	r.visited[first] = struct{}{}
	r.open(first)
	for len(r.frames) > 0 {
		f := &r.frames[len(r.frames)-1]
		r.back(len(r.frames) - 1)
		if f.next == len(r.moves) {
			r.moves = r.moves[:f.first]
			r.frames = r.frames[:len(r.frames)-1]
			continue
		}
		m := r.moves[f.next]
		f.next++
		if !account.Step() {
			return engine.Unknown
		}
		if _, ok := r.visited[m.next]; ok {
			continue
		}
		r.visited[m.next] = struct{}{}
		r.path = append(r.path, m)
		r.put(m, 1)
		if len(r.path) == int(r.places+r.moreDrains()) && m.next.debts == 0 {
			return engine.Linearizable
		}
		r.open(m.next)
	}
	return engine.NotLinearizable
}

// back undoes moves until n are left.
func (r *repeated) back(n int) {
	for len(r.path) > n {
		r.put(r.path[len(r.path)-1], -1)
		r.path = r.path[:len(r.path)-1]
	}
}

// open pushes a frame with the moves from s: those that leave few debts first, and of these the
// ones whose removal returns first.
func (r *repeated) open(s repeatedState) {
	from := len(r.moves)
	r.frames = append(r.frames, repeatedFrame{from, from})
	place := int32(len(r.path)) + 1
	r.eachRemoval(s, func(removal history.OpID, taken repeatedState) {
		r.eachContent(s, removal, func(insertion history.OpID, content int32, put repeatedState) {
			next := taken
			next.enter, next.start, next.late = put.enter, put.start, put.late
			own := r.content(removal)
			debts, ok := r.settle(r.debts[s.debts], own, content, place)
			if !ok {
				return
			}
			next.debts = r.number(debts)
			r.moves = append(r.moves, repeatedMove{insertion, removal, content, int32(len(debts)) +
				pendingDebts*r.pendingIn(insertion, removal), next})
		})
	})
	inorder.Sort(r.moves[from:], func(a, b repeatedMove) int {
		return cmp.Or(cmp.Compare(a.fewest, b.fewest), cmp.Compare(r.due(a), r.due(b)))
	})
}

// due returns when the removal of a move returns.
func (r *repeated) due(m repeatedMove) history.Rank {
	if m.removal < 0 {
		return history.Never
	}
	return r.ops[m.removal].Return
}

// eachRemoval yields the removals that can have the next place of ρ′, each with the set used then.
func (r *repeated) eachRemoval(s repeatedState, yield func(removal history.OpID, after repeatedState)) {
	if r.front.All(s.front) {
		if s.drains+s.pending < r.drains+r.moreDrains() {
			s.drains++
			yield(-1, s)
		}
		return
	}
	before := r.front.First(s.front)
	open := r.front.Open(s.front)
	if r.mayTake(s, before) {
		after := s
		after.pending++
		yield(r.takers[s.pending], after)
	}
	for k, op := range open { // by return
		if r.ops[op].Call > before || r.front.Has(s.front, op) ||
			slices.ContainsFunc(open[:k], func(o history.OpID) bool {
				return r.theory.Value[o] == r.theory.Value[op] && !r.front.Has(s.front, o) && r.ops[o].Call < before &&
					(!r.empties || r.ops[o].Call < r.ops[op].Call)
			}) {
			continue
		}
		after := s
		after.front = r.front.Use(s.front, op)
		yield(op, after)
	}
}

// eachContent yields the contents that can fill the next place if a removal has it in ρ′, each with
// its insertion and the insertions used afterwards.
func (r *repeated) eachContent(s repeatedState, removal history.OpID, yield func(insertion history.OpID, content int32,
	next repeatedState)) {
	fill := func(insertion history.OpID, value int32, next repeatedState) {
		for _, content := range [...]int32{value, drained} {
			if r.left[content] > 0 || content == drained && r.drain && next.late != s.late {
				yield(insertion, content, next)
			}
		}
	}
	if int(s.start) < len(r.start) {
		next := s
		next.start++
		fill(noInsertion, r.start[s.start], next)
		return
	}
	inserted := r.enter.First(s.enter)
	before := min(inserted, r.front.First(s.front))
	r.epoch++
	for _, op := range r.enter.Open(s.enter) { // by return
		value := r.theory.Value[op]
		if r.enter.Has(s.enter, op) || r.ops[op].Call > before || r.tried[value] == r.epoch {
			continue
		}
		r.tried[value] = r.epoch
		next := s
		next.enter = r.enter.Use(s.enter, op)
		fill(op, value, next)
	}
	r.eachLate(s, before, fill)
	if r.left[model.Nothing] > 0 {
		called := r.front.LatestCall(s.front)
		if s.pending > 0 {
			called = max(called, r.ops[r.takers[s.pending-1]].Call)
		}
		if removal >= 0 {
			called = max(called, r.ops[removal].Call)
		}
		if called < inserted && (removal >= 0 || r.enter.All(s.enter)) {
			yield(noInsertion, model.Nothing, s)
		}
	}
}

// settle returns the debts after a removal whose own content is own has the next place of ρ′, which
// is filled with content; false if they cannot all be settled in time.
func (r *repeated) settle(debts []debt, own, content, place int32) ([]debt, bool) {
	due := place + r.bound
	if r.bound >= r.most || due > r.most {
		due = r.most
	}
	after := change(slices.Clone(debts), debt{own, due, false})
	after = change(after, debt{content, due, true})
	for _, early := range [...]bool{false, true} {
		var dues []int32
		for _, d := range after {
			if d.early == early {
				dues = append(dues, d.due)
			}
		}
		slices.Sort(dues)
		for k, x := range dues {
			if x < place+1+int32(k) {
				return nil, false
			}
		}
	}
	return after, true
}

// change settles the oldest debt of the opposite kind with that content, or adds d.
func change(debts []debt, d debt) []debt {
	for k, x := range debts {
		if x.content == d.content && x.early != d.early {
			return slices.Delete(debts, k, k+1)
		}
	}
	return inorder.Insert(debts, d, func(a, b debt) int {
		return cmp.Or(cmp.Compare(a.content, b.content), cmp.Compare(a.due, b.due))
	})
}

// number returns the number of a list of debts.
func (r *repeated) number(debts []debt) int32 {
	var key []byte
	for _, d := range debts {
		key = binary.AppendVarint(binary.AppendVarint(key, int64(d.content)), int64(d.due))
		if d.early {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	n, ok := r.numbers[string(key)]
	if !ok {
		n = int32(len(r.debts))
		r.numbers[string(key)] = n
		r.debts = append(r.debts, debts)
	}
	return n
}

// sequences returns ρ′ and ρ″ of the moves on the path. Insertions come as late as the removals
// allow.
func (r *repeated) sequences() (linear, rearranged []history.OpID) {
	n := history.OpID(len(r.ops))
	var inserted []history.OpID // insertions in order
	for _, m := range r.path {
		if m.insertion != noInsertion {
			inserted = append(inserted, m.insertion)
		}
	}
	number := make([]int, n) // by insertion: its place among them, from 1
	for k, op := range inserted {
		number[op] = k + 1
	}
	for _, op := range r.enter.ByReturn {
		if number[op] == 0 {
			inserted = append(inserted, op)
			number[op] = len(inserted)
		}
	}
	owners := map[int32][]history.OpID{} // by content: removals in the order of ρ′
	drains := n
	for _, m := range r.path {
		v, owner := r.content(m.removal), m.removal
		if owner < 0 {
			owner = drains
			drains++
		}
		owners[v] = append(owners[v], owner)
	}
	put := 0
	drains = n
	insert := func(upTo int) {
		for ; put < upTo; put++ {
			linear = append(linear, inserted[put])
			rearranged = append(rearranged, inserted[put])
		}
	}
	preceding, top, filled := 0, 0, 0
	for _, m := range r.path {
		call := history.Never
		if m.removal >= 0 {
			call = r.ops[m.removal].Call
		}
		for ; preceding < len(r.enter.ByReturn) && r.ops[r.enter.ByReturn[preceding]].Return < call; preceding++ {
			top = max(top, number[r.enter.ByReturn[preceding]])
		}
		if m.insertion != noInsertion {
			filled = number[m.insertion]
		}
		insert(max(top, filled))
		if m.removal >= 0 {
			linear = append(linear, m.removal)
		} else {
			linear = append(linear, drains)
			drains++
		}
		rearranged = append(rearranged, owners[m.content][0])
		owners[m.content] = owners[m.content][1:]
	}
	insert(len(inserted))
	return linear, rearranged
}
