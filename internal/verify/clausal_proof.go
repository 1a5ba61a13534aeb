package verify

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
)

func clausalProof(ctx context.Context, b *model.Instance, p *proof.Clausal) error {
	return clausalProofQuasi(ctx, nil, b, p)
}

// clausalProofQuasi builds the formula of the question and checks that the lemmas refute it.
func clausalProofQuasi(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	c := p.(*proof.Clausal)
	f, err := Clauses(b, q, c.Weakening)
	if err != nil {
		return err
	}
	if f.Len() != c.Clauses {
		return base.Faultf("clauses", "the formula has %d, and the proof is about one of %d", f.Len(), c.Clauses)
	}
	return f.Check(ctx, c.Lemmas)
}

// Clauses returns the formula that a clausal proof with this weakening, nil for none, refutes.
func Clauses(b *model.Instance, q *quasi.Question, weakening *proof.Weakening) (*clausal.Formula, error) {
	if weakening == nil {
		return clausal.Build(b, q)
	}
	switch {
	case q == nil:
		return nil, base.Faultf("", "clauses about a weakening (cut %d, from %d) are for quasi-linearizability",
			weakening.Cut, weakening.From)
	case weakening.Cut != history.Never || weakening.From != 0 || weakening.AnyStart || weakening.SomeGiven ||
		weakening.View != 0:
		return nil, base.Faultf("", "cut %d, from %d, start, given: under a quasi factor they cannot be forgotten",
			weakening.Cut, weakening.From)
	}
	weak, err := base.Weakened(b, weakening)
	if err != nil {
		return nil, err
	}
	if err := leftAmong(b, weak, weakening); err != nil {
		return nil, err
	}
	return clausal.BuildAmong(b, weak, q, weakening)
}

// leftAmong refuses a weakening that leaves out an operation on a value of which it retains others,
// or order that there is not.
//
// A removal of unknown result may be on any value. It can be left out all the same if there are
// more removals like it than values, of a deque at its end: those that were called before it and
// never returned can do what it does, unless the history says that they took what is left out.
func leftAmong(b, weak *model.Instance, weakening *proof.Weakening) error {
	whole, _ := b.Collection()
	t, back := weak.Collection()
	if whole == nil || t == nil || len(t.Initial) != 1 || weakening.Retain == nil {
		return base.Faultf("", "operations are left out of a partition of %s, which is no collection",
			b.Spec.Info().Name)
	}
	known := clausal.Renumbered(whole, t)
	kept, items, free := map[int32]bool{}, 0, [2]int{} // by end
	for i := range t.Value {
		if weakening.Of(history.OpID(i)) != proof.RetainNothing {
			kept[t.Value[i]] = true
			if t.Does[i] == model.Insert {
				items++
			}
		}
	}
	for _, v := range t.Initial[0] {
		if kept[v] {
			items++
		}
	}
	for i := range t.Value {
		any, end := t.Value[i] == model.Anything && t.Does[i] == model.Remove, back.Of(history.OpID(i))
		switch out := weakening.Of(history.OpID(i)) == proof.RetainNothing; {
		case out && (any && free[end] < items || t.Value[i] >= 0 && kept[t.Value[i]]):
			return base.Faultf(base.Op(b.Partition, history.OpID(i)),
				"it is left out, but not all operations that are, or may be, on its value")
		case !out && any && weak.Partition.Ops[i].Pending() &&
			(known[i] == model.Anything || kept[known[i]]):
			free[end]++
		}
	}
	for _, e := range weakening.Order {
		for _, i := range e {
			if i < 0 || int(i) >= len(t.Value) || weakening.Of(i) == proof.RetainNothing {
				return base.Faultf("", "order: operation %d does not exist or is left out", i)
			}
		}
		if weak.Partition.Ops[e[0]].Return >= weak.Partition.Ops[e[1]].Call {
			return base.Faultf("", "order: operation %d does not return before %d is called", e[0], e[1])
		}
	}
	return nil
}
