package linsat

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/sat"
	"github.com/linsat/linsat/internal/quasi/search"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
)

// argueQuasi is argue under a factor: certify judges the refutation that came with the verdict, or
// tries everything that a minimal core leaves, or else everything.
func (c *config) argueQuasi(ctx context.Context, r *Result, evidence any) error {
	if refutation, ok := evidence.(*proof.Displacement); ok && verify.Lag(r.Instance, r.Quasi, refutation) == nil {
		r.Refutation, r.Certified, r.Uncertified = refutation, true, ""
		return nil
	}
	parent := ctx
	ctx, stop := context.WithTimeout(parent, c.argueFor)
	defer stop()
	claims := []*proof.Weakening{proof.Everything()}
	core, err := explain.FindQuasi(ctx, r.Instance, r.Quasi, decideQuasi(r.Quasi))
	if err == nil && core != nil { // a specification may refuse what is left
		r.Core = core
		claims = []*proof.Weakening{core.Claim, onlyResults(core.Claim), claims[0]}
	}
	for _, claim := range claims {
		if parent.Err() != nil {
			break
		}
		nodes, err := exhaustQuasi(r.Instance, r.Quasi, claim)
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
func onlyResults(claim *proof.Weakening) *proof.Weakening {
	weaker := *claim
	weaker.Retain = make([]proof.Retained, len(claim.Retain))
	for i, k := range claim.Retain {
		weaker.Retain[i] = min(k, proof.RetainResponse)
	}
	return &weaker
}

// exhaustWork bounds the cases that are tried, times the square of the operations of the part: a
// second or two.
const exhaustWork = 150_000_000

// exhaustQuasi has certify try everything that the claim leaves, and returns how many cases that
// took. That there is an order after all is a contradiction.
func exhaustQuasi(b *model.Instance, relax *quasi.Question, claim *proof.Weakening) (int, error) {
	n := b.Partition.Len() + 1
	limit := min(verify.MaxNodes, exhaustWork/(n*n))
	nodes, err := verify.ExhaustedQuasi(b, relax, claim, limit)
	if errors.Is(err, verify.ErrRearranged) {
		err = &Disagreement{Part: b.Partition.Title(b.Spec.Info()), Because: fmt.Sprintf("a no at %s, but certify finds that %v", relax.Factor.String(b.Spec.Info()), err)}
	}
	return nodes, err
}

// confirmed says whether certify confirms that b is not quasi-linearizable under relax, given the
// evidence of an engine.
func (c *config) confirmed(b *model.Instance, relax *quasi.Question, evidence any) (bool, error) {
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
func decideQuasi(relax *quasi.Question) explain.Decide {
	engines := []engine.Engine{monitor.New(), search.New(), sat.New(func() solver.Solver { return gini.New() })}
	return func(ctx context.Context, b *model.Instance) engine.Verdict {
		for _, e := range engines {
			a, err := e.Check(ctx, &engine.Problem{Instance: b, Quasi: relax}, engine.NewBudget(stepsForCore, 0))
			if err == nil && a.Verdict != engine.Unknown {
				return a.Verdict
			}
		}
		return engine.Unknown
	}
}
