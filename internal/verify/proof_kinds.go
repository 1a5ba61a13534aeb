package verify

import (
	"context"
	"errors"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Proof checks that p proves b's partition a violation of the question: plain linearizability where
// q is nil, quasi-linearizability under q otherwise. Where these are the same question
// (quasi.Question.Plain), proofs of either will do. It returns nil or what is wrong with the proof;
// ErrTooLarge where checking it would take too long, and the cause where ctx ended it.
func Proof(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	if p == nil {
		return base.Under("verdict", base.Faultf("", "no proof is given"))
	}
	return base.Under(ruleOf(p), proofOf(ctx, q, b, p))
}

// ruleOf names the rule of a proof: that of a conflict, with its kind.
func ruleOf(p proof.Proof) string {
	if r, ok := p.(interface{ RuleName() string }); ok {
		return r.RuleName() + " of " + string(p.Kind())
	}
	return string(p.Kind())
}

// proofOf is Proof without the name of the rule.
func proofOf(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error {
	if w, ok := p.(*proof.Widening); ok {
		return wideningProof(ctx, q, b, w)
	}
	v, known := verifiers[p.Kind()]
	if known && v.plain != nil && q != nil && q.Plain() {
		if err := v.plain(ctx, b, p); err == nil || v.quasi == nil {
			return err
		}
	}
	switch {
	case !known:
		return base.Faultf("", "unsupported proof of kind %q", p.Kind())
	case q == nil && v.plain == nil:
		return base.Faultf("",
			"proofs of kind %q are about quasi-linearizability, and the question is plain linearizability", p.Kind())
	case q == nil:
		return v.plain(ctx, b, p)
	case v.quasi == nil:
		return base.Faultf("", "proofs of kind %q are about plain linearizability, and the question has a quasi factor",
			p.Kind())
	}
	return v.quasi(ctx, q, b, p)
}

// verifier checks proofs of one kind, for each of the two questions; nil where such a proof says
// nothing about the question.
type verifier struct {
	plain func(ctx context.Context, b *model.Instance, p proof.Proof) error
	quasi func(ctx context.Context, q *quasi.Question, b *model.Instance, p proof.Proof) error
}

// verifiers holds a verifier for every kind of proof but a widening, which holds another one.
var verifiers = map[proof.Kind]verifier{
	proof.KindArgument:           plainly(argumentProof),
	proof.KindExhaustion:         {plain: plainly(exhaustionProof).plain, quasi: exhaustionProofQuasi},
	proof.KindRegisterConflict:   withoutContext(RegisterConflict),
	proof.KindCollectionConflict: withoutContext(Collection),
	proof.KindLogConflict:        withoutContext(Log),
	proof.KindHoldConflict:       withoutContext(Hold),
	proof.KindGrowthConflict:     withoutContext(Growth),
	proof.KindSumConflict:        withoutContext(Sum),
	proof.KindDependencyCycles:   plainly(dependencyCycles),
	proof.KindDualBound:          plainly(DualBound),
	proof.KindDisplacement:       {quasi: displacementProof},
	proof.KindSaturation:         plainly(saturationProof),
	proof.KindPairing:            {plain: plainly(pairingProof).plain, quasi: pairingProofQuasi},
	proof.KindClausal:            {plain: plainly(clausalProof).plain, quasi: clausalProofQuasi},
}

// plainly is the verifier of a kind of proof of plain linearizability.
func plainly[P proof.Proof](check func(ctx context.Context, b *model.Instance, p P) error) verifier {
	return verifier{plain: func(ctx context.Context, b *model.Instance, p proof.Proof) error {
		return check(ctx, b, p.(P)) // its kind says so
	}}
}

// withoutContext is plainly for checks that take so little time that nothing has to stop them.
func withoutContext[P proof.Proof](check func(b *model.Instance, p P) error) verifier {
	return plainly(func(_ context.Context, b *model.Instance, p P) error { return check(b, p) })
}

func argumentProof(ctx context.Context, b *model.Instance, a *proof.Argument) error {
	if a.Weakening == nil {
		return errNoWeakening
	}
	return argue(ctx, b, a.Weakening, a.Tree)
}

// errNoWeakening is the error of a proof that does not say what it refutes.
var errNoWeakening = errors.New("it does not say what is refuted")

// again tries again what a proof says was tried, up to limit.
func again(w *proof.Weakening, cases, limit int, try func(limit int) (cases int, err error)) error {
	switch {
	case w == nil:
		return errNoWeakening
	case cases <= 0:
		return base.Faultf("", "no case was tried (%d)", cases)
	}
	tried, err := try(min(cases, limit))
	return base.After(tried, err)
}

func exhaustionProof(ctx context.Context, b *model.Instance, p *proof.Exhaustion) error {
	return again(p.Weakening, p.Cases, base.NodesOf(b.Partition), func(limit int) (int, error) {
		nodes, _, err := Tried(ctx, b, p.Weakening, limit)
		return nodes, err
	})
}

func pairingProof(ctx context.Context, b *model.Instance, p *proof.Pairing) error {
	return again(p.Weakening, p.Cases, MaxPairs, func(limit int) (int, error) {
		return Paired(ctx, b, p.Weakening, limit)
	})
}

func saturationProof(ctx context.Context, b *model.Instance, p *proof.Saturation) error {
	return again(p.Weakening, p.Cases, MaxItems, func(limit int) (int, error) {
		return Saturated(ctx, b, p.Weakening, limit)
	})
}
