package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Evidence checks what an engine gave as the reason of a no of plain linearizability: a monitor a
// *proof.CollectionConflict, a *proof.RegisterConflict or a *proof.ToggleCount, or the search: a
// *proof.DualBound. It returns nil or what is wrong, or the cause where ctx ended it.
func Evidence(ctx context.Context, b *model.Instance, evidence any) error {
	switch e := evidence.(type) {
	case *proof.CollectionConflict:
		return Collection(b, e)
	case *proof.RegisterConflict:
		return Cells(b, e)
	case *proof.ToggleCount:
		return Bits(b, e)
	case *proof.DualBound:
		return Prices(ctx, b, e)
	case nil:
		return errors.New("there is no evidence")
	}
	return fmt.Errorf("nobody knows how to judge evidence of type %T", evidence)
}

// EvidenceJSON is the evidence of an engine: one of the four, with rules by number as package check
// declares them.
type EvidenceJSON struct {
	Collection *proof.CollectionConflict `json:"collection,omitempty"`
	Cells      *proof.RegisterConflict   `json:"cells,omitempty"`
	Bits       *proof.ToggleCount        `json:"bits,omitempty"`
	Prices     *proof.DualBound          `json:"prices,omitempty"`
}

// Proved adds the evidence of an engine.
func (c *PartCertificate) Proved(evidence any) {
	c.Evidence = &EvidenceJSON{}
	switch e := evidence.(type) {
	case *proof.CollectionConflict:
		c.Evidence.Collection = e
	case *proof.RegisterConflict:
		c.Evidence.Cells = e
	case *proof.ToggleCount:
		c.Evidence.Bits = e
	case *proof.DualBound:
		c.Evidence.Prices = e
	}
}

// evidence is the one that is there.
func (e *EvidenceJSON) evidence() any {
	switch {
	case e.Collection != nil:
		return e.Collection
	case e.Cells != nil:
		return e.Cells
	case e.Bits != nil:
		return e.Bits
	case e.Prices != nil:
		return e.Prices
	}
	return nil
}
