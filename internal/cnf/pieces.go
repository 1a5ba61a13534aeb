package cnf

// Pieces: a long formula decided along the history, one stretch of operations after the other.
//
// What: a solver over another one. Every variable belongs to an operation: that with which it can
// be decided. Variables are decided in this order, those of size operations at a time, in a solver
// of their own with the clauses that are due by then and that they occur in. The variables of the
// last operations before, overlap of them, may change; all others keep their values, as
// assumptions. If there is no model, the assumptions that failed become free as well, with
// all variables of operations near theirs, and the piece is tried again, each time with operations
// twice as far away. Without failed assumptions the clauses alone have no model.
//
// Why: in one solver, every restart and many backjumps give up the whole history because of a
// conflict between a few operations. A formula of 0.8 million clauses that are built in 0.1 s, with
// a model and with local conflicts only, took 5 s.
//
// Source: our own, after large neighbourhoods (Shaw, CP 1998) and rolling horizons; what is changed
// is that the failed assumptions tell the neighbourhood.
//
// Which operation: an order literal belongs to the later call, a number to the operation that it is
// counted for, unless the encoding postpones it (Builder.Postpone): a number that only later
// operations restrict should not be decided before. Any other variable belongs to the latest
// operation of the variables that it occurs with.
//
// Invariants: after each piece, all clauses are satisfied whose variables are all decided: those
// with a free variable are in the piece, and the others have not changed. So a model of the last
// piece is a model of the formula, and a refutation without assumptions refutes it.
//
// Cost: linear in the clauses, besides what the solver takes. If more than maxRepeats times the
// variables have been free, the formula is solved as a whole.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/solver"
)

// pieces is a solver.Solver, but all variables have to be reserved.
type pieces struct {
	factory func() solver.Solver
	size    history.OpID // operations in a piece
	last    history.OpID // the last operation
	stats   solver.Stats

	lits []Lit          // the clauses one after the other
	ends []int32        // by clause: where it ends in lits
	of   []history.OpID // by variable: the operation that it belongs to, -1 if not known yet

	due      []history.OpID // by clause: the operation with which its last variable is decided
	occurs   []int32        // the clauses of variable v are occurs[occursAt[v]:occursAt[v+1]]
	occursAt []int32
	vars     []Lit // the variables of operation i are vars[varsAt[i]:varsAt[i+1]]
	varsAt   []int32

	value   []int8 // by variable: 1 or -1 once it is decided
	free    []Lit  // variables of this attempt
	isFree  []bool // by variable
	added   []int32
	attempt int32
	local   []Lit // by variable: its number in the solver of this attempt, or 0

	solved bool          // value is a model
	whole  solver.Solver // of the whole formula, if pieces did not decide it
	err    error         // why there is neither
}

var _ solver.Solver = (*pieces)(nil)

func newPieces(factory func() solver.Solver, n, size history.OpID) *pieces {
	return &pieces{factory: factory, size: size, last: n - 1, of: []history.OpID{-1}}
}

// NewVar implements solver.Solver.
func (p *pieces) NewVar() Lit { return p.Reserve(1) }

// Reserve implements solver.Solver.
func (p *pieces) Reserve(n int) Lit {
	first := Lit(len(p.of))
	for range n {
		p.of = append(p.of, -1)
	}
	p.stats.Vars += n
	return first
}

// Add implements solver.Solver.
func (p *pieces) Add(clause []Lit) {
	p.stats.Clauses++
	if p.whole != nil {
		p.whole.Add(clause)
		return
	}
	p.lits = append(p.lits, clause...)
	p.ends = append(p.ends, int32(len(p.lits)))
}

// postpone lets n variables belong to an operation, unless they belong to a later one.
func (p *pieces) postpone(first Lit, n int32, to history.OpID) {
	for v := first; v < first+Lit(n); v++ {
		p.of[v] = max(p.of[v], to)
	}
}

// clause returns a clause.
func (p *pieces) clause(k int32) []Lit {
	if k == 0 {
		return p.lits[:p.ends[0]]
	}
	return p.lits[p.ends[k-1]:p.ends[k]]
}

