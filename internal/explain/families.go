package explain

// INV, HALL and COUNT of registers: instances are searched for, not propagated.
//
// The known order determines which operations may lie between two others. INV: for every a and
// every later b, the set of values that the register can hold is closed under all operations that
// may lie between them. HALL: chains of gaps, in each of which the value must become v, are
// extended until there are fewer writers than gaps. COUNT: between two operations, or in the whole
// window, the value leaves v more often than operations can set it to v. Literals that an instance
// does not need are dropped, the costliest first.
//
// Cost: operations³ × values for INV and COUNT, a limit for chains.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// certain reports whether the operation at this position takes effect.
func (p *prover) certain(x history.OpID) bool {
	return !p.w.Optional[x] || p.holds(p.effect[x])
}

// absent reports whether it does not.
func (p *prover) absent(x history.OpID) bool {
	return p.w.Optional[x] && p.holds(p.effect[x].not())
}

// precedes reports whether a<b is known, by position.
func (p *prover) precedes(a, b history.OpID) bool { return p.less(p.at[a], p.at[b]) }

// possible calls yield with the modes in which x may go.
func (p *prover) possible(t *model.RegisterTheory, x history.OpID, yield func(m model.Mode) bool) bool {
	if p.absent(x) {
		return true
	}
	modes := t.Of(x)
	for k, m := range modes {
		if len(modes) > 1 && p.holds(p.going[x][k].not()) {
			continue
		}
		if !yield(m) {
			return false
		}
	}
	return true
}

// needs is the value that b certainly finds, or Keep.
func (p *prover) needs(t *model.RegisterTheory, b history.OpID) int32 {
	v := model.Keep
	if !p.certain(b) || !p.possible(t, b, func(m model.Mode) bool {
		first := v == model.Keep
		if first && m.Test == model.Is {
			v = m.V
		}
		return m.Test == model.Is && m.V == v
	}) {
		return model.Keep
	}
	return v
}

func (p *prover) avoids(t *model.RegisterTheory, a history.OpID, v int32) bool {
	return p.certain(a) && p.possible(t, a, func(m model.Mode) bool {
		return m.Leaves != v && (m.Leaves != model.Keep || !m.Allows(v))
	})
}

func (p *prover) mayLeave(t *model.RegisterTheory, x history.OpID, v int32) bool {
	return !p.possible(t, x, func(m model.Mode) bool { return m.Leaves != v })
}

// family turns an instance with its given literals, all of which hold, into a contradiction. It
// returns nil if the instance is not valid.
func (p *prover) family(axiom proof.Axiom, args []history.OpID, given []proof.Literal) *contradiction {
	if _, err := p.w.Instance(axiom, args, given); err != nil {
		return nil
	}
	given = p.minimise(axiom, args, given)
	c := &contradiction{step: proof.Step{Axiom: axiom, Args: args, Given: given}}
	for _, g := range given {
		c.from = append(c.from, p.lit(g))
	}
	return c
}

// minimise drops literals without which the instance is still valid. Where many real-time facts are
// about a counter, none is dropped: all that is known to lie between tells a reader more than a
// minimal selection, and is found faster.
func (p *prover) minimise(axiom proof.Axiom, args []history.OpID, given []proof.Literal) []proof.Literal {
	cost := func(l proof.Literal) int32 { return p.cost[p.lit(l)/2] }
	sort.SliceStable(given, func(i, j int) bool { return cost(given[i]) > cost(given[j]) })
	given = slices.Compact(given)
	end := 0 // literals from here on are kept
	if axiom == proof.SUM && len(given) > manyGiven {
		for len(given) > end && cost(given[end]) > 1 {
			end++
		}
	} else {
		end = len(given)
	}
	for chunk := max(1, end/2); chunk > 0; chunk /= 2 {
		for k := 0; k < end; {
			less := slices.Delete(slices.Clone(given), k, min(k+chunk, end))
			if _, err := p.w.Instance(axiom, args, less); err == nil {
				end -= len(given) - len(less)
				given = less
			} else {
				k += chunk
			}
		}
	}
	slices.Reverse(given)
	return given
}

