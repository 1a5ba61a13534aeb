package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Certificate is an answer with what proves it, for a history that is given apart.
// docs/certificates.md describes its JSON form, which follows from the tags. What it says of the
// question is compared with the one that the caller of Verify asks, and used for nothing else.
type Certificate struct {
	Question Stated         `json:"question"`
	Verdict  engine.Verdict `json:"-"`
	// Partitions are all partitions of a history that is linearizable, or the one that is a
	// violation.
	Partitions []PartitionCertificate `json:"-"`
}

// Stated is the question as the certificate states it.
type Stated struct {
	Spec      string       `json:"spec"`
	Initial   string       `json:"initial,omitempty"` // as JSON; "" where the history states none
	Partition string       `json:"partition"`
	Quasi     *StatedQuasi `json:"quasi,omitempty"` // nil for plain linearizability
}

// StatedQuasi is a quasi question, its factor by class.
type StatedQuasi struct {
	Factor  map[string]proof.Bound `json:"factor"`
	Sets    []StatedSet            `json:"sets,omitempty"`
	Meaning quasi.Meaning          `json:"meaning"`
	Drain   bool                   `json:"drain"`
	Causal  bool                   `json:"causal"`
}

// StatedSet bounds a set of operations.
type StatedSet struct {
	Operations string      `json:"operations"`
	Bound      proof.Bound `json:"bound"`
}

// PartitionCertificate proves the answer for a partition. Operations are positions in it.
type PartitionCertificate struct {
	// ids (or positions in the input) of the partition's operations in the order of their calls
	Operations []string `json:"operations"`

	// Of a linearizable partition: the operations in their order; under a quasi factor ρ′ and ρ″,
	// and how many drains there are, numbered from the number of operations on.
	Witness    []history.OpID `json:"witness,omitempty"`
	Rearranged []history.OpID `json:"rearranged,omitempty"`
	Drains     int            `json:"drains,omitempty"`

	// Proof of a violation, else nil.
	Proof proof.Proof `json:"-"`
}

// NewCertificate starts a certificate of a verdict about h; partitions are to be added.
func NewCertificate(h *history.History, q Question, verdict engine.Verdict) *Certificate {
	return &Certificate{Question: q.stated(h), Verdict: verdict}
}

// PartitionOf starts the certificate of a partition: it names its operations.
func PartitionOf(p *model.Partition) PartitionCertificate {
	c := PartitionCertificate{Operations: make([]string, p.Len())}
	for i := range c.Operations {
		c.Operations[i] = p.ID(history.OpID(i))
	}
	return c
}

// check is Verify without its walls.
func check(ctx context.Context, h *history.History, q Question, c *Certificate) error {
	if err := q.validate(); err != nil {
		return err
	}
	if err := specs.CheckStated(q.Spec, h); err != nil {
		return err
	}
	if err := q.compare(h, c.Question); err != nil {
		return err
	}
	q.Spec = model.Fresh(q.Spec, 0) // the verifier believes no answer that it did not get itself
	parts := model.Split(q.Spec, h, q.partition())
	var err error
	switch c.Verdict {
	case engine.Linearizable:
		err = linearizable(ctx, q, parts, c)
	case engine.NotLinearizable:
		err = violation(ctx, q, parts, c)
	default:
		err = base.Under("verdict", base.Faultf("", "%q needs no proof", c.Verdict))
	}
	var input *badInput
	switch {
	case err == nil:
		return nil
	case errors.As(err, &input):
		return input.error
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return &Refusal{Why: err.Error()}
}

// badInput is the error of a specification that refuses a partition of the history.
type badInput struct{ error }

func (q Question) bind(p *model.Partition) (*model.Instance, error) {
	b, err := q.Spec.Bind(p)
	if err != nil {
		return nil, &badInput{err}
	}
	return b, nil
}

// of reports whether the certificate names exactly the operations of a partition.
func (c *PartitionCertificate) of(p *model.Partition) bool {
	if len(c.Operations) != p.Len() {
		return false
	}
	for i, id := range c.Operations {
		if p.ID(history.OpID(i)) != id {
			return false
		}
	}
	return true
}

// linearizable checks a certificate of a linearizable history.
func linearizable(ctx context.Context, q Question, parts []*model.Partition, c *Certificate) error {
	if len(c.Partitions) != len(parts) {
		return base.Under("partitions", base.Faultf("", "%d are certified, but the history has %d",
			len(c.Partitions), len(parts)))
	}
	byFirst := map[string]*PartitionCertificate{}
	for i := range c.Partitions {
		byFirst[firstOf(c.Partitions[i].Operations)] = &c.Partitions[i]
	}
	for _, p := range parts {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		first := ""
		if p.Len() > 0 {
			first = p.ID(0)
		}
		k := byFirst[first]
		if k == nil || !k.of(p) {
			return base.Under("partitions", base.Faultf(fmt.Sprintf("partition %q", p.Name),
				"it has %d operations and is not certified", p.Len()))
		}
		b, err := q.bind(p)
		if err != nil {
			return err
		}
		switch {
		case k.Proof != nil:
			err = base.Under("verdict",
				base.Faultf("", "the verdict is linearizable, and a proof of a violation (%s) is given",
					k.Proof.Kind()))
		case k.Drains < 0 || q.Quasi == nil && (k.Drains > 0 || len(k.Rearranged) > 0):
			err = base.Under("drains", base.Faultf("", "%d drains and ρ″ of %d operations, where there can be none",
				k.Drains, len(k.Rearranged)))
		case q.Quasi != nil:
			err = verify.Rearrangement(b, q.Quasi, k.Witness, k.Rearranged, k.Drains)
		default:
			err = Witness(b, k.Witness)
		}
		if err != nil {
			return fmt.Errorf("partition %q: %w", p.Name, err)
		}
	}
	return nil
}

func firstOf(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

// violation checks a certificate of a history that is not linearizable.
func violation(ctx context.Context, q Question, parts []*model.Partition, c *Certificate) error {
	if len(c.Partitions) != 1 {
		return base.Under("partitions", base.Faultf("", "%d are refuted, expected one", len(c.Partitions)))
	}
	k := &c.Partitions[0]
	at := slices.IndexFunc(parts, k.of)
	if at < 0 {
		return base.Under("partitions", base.Faultf(fmt.Sprintf("operation %s and %d others", firstOf(k.Operations),
			max(0, len(k.Operations)-1)), "they do not form a partition of this history"))
	}
	switch {
	case k.Proof == nil:
		return base.Under("verdict", base.Faultf("", "the verdict is not linearizable, and no proof is given"))
	case len(k.Witness) > 0 || len(k.Rearranged) > 0 || k.Drains != 0:
		return base.Under("verdict",
			base.Faultf("", "the verdict is not linearizable, and a witness of %d operations is given",
				len(k.Witness)+len(k.Rearranged)))
	}
	var b *model.Instance
	for i, p := range parts { // a history of which one part makes no sense has no verdict
		if err := context.Cause(ctx); err != nil {
			return err
		}
		bound, err := q.bind(p)
		if err != nil {
			return err
		}
		if i == at {
			b = bound
		}
	}
	return Proof(ctx, q.Quasi, b, k.Proof)
}
