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
// What: an item is overtaken by more removals than the bound, of items that should leave after it.
// In a stack and a priority queue one that moved to before the item came in would do no harm; so
// each is of an item that came in later still, or as many removals as the bound are between.
//
// Why: of the removals before r in ρ′, at most as many as the bound come after r in ρ″
// (quasi_passed.go).

// Overtaken says how an item is overtaken.
type Overtaken struct {
	claim.Overtaken
	Bound int
	// Since are removals after the item came in and before those of Late.
	Since []history.OpID
}

// Late lists those of By that only the removals of Since keep after the insertion of the
// item.
func (o *Overtaken) Late(b *model.Instance) (late []history.OpID) {
	t := b.Axiomatic().(*model.CollectionTheory)
	for k, p := range o.By {
		if t.Discipline == model.LIFO || t.Discipline == model.ByPriority &&
			b.Partition.Ops[o.Insertion].Return >= b.Partition.Ops[o.From[k]].Call {
			late = append(late, p)
		}
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
		o := &Overtaken{Overtaken: all, Bound: int(q.Factor[b.Class[all.By[0]]])}
		if o.many(b, judge, kept) {
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
			Bound: o.Bound}
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
