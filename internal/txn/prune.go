package txn

// Pruning: what follows from the clauses by unit propagation and by reachability.
//
// What: a clause with one literal left sets it. A literal about order is false where its second
// operation reaches its first, through time and known edges. Both take turns until nothing changes.
//
// Source: pruning by reachability to a fixpoint is that of PolySI (VLDB 2023). What we changed: it
// is unit propagation of the same clauses that the solver gets, so each fact has a reason from
// which its proof is made (refutation.go); and reachability is kept along chains of time (time.go).
//
// Invariants: an edge of the graph is a fact about order. A fact follows from its clause, from
// facts before it, and from reachability along edges known before it. Reachability is that of the
// edges before closed.
//
// Cost: for each round, the open clauses, and (nodes + edges) × chains.

import (
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
)

// fact is why a variable has its value.
type fact struct {
	value  int8  // 1, -1, or 0 for none
	clause int32 // that sets it
	since  int32 // its number among the facts
	closed int32 // edges before this one are in the reachability that it may rest on
}

// conflict is what cannot be: a clause without a literal that can hold, or else a cycle.
type conflict struct {
	clause int32
	closed int32
	cycle  []history.OpID // nil for a clause
}

// pruning is what is known of a polygraph.
type pruning struct {
	*polygraph
	g      *graph
	facts  []fact // by variable
	since  int32  // facts so far
	open   []int32
	reach  []int32 // by node and chain: the first place in it that the node reaches
	closed int32
}

// prune draws all conclusions. It returns what cannot be, or nil; ok is false if m has no room or
// stops it.
func prune(p *polygraph, m *engine.Account) (k *pruning, wrong *conflict, ok bool) {
	k = &pruning{polygraph: p, g: newGraph(p.time), facts: make([]fact, len(p.vars))}
	if p.broken >= 0 {
		return k, &conflict{clause: p.broken}, true
	}
	k.open = make([]int32, len(p.clauses))
	for c := range k.open {
		k.open[c] = int32(c)
	}
	for {
		for before := int32(-1); before < k.since; {
			before = k.since
			if c := k.pass(); c >= 0 {
				return k, &conflict{clause: c, closed: k.closed}, true
			}
			if !m.Toil(int64(len(k.open))) {
				return k, nil, false
			}
		}
		if k.closed == k.since {
			return k, nil, true
		}
		order, in := k.g.order()
		if len(order) < k.g.all() {
			return k, &conflict{clause: -1, cycle: shortestCycle(k.g, in)}, true
		}
		if !k.close(order, m) {
			return k, nil, false
		}
	}
}

// pass looks at each open clause once, and returns one that cannot be satisfied; -1 for none.
func (k *pruning) pass() int32 {
	kept := k.open[:0]
	for at, c := range k.open {
		left, unit, holds := 0, no, false
		for _, l := range k.of(c) {
			switch k.truth(l) {
			case 1:
				holds = true
			case 0:
				left, unit = left+1, l
			}
		}
		switch {
		case holds:
		case left == 0:
			k.open = append(kept, k.open[at:]...)
			return c
		case left == 1:
			k.set(unit, c)
		default:
			kept = append(kept, c)
		}
	}
	k.open = kept
	return -1
}

// truth returns what is known of a literal: 1, -1, or 0 for nothing.
func (k *pruning) truth(l lit) int8 {
	switch l {
	case yes:
		return 1
	case no:
		return -1
	}
	v, sign := l, int8(1)
	if l < 0 {
		v, sign = -l, -1
	}
	if f := k.fact(v).value; f != 0 {
		return f * sign
	}
	if x := &k.vars[v]; x.kind == isBefore {
		switch {
		case k.reaches(x.a, x.b):
			return sign
		case k.reaches(x.b, x.a):
			return -sign
		}
	}
	return 0
}

// fact returns why a variable has its value. Variables of which only reachability tells the value
// may have come later.
func (k *pruning) fact(v lit) fact {
	if int(v) >= len(k.facts) {
		return fact{}
	}
	return k.facts[v]
}

// reaches reports whether a comes before b by time and the edges before closed.
func (k *pruning) reaches(a, b history.OpID) bool {
	if k.reach == nil {
		return k.time.precedes(a, b)
	}
	return k.reach[int(a)*k.time.chains+int(k.time.chain[b])] <= k.time.place[b]
}

// set makes a literal true by a clause.
func (k *pruning) set(l lit, clause int32) {
	v, value := l, int8(1)
	if l < 0 {
		v, value = -l, -1
	}
	k.facts[v] = fact{value, clause, k.since, k.closed}
	if k.vars[v].kind == isBefore {
		a, b := k.ends(l)
		k.g.add(a, b, k.since)
	}
	k.since++
}

// close computes what every node reaches, from a topological order.
func (k *pruning) close(order []node, m *engine.Account) bool {
	n, width := len(k.ops), k.time.chains
	if k.reach == nil {
		size := (n + len(k.time.byReturn)) * width
		if !m.Grow(int64(size) * 4) {
			return false
		}
		k.reach = make([]int32, size)
	}
	for at := len(order) - 1; at >= 0; at-- {
		x := order[at]
		row := k.reach[int(x)*width : (int(x)+1)*width]
		for c := range row {
			row[c] = math.MaxInt32 // no place
		}
		k.g.each(x, func(y node) {
			for c, place := range k.reach[int(y)*width : (int(y)+1)*width] {
				row[c] = min(row[c], place)
			}
		})
		if int(x) < n {
			row[k.time.chain[x]] = min(row[k.time.chain[x]], k.time.place[x])
		}
		if !m.Toil(int64(width)) {
			return false
		}
	}
	k.closed = k.since
	return true
}
