package portfolio

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/sets"
	"github.com/linsat/linsat/quasi"
)

// What: the values of one set alone. A legal sequence of a collection stays legal without some of
// its values, and a set of removals has its own places. So where ρ′ and ρ″ are within all bounds,
// those of the operations on the values of one set are within the bound of the set, with the
// insertions in order if these have the bound 0. Between classes the places need not agree any
// more, so that is asked under the meaning "classes". A set may be small in a long history: no
// search for sets decides that one.
//
// Source: ours, after Definition 3 of Round-Up.
//
// Invariant: only "not linearizable" is concluded. Of a set in which some removal has no known
// value, or whose values others might take too, nothing is.
//
// Cost: the questions about these values, which the engines of plain factors decide.

// setRefuted reports whether the values of one of the sets of q alone violate its bound.
func (p *Portfolio) setRefuted(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, bool, error) {
	t, ok := q.Instance.Theory.(*model.CollectionTheory)
	if !ok || len(t.Initial) != 1 || len(t.Initial[0]) > 0 || q.Instance.Class == nil {
		return decision{}, false, nil
	}
	for _, set := range q.Quasi.Sets {
		if set.Bound == quasi.Unbounded {
			continue
		}
		in, err := sets.Members(q.Instance, set.Operations)
		if err != nil {
			return decision{}, false, err
		}
		kept := onItsValues(q.Instance, t, in)
		if len(kept) == 0 {
			continue
		}
		few, err := engine.Bind(q.Instance.Spec, q.Instance.Partition.Select(kept, q.Instance.Partition.Name))
		if err != nil {
			return decision{}, false, err
		}
		factor := slices.Clone(q.Quasi.Factor)
		for c, bound := range factor {
			if bound > 0 {
				factor[c] = quasi.Unbounded
			}
		}
		for i := range in {
			if in[i] {
				factor[q.Instance.Class[i]] = set.Bound
			}
		}
		alone := &quasi.Question{Factor: factor, Meaning: quasi.Classes}
		d, err := p.one(ctx, &engine.Task{Instance: few, Quasi: alone}, b)
		if err != nil || d.Verdict == engine.NotLinearizable {
			d.Answer = engine.Answer{Verdict: d.Verdict, Effort: d.Effort}
			return d, err == nil, err
		}
	}
	return decision{}, false, nil
}

// onItsValues returns the insertions and removals of the values of a set; nil if it is not a set of
// removals that take all that these insertions put in. If others returned these values, too, more
// are removed than put in, which refutes the history anyway.
func onItsValues(b *model.Instance, t *model.CollectionTheory, in []bool) (kept []history.OpID) {
	left := make([]int, t.Values) // copies that no removal of the set takes
	its := make([]bool, t.Values)
	class := int32(-1)
	for i, member := range in {
		if !member {
			continue
		}
		v := t.Value[i]
		if t.Does[i] != model.Remove || v < 0 || b.Class[i] < 0 || class >= 0 && int32(b.Class[i]) != class {
			return nil
		}
		class, its[v] = int32(b.Class[i]), true
		left[v]--
	}
	for i, v := range t.Value {
		if v < 0 || !its[v] || t.Does[i] != model.Insert && t.Does[i] != model.Remove {
			continue
		}
		if t.Does[i] == model.Insert {
			left[v]++
		}
		kept = append(kept, history.OpID(i))
	}
	if slices.ContainsFunc(left, func(n int) bool { return n > 0 }) {
		return nil
	}
	return kept
}
