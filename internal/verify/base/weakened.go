package base

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Weakened forgets the future, responses, results and explicit order as a weakening says, and binds
// what is left anew: a forgotten result is unknown to the specification. Positions are those of b's
// partition; operations called after the cut are missing. A history of which the weakened one is
// not linearizable is not. It does not look at the rest of the weakening (From, AnyStart,
// KeepNothing, Order).
func Weakened(b *model.Instance, weakening *proof.Weakening) (*model.Instance, error) {
	weak, err := WeakenedPartition(b, weakening)
	if err != nil {
		return nil, err
	}
	return Rebound(b, weak)
}

// Rebound binds what is left of b's partition.
func Rebound(b *model.Instance, left *model.Partition) (*model.Instance, error) {
	if left == b.Partition {
		return b, nil
	}
	bound, err := b.Spec.Bind(left)
	if err != nil {
		return nil, Under("weakening", Faultf("", "the specification refuses what is left: %w", err))
	}
	return bound, nil
}

// WeakenedPartition is the partition of Weakened, not bound: b's own one where nothing is
// forgotten.
func WeakenedPartition(b *model.Instance, weakening *proof.Weakening) (*model.Partition, error) {
	p := b.Partition
	if p.Drains > 0 {
		return nil, Under("weakening", Faultf("", "a partition with %d drains cannot be weakened", p.Drains))
	}
	if weakening.Retain != nil && len(weakening.Retain) != p.Len() {
		return nil, Under("weakening", Faultf("", "it covers %d operations, but the partition has %d",
			len(weakening.Retain), p.Len()))
	}
	weak := p
	switch {
	case weakening.Cut != history.Never:
		weak = p.Prefix(weakening.Cut) // its operations are a copy
	case weakening.Retain != nil || weakening.SomeGiven:
		q := *p
		q.Ops = slices.Clone(p.Ops)
		weak = &q
	}
	if weakening.SomeGiven {
		weak.Edges = weakening.KeepGiven(weak.Edges)
	}
	for i := range weak.Ops {
		o := &weak.Ops[i]
		switch weakening.Of(history.OpID(i)) {
		case proof.RetainAll, proof.RetainNothing:
		case proof.RetainResponse:
			o.Result, o.Unknown = history.Nil, true
		case proof.RetainCall:
			o.Return, o.Result, o.Unknown = history.Never, history.Nil, true
		default:
			return nil, Under("weakening", Faultf(Op(p, history.OpID(i)), "unknown retained fact %d",
				weakening.Retain[i]))
		}
	}
	return weak, nil
}
