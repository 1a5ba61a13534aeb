package porcupine

import (
	"cmp"
	"context"
	"hash/maphash"
	"reflect"
	"slices"

	"github.com/linsat/linsat"
)

// Partial linearizations of a partition that is not linearizable, or not decided.
//
// What: for every operation the longest linearizable prefix that was found with it, as Porcupine's
// picture shows them: a sequence of operations that the model allows, that respects the order of
// time, and that leaves out nothing which returned before an operation in it was called.
//
// Source: the search of Wing and Gong with Lowe's cache (G. Lowe, "Testing for linearizability",
// Concurrency and Computation 29(4), 2017), which Porcupine does; what it has placed when it turns
// back are these prefixes.
//
// What we changed: it ends when its time or its steps are used up, since the verdict does not
// depend on it. Operations of unknown outcome may be left out, and one step may leave several
// states.
//
// Invariant: every order returned is allowed step by step (TestVerdictsAreThoseOfTheDefinition).
//
// Cost: at most partialSteps steps of the model, and as many cache entries.

// partial returns the longest orders found, each once.
func partial(ctx context.Context, m *Model, ops []Operation) [][]int {
	w := newWalk(ctx, m, ops)
	w.run(ctx)
	var all [][]int
	had := map[*[]int]bool{}
	for _, l := range w.longest {
		if l != nil && !had[l] {
			had[l] = true
			all = append(all, *l)
		}
	}
	return all
}

// walk is a search in progress. Its events are the calls and returns of the operations that are not
// placed, a list in the order of time.
type walk struct {
	model   linsat.Model[any, any, any]
	inputs  []linsat.Op[any, any]
	events  []event
	stack   []placement
	placed  []uint64 // bit set of operations
	seen    map[uint64][]visited
	seed    maphash.Seed
	longest []*[]int // by operation
}

// event is the call of operation op, or its return. Events 0 and len-1 are ends of the list.
type event struct {
	op         int
	returns    bool
	prev, next int
	other      int // the return of a call, 0 if there is none
}

// placement is an operation that was placed: its call, the states from there on that are still to
// be tried, and the state before.
type placement struct {
	call   int
	before any
	next   []any
}

type visited struct {
	placed []uint64
	state  any
}

func newWalk(ctx context.Context, m *Model, ops []Operation) *walk {
	t := translate(m, ops, false)
	w := &walk{
		model: m.linsat(currently(ctx), t), inputs: t.ops, placed: make([]uint64, (len(ops)+63)/64),
		seen: map[uint64][]visited{}, seed: maphash.MakeSeed(), longest: make([]*[]int, len(ops)),
	}
	type moment struct {
		time    int64
		returns bool
		op      int
	}
	var moments []moment
	for i, o := range w.inputs {
		moments = append(moments, moment{o.Call, false, i})
		if !o.Pending {
			moments = append(moments, moment{o.Return, true, i})
		}
	}
	slices.SortStableFunc(moments, func(a, b moment) int {
		if a.time != b.time {
			return cmp.Compare(a.time, b.time)
		}
		switch { // calls first: at equal times operations are concurrent
		case a.returns == b.returns:
			return 0
		case b.returns:
			return -1
		}
		return 1
	})
	w.events = make([]event, len(moments)+2)
	calls := make([]int, len(ops))
	for k, m := range moments {
		at := k + 1
		w.events[at] = event{op: m.op, returns: m.returns}
		if m.returns {
			w.events[calls[m.op]].other = at
		} else {
			calls[m.op] = at
		}
	}
	for k := range w.events {
		w.events[k].prev, w.events[k].next = k-1, k+1
	}
	return w
}

// run searches until every operation is placed or budgets are used up.
func (w *walk) run(ctx context.Context) {
	defer func() {
		if v := recover(); v != nil && v != any(errCutOff) {
			panic(v)
		}
	}()
	state, at, steps := w.model.Init, w.events[0].next, 0
	grown := false
	for end := len(w.events) - 1; ; {
		if steps++; steps > partialSteps || steps%64 == 0 && ctx.Err() != nil {
			break
		}
		e := &w.events[at]
		if at != end && !e.returns {
			if s, rest, ok := w.fresh(e.op, w.steps(state, e.op)); ok {
				w.stack = append(w.stack, placement{at, state, rest})
				w.lift(at)
				state, at, grown = s, w.events[0].next, true
				continue
			}
			at = e.next
			continue
		}
		if grown {
			steps += w.record() / 64
			grown = false
		}
		if at == end { // what is left never returned
			break
		}
		if len(w.stack) == 0 {
			return
		}
		top := &w.stack[len(w.stack)-1] // turn back
		op := w.events[top.call].op
		w.flip(op)
		if s, rest, ok := w.fresh(op, top.next); ok {
			top.next = rest
			state, at, grown = s, w.events[0].next, true
			continue
		}
		w.unlift(top.call)
		state, at = top.before, w.events[top.call].next
		w.stack = w.stack[:len(w.stack)-1]
	}
	w.record()
}

// steps returns the states that an operation may leave.
func (w *walk) steps(s any, op int) []any {
	o := &w.inputs[op]
	if o.Pending {
		return w.model.Open(s, o.Input)
	}
	return w.model.Accept(s, o.Input, o.Output)
}

// fresh places op and returns the first of the states that was not met with the same operations
// placed, and those behind it. If there is none, op is not placed.
func (w *walk) fresh(op int, states []any) (s any, rest []any, ok bool) {
	w.flip(op)
	for k, s := range states {
		if w.visit(s) {
			return s, states[k+1:], true
		}
	}
	w.flip(op)
	return nil, nil, false
}

func (w *walk) flip(op int) { w.placed[op/64] ^= 1 << (op % 64) }

// visit notes a configuration and reports whether it is new.
func (w *walk) visit(s any) bool {
	var h maphash.Hash
	h.SetSeed(w.seed)
	for _, x := range w.placed {
		maphash.WriteComparable(&h, x)
	}
	key := h.Sum64()
	if w.model.Hash != nil {
		key ^= w.model.Hash(s)
	}
	for _, v := range w.seen[key] {
		if slices.Equal(v.placed, w.placed) && w.equal(v.state, s) {
			return false
		}
	}
	w.seen[key] = append(w.seen[key], visited{slices.Clone(w.placed), s})
	return true
}

func (w *walk) equal(a, b any) bool {
	if w.model.Equal != nil {
		return w.model.Equal(a, b)
	}
	return reflect.DeepEqual(a, b)
}

// record notes what is placed for every operation in it that had no longer order, and returns the
// length.
func (w *walk) record() int {
	var order *[]int
	for _, p := range w.stack {
		op := w.events[p.call].op
		if w.longest[op] != nil && len(*w.longest[op]) >= len(w.stack) {
			continue
		}
		if order == nil {
			order = new([]int)
			for _, p := range w.stack {
				*order = append(*order, w.events[p.call].op)
			}
		}
		w.longest[op] = order
	}
	return len(w.stack)
}

// lift takes a call and its return out of the list, and unlift puts them back, the last one lifted
// first.
func (w *walk) lift(call int) {
	for _, k := range []int{call, w.events[call].other} {
		if e := w.events[k]; k > 0 {
			w.events[e.prev].next, w.events[e.next].prev = e.next, e.prev
		}
	}
}

func (w *walk) unlift(call int) {
	for _, k := range []int{w.events[call].other, call} {
		if e := w.events[k]; k > 0 {
			w.events[e.prev].next, w.events[e.next].prev = k, k
		}
	}
}