// givens collects literals that hold and are not constants.
type givens struct {
	p    *prover
	list []proof.Literal
}

func (g *givens) effect(x history.OpID) {
	if x >= 0 && g.p.w.Optional[x] {
		g.list = append(g.list, proof.TakesEffect(x))
	}
}

func (g *givens) order(a, b history.OpID) { g.list = append(g.list, proof.LessThan(a, b)) }

// outside says why x is not between a and b (which may be absent).
func (g *givens) outside(x, a, b history.OpID) {
	switch p := g.p; {
	case p.absent(x):
		g.list = append(g.list, proof.TakesEffect(x).Negated())
	case a >= 0 && p.precedes(x, a) && (b < 0 || !p.precedes(b, x) ||
		p.cost[p.before(p.at[x], p.at[a])/2] <= p.cost[p.before(p.at[b], p.at[x])/2]):
		g.order(x, a)
	case b >= 0 && p.precedes(b, x):
		g.order(b, x)
	}
}

// modes adds what is known of the modes of x.
func (g *givens) modes(t *model.RegisterTheory, x history.OpID) {
	if x < 0 || len(t.Of(x)) < 2 {
		return
	}
	for k := range t.Of(x) {
		if l := proof.GoesIn(x, int32(k)).Negated(); g.p.holds(g.p.lit(l)) {
			g.list = append(g.list, l)
		}
	}
}

// contradictions searches for instances of INV, and of COUNT over the whole window, until yield
// returns false.
func (p *prover) contradictions(t *model.RegisterTheory, yield func(c *contradiction) bool) bool {
	for _, members := range p.w.Objects() {
		if len(members) > 0 && (!p.countings(t, members, false, yield) || !p.invariants(t, members, yield)) {
			return false
		}
	}
	return true
}

// furtherContradictions searches for the costlier instances: HALL, and COUNT between any two
// operations.
func (p *prover) furtherContradictions(t *model.RegisterTheory, yield func(c *contradiction) bool) {
	for _, members := range p.w.Objects() {
		if len(members) > 0 && (!p.chains(t, members, yield) || len(members) <= maxCounted &&
			!p.countings(t, members, true, yield)) {
			return
		}
	}
}

func (p *prover) invariants(t *model.RegisterTheory, members []history.OpID, yield func(c *contradiction) bool) bool {
	now := make([]bool, t.Values+1)
	for _, b := range members {
		if !p.certain(b) || !p.possible(t, b, func(m model.Mode) bool { return m.Test != model.Any }) {
			continue
		}
		if p.stopped() {
			return false
		}
		starts := members
		if !p.w.Unknown {
			starts = append([]history.OpID{proof.Initial}, members...)
		}
		for _, a := range starts {
			if a == b || a >= 0 && (!p.precedes(a, b) || !p.certain(a)) || !p.stuck(t, members, a, b, now) {
				continue
			}
			g := givens{p: p}
			if a >= 0 {
				g.order(a, b)
			}
			g.effect(a)
			g.effect(b)
			g.modes(t, a)
			g.modes(t, b)
			for _, x := range members {
				if x != a && x != b && escapes(t.Of(x), now) {
					g.modes(t, x)
					g.outside(x, a, b)
				}
			}
			if c := p.family(proof.INV, []history.OpID{a, b}, g.list); c != nil && !yield(c) {
				return false
			}
		}
	}
	return true
}

// stuck reports whether no value that b may need can be there after a.
func (p *prover) stuck(t *model.RegisterTheory, members []history.OpID, a, b history.OpID, now []bool) bool {
	clear(now)
	if a < 0 {
		now[t.Init[t.Object[b]]] = true
	} else {
		p.possible(t, a, func(m model.Mode) bool {
			if m.Leaves != model.Keep {
				now[m.Leaves] = true
				return true
			}
			for v := range now {
				now[v] = now[v] || m.Allows(int32(v))
			}
			return true
		})
	}
	fits := func() bool { return !p.possible(t, b, func(m model.Mode) bool { return !suits(m, now) }) }
	if fits() {
		return false
	}
	for grown := true; grown; {
		grown = false
		for _, x := range members {
			if x == a || x == b || p.precedes(b, x) || a >= 0 && p.precedes(x, a) {
				continue
			}
			p.possible(t, x, func(m model.Mode) bool {
				if m.Leaves != model.Keep && !now[m.Leaves] && suits(m, now) {
					now[m.Leaves], grown = true, true
				}
				return true
			})
		}
		if grown && fits() {
			return false
		}
	}
	return true
}

