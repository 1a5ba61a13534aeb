package verify

import (
	"context"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
)

func clausalProof(ctx context.Context, b *model.Instance, p *proof.Clausal) error {
	return clausalProofQuasi(ctx, nil, b, p)
}

// clausalProofQuasi builds the formula of the question and checks that the lemmas refute it.
func clausalProofQuasi(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	c := p.(*proof.Clausal)
	f, err := clausal.Build(b, q)
	if err != nil {
		return err
	}
	if f.Len() != c.Clauses {
		return base.Faultf("clauses", "the formula has %d, and the proof is about one of %d", f.Len(), c.Clauses)
	}
	return f.Check(ctx, c.Lemmas)
}
