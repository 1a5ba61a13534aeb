package txn

// Triangles: cycles of three operations that are excluded before they are met.
//
// What: of a cycle of open orders any two neighbours can be replaced by the order between their
// ends. Where operations are concurrent with few others, all cycles of three are few, and most
// longer ones follow from them, with stronger propagation; without them a solver meets a hundred
// thousand cycles of 1,000 operations whose values repeat. Of v and two operations a and b of which
// a comes before b, known already, one clause says that v before a is before b; only for the latest
// such a of each b, since the others follow.
//
// Source: transitivity clauses of order encodings, here on the pairs that have a variable.
//
// Cost: for each open order, the operations that are concurrent with one of its ends; up to
// mostTriangles.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/solver"
)

// triangles lists cycles of three operations that choices could close, to be excluded at once; none
// if there are too many to list.
func (k *pruning) triangles() (list [][3]history.OpID) {
	near := make([][]history.OpID, len(k.ops)) // operations with which the order is open
	for v := 1; v < len(k.vars); v++ {
		if x := &k.vars[v]; x.kind == isBefore && k.truth(lit(v)) == 0 {
			near[x.a] = append(near[x.a], x.b)
			near[x.b] = append(near[x.b], x.a)
		}
	}
	for v := range near {
		slices.Sort(near[v]) // by call
		if list = k.around(history.OpID(v), near[v], list); len(list) > mostTriangles {
			return nil
		}
	}
	return list
}

// around lists the triangles of v and two of the operations with which its order is open. Of those
// with three open orders it lists the ones of which v is called first.
func (k *pruning) around(v history.OpID, near []history.OpID, list [][3]history.OpID) [][3]history.OpID {
	var latest []history.OpID                   // that come before b, and before none of the others
	returned := make([]history.Rank, len(near)) // the last return up to here
	for at, b := range near {
		if returned[at] = k.ops[b].Return; at > 0 {
			returned[at] = max(returned[at], returned[at-1])
		}
		latest = latest[:0]
		called := history.Rank(-1) // the last call of latest
		for j := at - 1; j >= 0 && returned[j] >= called; j-- {
			a := near[j]
			switch {
			case k.reaches(a, b):
				if !slices.ContainsFunc(latest, func(x history.OpID) bool { return k.reaches(a, x) }) {
					latest, called = append(latest, a), max(called, k.ops[a].Call)
					list = append(list, [3]history.OpID{v, a, b})
				}
			case k.reaches(b, a): // although it was called later
				list = append(list, [3]history.OpID{v, b, a})
			case v < a && k.number[variable{kind: isBefore, a: a, b: b}] != 0:
				list = append(list, [3]history.OpID{v, a, b}, [3]history.OpID{v, b, a})
			}
		}
	}
	return list
}

// excludeTriangles adds clauses against triangles.
func (c *choosing) excludeTriangles() {
	var lits []solver.Lit
	for _, t := range c.three {
		lits = lits[:0]
		for k, a := range t {
			if b := t[(k+1)%3]; !c.reaches(a, b) {
				lits = append(lits, -c.asked(c.before(a, b)))
			}
		}
		c.s.Add(lits)
	}
}
