package explain

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
)

// quasiReasons is reasons under a factor: the verifier checks the refutation that came with the
// verdict, or tries everything that a minimal core leaves, or else everything.
func (x *explainer) quasiReasons(parent context.Context) error {
	if p := x.Violation.Proof; verify.Proof(context.WithoutCancel(parent), x.Quasi, x.Instance, p) == nil {
		x.certified(p)
		return nil
	}
	ctx, stop := context.WithTimeout(parent, x.Wanted.Reasons)
	defer stop()
	claims := []*proof.Weakening{proof.Everything()}
	core, err := FindQuasi(ctx, x.Instance, x.Quasi, x.decide)
	if err == nil && core != nil { // a specification may refuse what is left
		x.Core = core
		claims = []*proof.Weakening{core.Claim, onlyResults(core.Claim), claims[0]}
	}
	for _, claim := range claims {
		if parent.Err() != nil {
			break
		}
		nodes, err := exhaustQuasi(x.Instance, x.Quasi, claim)
		if err == nil {
			x.certified(&proof.Exhaustion{Weakening: claim, Cases: nodes})
			return nil
		}
		if errors.As(err, new(*engine.Disagreement)) {
			return err
		}
		x.Uncertified = "the judge could not try everything again: " + err.Error()
	}
	return nil
}

// onlyResults is a weakening that keeps the responses that claim forgets.
func onlyResults(claim *proof.Weakening) *proof.Weakening {
	weaker := *claim
	weaker.Retain = make([]proof.Retained, len(claim.Retain))
	for i, k := range claim.Retain {
		weaker.Retain[i] = min(k, proof.RetainResponse)
	}
	return &weaker
}

// exhaustQuasi has the verifier try everything that the claim leaves, and returns how many cases
// that took. That there is an order after all is a disagreement.
func exhaustQuasi(b *model.Instance, q *quasi.Question, claim *proof.Weakening) (int, error) {
	n := b.Partition.Len() + 1
	limit := min(verify.MaxNodes, exhaustWork/(n*n))
	nodes, err := verify.ExhaustedQuasi(b, q, claim, limit)
	if errors.Is(err, verify.ErrRearranged) {
		err = &engine.Disagreement{Part: b.Partition.Title(b.Spec.Info()), Because: fmt.Sprintf("a violation at %s, but certify finds that %v", q.Factor.String(b.Spec.Info()), err)}
	}
	return nodes, err
}

// ConfirmQuasi reports whether the verifier confirms that b is not quasi-linearizable under q,
// given the evidence of an engine: by that, or if everything may be tried also without. The error
// is a *engine.Disagreement.
func ConfirmQuasi(b *model.Instance, q *quasi.Question, evidence proof.Proof, everything bool) (bool, error) {
	if verify.Proof(context.Background(), q, b, evidence) == nil {
		return true, nil
	}
	if !everything {
		return false, nil
	}
	_, err := exhaustQuasi(b, q, proof.Everything())
	if errors.As(err, new(*engine.Disagreement)) {
		return false, err
	}
	return err == nil, nil
}
