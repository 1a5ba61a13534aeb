package txn

// The proof of a violation.
//
// What: dependencies from which unit propagation, or a refutation in clauses, follows
// (proof.DependencyCycles). A fact of pruning needs its clause, and what makes the other literals
// of the clause false: facts, or a path, which becomes a cycle with the literal that it
// contradicts. Only what the conflict needs is collected. Where choices were needed, the open
// clauses and the cycles that the solver met are refuted once more by a solver that writes proofs,
// first with what is known as given; then, with the reasons of what that refutation used, as a
// whole.
//
// Invariant: collected dependencies come after those that they rest on, so that of those without
// choices each is a unit clause, or the conflict, after those before it.
//
// Cost: a path, O(n), for each literal that reachability made false and that is needed.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
)

// collected is the dependencies of a proof, with their literals.
type collected struct {
	*pruning
	dependencies []proof.Dependency
	lits         [][]lit
	has          map[lit]bool   // literals that follow
	added        map[int32]bool // clauses of the polygraph
}

func collect(k *pruning) *collected {
	return &collected{pruning: k, has: map[lit]bool{}, added: map[int32]bool{}}
}

// refutation returns the proof of a conflict of pruning.
func (wrong *conflict) refutation(k *pruning) proof.Proof {
	c := collect(k)
	if wrong.cycle != nil {
		c.cycle(wrong.cycle, len(wrong.cycle), always, always)
	} else {
		c.clause(wrong.clause, no, always, wrong.closed)
	}
	lemma := proof.Lemma{}
	for n := range c.lits {
		lemma.Hints = append(lemma.Hints, int32(n)+1)
	}
	if len(c.lits[0]) == 0 { // a variable and its negation
		lemma.Hints = []int32{1, 2}
	}
	return &proof.DependencyCycles{Dependencies: c.dependencies, Lemmas: []proof.Lemma{lemma}}
}

// clause collects a clause, and why those of its literals are false that are known to be: by facts
// before since, and paths of edges before closed.
func (c *collected) clause(n int32, but lit, since, closed int32) {
	if c.added[n] {
		return
	}
	c.added[n] = true
	var lits []lit
	for _, l := range c.of(n) {
		if l != yes && l != no {
			lits = append(lits, l)
		}
		if l != but && c.truth(l) < 0 {
			c.follow(-l, since, closed)
		}
	}
	x := &c.clauses[n]
	d := proof.Dependency{Rule: x.rule, Register: x.register}
	for _, i := range x.ops {
		if i != proof.NoOp {
			d.Ops = append(d.Ops, i)
		}
	}
	c.dependencies, c.lits = append(c.dependencies, d), append(c.lits, lits)
}

// follow collects why a literal is known.
func (c *collected) follow(l lit, since, closed int32) {
	if l == yes || l == no || c.has[l] {
		return
	}
	c.has[l] = true
	if f := c.fact(max(l, -l)); f.value != 0 && f.since < since {
		c.clause(f.clause, l, f.since, f.closed)
		return
	}
	a, b := c.ends(l)
	way := c.g.path(a, b, closed, nil)
	c.cycle(way, len(way)-1, since, closed)
}

// cycle collects that operations do not come one before the other in a circle, and why this is so
// of the first pairs of neighbours.
func (c *collected) cycle(ops []history.OpID, pairs int, since, closed int32) {
	var lits []lit
	for k, a := range ops {
		l := c.before(a, ops[(k+1)%len(ops)])
		if l == yes {
			continue
		}
		lits = append(lits, -l)
		if k < pairs && c.truth(l) > 0 {
			c.follow(l, since, closed)
		}
	}
	c.dependencies = append(c.dependencies, proof.Dependency{Rule: proof.DependencyCycle, Ops: ops, Register: -1})
	c.lits = append(c.lits, lits)
}

// refutation returns the proof where a solver excluded all choices; nil if ctx ends it, or if it
// would be too long.
func (c *choosing) refutation(ctx context.Context) proof.Proof {
	given := &cdcl.Clauses{Last: len(c.vars) - 1}
	for _, n := range c.open {
		var lits []lit
		for _, l := range c.of(n) {
			if c.truth(l) == 0 {
				lits = append(lits, l)
			}
		}
		given.List = append(given.List, lits)
	}
	met := make([][]history.OpID, 0, len(c.three)+len(c.met))
	for k := range c.three {
		met = append(met, c.three[k][:])
	}
	met = append(met, c.met...)
	for _, cycle := range met {
		var lits []lit
		for k, a := range cycle {
			if l := c.before(a, cycle[(k+1)%len(cycle)]); c.truth(l) <= 0 {
				lits = append(lits, -l)
			}
		}
		given.List = append(given.List, lits)
	}
	_, uses, ok := given.Uses(ctx)
	if !ok {
		return nil
	}
	for i := range c.known { // the edges of the last model
		c.g.out[i] = c.g.out[i][:c.known[i]]
	}
	all := collect(c.pruning)
	for _, n := range uses {
		if n < len(c.open) {
			all.clause(c.open[n], no, always, c.closed)
		} else {
			cycle := met[n-len(c.open)]
			all.cycle(cycle, len(cycle), always, c.closed)
		}
	}
	return all.refutation(ctx)
}

// refutation refutes what was collected, and leaves out what that does not need.
func (c *collected) refutation(ctx context.Context) proof.Proof {
	lemmas, left, ok := (&cdcl.Clauses{Last: len(c.vars) - 1, List: c.lits}).Minimal(ctx)
	if !ok {
		return nil
	}
	for k, n := range left {
		c.dependencies[k] = c.dependencies[n]
	}
	return &proof.DependencyCycles{Dependencies: c.dependencies[:len(left)], Lemmas: lemmas}
}
