package encode

// Slots: quasi-linearizability of queues, stacks and priority queues by assignment of slots.
//
// What: ρ′ is a total order of the operations (order.go). The removals of an object have places 1,
// 2, … in it; the place of removal r is its rank place(r). In ρ″ every removal and every drain sits
// in a slot, one of these places, at most K from its own; so does every item, in the slot of what
// takes it, or beyond the last slot if it stays. An item is there from place passed(x)+1 on, where
// passed(x) is how many removals come before its insertion in ρ″. With x leaving at slot t(x), y
// another item and e an empty result in slot s(e), the disciplines say
//
//	inserted            passed(x) < t(x)
//	first in first out  y inserted before x                   ⇒ t(y) < t(x)
//	last in first out   y inserted after x                    ⇒ t(x) ≤ passed(y) or t(y) < t(x)
//	best first          y better than x                       ⇒ t(x) ≤ passed(y) or t(y) < t(x)
//	nothing                                                     s(e) ≤ passed(y) or t(y) < s(e)
//	peek p at x         x is there: inserted before p and t(x) > passed(p); whatever would leave before x is not
//
// All numbers are unary (slots_unary.go), all in windows that counting gives, for queues those of
// package window; instances are made only where windows overlap. Removals of equal values change
// roles freely, so they take their slots in the order of their places. Under slots passed(x) is the
// count of what comes before x in ρ′; what else there is, classes.go has.
//
// Drains have no operations here: what no removal takes is drained if it gets a slot beyond T-K, T
// removals being in ρ′. (The j-th drained item in the order of slots then sits at most K from place
// T+j and never after it.) How many drains there are depends on the pending operations, and so may
// T: numbers, too.
//
// Values that repeat and results that are unknown: a literal for each item that a removal may take.
//
// Source: the definitions of Round-Up (slots: Algorithms 1 and 2; classes: Definition 4, after
// Afek, Korland and Yanovsky); the encoding is our own. Where Round-Up enumerates linearizations
// and rearrangements, both are numbers here that are chosen together.
//
// Invariants: windows hold every solution that the canonical choices leave; a number means
// something only of what takes effect; every yes is replayed (slots_witness.go).
//
// Cost: clauses n·w² for the order and the counters, w operations open at a time; n·(w+K)² for the
// items that are there at a time.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/window"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
)

// The axioms of slots.
const (
	counted  axiom = "a number has one value"
	ranked   axiom = "the place of an operation is its rank in its class"
	near     axiom = "no operation moves by more than its bound"
	slotted  axiom = "every slot holds one operation"
	drained  axiom = "what is left over is drained"
	causally axiom = "a value is inserted before it is removed"
)

// slots is a question under a relaxation.
type slots struct {
	b      *builder
	bound  *model.Instance
	theory *model.CollectionTheory
	relax  *quasi.Question
	bounds bounds

	objects []*object // in the order of model.Instance.Objects
	of      []int32   // kept operation → object
	local   []int32   // kept operation → item, removal or peek of its object

	// by operation of the part, then by value at the start, of what leaves; nil if nothing is known
	slotWindows  []reach
	placeWindows []reach // by removal
}

// reach is a range of positions, which count from 1.
type reach struct{ lo, hi int32 }

// object is one collection.
type object struct {
	s        *slots
	items    []stored
	removals []taking
	peeks    []sight
	free     bool // what takes effect, or what a removal takes, is open

	last  int32 // no slot is after it
	total unary // slots in use
	taken unary // removals that take effect
	left  unary // drains

	returned [3][]int32 // by action: returns of the completed operations, ascending
	called   [3][]int32 // by action: their calls

	puts, looks *second // the order of insertions and of peeks in ρ″ where it is another than in ρ′
}

// stored is an item.
type stored struct {
	op     int32 // -1 for what is there at the start
	age    int32 // of what is there at the start: less is inserted earlier
	value  int32
	in     lit
	outs   []match // removals that may take it
	sure   bool    // the one in outs takes it
	spent  bool    // some removal takes it
	drain  lit     // it is drained
	slot   unary   // where it leaves; after the last slot if it stays
	passed unary   // removals before its insertion
}

// taking is a removal.
type taking struct {
	op          int32
	value       int32
	in, empty   lit     // it takes effect; it finds nothing
	from        []match // items that it may take
	place, slot unary
}

// sight is a peek.
type sight struct {
	op     int32
	value  int32
	in     lit
	passed unary // removals before it
	there  []lit // by item: it is inserted before
}

// bounds are what the factor gives to insertions, removals and peeks.
type bounds struct{ insert, remove, peek int32 }

// boundsOf reads them; an operation of another class than its like is not for us.
func boundsOf(b *model.Instance, t *model.CollectionTheory, f quasi.Factor) (bounds, bool) {
	classes := [3]int8{-1, -1, -1}
	info := b.Spec.Info()
	for c := range info.Classes {
		if slices.Contains(info.Classes[c].Operations, info.Drain) {
			classes[model.Remove] = int8(c)
		}
	}
	for i, c := range b.Class {
		of := &classes[t.Does[i]]
		if c < 0 || *of >= 0 && *of != c {
			return bounds{}, false
		}
		*of = c
	}
	var out [3]int32
	for does, c := range classes {
		if c >= 0 && int(c) < len(f) {
			out[does] = f[c]
		}
		if c >= 0 && (c == classes[(does+1)%3] || c == classes[(does+2)%3]) {
			return bounds{}, false
		}
	}
	return bounds{insert: out[model.Insert], remove: out[model.Remove], peek: out[model.Peek]}, true
}

