package verify

import (
	"context"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
)

// Proofs of quasi-linearizability, which the table of verifiers names.

func displacementProof(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	return lag(ctx, b, q, p.(*proof.Displacement), nil)
}

func exhaustionProofQuasi(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	e := p.(*proof.Exhaustion)
	if err := stated(e); err != nil {
		return err
	}
	_, err := exhaustedQuasi(ctx, b, q, e.Weakening, min(e.Cases, MaxNodes))
	return err
}
