package verify

// Refutations of sets from which nothing is removed.
//
// What: judges proof.GrowthConflict on the raw intervals and on what the operations say
// (model.GrowingTheory). Explicit order only forbids more.
//
// Why it is right: an element comes into such a set once, by the first of its adds to take effect,
// and stays. So who has it comes after that, who lacks it before. An operation that returned before
// the call of another comes before it. Of two elements of which one read found the first alone, the
// first came first.
//
// Cost: O(n).

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// growthArity are the numbers of operations and elements of each rule.
var growthArity = map[proof.GrowthRule][2]int{
	proof.GrowthTwice: {1, 1}, proof.GrowthUnadded: {1, 1}, proof.GrowthLost: {2, 1}, proof.GrowthAddedTwice: {2, 1},
	proof.GrowthIncomparable: {2, 2}, proof.GrowthCrossed: {3, 2}, proof.GrowthTooEarly: {2, 2},
}

// Growth checks that r refutes b's partition. It returns nil or what is wrong.
func Growth(b *model.Instance, r *proof.GrowthConflict) error {
	t := model.As[*model.GrowingTheory](b)
	if t == nil {
		return base.Faultf("", "the partition is not a set that only grows")
	}
	arity, known := growthArity[r.Rule]
	if !known || len(r.Ops) != arity[0] || len(r.Elements) != arity[1] {
		return base.Faultf("", "it takes %d operations and %d elements, got %d and %d", arity[0], arity[1], len(r.Ops),
			len(r.Elements))
	}
	s := growingSet{b.Partition.Ops, t}
	for _, i := range r.Ops {
		if i != proof.Initial && (i < 0 || int(i) >= len(s.ops) || s.ops[i].Pending()) {
			return base.Faultf(base.Op(b.Partition, i), "it is no completed operation of the partition")
		}
	}
	for _, x := range r.Elements {
		if x < 0 || int(x) >= len(s.says.Values) {
			return base.Faultf(fmt.Sprintf("element %d", x), "there are only %d elements", len(s.says.Values))
		}
	}
	a, x := r.Ops[0], r.Elements[0]
	holds := false
	switch r.Rule {
	case proof.GrowthTwice:
		holds = s.does(a) == model.GrowthRepeated && s.says.Element[a] == x
	case proof.GrowthUnadded:
		holds = s.unadded(a, x)
	case proof.GrowthLost:
		holds = s.lost(a, r.Ops[1], x)
	case proof.GrowthAddedTwice:
		holds = a != r.Ops[1] && s.addsNew(a, x) && s.addsNew(r.Ops[1], x)
	default:
		y := r.Elements[1]
		if !s.reads(a) || !s.says.Has(s.says.Found[a], x) || s.says.Has(s.says.Found[a], y) {
			return base.Faultf(base.Op(b.Partition, a), "it is no read that found element %d and not %d", x, y)
		}
		switch r.Rule {
		case proof.GrowthIncomparable:
			second := r.Ops[1]
			holds = s.reads(second) && s.says.Has(s.says.Found[second], y) && !s.says.Has(s.says.Found[second], x)
		case proof.GrowthCrossed:
			holds = s.has(r.Ops[1], y) && s.lacks(r.Ops[2], x) && s.before(r.Ops[1], r.Ops[2])
		default:
			holds = s.has(r.Ops[1], y) && !s.added(x, r.Ops[1])
		}
	}
	if !holds {
		return base.Faultf(base.Op(b.Partition, r.Ops...), "they do not contradict each other about elements %v",
			r.Elements)
	}
	return nil
}

// growingSet answers questions about the operations of a set that only grows.
type growingSet struct {
	ops  []history.Op
	says *model.GrowingTheory
}

// does is what an operation does that may be the start.
func (s *growingSet) does(i history.OpID) model.GrowthAction {
	if i == proof.Initial {
		return model.GrowthSilent
	}
	return s.says.Does[i]
}

func (s *growingSet) reads(i history.OpID) bool { return s.does(i) == model.GrowthReads }

func (s *growingSet) addsNew(i history.OpID, x int32) bool {
	return s.does(i) == model.GrowthAddsNew && s.says.Element[i] == x
}

// has reports whether x is certainly in the set once the operation returned.
func (s *growingSet) has(i history.OpID, x int32) bool {
	switch {
	case i == proof.Initial:
		return s.says.Has(s.says.Initial, x)
	case s.reads(i):
		return s.says.Has(s.says.Found[i], x)
	}
	switch s.says.Does[i] {
	case model.GrowthAdds, model.GrowthAddsNew, model.GrowthFinds, model.GrowthRepeated:
		return s.says.Element[i] == x
	}
	return false
}

// lacks reports whether x was certainly not in the set when the operation was called.
func (s *growingSet) lacks(i history.OpID, x int32) bool {
	switch s.does(i) {
	case model.GrowthReads:
		return !s.says.Has(s.says.Found[i], x)
	case model.GrowthAddsNew, model.GrowthMisses:
		return s.says.Element[i] == x
	}
	return false
}

func (s *growingSet) before(a, b history.OpID) bool {
	return b != proof.Initial && (a == proof.Initial || s.ops[a].Return < s.ops[b].Call)
}

func (s *growingSet) lost(a, b history.OpID, x int32) bool {
	return s.has(a, x) && s.lacks(b, x) && s.before(a, b)
}

// unadded reports whether an operation has x, which cannot have come into the set by then.
func (s *growingSet) unadded(a history.OpID, x int32) bool {
	return a != proof.Initial && s.has(a, x) && !s.added(x, a)
}

// added reports whether x can have come into the set before an operation returned.
func (s *growingSet) added(x int32, by history.OpID) bool {
	if s.says.Has(s.says.Initial, x) {
		return true
	}
	for i := range s.ops {
		adds := s.says.Does[i] == model.GrowthAdds || s.says.Does[i] == model.GrowthAddsNew
		if adds && s.says.Element[i] == x && by != proof.Initial && s.ops[i].Call <= s.ops[by].Return {
			return true
		}
	}
	return false
}
