package explain

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// What other cores of values under a factor say, the mirror image of PassedOver.
//
// What: an item is overtaken by removals of items that should leave after it, and there can be no
// ρ″ in which it leaves first: they are more than the bound, or so many removals are between one of
// them and that of the item that the two cannot change places. In a stack and a priority queue one
// that moved to before the item came in would do no harm; so each is of an item that came in later
// still, or as many removals as the bound are between. At bound 1 there are other ways: one removal
// overtakes, and another either does, too, or the first passes over the items of both; or it has to
// leave where the item does, in the next place, and passes over another that is there by then.
//
// Why: of the removals before r in ρ′, at most as many as the bound come after r in ρ″
// (quasi_passed.go). And if p and r are 2k places apart or more, p can move to r - k at most, and r
// not below that.

// Overtaken says how an item is overtaken.
type Overtaken struct {
	claim.Overtaken
	Bound int
	// Since are removals after the item came in and before those of Late.
	Since []history.OpID
	// Removal takes the item, and Apart are the removals between the first of By and it, where
	// those are the reason; else Removal is -1.
	Removal history.OpID
	Apart   []history.OpID
	// Or takes what OrFrom puts in, if that is the reason: before Removal it overtakes, too, and
	// after it the only one of By passes over both items. Else it is -1.
	Or, OrFrom history.OpID
	// Then puts in what should leave before the item of the only one of By, too, and is there when
	// Removal comes, if that is the reason; else it is -1.
	Then history.OpID
}

// Late lists those of By and Or that only the removals of Since keep after the insertion of the
// item.
func (o *Overtaken) Late(b *model.Instance) (late []history.OpID) {
	t := b.Axiomatic().(*model.CollectionTheory)
	add := func(p, from history.OpID) {
		if t.Discipline == model.LIFO || t.Discipline == model.ByPriority &&
			b.Partition.Ops[o.Insertion].Return >= b.Partition.Ops[from].Call {
			late = append(late, p)
		}
	}
	for k, p := range o.By {
		add(p, o.From[k])
	}
	if o.Or >= 0 {
		add(o.Or, o.OrFrom)
	}
	return late
}

// FindOvertaken finds an item of a core of values that is overtaken; nil if the core has none.
func FindOvertaken(b *model.Instance, q *quasi.Question, core *Core) *Overtaken {
	t, ok := b.Axiomatic().(*model.CollectionTheory)
	if !ok || q.Meaning == quasi.Classes && t.Discipline != model.FIFO {
		return nil
	}
	var kept []history.OpID
	for _, f := range core.Facts {
		if f.Kind != EdgeFact {
			kept = append(kept, f.Operations...)
		}
	}
	slices.Sort(kept)
	return overtaken(b, q, kept)
}

// overtaken finds an item among the operations kept that is overtaken by others of them.
func overtaken(b *model.Instance, q *quasi.Question, kept []history.OpID) *Overtaken {
	t := b.Axiomatic().(*model.CollectionTheory)
	judge := claim.Of(b, 0)
	insertions := map[int32]history.OpID{}
	for _, i := range kept {
		if t.Does[i] == model.Insert {
			insertions[t.Value[i]] = i
		}
	}
	for _, a := range kept {
		if t.Does[a] != model.Insert {
			continue
		}
		var all claim.Overtaken
		for _, p := range kept {
			from, known := insertions[t.Value[p]]
			if one := (claim.Overtaken{Insertion: a, By: []history.OpID{p}, From: []history.OpID{from}}); known &&
				t.Does[p] == model.Remove && judge.All([]claim.Claim{one}) {
				all = claim.Overtaken{Insertion: a, By: append(all.By, p), From: append(all.From, from)}
			}
		}
		if len(all.By) == 0 || b.Class[all.By[0]] < 0 {
			continue
		}
		o := &Overtaken{Overtaken: all, Bound: int(q.Factor[b.Class[all.By[0]]]), Removal: -1, Or: -1, Then: -1}
		if o.many(b, judge, kept) || o.apart(b, judge, kept) || o.or(b, judge, kept) ||
			o.then(b, judge, kept) {
			return o
		}
	}
	return nil
}

// many reports whether more removals than the bound overtake the item, none of which can come
// before it; it leaves out those that can.
func (o *Overtaken) many(b *model.Instance, judge *claim.Whole, kept []history.OpID) bool {
	x := *o
	x.By, x.From = nil, nil
	for k, p := range o.By {
		one := Overtaken{Overtaken: claim.Overtaken{Insertion: o.Insertion, By: o.By[k : k+1], From: o.From[k : k+1]},
			Bound: o.Bound, Or: -1, Then: -1}
		if len(x.By) <= o.Bound && one.since(b, judge, kept) {
			x.By, x.From = append(x.By, p), append(x.From, o.From[k])
		}
	}
	if len(x.By) <= o.Bound || !x.since(b, judge, kept) {
		return false
	}
	*o = x
	return true
}

