package verify

import (
	"context"
	"reflect"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/quasi/widening"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Proofs of quasi-linearizability, which the table of verifiers names.

func displacementProof(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	return verify.Displacement(ctx, b, q, p.(*proof.Displacement))
}

func exhaustionProofQuasi(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	e := p.(*proof.Exhaustion)
	tried := func(q *quasi.Question) error {
		return again(e.Weakening, e.Cases, base.MaxNodes, func(limit int) (int, error) {
			return verify.Exhausted(ctx, b, q, e.Weakening, limit)
		})
	}
	if len(q.Sets) > 0 { // the violation may rest on none of them
		classes := *q
		classes.Sets = nil
		if tried(&classes) == nil {
			return nil
		}
	}
	return tried(q)
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

// wideningProof checks a refutation of the widening of b.
func wideningProof(ctx context.Context, q *quasi.Question, b *model.Instance, p *proof.Widening) error {
	switch {
	case q == nil:
		return base.Faultf("",
			"proofs of kind %q are about quasi-linearizability, and the question is plain linearizability", p.Kind())
	case p.Refutation.Proof == nil || p.Refutation.Proof.Kind() == proof.KindWidening:
		return base.Faultf("refutation", "it is no proof of another kind")
	}
	wide, err := Widened(b, q)
	if err != nil {
		return err
	}
	return Proof(ctx, nil, wide, p.Refutation.Proof)
}

// Widened is the widening of b under q (package widening): if it is not linearizable, b is not
// quasi-linearizable.
func Widened(b *model.Instance, q *quasi.Question) (*model.Instance, error) {
	part := widening.Of(b, q)
	if part == nil {
		return nil, base.Faultf(q.Meaning.String(), "nothing moves, or explicit order is given")
	}
	return b.Spec.Bind(part)
}

// Narrowed lists the operations of b that operations of its widening stand for.
func Narrowed(b, wide *model.Instance, ops []history.OpID) (of []history.OpID) {
	at := make(map[history.OpID]history.OpID, b.Partition.Len())
	for i := range b.Partition.Ops {
		at[b.Partition.Global(history.OpID(i))] = history.OpID(i)
	}
	for _, i := range ops {
		if op, known := at[wide.Partition.Global(i)]; known {
			of = append(of, op)
		}
	}
	return of
}
