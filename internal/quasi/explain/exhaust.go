package explain

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	quasiverify "github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Exhaust has the verifier try everything that the weakening leaves, and returns how many cases it
// tried. If ρ′ and ρ″ exist after all, the error is a *engine.Disagreement.
func Exhaust(b *model.Instance, q *quasi.Question, weakening *proof.Weakening) (int, error) {
	n := b.Partition.Len() + 1
	limit := min(base.MaxNodes, exhaustWork/(n*n))
	nodes, err := quasiverify.Exhausted(context.Background(), b, q, weakening, limit)
	if errors.Is(err, quasiverify.ErrRearranged) {
		err = &engine.Disagreement{Partition: b.Partition.Title(b.Spec.Info()),
			Because: fmt.Sprintf("a violation at %s, but the verifier finds: %v", q.Factor.String(b.Spec.Info()), err)}
	}
	return nodes, err
}
