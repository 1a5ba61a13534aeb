package verify

import (
	"slices"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// path is hops that were followed: where they lead, who has to take effect for them, and their
// literals.
type path struct {
	*clauses
	at             int32
	effects, steps []literal
}

// follow follows hops. With overwrites, those of the kinds Writes and one of the kind Overwrites
// may be among them.
func (p *path) follow(hops []isolation.Hop, overwrites bool) error {
	over := 0
	for _, h := range hops {
		if err := p.exists(h.To); err != nil {
			return err
		}
		if h.Kind == isolation.Overwrites {
			over++
		}
		switch {
		case h.To == p.at:
			return base.Faultf(p.txn(h.To), "a hop leads from it to itself")
		case over > 1 || !overwrites && h.Kind != isolation.Given && h.Kind != isolation.Reads:
			return base.Faultf(p.txn(p.at, h.To), "a hop of the kind %s is too much", h.Kind)
		}
		if err := p.hop(&h); err != nil {
			return base.Under(h.Kind.String(), err)
		}
		p.at = h.To
	}
	return nil
}

// hop adds the literals of a hop.
func (p *path) hop(h *isolation.Hop) error {
	reader, source := h.To, p.at
	switch h.Kind {
	case isolation.Given:
		if !p.h.GivenBefore(p.level.Given, p.at, h.To) {
			return base.Faultf(p.txn(p.at, h.To), "the history does not give that order")
		}
		p.takeEffect(p.at, h.To)
		return nil
	case isolation.Writes:
		if !p.bothWrite(p.at, h.To) {
			return base.Faultf(p.txn(p.at, h.To), "they write no object both")
		}
		p.takeEffect(p.at, h.To)
		p.steps = append(p.steps, p.before(commit(p.at), commit(h.To)).negated())
		return nil
	case isolation.Overwrites:
		reader, source = p.at, h.From
	case isolation.Reads:
	default:
		return base.Faultf(p.txn(p.at, h.To), "there is no such kind of hops")
	}
	if h.Place.Txn != reader {
		return base.Faultf(p.what(h.Place), "it is not the reader, %s", p.txn(reader))
	}
	if err := p.outside(h.Place); err != nil {
		return err
	}
	read, err := p.from(h.Place, source)
	if err != nil {
		return err
	}
	p.steps = append(p.steps, read.negated())
	if h.Kind == isolation.Overwrites {
		if x := p.access(h.Place).Object; h.From == h.To || !p.writes(h.To, x) {
			return base.Faultf(p.txn(h.To), "it is the source itself, or does not write %s", p.object(x))
		}
		p.takeEffect(h.To)
		p.steps = append(p.steps, p.before(commit(h.From), commit(h.To)).negated())
	}
	return nil
}

// takeEffect adds that transactions do, once each.
func (p *path) takeEffect(ts ...int32) {
	for _, t := range ts {
		if l := p.effect(t).negated(); !slices.Contains(p.effects, l) {
			p.effects = append(p.effects, l)
		}
	}
}