// relaxed answers a problem under a relaxation.
func (e *Engine) relaxed(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	t, ok := p.Instance.Theory.(*model.CollectionTheory)
	if !ok || p.Instance.Class == nil {
		return engine.Answer{Cause: engine.Unsupported, Detail: "slots are known of queues, stacks and priority queues"}, nil
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	f, ok := boundsOf(p.Instance, t, p.Quasi.Factor)
	if !ok {
		return engine.Answer{Cause: engine.Unsupported, Detail: "operations of one kind in several classes"}, nil
	}
	if f.peek != 0 && p.Quasi.Meaning == quasi.Slots && slices.Contains(t.Does, model.Peek) {
		return engine.Answer{Cause: engine.Unsupported, Detail: "no encoding for peeks that change places"}, nil
	}
	s := &slots{bound: p.Instance, theory: t, relax: p.Quasi, bounds: f}
	if q, bound := window.Collect(p.Instance, p.Quasi); q != nil && q.Fit == window.Exact {
		if a, done := s.narrow(ctx, m, q, bound); done {
			return a, nil
		}
	}
	return s.encode(ctx, e.factory, m)
}

// windowBytes is what package window takes for one operation.
const windowBytes = 160

// narrow starts from the windows of a queue, which may refute.
func (s *slots) narrow(ctx context.Context, m *engine.Budget, q *window.Queue, bound int32) (engine.Answer, bool) {
	if q.Flaw != nil {
		flaw := *q.Flaw
		flaw.Bound = bound
		return engine.Answer{Verdict: engine.NotLinearizable, Evidence: &flaw}, true
	}
	need := int64(s.bound.Partition.Len()) * windowBytes
	defer m.Grow(-need)
	if !m.Grow(need) {
		return engine.Answer{Cause: engine.Memory}, true
	}
	w := q.Propagate(ctx, bound)
	switch {
	case w == nil:
		return engine.Stopped(ctx), true
	case w.Refuted:
		return engine.Answer{Verdict: engine.NotLinearizable, Evidence: w.Refutation()}, true
	}
	n := s.bound.Partition.Len()
	s.slotWindows, s.placeWindows = make([]reach, n+q.Initial), make([]reach, n)
	for x, op := range q.InsOp {
		at := int(op)
		if op < 0 {
			at = n - 1 - int(op)
		}
		s.slotWindows[at] = reach{w.Lo[x], w.Hi[x]}
	}
	for r, op := range q.RemOp {
		s.slotWindows[op] = reach{w.Lo[q.Content[r]], w.Hi[q.Content[r]]}
		s.placeWindows[op] = reach{w.Lo[q.M+r], w.Hi[q.M+r]}
	}
	return engine.Answer{}, false
}

// encode answers by the whole encoding.
func (s *slots) encode(ctx context.Context, factory solver.Factory, m *engine.Budget) (engine.Answer, error) {
	part := s.bound.Partition
	keep := make([]int32, part.Len())
	for i := range keep {
		keep[i] = int32(i)
	}
	keep, _ = s.reduce(keep)
	s.b = &builder{ctx: ctx, meter: m, keep: keep, order: newOrder(part.Ops, keep)}
	defer s.b.release()
	s.b.build(factory, s.bound, s)
	return s.decide()
}

// reduce implements encoding. A pending peek that keeps its place says nothing. A pending insertion
// that keeps its place and whose value nothing takes or sees only adds to what stays; when that is
// drained, it counts.
func (s *slots) reduce(keep []int32) ([]int32, string) {
	ops, t := s.bound.Partition.Ops, s.theory
	type value struct{ object, value int32 }
	asked := map[value]bool{}
	for i := range ops {
		if t.Does[i] != model.Insert {
			asked[value{t.Object[i], t.Value[i]}] = true
		}
	}
	return slices.DeleteFunc(keep, func(i int32) bool {
		if !ops[i].Pending() {
			return false
		}
		switch t.Does[i] {
		case model.Peek:
			return s.bounds.peek == 0
		case model.Insert:
			return s.bounds.insert == 0 && !s.relax.Drain && !asked[value{t.Object[i], t.Value[i]}] && !asked[value{t.Object[i], model.Anything}]
		}
		return false
	}), ""
}

// outcomes implements encoding. What windows decide of orders is fixed here, before anything speaks
// of them.
func (s *slots) outcomes(b *builder) {
	o := b.order
	for i := range o.n {
		b.in[i] = yes
		if s.bound.Partition.Ops[b.keep[i]].Pending() {
			b.in[i] = b.fresh()
		}
	}
	if s.placeWindows == nil {
		return
	}
	windows := [...][]reach{model.Insert: s.slotWindows, model.Remove: s.placeWindows}
	first := func(x, y reach) bool { return x.hi < y.lo && x.hi > 0 }
	for a := range o.n {
		for c := a + 1; c <= o.hi[a]; c++ {
			ka, kc := b.keep[a], b.keep[c]
			if s.theory.Does[ka] != s.theory.Does[kc] {
				continue
			}
			w := windows[s.theory.Does[ka]]
			if first(w[ka], w[kc]) {
				b.force(ranked, a, c)
			} else if first(w[kc], w[ka]) {
				b.force(ranked, c, a)
			}
		}
		if !b.alive(int64(o.hi[a] - a)) {
			return
		}
	}
}

// axioms implements encoding.
func (s *slots) axioms(b *builder) {
	s.collect()
	for _, o := range s.objects {
		for _, step := range [...]func(){o.match, o.count, o.estimate, o.second, o.places, o.leave, o.fill, o.pass, o.causal, o.disciplines, o.look} {
			if step(); !b.alive(0) {
				return
			}
		}
	}
}
