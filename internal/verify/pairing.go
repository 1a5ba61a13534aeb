package verify

import (
	"context"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Paired checks that no pairing (base.Pairing) explains what the weakening leaves of b's partition,
// visiting at most so many configurations. It returns how many it visited, and an error if there is
// a linearization or the limit is reached. Weakenings may forget the future, responses, results,
// and what Left says.
func Paired(ctx context.Context, b *model.Instance, weakening *proof.Weakening, limit int) (cases int, err error) {
	if err := wholePast(weakening); err != nil {
		return 0, err
	}
	weak, _, err := Left(b, weakening)
	if err != nil {
		return 0, err
	}
	t, ok := weak.Theory.(*model.CollectionTheory)
	if !ok || t.Discipline != model.FIFO || len(t.Initial) != 1 || len(weak.Partition.Edges) > 0 {
		return 0, base.Faultf("", "the partition is not one queue without explicit order")
	}
	cases, met, err := base.NewPairing(weak.Partition.Ops, t).Exhaust(ctx, limit)
	if met {
		err = ErrLinearizable
	}
	return cases, err
}
