package certify

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/spec"
)

// Evidence checks what an engine gave as the reason of a no of plain linearizability: a monitor a *check.CollectionRefutation,
// a *check.CellRefutation or a *check.BitRefutation, or the search: a *check.PriceRefutation. It returns nil or what is wrong,
// or the cause where ctx ended it.
func Evidence(ctx context.Context, b *spec.Bound, evidence any) error {
	switch e := evidence.(type) {
	case *check.CollectionRefutation:
		return Collection(b, e)
	case *check.CellRefutation:
		return Cells(b, e)
	case *check.BitRefutation:
		return Bits(b, e)
	case *check.PriceRefutation:
		return Prices(ctx, b, e)
	case nil:
		return errors.New("there is no evidence")
	}
	return fmt.Errorf("nobody knows how to judge evidence of type %T", evidence)
}

// EvidenceJSON is the evidence of an engine: one of the four, with rules by number as package check declares them.
type EvidenceJSON struct {
	Collection *check.CollectionRefutation `json:"collection,omitempty"`
	Cells      *check.CellRefutation       `json:"cells,omitempty"`
	Bits       *check.BitRefutation        `json:"bits,omitempty"`
	Prices     *check.PriceRefutation      `json:"prices,omitempty"`
}

// Proved adds the evidence of an engine.
func (c *PartCertificate) Proved(evidence any) {
	c.Evidence = &EvidenceJSON{}
	switch e := evidence.(type) {
	case *check.CollectionRefutation:
		c.Evidence.Collection = e
	case *check.CellRefutation:
		c.Evidence.Cells = e
	case *check.BitRefutation:
		c.Evidence.Bits = e
	case *check.PriceRefutation:
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
