package encode

// Relay: the pieces of a part (cuts.go) are solved one after the other, and hand the state on.
//
// What: depth first. A piece is asked for a model that begins with what the piece before handed on:
// which of the operations open at the cut have taken effect, and the value. A model of it says what
// it hands on itself. If there is none, the solver names which of the facts it was given are to
// blame; the piece before learns a clause, that not all of them hold at its end, and is asked
// again. A refutation that blames nothing, or of the first piece, is one of the whole.
//
// Invariant: a learned clause holds at the cut in every linearization of the part, since what comes
// after follows from the pieces after it alone; so nothing is ever lost, and each clause excludes
// what was handed on at least. The states at a cut are finitely many, so it ends.
//
// All contradictions that need no search are looked for in all pieces before any clause goes to a
// solver: their axioms are built twice, without the order the first time. Pieces are built ahead,
// several at once, since they know nothing of each other; each has a solver of its own. Those that
// lie far behind are given up, and built again should they be needed. Solvers that start afresh at
// every question get the formula of the whole instead.
//
// Cost: that of the pieces, times how often each is asked: once or twice, as a rule.

import (
	"context"
	"runtime"
	"slices"

	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/solver"
)

// fact is something that two neighbouring pieces have in common, and whether it is so: that the
// n-th of the operations open at the cut has taken effect, or that the cell has the n-th value.
type fact struct {
	n     int32
	holds bool
}

// learned is the axiom of what the pieces behind a cut have taught the one before it.
const learned cnf.Axiom = "no way on from there"

// relay solves the pieces of a part.
type relay struct {
	ctx     context.Context
	meter   *engine.Budget
	factory solver.Factory
	pieces  []*piece

	built   []*leg
	next    int        // pieces before it were built, or are being built
	slots   chan bool  // one for each that may be built at a time
	learned [][][]fact // by piece: facts that do not hold together at its end
	effort  engine.Effort
}

// leg is a piece as a formula.
type leg struct {
	b    *cnf.Builder
	enc  encoding
	wait func() // until it is built; set where it is built aside
}

const (
	ahead  = 6 // pieces that are built ahead
	behind = 8 // pieces that are kept
)

func newRelay(ctx context.Context, factory solver.Factory, m *engine.Budget, pieces []*piece) *relay {
	return &relay{ctx: ctx, meter: m, factory: factory, pieces: pieces, built: make([]*leg, len(pieces)),
		slots: make(chan bool, runtime.GOMAXPROCS(0)), learned: make([][][]fact, len(pieces))}
}

// encode makes what turns a piece into clauses.
func (p *piece) encode() encoding {
	if t, ok := p.theory.(*model.RegisterTheory); ok {
		c := newCells(t, p.part)
		for i := range c.modes {
			c.modes[i] = t.Of(int32(i))
		}
		return c
	}
	return newCounting(p.theory.(*model.CountingTheory), p.part)
}

// leg starts a formula of piece k.
func (r *relay) leg(k int) *leg {
	p := r.pieces[k]
	keep := make([]int32, len(p.from))
	for i := range keep {
		keep[i] = int32(i)
	}
	return &leg{b: cnf.NewBuilder(r.ctx, r.meter, p.part.Ops, keep, &p.ends), enc: p.encode()}
}

// refuted looks for a contradiction that needs no search, in all pieces side by side, and says what
// is wrong in the first that has one.
func (r *relay) refuted(part *model.Partition) (engine.Answer, bool) {
	found := make([]*cnf.Contradiction, len(r.pieces))
	at := make(chan int, len(r.pieces))
	for k := range r.pieces {
		at <- k
	}
	close(at)
	workers := min(runtime.GOMAXPROCS(0), len(r.pieces))
	waits := make([]func(), workers)
	for w := range waits {
		waits[w] = engine.Aside(func() {
			for k := range at {
				if r.ctx.Err() != nil {
					return
				}
				l := r.leg(k)
				l.b.Dry(r.pieces[k].bound(), l.enc)
				found[k] = l.b.Refuted
				l.b.Release()
			}
		})
	}
	for _, wait := range waits {
		wait()
	}
	for k, wrong := range found {
		if wrong == nil {
			continue
		}
		from := r.pieces[k].from
		return engine.Answer{Verdict: engine.NotLinearizable, Detail: wrong.Text(func(i int32) string {
			if from[i] < 0 {
				return "what was before"
			}
			return "#" + part.ID(from[i])
		})}, true
	}
	return engine.Stopped(r.ctx), r.ctx.Err() != nil
}

func (p *piece) bound() *model.Instance {
	return &model.Instance{Partition: p.part, Theory: p.theory, EquivID: p.sig}
}

// start starts to build piece k.
func (r *relay) start(k int) {
	l := r.leg(k)
	r.built[k] = l
	l.wait = engine.Aside(func() {
		r.slots <- true
		defer func() { <-r.slots }()
		l.b.Build(r.factory, r.pieces[k].bound(), l.enc)
	})
}

