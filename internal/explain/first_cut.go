package explain

// First cuts: which facts a refutation in clauses uses.
//
// What: a solver refutes the formula of the verifier, and the lemmas name the clauses that they
// need. Every clause says which operations it is about. Operations that no needed clause mentions
// are forgotten first, all at once.
//
// Source: cores from refutations of clauses (Zhang and Malik, Validating SAT Solvers Using an
// Independent Resolution-Based Checker, DATE 2003). Failed assumptions would say less: they need a
// selector for each fact. It is only a guess: clauses fold what real time decides, so a fact can
// matter without being mentioned. Whether the rest is refuted is decided as after every step of
// deletion.
//
// Cost: one formula and its refutation, within firstCutTime.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
)

// firstCut divides operations into those that a refutation mentions and the others. Without a
// refutation all of them are mentioned.
func (f *finder) firstCut(q *quasi.Question, ops []history.OpID) (mentioned, others []history.OpID) {
	ctx, stop := context.WithTimeout(f.ctx, firstCutTime)
	defer stop()
	formula, err := clausal.Build(f.b, q)
	if err != nil {
		return ops, nil
	}
	status, lemmas, _ := cdcl.Refute(ctx, formula)
	if status != cdcl.Refuted {
		return ops, nil
	}
	is := namedIn(formula, lemmas)
	for _, i := range ops {
		if is[i] {
			mentioned = append(mentioned, i)
		} else {
			others = append(others, i)
		}
	}
	return mentioned, others
}
