package encode

// Segments (segment_cut.go) are solved one after the other, as a chain.
//
// What: depth first. A segment is asked for a model that begins with the state that the segment
// before it ended with: which operations open at the boundary have taken effect, and the value. Its
// model gives the state that it ends with. If there is no model, the solver names the facts of the
// start state that refute it. The segment before then learns a clause that excludes these facts at
// its end, and is asked again. A refutation that needs no such fact, or of the first segment,
// refutes the history.
//
// Invariant: a learned clause holds at its boundary in every linearization, since it follows from
// the later segments alone. So nothing is lost. Each clause excludes at least the state that was
// tried, and the states at a boundary are finite, so the loop ends.
//
// Contradictions that need no search are looked for in all segments before any clause goes to a
// solver: axioms are built twice, the first time without transitivity. Formulas are built ahead,
// several at once, each with its own solver. Those far behind are dropped, and built again if
// needed. Solvers that start from scratch at every question get the formula of the whole history
// instead.
//
// Cost: that of the segments, times how often each is asked, usually once or twice.

import (
	"context"
	"runtime"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/solver"
)

// fact is one fact about the state at a boundary and whether it holds: that the n-th operation open
// there has taken effect, or that the register has the n-th value.
type fact struct {
	n     int32
	holds bool
}

// learned is the axiom of clauses that an earlier segment learned from later ones.
const learned cnf.Axiom = "no way on from there"

// segmentChain solves the segments of one partition.
type segmentChain struct {
	ctx      context.Context
	meter    *engine.Budget
	factory  func() solver.Solver
	segments []*segment

	built    []*segmentFormula
	next     int        // segments before it were built, or are being built
	building chan bool  // one token for each formula that may be built at a time
	learned  [][][]fact // by segment: facts that do not hold together at its end
	effort   engine.Effort
}

// segmentFormula is the formula of one segment.
type segmentFormula struct {
	b    *cnf.Builder
	enc  encoding
	wait func() // until it is built; set if it is built on another goroutine
}

func newSegmentChain(ctx context.Context, factory func() solver.Solver, m *engine.Budget,
	segments []*segment) *segmentChain {
	return &segmentChain{ctx: ctx, meter: m, factory: factory, segments: segments, built: make([]*segmentFormula,
		len(segments)),
		building: make(chan bool, runtime.GOMAXPROCS(0)), learned: make([][][]fact, len(segments))}
}

// encode returns the theory of the segment.
func (p *segment) encode() encoding {
	if t, ok := p.theory.(*model.RegisterTheory); ok {
		c := newRegisters(t, p.part)
		for i := range c.modes {
			c.modes[i] = t.Of(history.OpID(i))
		}
		return c
	}
	return newCounting(p.theory.(*model.CountingTheory), p.part)
}

// formula starts the formula of segment k.
func (r *segmentChain) formula(k int) *segmentFormula {
	p := r.segments[k]
	keep := make([]history.OpID, len(p.from))
	for i := range keep {
		keep[i] = history.OpID(i)
	}
	return &segmentFormula{b: cnf.NewBuilder(r.ctx, r.meter, p.part.Ops, keep, &p.ends), enc: p.encode()}
}

