package solve

import (
	"context"
	"slices"

	iso "github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/solver"
)

// weakChoice decides read committed, read atomic and causal consistency where values repeat: a
// solver chooses the sources, and what an axiom contradicts is excluded.
type weakChoice struct {
	*digest
	level   iso.Level
	s       solver.Solver
	sources map[statement]solver.Lit
	effects map[int32]solver.Lit
	clauses []iso.Clause
	proof   *formula // literals of clauses
}

func newWeakChoice(d *digest, l iso.Level, s solver.Solver) *weakChoice {
	c := &weakChoice{digest: d, level: l, s: s, sources: map[statement]solver.Lit{}, effects: map[int32]solver.Lit{},
		proof: newFormula(d, newGraph(len(d.h.Txns), false))}
	for i, u := range d.uncertain {
		if u {
			c.effects[int32(i)] = s.NewVar()
		}
	}
	for k := range d.reads {
		r := &d.reads[k]
		if len(r.from) == 1 {
			continue
		}
		var one []solver.Lit
		for _, w := range r.from {
			l := s.NewVar()
			c.sources[statement{kind: isFrom, a: int32(k), b: w}] = l
			one = append(one, l)
			if w != iso.Initial && d.h.Txns[w].Status == iso.Open {
				if e, open := c.effects[w]; open {
					s.Add([]solver.Lit{-l, e})
				}
				c.clauses = append(c.clauses,
					iso.Clause{Rule: iso.RuleEffect, Places: []iso.Place{r.place}, Txns: []int32{w}})
			}
		}
		s.Add(one)
		c.clauses = append(c.clauses, iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{r.place}})
	}
	return c
}

// source returns the source of a read in the solver's answer.
func (c *weakChoice) source(k int32) (int32, bool) {
	r := &c.reads[k]
	for _, w := range r.from {
		if len(r.from) == 1 || c.s.Value(c.sources[statement{kind: isFrom, a: k, b: w}]) {
			return w, true
		}
	}
	return 0, false
}

// takes reports whether a transaction takes effect in the solver's answer: if it is read from.
func (c *weakChoice) takes(i int32) bool {
	if c.gone[i] {
		return false
	}
	e, open := c.effects[i]
	return !open || c.s.Value(e)
}

// solve asks the solver until the axioms hold of its answer.
func (c *weakChoice) solve(ctx context.Context) (a *answer, refuted bool) {
	for {
		if some, none := ask(ctx, c.s); !some {
			return nil, none
		}
		x := &weak{digest: c.digest, g: newGraph(len(c.h.Txns), false), source: c.source, live: c.takes,
			hubs: make([]hubs, len(c.h.Objects))}
		if sorted := x.saturate(c.level); sorted != nil {
			a := &answer{events: sorted, sources: map[int32]int32{}, effect: c.takes}
			for k := range c.reads {
				if len(c.reads[k].from) > 1 {
					a.sources[int32(k)], _ = c.source(int32(k))
				}
			}
			return a, false
		}
		c.exclude(x)
	}
}

// exclude excludes the contradiction of an answer.
func (c *weakChoice) exclude(x *weak) {
	r := newRefuter(c.digest, x.g, c.level.Given, nil)
	r.causes = x.causes
	var clauses []iso.Clause
	if x.wrong != nil {
		clauses = append(clauses, r.clauseOf(*x.wrong, always))
	} else {
		cycle := r.cycleMacros(x.g.cycle())
		for _, m := range cycle {
			clauses = append(clauses, r.clauseOf(m.because, always))
		}
		if len(cycle) > 2 {
			clauses = append(clauses, r.cycleClause(cycle))
		}
	}
	var lits []solver.Lit
	for n := range clauses {
		for _, l := range c.proof.literals(&clauses[n]) {
			if l == no || l == yes {
				continue
			}
			var s solver.Lit
			switch v := c.proof.vars[max(l, -l)]; v.kind {
			case isFrom:
				s = -c.sources[v]
			case isEffect:
				e, open := c.effects[v.a]
				if !open {
					continue
				}
				s = -e
			default:
				continue
			}
			if !slices.Contains(lits, s) {
				lits = append(lits, s)
			}
		}
	}
	c.s.Add(lits)
	for i := range c.h.Txns { // who is read from for certain takes effect
		if c.h.Txns[i].Status == iso.Open && !c.gone[i] && !c.uncertain[i] {
			r.takesEffect(int32(i))
		}
	}
	c.clauses = append(append(c.clauses, clauses...), r.clauses...)
}
