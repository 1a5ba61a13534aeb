package verify

import (
	"context"

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
	if err := base.Stated(e); err != nil {
		return err
	}
	_, err := verify.Exhausted(ctx, b, q, e.Weakening, min(e.Cases, base.MaxNodes))
	return err
}
