package explain

// Counters: SUM is propagated. Take two observations, the first of which may be the start. The
// operations known to lie between them, with some of those that may, must add up to the difference
// of the observed values. If they cannot, that is a contradiction, or the two observations are the
// other way round. If they can only with (without) a certain operation, that operation lies between
// (outside).
//
// Cost: observations² × operations, once more for every conclusion.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wide"
)

// sums draws all conclusions of SUM from what is known.
func (p *prover) sums(t *model.CountingTheory) *contradiction {
	for again := true; again && !p.stopped(); {
		again = false
		for _, members := range p.w.Objects() {
			var seers []history.OpID
			for _, x := range members {
				if t.Observes[x] && p.certain(x) {
					seers = append(seers, x)
				}
			}
			for _, r := range seers {
				for _, q := range append([]history.OpID{proof.Initial}, seers...) {
					if q == r || q == proof.Initial && p.w.Unknown || q >= 0 && p.precedes(r, q) {
						continue
					}
					before := len(p.entries)
					if c := p.between(t, members, q, r); c != nil {
						return c
					}
					if len(p.entries) > before {
						again = true
						if c := p.propagate(); c != nil {
							return c
						}
					}
				}
			}
		}
	}
	return nil
}

// span is what is known of the operations between q and r.
type span struct {
	q, r   history.OpID
	target wide.Int
	given  []proof.Literal
	free   []history.OpID
}

// between draws conclusions from one pair; at most one.
func (p *prover) between(t *model.CountingTheory, members []history.OpID, q, r history.OpID) *contradiction {
	s := span{q: q, r: r, target: wide.Of(t.Observed[r])}
	g := givens{p: p}
	g.effect(q)
	g.effect(r)
	if q < 0 {
		s.target = s.target.Sub(t.Init[t.Object[r]])
	} else {
		s.target = s.target.Sub(t.Observed[q]).Sub(t.Delta[q])
		if p.precedes(q, r) {
			g.order(q, r)
		}
	}
	for _, x := range members {
		switch {
		case x == q || x == r || t.Delta[x] == 0:
		case p.absent(x) || p.precedes(r, x) || q >= 0 && p.precedes(x, q):
			g.outside(x, q, r)
		case p.certain(x) && p.precedes(x, r) && (q < 0 || p.precedes(q, x)):
			g.effect(x)
			g.order(x, r)
			if q >= 0 {
				g.order(q, x)
			}
			s.target = s.target.Sub(t.Delta[x])
		default:
			s.free = append(s.free, x)
		}
	}
	s.given = g.list
	fits := p.canSum(t, s.free, s.target)
	if q >= 0 && !p.precedes(q, r) {
		if fits {
			return nil
		}
		return p.conclude(s, proof.LessThan(q, r))
	}
	if !fits {
		return p.family(proof.SUM, []history.OpID{q, r}, s.given)
	}
	if p.slack(t, s) {
		return nil
	}
	for k, x := range s.free {
		rest := slices.Delete(slices.Clone(s.free), k, k+1)
		for _, l := range p.choicesOf(x, q, r) {
			target := s.target
			if l.in {
				target = target.Sub(t.Delta[x])
			}
			if !p.canSum(t, rest, target) {
				return p.conclude(s, l.literal)
			}
		}
	}
	return nil
}

// slack reports whether every free operation may count or not, as far as the least and the greatest
// sum tell. With few of them all sums are tried instead.
func (p *prover) slack(t *model.CountingTheory, s span) bool {
	var low, high, most wide.Int
	unit := true
	for _, x := range s.free {
		size := wide.Of(t.Delta[x])
		if t.Delta[x] < 0 {
			low = low.Plus(size)
			size = wide.Of(0).Minus(size)
		} else {
			high = high.Plus(size)
		}
		if most.Less(size) {
			most = size
		}
		unit = unit && size == wide.Of(1)
	}
	return (unit || len(s.free) > fewFree) && !s.target.Less(low.Plus(most)) && !high.Minus(most).Less(s.target)
}

// settles is a literal that decides whether a free operation counts.
type settles struct {
	literal proof.Literal
	in      bool
}

// choicesOf lists the literals each of which, if true, would settle whether x lies between q and r.
func (p *prover) choicesOf(x, q, r history.OpID) []settles {
	var open []proof.Literal // all of these together make it count
	if !p.certain(x) {
		open = append(open, proof.TakesEffect(x))
	}
	if !p.precedes(x, r) {
		open = append(open, proof.LessThan(x, r))
	}
	if q >= 0 && !p.precedes(q, x) {
		open = append(open, proof.LessThan(q, x))
	}
	var out []settles
	for _, l := range open {
		out = append(out, settles{l.Negated(), false})
	}
	if len(open) == 1 {
		out = append(out, settles{open[0], true})
	}
	return out
}

// conclude adds the instance that the supposition contradicts what is given.
func (p *prover) conclude(s span, supposed proof.Literal) *contradiction {
	args := []history.OpID{s.q, s.r}
	given := append(slices.Clone(s.given), supposed)
	// What decides whether an operation counts may need more than the supposition.
	for _, x := range []history.OpID{supposed.A, supposed.B} {
		if x < 0 || x == s.q || x == s.r || supposed.Kind == proof.InKind && x != supposed.A {
			continue
		}
		g := givens{p: p}
		if p.certain(x) {
			g.effect(x)
		}
		if p.precedes(x, s.r) {
			g.order(x, s.r)
		}
		if s.q >= 0 && p.precedes(s.q, x) {
			g.order(s.q, x)
		}
		given = append(given, g.list...)
	}
	if _, err := p.w.Instance(proof.SUM, args, given); err != nil {
		return nil
	}
	given = p.minimise(proof.SUM, args, given)
	c := clause{axiom: proof.SUM, args: args, given: given}
	for _, g := range given {
		c.lits = append(c.lits, p.lit(g.Negated()))
	}
	return p.add(c)
}

// canSum reports whether some of the operations add up to the target, or whether finding out
// exceeds the limit.
func (p *prover) canSum(t *model.CountingTheory, free []history.OpID, target wide.Int) bool {
	deltas := make([]int64, len(free))
	for k, x := range free {
		deltas[k] = t.Delta[x]
	}
	fits, known := proof.CanSum(deltas, target, maxTried)
	return fits || !known
}