// suits reports whether a mode may find one of the values.
func suits(m model.Mode, now []bool) bool {
	for v, there := range now {
		if there && m.Allows(int32(v)) {
			return true
		}
	}
	return false
}

// escapes reports whether one of the modes leads from these values to others.
func escapes(modes []model.Mode, now []bool) bool {
	for _, m := range modes {
		if m.Leaves != model.Keep && !now[m.Leaves] && suits(m, now) {
			return true
		}
	}
	return false
}

// gap is a pair between which the value must become v.
type gap struct{ a, b history.OpID }

// byNeed lists the operations that certainly need a value, by value.
func (p *prover) byNeed(t *model.RegisterTheory, members []history.OpID) (needing map[int32][]history.OpID,
	needed []int32) {
	needing = map[int32][]history.OpID{}
	for _, x := range members {
		v := p.needs(t, x)
		if v == model.Keep {
			continue
		}
		if needing[v] == nil {
			needed = append(needed, v)
		}
		needing[v] = append(needing[v], x)
	}
	return needing, needed
}

// chains looks for HALL.
func (p *prover) chains(t *model.RegisterTheory, members []history.OpID, yield func(c *contradiction) bool) bool {
	needing, needed := p.byNeed(t, members)
	for _, v := range needed {
		if p.stopped() {
			return false
		}
		var gaps []gap
		for _, b := range needing[v] {
			var starts []history.OpID
			for _, a := range members {
				if a != b && p.precedes(a, b) && p.avoids(t, a, v) {
					starts = append(starts, a)
				}
			}
			for _, a := range starts { // the latest ones
				if !slices.ContainsFunc(starts, func(x history.OpID) bool { return p.precedes(a, x) }) {
					gaps = append(gaps, gap{a, b})
				}
			}
			if !p.w.Unknown && t.Init[t.Object[b]] != v {
				gaps = append(gaps, gap{proof.Initial, b})
			}
		}
		if len(gaps) < 2 {
			continue
		}
		var writers []history.OpID
		for _, x := range members {
			if p.mayLeave(t, x, v) {
				writers = append(writers, x)
			}
		}
		left := maxChains
		if !p.extend(t, writers, gaps, nil, &left, yield) {
			return false
		}
	}
	return true
}

// extend tries every gap behind a chain. It returns false once yield does.
func (p *prover) extend(t *model.RegisterTheory, writers []history.OpID, gaps, chain []gap, left *int,
	yield func(c *contradiction) bool) bool {
	for _, g := range gaps {
		if *left--; *left < 0 {
			return true
		}
		if n := len(chain); n > 0 && (g.a < 0 || g.a != chain[n-1].b && !p.precedes(chain[n-1].b, g.a)) {
			continue
		}
		longer := append(slices.Clone(chain), g)
		able := 0
		for _, x := range writers {
			if p.fills(longer, x) {
				able++
			}
		}
		if able < len(longer) && len(longer) > 1 {
			if c := p.hall(t, writers, longer); c != nil && !yield(c) {
				return false
			}
			continue
		}
		if !p.extend(t, writers, gaps, longer, left, yield) {
			return false
		}
	}
	return true
}

// fills reports whether x may lie in one of the gaps.
func (p *prover) fills(chain []gap, x history.OpID) bool {
	from, to := 0, len(chain)-1
	for k, g := range chain {
		if g.b == x || p.precedes(g.b, x) {
			from = k + 1
		}
	}
	for k := len(chain) - 1; k >= 0; k-- {
		if a := chain[k].a; a >= 0 && (a == x || p.precedes(x, a)) {
			to = k - 1
		}
	}
	return from <= to
}

