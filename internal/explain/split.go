package explain

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// derivation is an argument below some point of the trail, and which entries above it it needs.
type derivation struct {
	argument *proof.Node
	needs    []int32
	size     int
}

// size measures how much there is to read: steps, cases, and long lists of operations.
func size(a *proof.Node) int {
	s := a.Size()
	n := s.Steps + 4*(s.Leaves-1)
	a.Each(func(s *proof.Step) { n += max(0, len(s.Args)-longList) })
	return n
}

// finish walks back from what is needed at the end to entry base, and puts the steps met in front
// of the tail. An assumption at base is needed like what lies above.
func (p *prover) finish(base int, seeds []int32, tail *proof.Node) *derivation {
	needed := map[int32]bool{}
	for _, s := range seeds {
		needed[s] = true
	}
	var steps []proof.Step
	for i := len(p.entries) - 1; i >= base; i-- {
		if !needed[int32(i)] || p.entries[i].why == assumed {
			continue
		}
		delete(needed, int32(i))
		steps = append(steps, p.step(i))
		for _, l := range p.antecedents(i) {
			needed[p.placed[l/2]] = true
		}
	}
	a := &proof.Node{Split: tail.Split}
	for i := len(steps) - 1; i >= 0; i-- {
		a.Steps = append(a.Steps, steps[i])
	}
	a.Steps = append(a.Steps, tail.Steps...)
	out := &derivation{argument: a, size: size(a)}
	for s := range needed {
		out.needs = append(out.needs, s)
	}
	return out
}

// places are the entries of literals that hold.
func (p *prover) places(literals []lit) []int32 {
	out := make([]int32, len(literals))
	for i, l := range literals {
		out[i] = p.placed[l/2]
	}
	return out
}

func (p *prover) contradicted(base int, c *contradiction) *derivation {
	return p.finish(base, p.places(c.from), &proof.Node{Steps: []proof.Step{c.step}})
}

// open literals of a choice, in order.
func (p *prover) openOf(c clause) []lit {
	var out []lit
	for _, l := range c.lits {
		if p.holds(l) {
			return nil
		}
		if p.open(l) {
			out = append(out, l)
		}
	}
	return out
}

// candidates lists what cases can be made of: instances with more than one open literal, none of
// which holds; and the two orders of operations about which some such instance speaks.
func (p *prover) candidates() []clause {
	var out []clause
	for _, c := range p.choices {
		if len(p.openOf(c)) > 1 {
			out = append(out, c)
		}
	}
	chosen := len(out) > 0
	seen := map[lit]bool{}
	either := func(l lit) {
		if l &^= 1; seen[l] || !p.open(l) {
			return
		}
		seen[l] = true
		s := p.statement(l)
		c := clause{axiom: proof.EITHER, args: []history.OpID{s.A, s.B}, lits: []lit{l, l.not()}}
		switch s.Kind {
		case proof.InKind:
			c.args = c.args[:1]
		case proof.OrderKind:
		default:
			return
		}
		out = append(out, c)
	}
	if t, ok := p.w.Theory.(*model.CountingTheory); ok {
		p.undecided(t, either)
		return out
	}
	for k := range p.clauses {
		open := p.openOf(p.clauses[k])
		if len(open) < 2 {
			continue
		}
		choice := false // about who took what, which has no two sides to tell a reader of
		for _, l := range open {
			k := p.statement(l).Kind
			choice = choice || k == proof.SourceKind || k == proof.ModeKind
			either(l)
		}
		if choice && !chosen {
			out = append(out, p.clauses[k])
		}
	}
	return out
}

// undecided are the literals of counters that are open: which operations come before an
// observation.
func (p *prover) undecided(t *model.CountingTheory, either func(l lit)) {
	for _, members := range p.w.Objects() {
		for _, x := range members {
			if t.Delta[x] == 0 {
				continue
			}
			for _, r := range members {
				if x != r && t.Observes[r] {
					either(p.lit(proof.LessThan(x, r)))
				}
			}
			if p.w.Optional[x] {
				either(p.lit(proof.TakesEffect(x)))
			}
		}
	}
}

// combine makes a proof from a choice whose cases are all refuted. A case that does not need its
// assumption is a proof by itself.
func (p *prover) combine(base int, c clause, cases []*derivation) *derivation {
	split := &proof.Split{Axiom: c.axiom, Args: c.args}
	var seeds []int32
	for _, k := range cases {
		split.Cases = append(split.Cases, k.argument)
		seeds = append(seeds, k.needs...)
	}
	here := int32(len(p.entries)) // where the assumptions were
	for i, s := range seeds {
		if s == here {
			seeds[i] = -1
		}
	}
	for _, l := range c.lits {
		if !p.open(l) {
			seeds = append(seeds, p.placed[l/2])
		}
	}
	out := seeds[:0]
	for _, s := range seeds {
		if s >= 0 {
			out = append(out, s)
		}
	}
	return p.finish(base, out, &proof.Node{Split: split})
}

