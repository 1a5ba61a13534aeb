package verify

// The rules of a displacement: what bounds a place or a slot of an operation, given the bounds that
// earlier steps have shown (displacement.go has the rest).

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// follows returns nil if the bound of a step follows, and otherwise why not.
func (j *displacementChecker) follows(s proof.DisplacementStep, op history.OpID, window *[2][]int32) error {
	keep := j.r.Meaning == quasi.Slots
	value := !s.Place && !j.empty(op) // the slot of a value
	switch s.Rule {
	case proof.RuleDisplacement:
		return j.displaced(s, op)
	case proof.RuleOrder:
		if s.Place {
			return j.counted(s, j.near(s.Upper, op, j.removals, j.remByRet), &j.place)
		}
		if !value {
			return base.Faultf(j.of(op), "the rule is not about slots of empty results")
		}
		return j.counted(s, j.near(s.Upper, op, j.insertions, j.insByRet), &j.slot)
	case proof.RuleBalance:
		if keep && s.Place && s.Upper {
			return j.counted(s, j.near(true, op, j.insertions, j.insByRet), &j.slot)
		}
		if keep && value && !s.Upper {
			return j.counted(s, j.near(false, op, j.removals, j.remByRet), &j.place)
		}
		return base.Faultf(j.of(op), "the rule is not about this end of this variable, or not for this meaning")
	case proof.RuleHall:
		if s.Upper && window[1][op] <= s.Edge && j.fits(s.Place, op, s.Value+1, s.Edge, s.Edge-s.Value) ||
			!s.Upper && window[0][op] >= s.Edge && j.fits(s.Place, op, s.Edge, s.Value-1, s.Value-s.Edge) {
			j.uses(op, window, s.Upper)
			return nil
		}
		return base.Faultf(j.of(op), "others do not need all positions between %d and %d", s.Edge, s.Value)
	case proof.RuleEmptyBefore, proof.RuleEmptyAfter:
		if !keep {
			return base.Faultf(j.of(op), "empty results are unconstrained under the classes meaning")
		}
		return j.emptyResult(s, op)
	}
	return base.Faultf(j.of(op), "the rule is unknown")
}

// displaced checks a bound that the other position of a content gives.
func (j *displacementChecker) displaced(s proof.DisplacementStep, op history.OpID) error {
	other, window := op, &j.slot
	switch {
	case s.Place:
		if v := j.c.Value[op]; v != model.Nothing {
			other = j.insertion[v]
		}
	case !j.empty(op):
		if other = j.taker[j.value(op)]; other < 0 {
			return base.Faultf(j.of(op), "no removal takes its value")
		}
		window = &j.place
	default:
		window = &j.place
	}
	at := window[0][other] - j.bound
	if s.Upper {
		at = window[1][other] + j.bound
	}
	if s.Upper && at <= s.Value || !s.Upper && at >= s.Value {
		j.uses(other, window, s.Upper)
		j.trace.reach(at)
		return nil
	}
	return base.Faultf(j.of(op), "position %d is within the bound of its other position, %d to %d", s.Value,
		window[0][other], window[1][other])
}

// near lists the operations that precede (or follow) op, those closest in time first.
func (j *displacementChecker) near(after bool, op history.OpID, byCall,
	byRet []history.OpID) func(yield func(history.OpID) bool) {
	if after {
		from := len(byCall) - int(j.later(byCall, j.ret(op)))
		return slices.Values(byCall[from:])
	}
	n := j.earlier(byRet, j.call(op))
	return func(yield func(history.OpID) bool) {
		for i := n - 1; i >= 0 && yield(byRet[i]); i-- {
		}
	}
}

// counted checks that enough operations of a list have positions from Edge on (or up to Edge).
func (j *displacementChecker) counted(s proof.DisplacementStep, list func(yield func(history.OpID) bool),
	window *[2][]int32) error {
	need := s.Value - s.Edge
	if s.Upper {
		need = s.Edge - s.Value
	}
	if need <= 0 {
		return base.Faultf(j.of(s.Op), "no operation is to be counted between edge %d and value %d", s.Edge, s.Value)
	}
	first := j.trace.rests()
	for op := range list {
		if s.Upper && window[1][op] <= s.Edge || !s.Upper && window[0][op] >= s.Edge {
			j.uses(op, window, s.Upper)
			need--
		}
		if need == 0 {
			j.trace.pack(first)
			return nil
		}
	}
	return base.Faultf(j.of(s.Op), "%d more operations would be needed to move it to %d", need, s.Value)
}