// refuted looks for contradictions that need no search, in all segments in parallel. It returns the
// answer for the first segment that has one, and whether there is an answer.
func (r *segmentChain) refuted(part *model.Partition) (engine.Answer, bool) {
	found := make([]*cnf.Contradiction, len(r.segments))
	at := make(chan int, len(r.segments))
	for k := range r.segments {
		at <- k
	}
	close(at)
	workers := min(runtime.GOMAXPROCS(0), len(r.segments))
	waits := make([]func(), workers)
	for w := range waits {
		waits[w] = engine.Aside(func() {
			for k := range at {
				if r.ctx.Err() != nil {
					return
				}
				l := r.formula(k)
				l.b.Dry(r.segments[k].bound(), l.enc)
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
		from := r.segments[k].from
		return engine.Answer{Verdict: engine.NotLinearizable, Detail: wrong.Text(func(i history.OpID) string {
			if from[i] < 0 {
				return "the state before"
			}
			return "#" + part.ID(from[i])
		})}, true
	}
	return engine.Stopped(r.ctx), r.ctx.Err() != nil
}

func (p *segment) bound() *model.Instance {
	return &model.Instance{Partition: p.part, Theory: p.theory, EquivID: p.equivID}
}

// start starts building the formula of segment k.
func (r *segmentChain) start(k int) {
	l := r.formula(k)
	r.built[k] = l
	l.wait = engine.Aside(func() {
		r.building <- true
		defer func() { <-r.building }()
		l.b.Build(r.factory, r.segments[k].bound(), l.enc)
	})
}

// formulaOf returns the formula of segment k; the next ones are built meanwhile.
func (r *segmentChain) formulaOf(k int) *cnf.Builder {
	if r.built[k] == nil {
		r.start(k)
		l := r.built[k]
		l.wait()
		for _, facts := range r.learned[k] {
			r.add(k, facts)
		}
	}
	for r.next = max(r.next, k); r.next < min(k+formulasAhead, len(r.segments)); r.next++ {
		if r.built[r.next] == nil {
			r.start(r.next)
		}
	}
	r.built[k].wait()
	if old := k - formulasKept; old >= 0 && r.built[old] != nil {
		r.drop(old)
	}
	return r.built[k].b
}

// drop discards the formula of segment k.
func (r *segmentChain) drop(k int) {
	l := r.built[k]
	l.wait()
	r.built[k] = nil
	r.effort = r.effort.Add(l.b.Effort())
	l.b.Release()
}

// end discards all formulas.
func (r *segmentChain) end() {
	for k := range r.built {
		if r.built[k] != nil {
			r.drop(k)
		}
	}
}

// run solves the segments. The witness has positions in the whole partition.
func (r *segmentChain) run() (a engine.Answer, err error) {
	defer func() {
		r.end()
		a.Effort = r.effort
	}()
	starts := make([][]fact, len(r.segments))
	witnesses := make([][]history.OpID, len(r.segments))
	for k := 0; k < len(r.segments); {
		b := r.formulaOf(k)
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
			witnesses[k] = r.segments[k].whole(w)
			if k++; k < len(r.segments) {
				starts[k] = r.state(k - 1)
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

// whole translates positions in the segment to positions in the partition, without boundaries.
func (p *segment) whole(positions []history.OpID) []history.OpID {
	w := make([]history.OpID, 0, len(positions))
	for _, i := range positions {
		if p.from[i] >= 0 {
			w = append(w, p.from[i])
		}
	}
	return w
}

// ask solves segment k from given facts. If there is no model, it returns the facts that refute it.
func (r *segmentChain) ask(k int, given []fact) ([]fact, solver.Status) {
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

// first returns the literal of fact n of the start state of segment k.
func (r *segmentChain) first(k int, n int32) cnf.Lit {
	p, l := r.segments[k], r.built[k]
	if int(n) < len(p.openAtStart) {
		return l.b.Earlier(p.openAtStart[n])
	}
	return l.enc.(*registers).lits[p.ends.Start][int(n)-len(p.openAtStart)]
}

// last returns the literal of fact n of the end state of segment k.
func (r *segmentChain) last(k int, n int32) cnf.Lit {
	p, l := r.segments[k], r.built[k]
	if int(n) < len(p.openAtEnd) {
		return -l.b.Later(p.openAtEnd[n])
	}
	return l.enc.(*registers).lits[p.ends.End][int(n)-len(p.openAtEnd)]
}

// state reads the end state from the model of segment k: every operation, and the value.
func (r *segmentChain) state(k int) []fact {
	p, b := r.segments[k], r.built[k].b
	var facts []fact
	for n := range int32(len(p.openAtEnd) + len(p.endValues)) {
		holds := b.Holds(r.last(k, n))
		if holds || int(n) < len(p.openAtEnd) {
			facts = append(facts, fact{n, holds})
		}
	}
	return facts
}

// add excludes that the facts hold together at the end of segment k.
func (r *segmentChain) add(k int, facts []fact) {
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
