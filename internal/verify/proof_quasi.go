package verify

import (
	"context"
	"reflect"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Proofs of quasi-linearizability, which the table of verifiers names.

func displacementProof(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	return verify.Displacement(ctx, b, q, p.(*proof.Displacement))
}

func exhaustionProofQuasi(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	e := p.(*proof.Exhaustion)
	return again(e.Weakening, e.Cases, base.MaxNodes, func(limit int) (int, error) {
		return verify.Exhausted(ctx, b, q, e.Weakening, limit)
	})
}

func pairingProofQuasi(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	e := p.(*proof.Pairing)
	if e.Weakening != nil && !reflect.DeepEqual(e.Weakening, proof.Everything()) {
		return base.Faultf("", "a pairing under a factor forgets nothing, and this one has a weakening")
	}
	return again(e.Weakening, e.Cases, MaxPairs, func(limit int) (int, error) {
		return verify.Paired(ctx, b, q, limit)
	})
}