// emptyResult checks the rules EmptyBefore and EmptyAfter.
func (j *displacementChecker) emptyResult(s proof.DisplacementStep, op history.OpID) error {
	removals := int32(len(j.removals))
	by := s.By
	draining := by == proof.Draining && s.Rule == proof.RuleEmptyBefore
	if draining && j.drains == 0 {
		return base.Faultf(j.of(op), "there are no drains")
	}
	if !draining {
		var err error
		if by, err = j.number(by); err != nil {
			return err
		}
		if (s.Rule == proof.RuleEmptyBefore) != j.removal(by) || s.Rule == proof.RuleEmptyAfter && !j.counts(by) {
			return base.Faultf(j.of(by), "the rule is about removals (empty-before) or insertions (empty-after)")
		}
	}
	precedes := func(a, b history.OpID) bool { return j.ret(a) < j.call(b) }
	some := func(upper bool, ok func(e history.OpID) bool) func(yield func(history.OpID) bool) {
		return func(yield func(history.OpID) bool) {
			for _, e := range j.empties {
				if !ok(e) {
					continue
				}
				if j.uses(e, &j.slot, upper); !yield(e) {
					return
				}
			}
		}
	}
	if s.Rule == proof.RuleEmptyBefore {
		place := removals + 1
		if !draining {
			place = j.place[1][by]
			j.uses(by, &j.place, true)
		}
		switch {
		case !s.Upper && !s.Place && j.empty(op) && j.slot[0][op] >= place:
			j.uses(op, &j.slot, false)
			if draining {
				return j.counted(s, slices.Values(j.insertions), &j.slot)
			}
			return j.counted(s, j.near(false, by, j.insertions, j.insByRet), &j.slot)
		case s.Upper && !s.Place && j.counts(op) && (draining || precedes(op, by)):
			return j.counted(s, some(false, func(e history.OpID) bool { return j.slot[0][e] >= place }), &j.slot)
		}
		return base.Faultf(j.of(op), "what %s removes may come after the empty result", j.of(by))
	}
	j.uses(by, &j.slot, false)
	switch {
	case !s.Upper && s.Place && precedes(by, op):
		return j.counted(s, some(true, func(e history.OpID) bool { return j.slot[1][e] <= j.slot[0][by] }), &j.slot)
	case s.Upper && !s.Place && j.empty(op) && j.slot[0][by] >= j.slot[1][op]:
		j.uses(op, &j.slot, true)
		if j.drains > 0 && s.Value >= removals {
			j.trace.reach(removals)
			return nil // drains have place removals+1
		}
		return j.counted(s, j.near(true, by, j.removals, j.remByRet), &j.place)
	}
	return base.Faultf(j.of(op), "what %s inserts may come before the empty result", j.of(by))
}

// counts reports whether op is an insertion that certainly takes effect.
func (j *displacementChecker) counts(op history.OpID) bool {
	return j.initial(op) || j.c.Does[op] == model.Insert && (!j.ops[op].Pending() || j.taker[j.c.Value[op]] >= 0)
}

// fits reports whether enough windows other than that of op lie between positions lo and hi. It
// looks first where they are likely.
func (j *displacementChecker) fits(place bool, op history.OpID, lo, hi, enough int32) bool {
	if enough <= 0 {
		return false
	}
	list, window := &j.contents, &j.slot
	if place {
		list, window = &j.rem, &j.place
	}
	if *list == nil {
		if !place {
			for _, i := range j.insertions {
				*list = append(*list, nearby{1 + j.earlier(j.insByRet, j.call(i)), i})
			}
		}
		for _, r := range j.removals {
			if place || j.empty(r) {
				*list = append(*list, nearby{1 + j.earlier(j.remByRet, j.call(r)), r})
			}
		}
		sort.Slice(*list, func(a, b int) bool { return (*list)[a].at < (*list)[b].at })
	}
	up := sort.Search(len(*list), func(i int) bool { return (*list)[i].at >= lo })
	for down := up - 1; down >= 0 || up < len(*list); {
		for _, i := range [...]int{down, up} {
			if i >= 0 && i < len(*list) {
				if x := (*list)[i].op; x != op && window[0][x] >= lo && window[1][x] <= hi {
					j.uses(x, window, false)
					j.uses(x, window, true)
					if enough--; enough == 0 {
						return true
					}
				}
			}
		}
		down, up = down-1, up+1
	}
	return false
}