// apart reports whether one removal overtakes the item so far before the one that takes it out that
// they cannot change places; it leaves out the others.
func (o *Overtaken) apart(b *model.Instance, judge *claim.Whole, kept []history.OpID) bool {
	t := b.Axiomatic().(*model.CollectionTheory)
	for _, r := range kept {
		if t.Does[r] != model.Remove || t.Value[r] != t.Value[o.Insertion] || b.Partition.Ops[r].Unknown ||
			b.Partition.Ops[r].Pending() {
			continue
		}
		for k, p := range o.By {
			x := *o
			x.By, x.From, x.Removal = o.By[k:k+1], o.From[k:k+1], r
			x.Apart = removalsBetween(judge, p, r, kept, 2*o.Bound-1)
			if len(x.Apart) == 2*o.Bound-1 && x.since(b, judge, kept) {
				*o = x
				return true
			}
		}
	}
	return false
}

// or reports whether at bound 1 a removal overtakes the item, and another does too or is passed
// over with it; it leaves out the others.
func (o *Overtaken) or(b *model.Instance, judge *claim.Whole, kept []history.OpID) bool {
	if o.Bound != 1 {
		return false
	}
	t := b.Axiomatic().(*model.CollectionTheory)
	x := *o
	if x.Removal = taker(b, kept, o.Insertion); x.Removal < 0 {
		return false
	}
	for _, x.OrFrom = range kept {
		if t.Does[x.OrFrom] != model.Insert {
			continue
		}
		if x.Or = taker(b, kept, x.OrFrom); x.Or < 0 {
			continue
		}
		for k, p := range o.By {
			x.By, x.From = o.By[k:k+1], o.From[k:k+1]
			if p != x.Or && judge.All([]claim.Claim{claim.Outranked{Insertion: o.Insertion, By: x.Or, From: x.OrFrom},
				claim.Outranked{Insertion: x.OrFrom, By: p, From: o.From[k]}}) && x.since(b, judge, kept) {
				*o = x
				return true
			}
		}
	}
	return false
}

// taker is one of the operations kept that returned and takes what an insertion puts in, or -1.
func taker(b *model.Instance, kept []history.OpID, insertion history.OpID) history.OpID {
	t := b.Axiomatic().(*model.CollectionTheory)
	for _, r := range kept {
		if t.Does[r] == model.Remove && t.Value[r] == t.Value[insertion] && !b.Partition.Ops[r].Pending() {
			return r
		}
	}
	return -1
}

// then reports whether at bound 1 a removal overtakes the item, so that it leaves a place later in
// ρ″, and passes over another item that is there by then.
func (o *Overtaken) then(b *model.Instance, judge *claim.Whole, kept []history.OpID) bool {
	x := *o
	if x.Removal = taker(b, kept, o.Insertion); o.Bound != 1 || x.Removal < 0 {
		return false
	}
	for k, p := range o.By {
		x.By, x.From = o.By[k:k+1], o.From[k:k+1]
		for _, x.Then = range kept {
			if x.Then != o.Insertion && judge.All([]claim.Claim{claim.ThereBy{Insertion: x.Then, By: p,
				From: o.From[k], Until: x.Removal}}) && x.since(b, judge, kept) {
				*o = x
				return true
			}
		}
	}
	return false
}

// since finds the removals that keep each of By after the insertion of the item, where they are
// needed, and reports whether there are enough.
func (o *Overtaken) since(b *model.Instance, judge *claim.Whole, kept []history.OpID) bool {
	late := o.Late(b)
	if o.Since = nil; len(late) == 0 {
		return true
	}
	for _, x := range kept {
		if len(o.Since) < o.Bound && !slices.ContainsFunc(late, func(p history.OpID) bool {
			return !judge.All([]claim.Claim{claim.Between{First: o.Insertion, Last: p, Removals: []history.OpID{x}}})
		}) {
			o.Since = append(o.Since, x)
		}
	}
	return len(o.Since) == o.Bound
}

// removalsBetween lists removals that come after first and before last, at most so many.
func removalsBetween(judge *claim.Whole, first, last history.OpID, kept []history.OpID,
	most int) (some []history.OpID) {
	for _, x := range kept {
		if len(some) < most && judge.All([]claim.Claim{claim.Between{First: first, Last: last,
			Removals: []history.OpID{x}}}) {
			some = append(some, x)
		}
	}
	return some
}
