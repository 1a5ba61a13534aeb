package search

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
)

// batch is how many steps are claimed from the meter, and how much other work is
// done, between two looks at the context.
const batch = 256

// budget counts steps and memory. Steps are claimed ahead and what is left is given
// back, so that a search under a limit stops exactly at it. Once cause is set, the search unwinds.
type budget struct {
	ctx    context.Context
	meter  *engine.Budget
	limit  int64 // steps that this search may spend, whatever the meter says
	free   bool  // steps are not counted on the meter
	steps  int64 // spent
	credit int64 // claimed and not spent
	work   int64 // other work since the last look at the context
	grown  int64 // bytes counted with the meter
	most   int64 // bytes that may be counted at all; 0: only the meter says
	cause  engine.Cause
	// footprint tells the bytes in use that grow has not counted.
	footprint func() int64
	counted   int64 // its last answer
}

// step counts one step and says whether it may be made.
func (b *budget) step() bool {
	if b.credit == 0 && !b.refill() {
		return false
	}
	b.credit--
	b.steps++
	return true
}

// spend counts n steps at once.
func (b *budget) spend(n int64) bool {
	for {
		k := min(n, b.credit)
		b.credit -= k
		b.steps += k
		if n -= k; n == 0 {
			return true
		}
		if !b.refill() {
			return false
		}
	}
}

func (b *budget) refill() bool {
	n := min(batch, b.limit-b.steps)
	if !b.free {
		n = min(n, b.meter.Left())
	}
	switch {
	case !b.look():
		return false
	case n <= 0:
		return b.stop(engine.Steps)
	case !b.free && !b.meter.Spend(n): // another engine took them in between
		b.meter.Spend(-n)
		return b.stop(engine.Steps)
	}
	b.credit = n
	return true
}

// toil counts work other than steps and says whether to go on.
func (b *budget) toil(n int64) bool {
	b.work += n
	return b.work < 32*batch || b.look()
}

// look says whether neither the context nor the memory limit stops the search.
func (b *budget) look() bool {
	b.work = 0
	if b.cause != engine.NoCause {
		return false
	}
	if b.ctx.Err() != nil {
		return b.stop(engine.CauseOf(b.ctx))
	}
	if b.footprint == nil {
		return true
	}
	now := b.footprint()
	ok := b.grow(now - b.counted)
	b.counted = now
	return ok
}

// grow counts n bytes that are about to be allocated (negative: given back) and says
// whether they may be.
func (b *budget) grow(n int64) bool {
	if n == 0 {
		return true
	}
	b.grown += n
	if (!b.meter.Grow(n) || b.most > 0 && b.grown > b.most) && n > 0 {
		return b.stop(engine.Memory)
	}
	return true
}

// stop makes the next step, and every later one, fail.
func (b *budget) stop(cause engine.Cause) bool {
	b.cause = cause
	b.giveBack()
	return false
}

func (b *budget) giveBack() {
	if !b.free {
		b.meter.Spend(-b.credit)
	}
	b.credit = 0
}

// close gives back what was claimed.
func (b *budget) close() {
	b.giveBack()
	b.meter.Grow(-b.grown)
	b.grown = 0
}
