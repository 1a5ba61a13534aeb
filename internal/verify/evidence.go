package verify

import (
	"context"
	"errors"
	"fmt"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Evidence checks what an engine gave as the reason of a no of plain linearizability: a monitor a *proof.CollectionRefutation,
// a *proof.CellRefutation or a *proof.BitRefutation, or the search: a *proof.PriceRefutation. It returns nil or what is wrong,
// or the cause where ctx ended it.
func Evidence(ctx context.Context, b *model.Bound, evidence any) error {
	switch e := evidence.(type) {
	case *proof.CollectionRefutation:
		return Collection(b, e)
	case *proof.CellRefutation:
		return Cells(b, e)
	case *proof.BitRefutation:
		return Bits(b, e)
	case *proof.PriceRefutation:
		return Prices(ctx, b, e)
	case nil:
		return errors.New("there is no evidence")
	}
	return fmt.Errorf("nobody knows how to judge evidence of type %T", evidence)
}

// EvidenceJSON is the evidence of an engine: one of the four, with rules by number as package check declares them.
type EvidenceJSON struct {
	Collection *proof.CollectionRefutation `json:"collection,omitempty"`
	Cells      *proof.CellRefutation       `json:"cells,omitempty"`
	Bits       *proof.BitRefutation        `json:"bits,omitempty"`
	Prices     *proof.PriceRefutation      `json:"prices,omitempty"`
}

// Proved adds the evidence of an engine.
func (c *PartCertificate) Proved(evidence any) {
	c.Evidence = &EvidenceJSON{}
	switch e := evidence.(type) {
	case *proof.CollectionRefutation:
		c.Evidence.Collection = e
	case *proof.CellRefutation:
		c.Evidence.Cells = e
	case *proof.BitRefutation:
		c.Evidence.Bits = e
	case *proof.PriceRefutation:
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
