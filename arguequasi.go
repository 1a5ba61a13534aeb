package linsat

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
)

// argueQuasi is argue under a factor: certify judges the refutation that came with the verdict, or tries everything that a minimal core
// leaves, or else everything.
func (c *config) argueQuasi(ctx context.Context, r *Result, evidence any) error {
	if refutation, ok := evidence.(*proof.Displacement); ok && verify.Lag(r.Bound, r.Relax, refutation) == nil {
		r.Refutation, r.Certified, r.Uncertified = refutation, true, ""
		return nil
	}
	parent := ctx
	ctx, stop := context.WithTimeout(parent, c.argueFor)
	defer stop()
	claims := []*proof.Claim{proof.Everything()}
	core, err := explain.FindQuasi(ctx, r.Bound, r.Relax, decideQuasi(r.Relax))
	if err == nil && core != nil { // a specification may refuse what is left
		r.Core = core
		claims = []*proof.Claim{core.Claim, onlyResults(core.Claim), claims[0]}
	}
	for _, claim := range claims {
		if parent.Err() != nil {
			break
		}
		nodes, err := exhaustQuasi(r.Bound, r.Relax, claim)
		if err == nil {
			r.Exhausted, r.Cases, r.Certified, r.Uncertified = claim, nodes, true, ""
			return nil
		}
		if errors.As(err, new(*Disagreement)) {
			return err
		}
		r.Uncertified = "the judge could not try everything again: " + err.Error()
	}
	return nil
}

// onlyResults is a claim that keeps the responses that claim forgets.
func onlyResults(claim *proof.Claim) *proof.Claim {
	weaker := *claim
	weaker.Keep = make([]proof.Kept, len(claim.Keep))
	for i, k := range claim.Keep {
		weaker.Keep[i] = min(k, proof.KeepResponse)
	}
	return &weaker
}

// exhaustWork bounds the cases that are tried, times the square of the operations of the part: a second or two.
const exhaustWork = 150_000_000

// exhaustQuasi has certify try everything that the claim leaves, and returns how many cases that took. That there is an order
// after all is a contradiction.
func exhaustQuasi(b *model.Bound, relax *quasi.Relaxation, claim *proof.Claim) (int, error) {
	n := b.Part.Len() + 1
	limit := min(verify.MaxNodes, exhaustWork/(n*n))
	nodes, err := verify.ExhaustedQuasi(b, relax, claim, limit)
	if errors.Is(err, verify.ErrRearranged) {
		err = &Disagreement{Part: b.Part.Title(b.Spec.Info()), Because: fmt.Sprintf("a no at %s, but certify finds that %v", relax.Factor.String(b.Spec.Info()), err)}
	}
	return nodes, err
}

// confirmed says whether certify confirms that b is not quasi-linearizable under relax, given the evidence of an engine.
func (c *config) confirmed(b *model.Bound, relax *quasi.Relaxation, evidence any) (bool, error) {
	if refutation, ok := evidence.(*proof.Displacement); ok && verify.Lag(b, relax, refutation) == nil {
		return true, nil
	}
	if c.argueFor == 0 {
		return false, nil
	}
	_, err := exhaustQuasi(b, relax, proof.Everything())
	if errors.As(err, new(*Disagreement)) {
		return false, err
	}
	return err == nil, nil
}

// decideQuasi decides weakened parts under a relaxation.
func decideQuasi(relax *quasi.Relaxation) explain.Decide {
	engines := []engine.Engine{monitor.New(), search.New(search.VerdictOnly()), encode.New(func() solver.Solver { return gini.New() })}
	return func(ctx context.Context, b *model.Bound) engine.Verdict {
		for _, e := range engines {
			a, err := e.Check(ctx, &engine.Problem{Bound: b, Relax: relax}, engine.NewMeter(stepsForCore, 0))
			if err == nil && a.Verdict != engine.Unknown {
				return a.Verdict
			}
		}
		return engine.Unknown
	}
}
