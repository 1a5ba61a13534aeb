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
// verdict, or else searches exhaustively, first the partition as weakened by a minimal core, then
// the whole partition. In large partitions pairings and clauses come first, since they certify
// sooner than a core is found.
func (x *explainer) quasiReasons(parent context.Context) error {
	if p := x.Violation.Proof; verify.Proof(context.WithoutCancel(parent), x.Quasi, x.Instance, p) == nil {
		x.certified(p)
		return nil
	}
	if x.Instance.Partition.Len() > maxCoreFirst {
		if err := x.pairQuasi(parent); err != nil || x.Certified {
			return err
		}
	}
	if x.AnyReason || x.Instance.Partition.Len() > maxCoreFirst {
		if err := x.refuteByClauses(parent); err != nil || x.Certified {
			return err
		}
	}
	ctx, stop := context.WithTimeout(parent, x.Wanted.Reasons)
	defer stop()
	weakenings := []*proof.Weakening{proof.Everything()}
	core, err := FindQuasi(ctx, x.Instance, x.Quasi, x.decide)
	if err == nil && core != nil { // a specification may refuse what is left
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
		x.Uncertified = "the verifier could not try everything again: " + err.Error()
	}
	if x.Instance.Partition.Len() <= maxCoreFirst {
		if err := x.pairQuasi(parent); err != nil || x.Certified {
			return err
		}
	}
	if x.AnyReason || x.Instance.Partition.Len() > maxCoreFirst {
		return nil
	}
	return x.refuteByClauses(parent)
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
