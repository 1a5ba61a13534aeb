package engine

import (
	"context"
)

// Account is the share of one search in a Budget. It counts steps and memory. Steps are claimed in
// batches and what is left is given back, so a search under a limit stops exactly at it. Once Cause
// is set, no step is granted any more and the search unwinds.
type Account struct {
	Ctx       context.Context
	Budget    *Budget
	Limit     int64 // steps that this search may spend, whatever the budget says
	Uncounted bool  // steps are not counted on the budget
	Steps     int64 // spent
	credit    int64 // claimed and not spent
	work      int64 // other work since the last look at the context
	grown     int64 // bytes counted with the budget
	MostBytes int64 // bytes that may be counted at all; 0: only the budget says
	// SoftBytes, if it is not 0, stands in the place of all other limits on memory, for a search
	// that can forget: beyond it Pressed is set, and only beyond twice as much the search is
	// stopped; or at once at the limit of the budget, where that is too low for it (Tight).
	SoftBytes int64
	Pressed   bool
	Cause     Cause
	// Footprint returns the bytes in use that Grow has not counted.
	Footprint func() int64
	counted   int64 // its last answer
}

// Step counts one step and reports whether it may be made.
func (b *Account) Step() bool {
	if b.credit == 0 && !b.refill() {
		return false
	}
	b.credit--
	b.Steps++
	return true
}

// Spend counts n steps at once.
func (b *Account) Spend(n int64) bool {
	for {
		k := min(n, b.credit)
		b.credit -= k
		b.Steps += k
		if n -= k; n == 0 {
			return true
		}
		if !b.refill() {
			return false
		}
	}
}

// refill claims the next batch of steps.
func (b *Account) refill() bool {
	n := min(batch, b.Limit-b.Steps)
	if !b.Uncounted {
		n = min(n, b.Budget.Left())
	}
	switch {
	case !b.Look():
		return false
	case n <= 0:
		return b.Stop(Steps)
	case !b.Uncounted && !b.Budget.Spend(n): // another engine took them in between
		b.Budget.Spend(-n)
		return b.Stop(Steps)
	}
	b.credit = n
	return true
}

// Toil counts work other than steps and reports whether to go on.
func (b *Account) Toil(n int64) bool {
	b.work += n
	return b.work < workBatches*batch || b.Look()
}

// Look reports whether neither the context nor the memory limit stops the search.
func (b *Account) Look() bool {
	b.work = 0
	if b.Cause != NoCause {
		return false
	}
	if b.Ctx.Err() != nil {
		return b.Stop(CauseOf(b.Ctx))
	}
	if b.Footprint == nil {
		return true
	}
	now := b.Footprint()
	ok := b.Grow(now - b.counted)
	b.counted = now
	return ok
}

// Taken returns the bytes that are in use now.
func (b *Account) Taken() int64 {
	if b.Footprint != nil {
		now := b.Footprint()
		b.Budget.Grow(now - b.counted)
		b.grown += now - b.counted
		b.counted = now
	}
	return b.grown
}

// Grow counts n bytes that are about to be allocated (negative: given back) and reports
// whether they may be.
func (b *Account) Grow(n int64) bool {
	if n == 0 {
		return true
	}
	b.grown += n
	if b.SoftBytes > 0 {
		within := b.Budget.Grow(n) || !b.Budget.Tight()
		b.Pressed = b.Pressed || b.grown > b.SoftBytes
		return n < 0 || within && b.grown <= 2*b.SoftBytes || b.Stop(Memory)
	}
	if (!b.Budget.Grow(n) || b.MostBytes > 0 && b.grown > b.MostBytes) && n > 0 {
		return b.Stop(Memory)
	}
	return true
}

// Stop makes the next step, and every later one, fail.
func (b *Account) Stop(cause Cause) bool {
	b.Cause = cause
	b.giveBack()
	return false
}

// giveBack returns the steps that were claimed and not spent.
func (b *Account) giveBack() {
	if !b.Uncounted {
		b.Budget.Spend(-b.credit)
	}
	b.credit = 0
}

// Rest gives back the steps that were claimed and not spent, until the next one.
func (b *Account) Rest() { b.giveBack() }

// Close gives back what was claimed.
func (b *Account) Close() {
	b.giveBack()
	b.Budget.Grow(-b.grown)
	b.grown = 0
}
