package solvertest

import (
	"context"
	"math"
	"slices"

	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/solver"
)

// DPLL is a textbook solver.Solver: propagate units by scanning all clauses, then branch on
// a literal of the first clause that is not yet true. It learns nothing and remembers nothing
// between solves; use it for a few hundred clauses. Make one with NewDPLL.
type DPLL struct {
	clauses.Recorder
	clauses [][]solver.Lit
	solves  int64
	splits  int64
	limit   int64 // give up when splits gets there

	value  []int8 // by variable: 1 true, -1 false, 0 open
	trail  []solver.Lit
	model  []int8
	failed []solver.Lit
	err    error
}

var _ solver.Solver = (*DPLL)(nil)

// NewDPLL returns an empty solver.
func NewDPLL() solver.Solver { return &DPLL{} }

// Add implements solver.Solver.
func (d *DPLL) Add(clause []solver.Lit) {
	d.Recorder.Add(clause)
	d.clauses = append(d.clauses, slices.Clone(clause))
}

// conflictLimit is how many failed branches an attempt to drop an assumption may take.
const conflictLimit = 500

// Solve implements solver.Solver. It solves again without each failed assumption, and retains those
// for which there is no quick answer. So on easy formulas the failed assumptions are minimal.
func (d *DPLL) Solve(ctx context.Context, assumptions ...solver.Lit) solver.Status {
	d.Recorder.Solve(ctx, assumptions...) // counts the variables
	d.solves++
	d.model, d.failed, d.err = nil, nil, nil
	d.limit = math.MaxInt64
	switch status := d.decide(ctx, assumptions); status {
	case solver.Satisfiable:
		d.model = slices.Clone(d.value)
		return status
	case solver.Unsatisfiable:
		left := slices.Clone(assumptions)
		for i := len(left) - 1; i >= 0; i-- {
			d.limit = d.splits + conflictLimit
			without := slices.Delete(slices.Clone(left), i, i+1)
			if d.decide(ctx, without) == solver.Unsatisfiable {
				left = without
			}
		}
		d.failed = left
		return status
	default:
		d.err = context.Cause(ctx)
		return status
	}
}

// Value implements solver.Solver.
func (d *DPLL) Value(l solver.Lit) bool {
	if d.model == nil || l == 0 {
		return false
	}
	isTrue := l.Var() < len(d.model) && d.model[l.Var()] == 1
	return isTrue == (l > 0)
}

// Failed implements solver.Solver.
func (d *DPLL) Failed() []solver.Lit { return slices.Clone(d.failed) }

// Err implements solver.Solver.
func (d *DPLL) Err() error { return d.err }

// Stats implements solver.Solver.
func (d *DPLL) Stats() solver.Stats {
	st := d.Recorder.Stats()
	st.Solves = d.solves
	return st
}

// decide answers for the clauses under the assumptions, leaving a model in value.
func (d *DPLL) decide(ctx context.Context, assumptions []solver.Lit) solver.Status {
	if ctx.Err() != nil {
		return solver.Unknown
	}
	d.value = make([]int8, d.Recorder.Stats().Vars+1)
	d.trail = d.trail[:0]
	for _, l := range assumptions {
		if d.valueOf(l) < 0 {
			return solver.Unsatisfiable
		}
		d.set(l)
	}
	return d.search(ctx)
}

func (d *DPLL) search(ctx context.Context) solver.Status {
	if ctx.Err() != nil || d.splits >= d.limit {
		return solver.Unknown
	}
	mark := len(d.trail)
	branch, ok := d.propagate()
	switch {
	case !ok:
		d.undo(mark)
		d.splits++
		return solver.Unsatisfiable
	case branch == 0:
		return solver.Satisfiable
	}
	for _, l := range []solver.Lit{branch, branch.Not()} {
		here := len(d.trail)
		d.set(l)
		if status := d.search(ctx); status != solver.Unsatisfiable {
			return status
		}
		d.undo(here)
	}
	d.undo(mark)
	return solver.Unsatisfiable
}

// propagate sets what clauses force until nothing changes. It returns an open literal of a clause
// that is not true yet, or 0 if there is none, and false if a clause is false.
func (d *DPLL) propagate() (branch solver.Lit, ok bool) {
	for again := true; again; {
		again, branch = false, 0
		for _, c := range d.clauses {
			open, count := solver.Lit(0), 0
			isTrue := false
			for _, l := range c {
				switch d.valueOf(l) {
				case 1:
					isTrue = true
				case 0:
					if l != open {
						open, count = l, count+1
					}
				}
			}
			switch {
			case isTrue:
			case count == 0:
				return 0, false
			case count == 1:
				d.set(open)
				again = true
			case branch == 0:
				branch = open
			}
		}
	}
	return branch, true
}

func (d *DPLL) valueOf(l solver.Lit) int8 {
	if l < 0 {
		return -d.value[-l]
	}
	return d.value[l]
}

func (d *DPLL) set(l solver.Lit) {
	if d.valueOf(l) != 0 {
		return
	}
	d.value[l.Var()] = 1
	if l < 0 {
		d.value[l.Var()] = -1
	}
	d.trail = append(d.trail, l)
}

func (d *DPLL) undo(mark int) {
	for _, l := range d.trail[mark:] {
		d.value[l.Var()] = 0
	}
	d.trail = d.trail[:mark]
}
