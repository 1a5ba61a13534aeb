package explain

import (
	"context"
	"errors"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/explain"
	quasiverify "github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/verify"
)

// quasiReasons is reasons under a factor: the verifier checks the refutation that came with the
// verdict, or one of its own formula, and a core of values is looked for near to what it names. In
// small partitions without such a core the verifier tries everything, first in what a minimal core
// of results and responses leaves, then in the whole partition.
func (x *explainer) quasiReasons(parent context.Context) error {
	n, given := x.Instance.Partition.Len(), false
	wide, widened := x.Violation.Proof.(*proof.Widening)
	if widened {
		if err := x.proveWidening(parent, wide); err != nil {
			return err
		}
	}
	if p := x.Violation.Proof; verify.Proof(context.WithoutCancel(parent), x.Quasi, x.Instance, p) == nil {
		x.certified(p)
		x.named, given = p.Operations(x.Instance), !widened // a core says more
	} else if err := x.certifyQuasi(parent); err != nil {
		return err
	}
	if x.Certified {
		x.soFar(x.Reasons)
		if x.AnyReason {
			return nil
		}
		if err := x.coreOfValues(parent, given); err != nil || x.Core != nil || given || n > maxCoreFirst {
			return err
		}
	}
	ctx, stop := context.WithTimeout(parent, x.Wanted.Reasons)
	defer stop()
	weakenings := []*proof.Weakening{proof.Everything()}
	var core *Core
	var err error
	if !x.AnyReason {
		core, err = FindQuasi(ctx, x.Instance, x.Quasi, x.decide)
	}
	switch {
	case err != nil || core == nil: // a specification may refuse what is left
	case x.Certified && !core.Minimal && len(core.Facts) > manyFacts: // it explains nothing
	default:
		x.Core = core
		weakenings = []*proof.Weakening{core.Weakening, onlyResults(core.Weakening), weakenings[0]}
	}
	for _, weakening := range weakenings {
		if parent.Err() != nil {
			break
		}
		nodes, err := explain.Exhaust(x.Instance, x.Quasi, weakening)
		if err == nil {
			x.certified(&proof.Exhaustion{Weakening: weakening, Cases: nodes})
			return nil
		}
		if errors.As(err, new(*engine.Disagreement)) {
			return err
		}
		if !x.Certified {
			x.Uncertified = "the verifier could not try everything again: " + err.Error()
		}
	}
	if x.Certified || n > maxCoreFirst {
		return nil
	}
	return x.pairQuasi(parent)
}

// proveWidening looks for a proof that the widening of the partition is not linearizable, as an
// engine says.
func (x *explainer) proveWidening(parent context.Context, said *proof.Widening) error {
	wide, err := verify.Widened(x.Instance, x.Quasi)
	if err != nil {
		return nil
	}
	plain, err := Explain(parent, x.Engines, Violation{Spec: x.Spec, Instance: wide, Proof: said.Refutation.Proof},
		Wanted{Reasons: x.Wanted.Reasons, Locate: x.Wanted.Reasons, AnyReason: true}, x.budget, func(Reasons) {})
	if err == nil && plain.Certified {
		x.Violation.Proof = &proof.Widening{Refutation: proof.Inner{Proof: plain.Proof}}
	}
	return err
}

// certifyQuasi has the verifier try all pairings of a queue, or refute its formula.
func (x *explainer) certifyQuasi(ctx context.Context) error {
	if x.Instance.Partition.Len() > maxCoreFirst {
		if err := x.pairQuasi(ctx); err != nil || x.Certified {
			return err
		}
	}
	return x.refuteByClauses(ctx)
}

// coreOfValues looks for a core of values, which then certifies the violation: for a short time
// where an engine gave a reason.
func (x *explainer) coreOfValues(parent context.Context, given bool) error {
	limit := x.Wanted.Reasons
	switch n := x.Instance.Partition.Len(); {
	case len(x.named) == 0, n > maxArgued, given && n > maxPatient:
		return nil
	case given:
		limit = min(limit, x.Wanted.Reasons/besideShare)
	}
	ctx, stop := context.WithTimeout(parent, limit)
	defer stop()
	core, p := FindValues(ctx, x.Instance, x.Quasi, x.named, !given)
	if core == nil || len(core.Facts) > manyFacts && !core.Minimal {
		return nil
	}
	_, _, says := PassedOver(x.Instance, x.Quasi, core)
	says = says || FindOvertaken(x.Instance, x.Quasi, core) != nil
	switch {
	case given && !says:
		return nil // what the engine gave says more
	case !says && !core.Minimal && x.Instance.Partition.Len() <= maxResponses:
		return nil // a minimal core of responses is found
	}
	if err := verify.Proof(context.WithoutCancel(ctx), x.Quasi, x.Instance, p); err != nil {
		return x.refused("a core under a factor", err)
	}
	x.Core = core
	x.certified(p)
	return nil
}

// pairQuasi has the verifier try all pairings of a queue, which may certify the violation. The
// error is a Disagreement: the partition can be rearranged within the factor.
func (x *explainer) pairQuasi(ctx context.Context) error {
	cases, err := quasiverify.Paired(ctx, x.Instance, x.Quasi, verify.MaxPairs)
	switch {
	case err == nil:
		x.certified(&proof.Pairing{Weakening: proof.Everything(), Cases: cases})
	case errors.Is(err, quasiverify.ErrRearranged):
		return x.refused("a violation", err)
	}
	return nil
}

// onlyResults is a weakening that keeps the responses that weakening forgets.
func onlyResults(weakening *proof.Weakening) *proof.Weakening {
	weaker := *weakening
	weaker.Retain = make([]proof.Retained, len(weakening.Retain))
	for i, k := range weakening.Retain {
		weaker.Retain[i] = min(k, proof.RetainResponse)
	}
	return &weaker
}
