package cnf

// Limits of building: time, memory, the number of clauses. Loops of an encoding call Alive, which
// looks at the context every few microseconds of work.

import (
	"fmt"

	"github.com/linsat/linsat/internal/deadline"
	"github.com/linsat/linsat/internal/engine"
)

// Alive counts work and reports whether building should go on: no contradiction was found and no
// limit reached.
func (b *Builder) Alive(work int64) bool {
	if b.Refuted != nil || b.Stopped != nil {
		return false
	}
	if b.work += work; b.work >= pollEvery {
		b.total += b.work
		b.work = 0
		b.poll()
		return b.Stopped == nil
	}
	return true
}

func (b *Builder) poll() {
	if b.ctx.Err() != nil {
		a := engine.Stopped(b.ctx)
		b.Stopped = &a
		return
	}
	if b.clauses > MaxClauses || b.total > maxLoops {
		b.GiveUp("the axioms have too many instances")
		return
	}
	if need := b.clauses*clauseBytes + b.Order.pairs*pairBytes; need > b.taken {
		b.grow(need + need/4 - b.taken)
	}
}

// GiveUp stops the building because the formula would be too large; what says of what.
func (b *Builder) GiveUp(what string) {
	b.Stopped = &engine.Answer{Cause: engine.Unsupported, Detail: what}
}

// grow counts bytes in the budget, or stops the building.
func (b *Builder) grow(bytes int64) {
	b.taken += bytes
	if !b.meter.Grow(bytes) && b.Stopped == nil {
		b.Stopped = &engine.Answer{Cause: engine.Memory, Detail: fmt.Sprintf("the formula would take more than %d MB", b.taken>>20)}
	}
}

// Expect counts clauses before they are built, and stops the building if they are too many.
func (b *Builder) Expect(clauses int64, what string) {
	if clauses > MaxClauses {
		b.GiveUp(what + " need too many clauses")
		return
	}
	b.grow(clauses * clauseBytes / 2) // some fold
}

// InTime runs the build and reports whether it ended by itself. Solvers that enlarge their tables
// can be busy for long in one clause; if the context is done meanwhile, the build is left to notice
// that later, on its own, and gives back what it counted then.
func (b *Builder) InTime(build func()) bool {
	done := make(chan struct{})
	wait := engine.Aside(func() {
		defer close(done)
		build()
	})
	if deadline.Await(b.ctx, done, deadline.Engine) {
		wait()
		return true
	}
	go func() {
		<-done
		b.Release()
	}()
	return false
}

// Release gives back what was counted.
func (b *Builder) Release() { b.meter.Grow(-b.taken) }

// estimate counts the clauses of the order before they are built and stops if they are too many.
func (b *Builder) estimate() {
	if b.Order.pairs > MaxPairs {
		b.GiveUp(fmt.Sprintf("%d concurrent pairs are too many to encode", b.Order.pairs))
		return
	}
	n := b.Order.clauses(MaxClauses)
	b.Order.triples = n
	if n > MaxClauses {
		b.GiveUp(fmt.Sprintf("more than %d clauses for the order", MaxClauses))
		return
	}
	b.grow(n*clauseBytes + b.Order.pairs*pairBytes)
}
