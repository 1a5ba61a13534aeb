package solvertest

import "github.com/linsat/linsat/solver"

// brute is a formula over at most 16 variables, decided by trying all assignments.
type brute struct {
	vars    int
	clauses []masks
}

// masks is a clause: bit v-1 of pos is set if v occurs in it, of neg if -v does.
type masks struct{ pos, neg uint32 }

func (b *brute) add(clause []solver.Lit) {
	b.clauses = append(b.clauses, toMasks(clause))
}

func toMasks(clause []solver.Lit) masks {
	var m masks
	for _, l := range clause {
		if l > 0 {
			m.pos |= 1 << (l.Var() - 1)
		} else {
			m.neg |= 1 << (l.Var() - 1)
		}
	}
	return m
}

// satisfiable reports whether some assignment satisfies all clauses and makes all assumptions true.
func (b *brute) satisfiable(assumptions []solver.Lit) bool {
	must := toMasks(assumptions)
	for a := range uint32(1) << b.vars {
		if a&must.pos == must.pos && a&must.neg == 0 && b.holds(a) {
			return true
		}
	}
	return false
}

// holds reports whether the assignment, whose bit v-1 is variable v, satisfies all clauses.
func (b *brute) holds(a uint32) bool {
	for _, c := range b.clauses {
		if a&c.pos == 0 && ^a&c.neg == 0 {
			return false
		}
	}
	return true
}