// at returns the formula of piece k, and has others built meanwhile.
func (r *relay) at(k int) *cnf.Builder {
	if r.built[k] == nil {
		r.start(k)
		l := r.built[k]
		l.wait()
		for _, facts := range r.learned[k] {
			r.add(k, facts)
		}
	}
	for r.next = max(r.next, k); r.next < min(k+ahead, len(r.pieces)); r.next++ {
		if r.built[r.next] == nil {
			r.start(r.next)
		}
	}
	r.built[k].wait()
	if old := k - behind; old >= 0 && r.built[old] != nil {
		r.drop(old)
	}
	return r.built[k].b
}

// drop gives up the formula of piece k.
func (r *relay) drop(k int) {
	l := r.built[k]
	l.wait()
	r.built[k] = nil
	r.effort = r.effort.Add(l.b.Effort())
	l.b.Release()
}

// end gives up all formulas.
func (r *relay) end() {
	for k := range r.built {
		if r.built[k] != nil {
			r.drop(k)
		}
	}
}

// run solves the pieces. The witness is in positions of the whole part.
func (r *relay) run() (a engine.Answer, err error) {
	defer func() {
		r.end()
		a.Effort = r.effort
	}()
	starts := make([][]fact, len(r.pieces))
	witnesses := make([][]int32, len(r.pieces))
	for k := 0; k < len(r.pieces); {
		b := r.at(k)
		switch {
		case b.Refuted != nil:
			return engine.Answer{Verdict: engine.NotLinearizable}, nil
		case b.Stopped != nil:
			return *b.Stopped, nil
		}
		blamed, status := r.ask(k, starts[k])
		switch status {
		case solver.Satisfiable:
			w, err := b.Witness()
			if err != nil {
				return engine.Answer{}, err
			}
			witnesses[k] = r.pieces[k].whole(w)
			if k++; k < len(r.pieces) {
				starts[k] = r.handed(k - 1)
			}
		case solver.Unsatisfiable:
			if len(blamed) == 0 {
				return engine.Answer{Verdict: engine.NotLinearizable}, nil
			}
			k--
			r.learned[k] = append(r.learned[k], blamed)
			if r.built[k] != nil { // else it will be added when it is built
				r.add(k, blamed)
			}
		default:
			return b.Unknown(), nil
		}
	}
	return engine.Answer{Verdict: engine.Linearizable, Witness: slices.Concat(witnesses...)}, nil
}

// whole translates positions of a piece, without its marks.
func (p *piece) whole(positions []int32) []int32 {
	w := make([]int32, 0, len(positions))
	for _, i := range positions {
		if p.from[i] >= 0 {
			w = append(w, p.from[i])
		}
	}
	return w
}

// ask solves piece k from given facts. If there is no model, it returns those to blame.
func (r *relay) ask(k int, given []fact) ([]fact, solver.Status) {
	b := r.built[k].b
	var assumed []solver.Lit
	by := make(map[solver.Lit]fact, len(given))
	for _, f := range given {
		l := r.first(k, f.n)
		if !f.holds {
			l = -l
		}
		switch l {
		case cnf.True:
		case cnf.False:
			return []fact{f}, solver.Unsatisfiable
		default:
			assumed = append(assumed, l)
			by[l] = f
		}
	}
	status := b.Solve(assumed...)
	if status != solver.Unsatisfiable {
		return nil, status
	}
	var blamed []fact
	for _, l := range b.Failed() {
		blamed = append(blamed, by[l])
	}
	return blamed, status
}

// first is the literal of the n-th thing that piece k has in common with the one before.
func (r *relay) first(k int, n int32) cnf.Lit {
	p, l := r.pieces[k], r.built[k]
	if int(n) < len(p.carried) {
		return l.b.Earlier(p.carried[n])
	}
	return l.enc.(*cells).lits[p.ends.Start][int(n)-len(p.carried)]
}

// last is the literal of the n-th thing that piece k has in common with the one after it.
func (r *relay) last(k int, n int32) cnf.Lit {
	p, l := r.pieces[k], r.built[k]
	if int(n) < len(p.handed) {
		return -l.b.Later(p.handed[n])
	}
	return l.enc.(*cells).lits[p.ends.End][int(n)-len(p.handed)]
}

// handed reads from the model of piece k what it hands on: all about the operations, and the value.
func (r *relay) handed(k int) []fact {
	p, b := r.pieces[k], r.built[k].b
	var facts []fact
	for n := range int32(len(p.handed) + len(p.handVals)) {
		holds := b.Holds(r.last(k, n))
		if holds || int(n) < len(p.handed) {
			facts = append(facts, fact{n, holds})
		}
	}
	return facts
}

// add forbids facts to hold together at the end of piece k.
func (r *relay) add(k int, facts []fact) {
	var clause []cnf.Lit
	for _, f := range facts {
		l := r.last(k, f.n)
		if f.holds {
			l = -l
		}
		clause = append(clause, l)
	}
	r.built[k].b.Clause(learned, cnf.By(), clause...)
}