// needsAssumption reports whether a case needs what it assumes.
func (p *prover) needsAssumption(k *derivation) bool {
	for _, s := range k.needs {
		if s == int32(len(p.entries)) {
			return true
		}
	}
	return false
}

// suppose refutes a literal: by propagation, or deeper.
func (p *prover) suppose(l lit, deeper func(base int) *derivation) (k *derivation, drawn int) {
	if !p.spend() {
		return nil, 0
	}
	base := len(p.entries)
	p.set(l, assumed, 0)
	if c := p.saturate(); c != nil {
		k = p.contradicted(base, c)
	} else if deeper != nil {
		k = deeper(base)
	}
	drawn = len(p.entries) - base
	p.undo(base)
	return k, drawn
}

// look is what one choice would give.
type look struct {
	choice clause
	open   []lit
	cases  []*derivation // nil where not refuted by propagation
	alive  int
	drawn  int // conclusions in the cases that are alive, at least
}

// ahead looks at all choices. It returns the shortest proof that needs at most one of them, or else
// what each would give. An eager look ends at the first choice that leaves at most one case.
func (p *prover) ahead(base int, eager bool) (best *derivation, looks []look) {
	for _, c := range p.candidates() {
		k := look{choice: c, open: p.openOf(c), drawn: 1 << 30}
		for _, l := range k.open {
			proof, drawn := p.suppose(l, nil)
			if p.exhausted() {
				return best, nil
			}
			k.cases = append(k.cases, proof)
			if proof == nil {
				k.alive++
				k.drawn = min(k.drawn, drawn)
			}
		}
		if eager && k.alive == 1 {
			return nil, []look{k}
		}
		if k.alive == 0 {
			if done := p.resolve(base, k.choice, k.cases); best == nil || done.size < best.size {
				best = done
			}
			if eager {
				return best, nil
			}
		}
		looks = append(looks, k)
	}
	return best, looks
}

// resolve makes a proof from a choice whose cases are all refuted, or from one case that needs no
// assumption.
func (p *prover) resolve(base int, c clause, cases []*derivation) *derivation {
	for _, k := range cases {
		if !p.needsAssumption(k) {
			return p.finish(base, k.needs, k.argument)
		}
	}
	return p.combine(base, c, cases)
}

// two looks for the shortest proof with two nested choices, among the most promising ones.
func (p *prover) two(base int, looks []look) (best *derivation) {
	for n, k := range looks {
		if n >= maxTwo || k.alive > 3 {
			break
		}
		cases := append([]*derivation(nil), k.cases...)
		for i, l := range k.open {
			if cases[i] == nil {
				cases[i], _ = p.suppose(l, func(base int) *derivation {
					done, _ := p.ahead(base, false)
					return done
				})
			}
			if cases[i] == nil {
				break
			}
		}
		if !contains(cases, nil) {
			if done := p.resolve(base, k.choice, cases); best == nil || done.size < best.size {
				best = done
			}
		}
		if p.exhausted() {
			return best
		}
	}
	return best
}

func contains(cases []*derivation, k *derivation) bool {
	for _, c := range cases {
		if c == k {
			return true
		}
	}
	return false
}

// greedy makes one choice after another: one that leaves a single case if there is any, else the
// one that yields most. It returns nil if no choice is left: then all axioms can be satisfied.
func (p *prover) greedy(base int) *derivation {
	best, looks := p.ahead(base, true)
	if best != nil || p.exhausted() {
		return best
	}
	if len(looks) == 0 {
		p.satisfied = true
		return nil
	}
	at := 0
	for i, k := range looks {
		if k.alive < looks[at].alive || k.alive == looks[at].alive && k.drawn > looks[at].drawn {
			at = i
		}
	}
	k := looks[at]
	for i, l := range k.open {
		if k.cases[i] == nil {
			k.cases[i], _ = p.suppose(l, p.greedy)
		}
		if k.cases[i] == nil {
			return nil
		}
		if !p.needsAssumption(k.cases[i]) {
			return p.finish(base, k.cases[i].needs, k.cases[i].argument)
		}
	}
	return p.combine(base, k.choice, k.cases)
}
