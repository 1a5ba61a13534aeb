package explain

import (
	"context"
	"errors"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
)

// Violations without an argument: the verifier decides by itself. It tries all orders, of the whole
// or of what is left after forgetting, counts the ways to pair repeated values, or checks a
// refutation in clauses.

// confirm has the verifier try what an engine says that refutes the partition.
func (x *explainer) confirm(ctx context.Context, tried *proof.Exhaustion) error {
	x.Uncertified = "trying all orders of what refutes it takes too long"
	if err := x.exhaust(ctx, tried.Weakening); err != nil || x.Certified || ctx.Err() != nil {
		return err
	}
	if err := verify.Proof(ctx, nil, x.Instance, tried); err != nil && ctx.Err() == nil &&
		!errors.Is(err, base.ErrTooLarge) {
		return x.refused("the evidence of an engine", err)
	}
	return nil
}

// exhaust has the verifier search each weakened partition exhaustively, until one is refuted; or
// else decide again by its other means. The error is a Disagreement: a weakened partition is
// linearizable.
func (x *explainer) exhaust(ctx context.Context, weakenings ...*proof.Weakening) error {
	if err := x.tryAll(ctx, weakenings...); err != nil || x.Certified {
		return err
	}
	for _, weakening := range weakenings {
		if err := x.retry(ctx, weakening); err != nil || x.Certified {
			return err
		}
	}
	return x.refuteByClauses(ctx)
}

// tryAll has the verifier search each weakened partition exhaustively, until one is refuted. The
// error is a Disagreement: a weakened partition is linearizable.
func (x *explainer) tryAll(ctx context.Context, weakenings ...*proof.Weakening) error {
	for _, weakening := range weakenings {
		nodes, furthest, err := verify.Tried(ctx, x.Instance, weakening, base.NodesOf(x.Instance.Partition))
		if err == nil {
			x.Furthest = furthest
			x.certified(&proof.Exhaustion{Weakening: weakening, Cases: nodes})
			return nil
		}
		if errors.Is(err, verify.ErrLinearizable) {
			return x.refused("a violation", err)
		}
	}
	return nil
}

// retry has the verifier decide a queue or stack again by its own means, which may certify the
// violation. The error is a Disagreement: the weakened partition is linearizable.
func (x *explainer) retry(ctx context.Context, weakening *proof.Weakening) error {
	t, ok := x.Instance.Theory.(*model.CollectionTheory)
	if !ok || t.Discipline != model.LIFO {
		return x.pair(ctx, weakening)
	}
	// Without one of the values there are far fewer items, and often the others are enough.
	if weakening.Retain == nil && t.Values <= fewLeftOut {
		for v := range int32(t.Values) {
			less := *weakening
			less.Retain = make([]proof.Retained, len(t.Value))
			for i, u := range t.Value {
				if u == v {
					less.Retain[i] = proof.RetainNothing
				}
			}
			if x.saturate(ctx, &less) == nil || ctx.Err() != nil {
				return nil
			}
		}
	}
	if err := x.saturate(ctx, weakening); errors.Is(err, verify.ErrLinearizable) {
		return x.refused("a violation", err)
	}
	return nil
}

// saturate has the verifier list what can be on top of a stack, which may certify the violation. It
// returns the error of the verifier.
func (x *explainer) saturate(ctx context.Context, weakening *proof.Weakening) error {
	cases, err := verify.Saturated(ctx, x.Instance, weakening, verify.MaxItems)
	if err == nil {
		x.certified(&proof.Saturation{Weakening: weakening, Cases: cases})
	}
	return err
}

// pair has the verifier try all pairings of a queue, which may certify the violation. The error is
// a Disagreement: the weakened partition is linearizable.
func (x *explainer) pair(ctx context.Context, weakening *proof.Weakening) error {
	cases, err := verify.Paired(ctx, x.Instance, weakening, verify.MaxPairs)
	switch {
	case err == nil:
		x.certified(&proof.Pairing{Weakening: weakening, Cases: cases})
	case errors.Is(err, verify.ErrLinearizable):
		return x.refused("a violation", err)
	}
	return nil
}
