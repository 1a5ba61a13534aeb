package cnf

// Limits of building: time, memory, and the number of clauses. Loops of an encoding call Alive,
// which checks the context every few microseconds of work.

import (
	"fmt"

	"github.com/linsat/linsat/internal/deadline"
	"github.com/linsat/linsat/internal/engine"
)

// Alive counts work and reports whether building should continue: there is no contradiction, and no
// limit is reached.
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

// Index prepares Order.Open, unless a limit is reached.
func (b *Builder) Index() { b.Order.index(b.Alive) }

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

// GiveUp stops building because the formula would be too large; what names the reason.
func (b *Builder) GiveUp(what string) {
	b.Stopped = &engine.Answer{Cause: engine.Unsupported, Detail: what}
}

// grow counts bytes in the budget, or stops building.
func (b *Builder) grow(bytes int64) {
	b.taken += bytes
	if !b.meter.Grow(bytes) && b.Stopped == nil {
		b.Stopped = &engine.Answer{Cause: engine.Memory, Detail: fmt.Sprintf("the formula would need more than %d MB",
			b.taken>>20)}
	}
}

// Expect counts clauses before they are built, and stops building if they are too many.
func (b *Builder) Expect(clauses int64, what string) {
	if clauses > MaxClauses {
		b.GiveUp(what + " need too many clauses")
		return
	}
	b.grow(clauses * clauseBytes / 2) // some will fold
}

// InTime runs build and reports whether it ended by itself. A solver that enlarges its tables can
// spend long in one clause. If the context is done meanwhile, InTime returns; build notices later,
// on its own goroutine, and then releases the bytes that it counted.
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

// Release releases the bytes that were counted.
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
