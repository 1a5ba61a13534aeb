package sat

// Slots: quasi-linearizability of queues, stacks and priority queues by assigning slots.
//
// What: ρ′ is a total order of the operations (internal/cnf). The removals of an object have places
// 1, 2, … in it; place(r) is the rank of removal r. In ρ″ every removal and every drain has a slot,
// one of these places, at most K from its own place. An item has the slot of the removal or drain
// that takes it, or one beyond the last slot if it stays. An item x is present from place
// passed(x)+1 on, where passed(x) is the number of removals before its insertion in ρ″. With x
// leaving at slot t(x), y another item and e an empty result in slot s(e), the disciplines say
//
//	inserted            passed(x) < t(x)
//	first in first out  y inserted before x                   ⇒ t(y) < t(x)
//	last in first out   y inserted after x                    ⇒ t(x) ≤ passed(y) or t(y) < t(x)
//	best first          y better than x                       ⇒ t(x) ≤ passed(y) or t(y) < t(x)
//	nothing                                                     s(e) ≤ passed(y) or t(y) < s(e)
//	peek p at x         x is there: inserted before p and t(x) > passed(p), and nothing that
//	                    would leave before x is
//
// All numbers are unary (cnf.Unary), with windows found by counting, for queues by package window;
// clauses are built only where windows overlap. Removals of equal values are interchangeable, so
// they take their slots in the order of their places. Under slots, passed(x) counts what comes
// before x in ρ′; otherwise see class_order.go.
//
// Drains have no operations here: an item that no removal takes is drained if its slot is beyond
// T-K, with T removals in ρ′. (The j-th drained item in the order of slots is then at most K from
// place T+j and never after it.) The number of drains depends on the pending operations, and so may
// T, so these are unary numbers, too.
//
// Values that repeat and unknown results: a literal for each item that a removal may take.
//
// Source: the definitions of Round-Up (slots: Algorithms 1 and 2; classes: Definition 4, after
// Afek, Korland and Yanovsky); the encoding is our own. Where Round-Up enumerates linearizations
// and rearrangements, here both are numbers that the solver chooses together.
//
// Invariants: the windows contain every solution that the canonical choices leave; the numbers of
// operations that do not take effect are unconstrained.
//
// Cost: n·w² clauses for the order and the counters, with w operations open at a time; n·(w+K)² for
// the items that are present at a time.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// The axioms of slots.
const (
	ranked   cnf.Axiom = "the place of an operation is its rank in its class"
	near     cnf.Axiom = "no operation moves by more than its bound"
	slotted  cnf.Axiom = "every slot holds one operation"
	drained  cnf.Axiom = "what is left over is drained"
	causally cnf.Axiom = "a value is inserted before it is removed"
)

// slots is one question while it is encoded.
type slots struct {
	b        *cnf.Builder
	instance *model.Instance
	theory   *model.CollectionTheory
	question *quasi.Question
	bounds   bounds

	objects []*object        // in the order of model.Instance.Objects
	of      []model.ObjectID // kept operation → object
	local   []int32          // kept operation → item, removal or peek of its object

	// windows of slots: by operation of the partition, then by initial value; nil if none are known
	slotWindows  []reach
	placeWindows []reach // by removal
}

// itemID numbers the items of an object, and takerID its removals.
type (
	itemID  int32
	takerID int32
)

// choice is a removal that may take an item; with is the removal seen from the item, and vice
// versa.
type choice[ID itemID | takerID] struct {
	with ID
	is   cnf.Lit
}

// reach is a range of positions, counted from 1.
type reach struct{ lo, hi int32 }

// object is one collection.
type object struct {
	s        *slots
	items    []stored
	removals []taking
	peeks    []sight

	last  int32     // no slot comes after it
	total cnf.Unary // number of used slots
	taken cnf.Unary // number of removals that take effect

	returned [3][]history.Rank // by action: returns of the completed operations, ascending
	called   [3][]history.Rank // by action: their calls

	puts, looks *classOrder // second orders of insertions and peeks, nil if they keep ρ′
}

// stored is an item.
type stored struct {
	op     history.OpID // -1 for an initial item
	age    int32        // of initial items: a smaller age is inserted earlier
	value  int32
	in     cnf.Lit
	outs   []choice[takerID] // removals that may take it
	sure   bool              // the one in outs takes it
	spent  bool              // some removal takes it
	drain  cnf.Lit           // it is drained
	slot   cnf.Unary         // where it leaves; after the last slot if it stays
	passed cnf.Unary         // removals before its insertion
}

// taking is a removal.
type taking struct {
	op          history.OpID
	value       int32
	in, empty   cnf.Lit          // it takes effect; it finds nothing
	from        []choice[itemID] // items that it may take
	place, slot cnf.Unary
}

// sight is a peek.
type sight struct {
	op     history.OpID
	value  int32
	in     cnf.Lit
	passed cnf.Unary // removals before it
	there  []cnf.Lit // by item: it is inserted before
}

// reduce implements encoding. A pending peek that keeps its place says nothing. A pending insertion
// that keeps its place and whose value nothing takes or sees only adds to what stays; when that is
// drained, it counts.
func (s *slots) reduce(keep []history.OpID) ([]history.OpID, string) {
	ops, t := s.instance.Partition.Ops, s.theory
	asked := map[model.Stored]bool{}
	for i := range ops {
		if t.Does[i] != model.Insert {
			asked[t.Stored(history.OpID(i))] = true
		}
	}
	return slices.DeleteFunc(keep, func(i history.OpID) bool {
		if !ops[i].Pending() {
			return false
		}
		switch t.Does[i] {
		case model.Peek:
			return s.bounds.peek == 0
		case model.Insert:
			return s.bounds.insert == 0 && !s.question.Drain && !asked[t.Stored(i)] &&
				!asked[model.Stored{Object: t.Object[i], Value: model.Anything}]
		}
		return false
	}), ""
}

// Outcomes implements cnf.Encoding. It also fixes the orders that windows decide, before any clause
// uses them.
func (s *slots) Outcomes(b *cnf.Builder) {
	o := b.Order
	for i := range o.N {
		b.In[i] = cnf.True
		if s.instance.Partition.Ops[b.Keep[i]].Pending() {
			b.In[i] = b.Fresh()
		}
	}
	if s.placeWindows == nil {
		return
	}
	windows := [...][]reach{model.Insert: s.slotWindows, model.Remove: s.placeWindows}
	first := func(x, y reach) bool { return x.hi < y.lo && x.hi > 0 }
	for a := range o.N {
		for c := a + 1; c <= o.Last[a]; c++ {
			ka, kc := b.Keep[a], b.Keep[c]
			if s.theory.Does[ka] != s.theory.Does[kc] {
				continue
			}
			w := windows[s.theory.Does[ka]]
			if first(w[ka], w[kc]) {
				b.Force(ranked, a, c)
			} else if first(w[kc], w[ka]) {
				b.Force(ranked, c, a)
			}
		}
		if !b.Alive(int64(o.Last[a] - a)) {
			return
		}
	}
}

// Axioms implements cnf.Encoding.
func (s *slots) Axioms(b *cnf.Builder) {
	s.collect()
	for _, o := range s.objects {
		for _, step := range [...]func(){
			o.match, o.count, o.estimate, o.orderClasses, o.places, o.leave, o.fill, o.pass, o.causal, o.disciplines,
			o.look,
		} {
			if step(); !b.Alive(0) {
				return
			}
		}
	}
}