// hall makes the instance of a chain with too few writers.
func (p *prover) hall(t *model.RegisterTheory, writers []history.OpID, chain []gap) *contradiction {
	g := givens{p: p}
	var args []history.OpID
	for k, h := range chain {
		args = append(args, h.a, h.b)
		g.effect(h.a)
		g.effect(h.b)
		g.modes(t, h.a)
		g.modes(t, h.b)
		if h.a >= 0 {
			g.order(h.a, h.b)
			if k > 0 && chain[k-1].b != h.a {
				g.order(chain[k-1].b, h.a)
			}
		}
	}
	for _, x := range writers {
		if p.fills(chain, x) {
			continue
		}
		best, at := int32(1<<30), -1 // x lies before chain[at], and after the one before
		for k := 0; k <= len(chain); k++ {
			cost := int32(0)
			if k > 0 && chain[k-1].b != x {
				if !p.precedes(chain[k-1].b, x) {
					continue
				}
				cost += p.cost[p.before(p.at[chain[k-1].b], p.at[x])/2]
			}
			if k < len(chain) && chain[k].a != x {
				if chain[k].a < 0 || !p.precedes(x, chain[k].a) {
					continue
				}
				cost += p.cost[p.before(p.at[x], p.at[chain[k].a])/2]
			}
			if cost < best {
				best, at = cost, k
			}
		}
		if at > 0 && chain[at-1].b != x {
			g.order(chain[at-1].b, x)
		}
		if at >= 0 && at < len(chain) && chain[at].a != x {
			g.order(x, chain[at].a)
		}
	}
	return p.family(proof.HALL, args, g.list)
}

// countings looks for COUNT, over the whole window and, if thorough, between any two operations.
func (p *prover) countings(t *model.RegisterTheory, members []history.OpID, thorough bool,
	yield func(c *contradiction) bool) bool {
	start := proof.Initial
	if p.w.Unknown {
		start = proof.Before
	}
	froms, tos := []history.OpID{start}, []history.OpID{proof.NoOp}
	if thorough {
		froms, tos = append(froms, members...), append(tos, members...)
	}
	needing, needed := p.byNeed(t, members)
	for _, v := range needed {
		var takers, leavers []history.OpID
		for _, x := range needing[v] {
			if p.possible(t, x, func(m model.Mode) bool { return m.Leaves != model.Keep && m.Leaves != v }) {
				takers = append(takers, x)
			}
		}
		if len(takers) == 0 || len(takers) == 1 && (p.w.Unknown || t.Init[t.Object[members[0]]] == v) {
			continue
		}
		for _, x := range members {
			if p.mayLeave(t, x, v) {
				leavers = append(leavers, x)
			}
		}
		for _, from := range froms {
			if p.stopped() {
				return false
			}
			for _, to := range tos {
				if from == to {
					continue
				}
				var inside []history.OpID
				for _, x := range takers {
					if x != from && (from < 0 || p.precedes(from, x)) && (to < 0 || x == to || p.precedes(x, to)) {
						inside = append(inside, x)
					}
				}
				there := 1
				if from == proof.Initial && t.Init[t.Object[members[0]]] != v || from >= 0 && p.avoids(t, from, v) {
					there = 0
				}
				for _, x := range leavers {
					if x != from && x != to && (from < 0 || !p.precedes(x, from)) && (to < 0 || !p.precedes(to, x)) {
						there++
					}
				}
				if len(inside) <= there {
					continue
				}
				inside = inside[:there+1]
				g := givens{p: p}
				g.effect(from)
				g.modes(t, from)
				for _, x := range inside {
					g.effect(x)
					g.modes(t, x)
					if from >= 0 {
						g.order(from, x)
					}
					if to >= 0 && x != to {
						g.order(x, to)
					}
				}
				for _, x := range members {
					if x != from && x != to {
						g.outside(x, from, to)
					}
				}
				if c := p.family(proof.COUNT, append([]history.OpID{from, to}, inside...), g.list); c != nil &&
					!yield(c) {
					return false
				}
			}
		}
	}
	return true
}
