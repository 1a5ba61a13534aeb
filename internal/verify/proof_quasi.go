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
	if err := base.Stated(e); err != nil {
		return err
	}
	cases, err := verify.Exhausted(ctx, b, q, e.Weakening, min(e.Cases, base.MaxNodes))
	return base.After(cases, err)
}

func pairingProofQuasi(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	e := p.(*proof.Pairing)
	switch {
	case e.Weakening == nil:
		return base.ErrNoWeakening
	case !reflect.DeepEqual(e.Weakening, proof.Everything()):
		return base.Faultf("", "a pairing under a factor forgets nothing, and this one has a weakening")
	case e.Cases <= 0:
		return base.Faultf("", "no case was tried (%d)", e.Cases)
	}
	cases, err := verify.Paired(ctx, b, q, min(e.Cases, MaxPairs))
	return base.After(cases, err)
}
