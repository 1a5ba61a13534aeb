package words

import (
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Why one operation comes before another in an argument: a chain of steps of time, of known orders
// and of conclusions.

// hop is one link of a chain.
type hop struct {
	by string // what stands between
	to history.OpID
}

// hops expands a<b.
func (t *teller) hops(a, b history.OpID) []hop {
	r, ok := t.why[proof.LessThan(a, b)]
	switch {
	case !ok:
		return []hop{{"<", b}} // items at the start come first
	case r.step == nil:
		return []hop{{"<(case " + r.label + ")", b}}
	case r.number > 0:
		return []hop{{"<[" + strconv.Itoa(r.number) + "]", b}}
	}
	switch s := r.step; s.Axiom {
	case proof.TR:
		return append(t.hops(a, s.Args[1]), t.hops(s.Args[1], b)...)
	case proof.SB:
		if _, collection := t.w.Theory.(*model.CollectionTheory); collection {
			return []hop{{"<(found by)", b}}
		}
		return []hop{{"<(read by)", b}}
	case proof.EDGE:
		t.claim(claim.Given{A: t.at(a), B: t.at(b)})
		if t.revised(a, b) {
			return []hop{{"<(revision)", b}}
		}
		return []hop{{"<(given)", b}}
	case proof.RT:
		t.claim(claim.Before{A: t.at(a), B: t.at(b)})
	}
	return []hop{{"<", b}}
}

// chain writes a < … < b by numbers.
func (t *teller) chain(a, b history.OpID) string { return t.links(a, t.hops(a, b)) }

func (t *teller) links(a history.OpID, hops []hop) string {
	var text strings.Builder
	text.WriteString(t.number(a))
	for _, h := range hops {
		text.WriteString(" " + h.by + " " + t.number(h.to))
	}
	return text.String()
}

// revised reports whether the revisions of operations put a before b.
func (t *teller) revised(a, b history.OpID) bool {
	if a < 0 || b < 0 {
		return false
	}
	x, y := t.w.Partition.Revision(a), t.w.Partition.Revision(b)
	return x != nil && y != nil && x.Chain == y.Chain && x.Number < y.Number
}

// plain reports whether a<b is real time and nothing more.
func (t *teller) plain(a, b history.OpID) bool {
	r, ok := t.why[proof.LessThan(a, b)]
	if !ok || r.step == nil || r.step.Axiom != proof.RT {
		return false
	}
	t.claim(claim.Before{A: t.at(a), B: t.at(b)})
	return true
}

// between writes a < x < b as one chain.
func (t *teller) between(a, x, b history.OpID) string {
	switch {
	case a < 0 && b < 0:
		return t.number(x)
	case a < 0:
		return t.chain(x, b)
	case b < 0:
		return t.chain(a, x)
	}
	return t.links(a, append(t.hops(a, x), t.hops(x, b)...))
}