// Solve implements solver.Solver.
func (p *pieces) Solve(ctx context.Context, assumptions ...Lit) solver.Status {
	p.stats.Solves++
	p.solved, p.err = false, nil
	if p.whole == nil && len(assumptions) == 0 {
		if s, decided := p.each(ctx); decided {
			return s
		}
		p.due, p.occurs, p.vars, p.added = nil, nil, nil, nil
		if p.err = context.Cause(ctx); p.err != nil {
			return solver.Unknown
		}
	}
	if p.whole == nil {
		p.whole = p.factory()
		p.whole.Reserve(len(p.of) - 1)
		for k := range p.ends {
			if k%pollEvery == 0 && ctx.Err() != nil {
				p.whole, p.err = nil, context.Cause(ctx)
				return solver.Unknown
			}
			p.whole.Add(p.clause(int32(k)))
		}
		p.lits, p.ends = nil, nil
	}
	return p.whole.Solve(ctx, assumptions...)
}

// Value implements solver.Solver.
func (p *pieces) Value(l Lit) bool {
	if p.solved {
		return p.holds(l)
	}
	return p.whole != nil && p.whole.Value(l)
}

func (p *pieces) holds(l Lit) bool { return (p.value[max(l, -l)] > 0) == (l > 0) }

// Failed implements solver.Solver.
func (p *pieces) Failed() []Lit {
	if p.whole == nil {
		return nil
	}
	return p.whole.Failed()
}

// Err implements solver.Solver.
func (p *pieces) Err() error {
	if p.whole == nil {
		return p.err
	}
	return p.whole.Err()
}

// Stats implements solver.Solver.
func (p *pieces) Stats() solver.Stats { return p.stats }

// each decides one piece after the other; decided is false if the formula is to be solved whole.
func (p *pieces) each(ctx context.Context) (s solver.Status, decided bool) {
	if !p.index(ctx) {
		return solver.Unknown, false
	}
	p.value, p.isFree, p.local = make([]int8, len(p.of)), make([]bool, len(p.of)), make([]Lit, len(p.of))
	p.added = make([]int32, len(p.ends))
	work := 0
	overlap := max(1, p.size/overlapShare)
	for start := history.OpID(0); start <= p.last; start += p.size {
		end := min(start+p.size-1, p.last)
		p.loosen(start-overlap, end)
		for near := overlap; ; near *= 2 {
			if work += len(p.free); work > maxRepeats*len(p.of) {
				return solver.Unknown, false
			}
			s, failed := p.piece(ctx, end)
			if s == solver.Satisfiable {
				break
			}
			if s == solver.Unknown || len(failed) == 0 {
				return s, s != solver.Unknown
			}
			for _, v := range failed {
				p.loosenVar(v)
				p.loosen(p.of[v]-near, min(p.of[v]+near, end))
			}
		}
		for _, v := range p.free {
			p.isFree[v] = false
		}
		p.free = p.free[:0]
	}
	p.solved = true
	return solver.Satisfiable, true
}

// loosen makes the variables of some operations free.
func (p *pieces) loosen(from, to history.OpID) {
	from = max(from, 0)
	for _, v := range p.vars[p.varsAt[from]:p.varsAt[to+1]] {
		p.loosenVar(v)
	}
}

func (p *pieces) loosenVar(v Lit) {
	if !p.isFree[v] {
		p.isFree[v] = true
		p.free = append(p.free, v)
	}
}

