package encode

import (
	"context"
	"fmt"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/solver"
)

// axiom names a rule of a theory; its instances are clauses.
type axiom string

// The axioms of every theory.
const (
	transitive axiom = "transitivity"
	given      axiom = "explicit order"
	canonical  axiom = "canonical order of identical operations"
	outcome    axiom = "outcome of an operation" // which of its modes, whether it took effect
	learned    axiom = "no way on from there"    // at the end of a piece of a part
)

// operations are those that an instance of an axiom speaks of, by position in the builder; unused
// places are -1.
type operations [3]int32

func by(ops ...int32) operations {
	r := operations{-1, -1, -1}
	copy(r[:], ops)
	return r
}

// sink takes the instances. Whoever wants to know which of them a refutation needs puts a
// selector into each clause here.
type sink interface {
	// take gets a clause that is neither true nor empty. It does not keep the slice.
	take(a axiom, ops operations, clause []lit)
}

// plain hands clauses to a solver as they are.
type plain struct{ solver.Solver }

func (p plain) take(_ axiom, _ operations, clause []lit) { p.Add(clause) }

// nowhere forgets clauses.
type nowhere struct{}

func (nowhere) take(axiom, operations, []lit) {}

const (
	pollEvery = 1 << 13 // units of work between two looks at the clock and the meter
	// measured per clause with gini, all included: 50 from the system, 30 to 45 of it live
	clauseBytes = 50
	pairBytes   = 20 // of our own per variable
	maxClauses  = 60_000_000
	maxPairs    = 20_000_000
	maxLoops    = 4_000_000_000 // units of work without a clause before the builder gives up
)

// builder collects what an encoding says, folding literals that are decided.
type builder struct {
	ctx    context.Context
	meter  *engine.Budget
	solver solver.Solver
	sink   sink
	order  *order
	keep   []int32 // position here → position in the part
	in     []lit   // "it takes effect", of a piece: in it
	ends   *ends   // of a piece; nil for a whole part

	buf     []lit
	clauses int64
	work    int64 // since the last poll
	total   int64
	taken   int64 // bytes counted at the meter
	refuted *instance
	stopped *engine.Answer
}

// instance is one that is false by itself.
type instance struct {
	axiom axiom
	ops   operations
}

// clause adds an instance of an axiom: at least one of the literals holds.
func (b *builder) clause(a axiom, ops operations, lits ...lit) {
	b.buf = b.buf[:0]
	for _, l := range lits {
		switch l {
		case yes:
			return
		case no:
		default:
			b.buf = append(b.buf, l)
		}
	}
	b.emit(a, ops)
}

// emit adds the clause in buf, which holds no constants.
func (b *builder) emit(a axiom, ops operations) {
	if len(b.buf) == 0 {
		if b.refuted == nil {
			b.refuted = &instance{a, ops}
		}
		return
	}
	b.clauses++
	b.sink.take(a, ops, b.buf)
	b.alive(1)
}

// force puts operation x before operation y for good: a clause for those that speak of the pair
// already, a constant for those to come.
func (b *builder) force(a axiom, x, y int32) {
	b.clause(a, by(x, y), b.order.before(x, y))
	b.order.fix(x, y)
}

// refute notes an instance that is false by itself.
func (b *builder) refute(a axiom, ops ...int32) {
	b.buf = b.buf[:0]
	b.emit(a, by(ops...))
}

// imply adds "all of these imply one of those"; the second list may come in pieces.
func (b *builder) imply(a axiom, ops operations, all []lit, some ...lit) {
	b.buf = b.buf[:0]
	for _, l := range all {
		switch l {
		case no:
			return
		case yes:
		default:
			b.buf = append(b.buf, -l)
		}
	}
	for _, l := range some {
		switch l {
		case yes:
			return
		case no:
		default:
			b.buf = append(b.buf, l)
		}
	}
	b.emit(a, ops)
}

// atMostOne says that of the literals: pairwise when they are few, else by a ladder.
func (b *builder) atMostOne(a axiom, ops operations, lits []lit) {
	if len(lits) <= 6 {
		for i, x := range lits {
			for _, y := range lits[:i] {
				b.clause(a, ops, -x, -y)
			}
		}
		return
	}
	before := no // some literal so far
	for i, x := range lits {
		b.clause(a, ops, -before, -x)
		if i < len(lits)-1 {
			next := b.fresh()
			b.clause(a, ops, -before, next)
			b.clause(a, ops, -x, next)
			before = next
		}
	}
}

