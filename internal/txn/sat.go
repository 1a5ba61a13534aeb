package txn

// The choices that pruning leaves, by a solver.
//
// What: the open clauses go to an incremental SAT solver. A model chooses sources and orders; of
// its orders only those count that a clause with a chosen source needs. If they and what is known
// have no cycle, a topological order is a linearization. Else each edge on a cycle adds the clause
// that a shortest cycle through it is not chosen, and the solver goes on. Cycles of three are
// excluded from the beginning (triangles.go).
//
// Source: MonoSAT decides acyclicity by a theory (PolySI, Viper), VeriStrong by a propagator in
// MiniSat. Gini has neither; clauses for cycles that are met suffice. What we changed: the first
// model that the solver tries is a guess at the linearization (guess.go), since a choice is worth
// remembering only where the guess is wrong.
//
// Invariant: edges of the graph from known on are those of the last model.
//
// Cost: NP-complete in general. Each round is a call of the solver, O(n + edges), and O(n) for each
// of up to cyclesEach cycles.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/solver"
)

// choosing asks a solver for the choices that are open.
type choosing struct {
	*pruning
	s     solver.Solver
	var1  solver.Lit        // variables from here on are those of the polygraph
	place []int32           // by operation: its place in the guess
	known []int             // by operation: how many edges are known
	used  []bool            // by operation: a read is from it
	three [][3]history.OpID // triangles that were excluded
	met   [][]history.OpID  // longer cycles that were excluded
	seen  map[string]bool   // their clauses
	label map[[2]int32]lit  // of the edges of the last model
	room  []byte            // for keys of seen
}

// choose decides a polygraph that pruning leaves open. It returns the linearization, or the cycles
// that leave none (refuted); neither where the solver was stopped.
func choose(ctx context.Context, k *pruning, s solver.Solver) (order []history.OpID, c *choosing, refuted bool) {
	c = &choosing{pruning: k, s: s, seen: map[string]bool{}, label: map[[2]int32]lit{}, used: make([]bool, len(k.ops)),
		known: make([]int, len(k.ops))}
	for i := range c.known {
		c.known[i] = len(k.g.out[i])
	}
	c.three = k.triangles()
	if sized, ok := s.(interface{ SizeHint(vars, clauses int) }); ok {
		sized.SizeHint(len(k.vars), len(k.vars)+len(k.open)+len(c.three))
	}
	c.guess(ctx)
	for _, n := range k.open {
		var lits []solver.Lit
		for _, l := range k.of(n) {
			if k.truth(l) == 0 {
				lits = append(lits, c.asked(l))
			}
		}
		s.Add(lits)
	}
	c.excludeTriangles()
	for {
		switch s.Solve(ctx) {
		case solver.Unsatisfiable:
			return nil, c, true
		case solver.Unknown:
			return nil, c, false
		}
		c.model()
		order, in := k.g.order()
		if len(order) == k.g.all() {
			return k.linearization(order, c.used), c, false
		}
		c.exclude(in)
		if ctx.Err() != nil {
			return nil, c, false
		}
	}
}

// asked returns the literal of the solver. Variables are those of the polygraph.
func (c *choosing) asked(l lit) solver.Lit {
	if l < 0 {
		return -(c.var1 + solver.Lit(-l) - 1)
	}
	return c.var1 + solver.Lit(l) - 1
}

// holds reports whether a literal is known or chosen.
func (c *choosing) holds(l lit) bool {
	if known := c.truth(l); known != 0 {
		return known > 0
	}
	return c.s.Value(c.asked(l))
}

// model adds the edges that the model needs.
func (c *choosing) model() {
	for i := range c.known {
		c.g.out[i] = c.g.out[i][:c.known[i]]
		c.used[i] = false
	}
	clear(c.label)
	for v := 1; v < len(c.vars); v++ {
		if x := &c.vars[v]; x.b >= 0 && x.kind == isFrom && c.holds(lit(v)) {
			c.used[x.b] = true
		}
	}
	for _, n := range c.open {
		c.need(&c.clauses[n], c.of(n))
	}
}

// need adds an edge that satisfies a clause which says that some order holds.
func (c *choosing) need(n *clause, lits []lit) {
	var orders []lit
	for _, l := range lits {
		switch {
		case l == no || l == yes:
		case c.vars[max(l, -l)].kind == isBefore:
			orders = append(orders, l)
		case c.vars[max(l, -l)].kind == isEffect && l < 0 && !c.takesEffect(c.vars[-l].a),
			c.vars[max(l, -l)].kind == isFrom && c.holds(l):
			return
		}
	}
	best := no
	for _, l := range orders {
		if c.holds(l) && (best == no || c.guessed(l) && !c.guessed(best)) {
			best = l
		}
	}
	if best == no {
		return
	}
	a, b := c.ends(best)
	if at := [2]int32{int32(a), int32(b)}; c.label[at] == 0 {
		c.label[at] = best
		c.g.add(a, b, c.since)
	}
}

// takesEffect reports whether a pending operation must, or is read from.
func (c *choosing) takesEffect(i history.OpID) bool {
	return c.used[i] || c.truth(c.effect(i)) > 0
}

// guessed reports whether an order agrees with the guess.
func (c *choosing) guessed(l lit) bool {
	a, b := c.ends(l)
	return c.place[a] < c.place[b]
}

// exclude adds clauses against the cycles of a model.
func (c *choosing) exclude(in []int32) {
	added := 0
	cycles(c.g, in, func(cycle []history.OpID) bool {
		var lits []solver.Lit
		for k, a := range cycle {
			b := cycle[(k+1)%len(cycle)]
			if !c.time.precedes(a, b) && !c.reaches(a, b) {
				lits = append(lits, -c.asked(c.label[[2]int32{int32(a), int32(b)}]))
			}
		}
		if !c.isNew(lits) {
			return true
		}
		c.s.Add(lits)
		c.met = append(c.met, cycle)
		added++
		return added < cyclesEach
	})
}

// isNew reports whether a clause was not added before.
func (c *choosing) isNew(lits []solver.Lit) bool {
	slices.Sort(lits)
	c.room = c.room[:0]
	for _, l := range lits {
		c.room = append(c.room, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	if c.seen[string(c.room)] {
		return false
	}
	c.seen[string(c.room)] = true
	return true
}
