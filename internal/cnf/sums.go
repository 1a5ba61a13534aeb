package cnf

// Sums within ranges: a start and what literals add to it, as a layered graph.
//
// What: the graph has a node for each sum that the first k terms can make. From a node of which
// every end is allowed nothing is required, and from one of which no end is allowed the path must
// stay away; only nodes between need a variable. The literals determine the path, and clauses in
// both directions let unit propagation run along it from both ends.
//
// Source: the reduced ordered decision diagram of a pseudo-Boolean constraint (Eén, Sörensson:
// Translating pseudo-Boolean constraints into SAT, JSAT 2, 2006, section 5.1), from whose equal
// nodes only the two constant ones are merged, and without its ordering by size alone: ranges need
// not be one interval.
//
// Invariant: successors of a node that allows every end do, too. So a node that needs a variable is
// reached through such nodes alone, and the clauses backward are complete.
//
// Cost: terms × sums.

import (
	"slices"

	"github.com/linsat/linsat/internal/inorder"
)

// Term is a literal that adds By to a sum if it holds.
type Term struct {
	If Lit
	By int64
}

// Start is a value that a sum may begin with, and the literal that it does.
type Start struct {
	Value int64
	Is    Lit
}

// Reach returns the sums that the first k terms can make from some values on, ascending, for every
// k. It gives up and returns nil if they are too many.
func (b *Builder) Reach(from []int64, terms []Term) [][]int64 {
	sums := make([][]int64, len(terms)+1)
	sums[0] = from
	size := len(from)
	for k, t := range terms {
		var next []int64
		for _, s := range sums[k] {
			next = append(next, t.from(s)...)
		}
		sums[k+1] = inorder.Distinct(next)
		if size += len(next); size > maxSums {
			b.GiveUp("numbers add up in too many ways")
		}
		if !b.Alive(int64(len(next))) {
			return nil
		}
	}
	return sums
}

// from lists the sums to which a term leads from one.
func (t Term) from(s int64) []int64 {
	switch t.If {
	case True:
		return []int64{s + t.By}
	case False:
		return []int64{s}
	}
	return []int64{s, s + t.By}
}

// Sum adds that one of the starts, which ascend, and the terms add up to what is allowed, if the
// condition holds.
func (b *Builder) Sum(why Axiom, ops Ops, cond Lit, starts []Start, terms []Term, allowed func(sum int64) bool) {
	from := make([]int64, len(starts))
	for k, s := range starts {
		from[k] = s.Value
	}
	sums := b.Reach(from, terms)
	if sums == nil {
		return
	}
	g := &sumGraph{b, why, ops}
	all, some := endings(sums, terms, allowed)
	here := make([]Lit, len(starts))
	for k, s := range starts {
		switch {
		case !some[0][k]:
			b.Clause(why, ops, -cond, -s.Is)
		case !all[0][k]:
			here[k] = b.And(cond, s.Is)
		}
		if here[k] == False {
			here[k] = 0
		}
	}
	for k, t := range terms {
		here = g.layer(t, sums[k], sums[k+1], here, all[k+1], some[k+1])
		if !b.Alive(int64(len(here))) {
			return
		}
	}
}

// endings says of every node whether all ends, and whether some ends, are allowed.
func endings(sums [][]int64, terms []Term, allowed func(sum int64) bool) (all, some [][]bool) {
	n := len(terms)
	all, some = make([][]bool, n+1), make([][]bool, n+1)
	for k := n; k >= 0; k-- {
		all[k], some[k] = make([]bool, len(sums[k])), make([]bool, len(sums[k]))
		for j, s := range sums[k] {
			if k == n {
				all[k][j] = allowed(s)
				some[k][j] = all[k][j]
				continue
			}
			all[k][j] = true
			for _, next := range terms[k].from(s) {
				to, _ := slices.BinarySearch(sums[k+1], next)
				all[k][j], some[k][j] = all[k][j] && all[k+1][to], some[k][j] || some[k+1][to]
			}
		}
	}
	return all, some
}

// sumGraph is a graph in the making.
type sumGraph struct {
	b   *Builder
	why Axiom
	ops Ops
}

// layer adds the edges of one term. Literals are by node, 0 for one without a variable.
func (g *sumGraph) layer(t Term, from, to []int64, here []Lit, all, some []bool) []Lit {
	next := make([]Lit, len(to))
	edge := func(l, taken Lit, s int64) {
		j, _ := slices.BinarySearch(to, s)
		switch {
		case all[j]:
			return
		case !some[j]:
			g.b.Clause(g.why, g.ops, -l, -taken)
			return
		case next[j] == 0:
			next[j] = g.b.Fresh()
		}
		g.b.Clause(g.why, g.ops, -l, -taken, next[j])
	}
	for k, s := range from {
		if l := here[k]; l != 0 {
			if t.If != False {
				edge(l, t.If, s+t.By)
			}
			if t.If != True {
				edge(l, -t.If, s)
			}
		}
	}
	at := func(s int64) Lit {
		if k, found := slices.BinarySearch(from, s); found && here[k] != 0 {
			return here[k]
		}
		return False
	}
	for j, s := range to {
		if next[j] != 0 {
			g.b.Clause(g.why, g.ops, -next[j], -t.If, at(s-t.By))
			g.b.Clause(g.why, g.ops, -next[j], t.If, at(s))
		}
	}
	return next
}
