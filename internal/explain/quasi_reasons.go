package explain

import (
	"context"
	"errors"
	"fmt"

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
	sets := len(x.Quasi.Sets) > 0 // clauses know nothing of them
	if p := x.Violation.Proof; !sets && verify.Proof(context.WithoutCancel(parent), x.Quasi, x.Instance, p) == nil {
		x.certified(p)
		if given = !widened; given { // a core says more
			x.named = p.Operations(x.Instance)
		}
	} else if !sets {
		if err := x.certifyQuasi(parent); err != nil {
			return err
		}
	}
	if x.Certified {
		x.soFar(x.Reasons)
		if x.AnyReason {
			return nil
		}
		if err := x.coreOfValues(parent, given); err != nil || x.Core != nil || given && n > maxResponses ||
			n > maxCoreFirst {
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
	case !core.Minimal && len(core.Facts) > manyFacts && (x.Certified || len(core.Facts) >= n):
		// it explains nothing
		x.NoCore = fmt.Sprintf("one with %d facts may not be minimal: %s", len(core.Facts), core.NotMinimal)
	default:
		x.Core, x.NoCore = core, ""
		if given {
			return nil
		}
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
	if x.Certified || n > maxCoreFirst || sets {
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
		x.named = verify.Narrowed(x.Instance, wide, plain.Proof.Operations(wide))
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

// coreOfValues looks for a core of values, which certifies the violation where it says more than
// what an engine gave.
func (x *explainer) coreOfValues(parent context.Context, given bool) error {
	n := x.Instance.Partition.Len()
	switch t, _ := x.Instance.Collection(); {
	case t == nil:
		x.NoCore = "values are tried alone in queues, stacks, priority queues and deques only"
		return nil
	case len(x.named) == 0:
		x.NoCore = "the proof names no operations to begin with"
		return nil
	case n > maxArgued:
		x.NoCore = fmt.Sprintf("of more than %d operations none is sought", maxArgued)
		return nil
	}
	ctx, stop := context.WithTimeout(parent, x.Wanted.Reasons)
	defer stop()
	core, p := FindValues(ctx, x.Instance, x.Quasi, x.named)
	switch {
	case core == nil && ctx.Err() != nil:
		x.NoCore = "the time was up"
		return nil
	case core == nil:
		x.NoCore = "no few values near to what the proof names were refuted by themselves within the limits"
		return nil
	case len(core.Facts) > manyFacts && !core.Minimal:
		x.NoCore = fmt.Sprintf("one with %d facts may not be minimal: %s", len(core.Facts), core.NotMinimal)
		return nil
	}
	_, _, says := PassedOver(x.Instance, x.Quasi, core)
	says = says || FindOvertaken(x.Instance, x.Quasi, core) != nil
	if !given && !says && !core.Minimal && n <= maxResponses {
		return nil // a minimal core of responses is found
	}
	if err := verify.Proof(context.WithoutCancel(ctx), x.Quasi, x.Instance, p); err != nil {
		return x.refused("a core under a factor", err)
	}
	x.Core = core
	if says || !tells(x.Reasons.Proof) {
		x.certified(p)
	}
	return nil
}

// tells reports whether a proof under a factor says more to a reader than clauses.
func tells(p proof.Proof) bool {
	if wide, ok := p.(*proof.Widening); ok {
		p = wide.Refutation.Proof
	}
	switch p.(type) {
	case *proof.Displacement, *proof.CollectionConflict:
		return true
	}
	return false
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