// done is the literal "i took effect before this piece".
func (b *builder) done(i int32) lit {
	if b.ends == nil || b.ends.start < 0 || i == b.ends.start {
		return no
	}
	return b.order.before(i, b.ends.start)
}

// left is the literal "i takes effect after this piece", which for a pending operation may mean
// never.
func (b *builder) left(i int32) lit {
	if b.ends == nil || b.ends.end < 0 || i == b.ends.end {
		return no
	}
	return b.order.before(b.ends.end, i)
}

// carried says whether i was open at the start of this piece.
func (b *builder) carried(i int32) bool { return b.ends != nil && i < b.ends.start }

// handed says whether i is open at the end of this piece.
func (b *builder) handed(i int32) bool {
	return b.ends != nil && b.ends.end >= 0 && i != b.ends.end && b.order.ret[i] > b.order.call[b.ends.end]
}

// effect sets and returns the literal "i takes effect (in this piece)".
func (b *builder) effect(i int32, pending bool) lit {
	early, late := b.done(i), b.left(i)
	open := pending && (b.ends == nil || b.ends.end < 0) // nothing says that it does
	switch {
	case early == no && late == no && !open:
		b.in[i] = yes
	case late == no && !open:
		b.in[i] = -early
	case early == no && !open:
		b.in[i] = -late
	default:
		b.in[i] = b.fresh()
		b.clause(outcome, by(i), -b.in[i], -early)
		b.clause(outcome, by(i), -b.in[i], -late)
		if !open {
			b.clause(outcome, by(i), early, late, b.in[i])
		}
	}
	return b.in[i]
}

// fresh returns a new variable.
func (b *builder) fresh() lit { return b.solver.NewVar() }

// alive counts work and says whether building should go on: no contradiction, no limit reached.
// Loops call it so that the context is looked at every few microseconds of work.
func (b *builder) alive(work int64) bool {
	if b.refuted != nil || b.stopped != nil {
		return false
	}
	if b.work += work; b.work >= pollEvery {
		b.total += b.work
		b.work = 0
		b.poll()
		return b.stopped == nil
	}
	return true
}

func (b *builder) poll() {
	if b.ctx.Err() != nil {
		a := engine.Stopped(b.ctx)
		b.stopped = &a
		return
	}
	if b.clauses > maxClauses || b.total > maxLoops {
		b.tooMany("the axioms have too many instances")
		return
	}
	if need := b.clauses*clauseBytes + b.order.pairs*pairBytes; need > b.taken {
		b.grow(need + need/4 - b.taken)
	}
}

// tooMany stops the building because the formula would explode.
func (b *builder) tooMany(what string) {
	b.stopped = &engine.Answer{Cause: engine.Unsupported, Detail: what}
}

// grow counts bytes at the meter, or stops the building.
func (b *builder) grow(bytes int64) {
	b.taken += bytes
	if !b.meter.Grow(bytes) && b.stopped == nil {
		b.stopped = &engine.Answer{Cause: engine.Memory, Detail: fmt.Sprintf("the formula would take more than %d MB", b.taken>>20)}
	}
}

// grace is how long inTime waits for a build to notice that the context is done.
const grace = 20 * time.Millisecond

// inTime runs the build and says whether it ended by itself. Solvers that enlarge their tables can
// be busy for long in one clause; if the context is done meanwhile, the build is left to notice
// that later, on its own, and gives back what it counted then.
func (b *builder) inTime(build func()) bool {
	done := make(chan struct{})
	wait := engine.Aside(func() {
		defer close(done)
		build()
	})
	select {
	case <-done:
		wait()
		return true
	case <-b.ctx.Done():
	}
	select {
	case <-done:
		wait()
		return true
	case <-time.After(grace):
		go func() {
			<-done
			b.release()
		}()
		return false
	}
}

// release gives back what was counted.
func (b *builder) release() { b.meter.Grow(-b.taken) }

// estimate counts the clauses of the order before they are built and stops if they are too many.
func (b *builder) estimate() {
	if b.order.pairs > maxPairs {
		b.tooMany(fmt.Sprintf("%d concurrent pairs are too many to encode", b.order.pairs))
		return
	}
	n := b.order.clauses(maxClauses)
	b.order.triples = n
	if n > maxClauses {
		b.tooMany(fmt.Sprintf("more than %d clauses for the order", maxClauses))
		return
	}
	b.grow(n*clauseBytes + b.order.pairs*pairBytes)
}
