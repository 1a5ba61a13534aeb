package portfolio

import (
	"cmp"
	"context"
	"fmt"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	quasiverify "github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/verify"
)

// decision is the answer on one partition. A witness has been replayed, but for those of inOrder.
type decision struct {
	engine.Answer
	engine string
	asked  []result.Asked         // of the engines, where all were asked to the end
	smt    string                 // that was asked without success, or ""
	bind   func() *model.Instance // of a partition that was refuted by its outline
}

// verdict is what was decided about a partition.
func (d *decision) verdict(of *model.Partition) result.PartitionVerdict {
	by := d.engine
	if d.By != "" {
		by += "/" + d.By
	}
	return result.PartitionVerdict{Partition: of, Verdict: d.Verdict, Cause: d.Cause, Detail: d.Detail,
		Engine: d.engine, By: by, Witness: d.Witness, Rearranged: d.Rearranged, Drains: d.Drains}
}

// tried notes that an SMT solver was asked, unless it does not take the question.
func (d decision) tried() decision {
	if isSMT(d.engine) && (d.Verdict != engine.Unknown || d.Cause != engine.Unsupported) {
		d.smt = d.engine
	}
	return d
}

// inOrder asks one engine after another until one decides. A witness is not replayed.
func inOrder(ctx context.Context, q *engine.Task, b *engine.Budget, engines ...engine.Decider) (decision, error) {
	var best decision
	for _, e := range engines {
		a, err := e.Check(ctx, q, b)
		if err != nil {
			return decision{}, err
		}
		best = better(best, decision{Answer: a, engine: e.Name()}.tried())
		if best.Verdict != engine.Unknown {
			break
		}
	}
	return best, nil
}

// sequential is inOrder with the witness replayed.
func sequential(ctx context.Context, q *engine.Task, b *engine.Budget, members []member) (decision, error) {
	engines := make([]engine.Decider, len(members))
	for k := range members {
		engines[k] = members[k].Decider
	}
	d, err := inOrder(ctx, q, b, engines...)
	if err != nil {
		return d, err
	}
	return d, replayed(q, &d)
}

// better keeps the more telling of two answers: a decision, or else the cause that a caller can do
// something about. The effort is that of both.
func better(a, b decision) decision {
	effort, smt := a.Effort.Add(b.Effort), cmp.Or(a.smt, b.smt)
	if weight(b) > weight(a) {
		a = b
	}
	a.Effort, a.smt = effort, smt
	return a
}

func weight(d decision) int {
	if d.Verdict != engine.Unknown {
		return 10
	}
	switch d.Cause {
	case engine.NoCause:
		return 0
	case engine.Unsupported:
		return 1
	case engine.Cancelled:
		return 2
	case engine.Undecided:
		return 3
	}
	return 4
}

// replayed has the verifier replay a witness. A refused one is a *engine.Disagreement.
func replayed(q *engine.Task, d *decision) error {
	if d.Verdict != engine.Linearizable {
		return nil
	}
	if err := replay(q, d.Answer); err != nil {
		return &engine.Disagreement{Partition: q.Instance.Partition.Title(q.Instance.Spec.Info()),
			Says:    []string{d.engine + ": linearizable", "certify: " + err.Error()},
			Because: fmt.Sprintf("%s answers linearizable with a witness that the verifier refuses: %v", d.engine, err)}
	}
	return nil
}

func replay(q *engine.Task, a engine.Answer) error {
	if q.Quasi != nil {
		return quasiverify.Rearrangement(q.Instance, q.Quasi, a.Witness, a.Rearranged, a.Drains)
	}
	return verify.Witness(q.Instance, a.Witness)
}
