package explain

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/clausal"
)

// refuteByClauses refutes the formula that the verifier builds, which may certify the violation. An
// error is a Disagreement: the formula can be satisfied.
//
// An engine has found the verdict by other clauses, or without any. This refutes again, since the
// proof must be about the verifier's own formula, or the clauses would have to be believed.
func (x *explainer) refuteByClauses(parent context.Context) error {
	if parent.Err() != nil {
		return nil
	}
	ctx, stop := context.WithTimeout(parent, x.Wanted.Reasons)
	defer stop()
	f, err := clausal.Build(x.Instance, x.Quasi)
	if err != nil {
		if !errors.Is(err, clausal.ErrUnsupported) {
			x.Uncertified = err.Error()
		}
		return nil
	}
	status, lemmas, _ := cdcl.Refute(ctx, f)
	switch status {
	case cdcl.Satisfied:
		return x.refused("a violation", errors.New("the clauses that say what can be explained have a model"))
	case cdcl.Stopped:
		x.Uncertified = "the time was up before the clauses of the verifier were refuted"
		return nil
	}
	p := &proof.Clausal{Clauses: f.Len(), Lemmas: lemmas}
	switch err := verify.Proof(context.WithoutCancel(ctx), x.Quasi, x.Instance, p); {
	case errors.Is(err, clausal.ErrTooLarge):
		x.Uncertified = err.Error()
	case err != nil:
		return x.refused("a refutation by clauses", err)
	default:
		x.certified(p)
		x.named = slices.Sorted(maps.Keys(namedIn(f, lemmas)))
	}
	return nil
}

// namedIn returns the operations that the clauses of f are about from which lemmas follow.
func namedIn(f *clausal.Formula, lemmas []proof.Lemma) map[history.OpID]bool {
	named := map[history.OpID]bool{}
	for _, l := range lemmas {
		for _, hint := range l.Hints {
			if int(hint) > f.Len() {
				continue
			}
			_, of := f.States(int(hint) - 1)
			for _, op := range of {
				if op >= 0 {
					named[op] = true
				}
			}
		}
	}
	return named
}