// piece looks for values of the free variables, with those that are due by operation end. Without
// any, it returns the other variables whose values are to blame.
func (p *pieces) piece(ctx context.Context, end history.OpID) (s solver.Status, failed []Lit) {
	p.attempt++
	one := p.factory()
	var named, fixed, buf []Lit // named: variable by its number in one, from 1 on
	for _, v := range p.free {
		for _, k := range p.occurs[p.occursAt[v]:p.occursAt[v+1]] {
			if p.due[k] > end || p.added[k] == p.attempt {
				continue
			}
			p.added[k] = p.attempt
			c := p.clause(k)
			if slices.ContainsFunc(c, func(l Lit) bool { return !p.isFree[max(l, -l)] && p.holds(l) }) {
				continue
			}
			buf = buf[:0]
			for _, l := range c {
				v := max(l, -l)
				if p.local[v] == 0 {
					named = append(named, v)
					p.local[v] = one.NewVar()
					if !p.isFree[v] {
						fixed = append(fixed, Lit(p.value[v])*p.local[v])
					}
				}
				if l < 0 {
					buf = append(buf, -p.local[v])
				} else {
					buf = append(buf, p.local[v])
				}
			}
			one.Add(buf)
		}
	}
	switch s = one.Solve(ctx, fixed...); s {
	case solver.Satisfiable:
		for _, v := range p.free {
			p.value[v] = -1
			if l := p.local[v]; l != 0 && one.Value(l) {
				p.value[v] = 1
			}
		}
	case solver.Unsatisfiable:
		for _, l := range one.Failed() {
			failed = append(failed, named[max(l, -l)-1])
		}
	}
	for _, v := range named {
		p.local[v] = 0
	}
	return s, failed
}

// index finds the operation of every variable and clause, and the clauses of every variable. It
// reports whether it came to an end before ctx did.
func (p *pieces) index(ctx context.Context) bool {
	if p.assign(ctx); ctx.Err() != nil {
		return false
	}
	p.occursAt, p.due = make([]int32, len(p.of)+1), make([]history.OpID, len(p.ends))
	for _, l := range p.lits {
		p.occursAt[max(l, -l)+1]++
	}
	for v := range p.of {
		p.occursAt[v+1] += p.occursAt[v]
	}
	if ctx.Err() != nil {
		return false
	}
	next := slices.Clone(p.occursAt)
	p.occurs = make([]int32, len(p.lits))
	for k := range p.ends {
		if k%pollEvery == 0 && ctx.Err() != nil {
			return false
		}
		for _, l := range p.clause(int32(k)) {
			v := max(l, -l)
			p.occurs[next[v]] = int32(k)
			next[v]++
			p.due[k] = max(p.due[k], p.of[v])
		}
	}
	p.varsAt = make([]int32, p.last+2)
	for _, i := range p.of[1:] {
		p.varsAt[i+1]++
	}
	for i := range p.last + 1 {
		p.varsAt[i+1] += p.varsAt[i]
	}
	next = slices.Clone(p.varsAt)
	p.vars = make([]Lit, len(p.of)-1)
	for v, i := range p.of[1:] {
		p.vars[next[i]] = Lit(v + 1)
		next[i]++
	}
	return ctx.Err() == nil
}

// assign lets the variables that belong to no operation belong to the latest of those that they
// occur with, again and again until it finds no more.
func (p *pieces) assign(ctx context.Context) {
	for more := true; more; {
		more = false
		found := slices.Clone(p.of)
		for k := range p.ends {
			if k%pollEvery == 0 && ctx.Err() != nil {
				return
			}
			c := p.clause(int32(k))
			latest := history.OpID(-1)
			for _, l := range c {
				latest = max(latest, p.of[max(l, -l)])
			}
			for _, l := range c {
				if v := max(l, -l); p.of[v] < 0 && latest >= 0 {
					found[v], more = max(found[v], latest), true
				}
			}
		}
		p.of = found
	}
	for v, i := range p.of {
		if i < 0 {
			p.of[v] = p.last
		}
	}
}

// Postpone says that a number should not be decided before an operation.
func (b *Builder) Postpone(u *Unary, to history.OpID) {
	if b.pieces != nil && u.Hi > u.Lo && to >= 0 {
		b.pieces.postpone(u.Base, u.Hi-u.Lo, to)
	}
}

// PostponeWith says that literals should not be decided before a number.
func (b *Builder) PostponeWith(u *Unary, lits ...Lit) {
	if b.pieces == nil || u.Hi == u.Lo {
		return
	}
	for _, l := range lits {
		if l != True && l != False {
			b.pieces.postpone(max(l, -l), 1, b.pieces.of[u.Base])
		}
	}
}
