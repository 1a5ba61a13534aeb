package verify

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Paired checks that no pairing (base.Pairing) explains b's partition, a queue all of whose
// operations returned, under q. It visits at most limit configurations and returns how many it
// visited; the error wraps ErrRearranged if there are ρ′ and ρ″.
func Paired(ctx context.Context, b *model.Instance, q *quasi.Question, limit int) (cases int, err error) {
	t, ok := b.Theory.(*model.CollectionTheory)
	switch {
	case !ok || t.Discipline != model.FIFO || len(t.Initial) != 1 || len(b.Partition.Edges) > 0 ||
		b.Partition.Drains > 0 || b.Partition.Len() == 0:
		return 0, base.Faultf("", "the partition is not one FIFO queue without explicit order")
	case q.Meaning != quasi.Slots || q.Causal:
		return 0, base.Faultf("", "the meaning is not slots without causality")
	}
	bound, stays, err := removals(b, t, q)
	if err != nil {
		return 0, err
	}
	drains := 0
	if q.Drain {
		drains = max(0, stays)
	}
	p := base.NewPairing(b.Partition.Ops, t)
	p.Relax(bound, drains)
	cases, met, err := p.Exhaust(ctx, limit)
	if met {
		err = ErrRearranged
	}
	return cases, err
}

// removals checks that only removals move, by one bound, and returns it and how many values stay.
func removals(b *model.Instance, t *model.CollectionTheory, q *quasi.Question) (bound, stays int, err error) {
	ops := b.Partition.Ops
	removals, stays := model.NoClass, len(t.Initial[0])
	for i := range ops {
		class, why := b.Class[i], ""
		switch {
		case ops[i].Pending():
			why = "pending operations are not supported"
		case t.Does[i] == model.Peek || t.Value[i] == model.Anything:
			why = "it is neither an insertion nor a removal with a known result"
		case class < 0 || int(class) >= len(q.Factor):
			why = "it has no class"
		case t.Does[i] == model.Insert && q.Factor[class] != 0:
			why = "insertions that may move are not supported"
		case t.Does[i] == model.Insert:
			stays++
		case removals >= 0 && class != removals:
			why = "it is of another class than the removals before it"
		default:
			removals = class
			bound = int(q.Factor[class])
			if t.Value[i] != model.Nothing {
				stays--
			}
		}
		if why != "" {
			return 0, 0, base.Faultf(base.Op(b.Partition, history.OpID(i)), "%s", why)
		}
	}
	for i := range ops {
		if t.Does[i] == model.Insert && b.Class[i] == removals {
			return 0, 0, base.Faultf(base.Op(b.Partition, history.OpID(i)), "it is of the class of the removals")
		}
	}
	return bound, stays, nil
}
