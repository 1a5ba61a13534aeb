package verify

import (
	"context"
	"errors"
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
	_, err := verify.Exhausted(ctx, b, q, e.Weakening, min(e.Cases, base.MaxNodes))
	return err
}

func pairingProofQuasi(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	e := p.(*proof.Pairing)
	switch {
	case e.Weakening == nil:
		return base.ErrNoWeakening
	case !reflect.DeepEqual(e.Weakening, proof.Everything()):
		return errors.New("a pairing under a factor is about the partition as it stands")
	case e.Cases <= 0:
		return errors.New("no case was tried")
	}
	_, err := verify.Paired(ctx, b, q, min(e.Cases, MaxPairs))
	return err
}
