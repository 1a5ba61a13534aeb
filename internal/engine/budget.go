package engine

import (
	"context"
	"errors"
	"sync/atomic"
)

// Budget counts the steps and the memory that a Check spends, and says when a limit is reached.
// Check makes one; the engines and partitions share it, and it is safe for concurrent use. Time is
// the context's. A nil *Budget has no limits.
//
// A child (Share) has a limit of steps of its own: the probe, a weakened question, the search for a
// frontier. Its memory is its parent's. What children spend does not count as steps of the parent,
// so that a decision under a limit stops at the same step whatever is asked besides.
type Budget struct {
	parent    *Budget
	steps     atomic.Int64
	stepLimit int64
	bytes     atomic.Int64
	byteLimit int64
	cache     int // entries
}

// NewBudget returns a budget with limits; 0 means none.
func NewBudget(stepLimit, byteLimit int64) *Budget {
	return &Budget{stepLimit: stepLimit, byteLimit: byteLimit}
}

// Share returns a child that may take so many steps, 0 for any number, and takes its memory from m.
func (m *Budget) Share(steps int64) *Budget { return &Budget{parent: m, stepLimit: steps} }

// Spend counts n steps and reports whether they were within the limit. Engines call it in batches,
// but so that the same history always stops at the same step.
func (m *Budget) Spend(n int64) bool {
	if m == nil {
		return true
	}
	return m.steps.Add(n) <= m.stepLimit || m.stepLimit == 0
}

// Left returns how many steps are left, or a very large number without a limit.
func (m *Budget) Left() int64 {
	if m == nil || m.stepLimit == 0 {
		return 1 << 62
	}
	return max(0, m.stepLimit-m.steps.Load())
}

// Grow counts n bytes that an engine is about to take (negative: gives back) and reports whether
// they fit. A large single allocation must ask before it is made.
func (m *Budget) Grow(n int64) bool {
	switch {
	case m == nil:
		return true
	case m.parent != nil:
		return m.parent.Grow(n)
	}
	return m.bytes.Add(n) <= m.byteLimit || m.byteLimit == 0
}

// Bytes returns what is counted as taken.
func (m *Budget) Bytes() int64 {
	switch {
	case m == nil:
		return 0
	case m.parent != nil:
		return m.parent.Bytes()
	}
	return m.bytes.Load()
}

// ByteLimit returns the memory limit, 0 for none.
func (m *Budget) ByteLimit() int64 {
	switch {
	case m == nil:
		return 0
	case m.parent != nil:
		return m.parent.ByteLimit()
	}
	return m.byteLimit
}

// SearchBytes returns what one search may keep besides the memory limit; 0 for no such bound, since
// there is a limit.
func (m *Budget) SearchBytes() int64 {
	if m.ByteLimit() == 0 {
		return DefaultSearchBytes
	}
	return 0
}

// LimitCache limits the entries of the cache of each search, 0 for no limit.
func (m *Budget) LimitCache(entries int) { m.cache = entries }

// CacheEntries returns what LimitCache set.
func (m *Budget) CacheEntries() int {
	switch {
	case m == nil:
		return 0
	case m.parent != nil:
		return m.parent.CacheEntries()
	}
	return m.cache
}

// SoftBytes returns what one search keeps before it forgets; 0 if it does not, because neither
// memory nor the cache is limited.
func (m *Budget) SoftBytes() int64 {
	switch limit := m.ByteLimit(); {
	case limit > 0:
		return max(leastSoft, (limit-reserved)/softShare)
	case m.CacheEntries() > 0:
		return DefaultSearchBytes
	}
	return 0
}

// Tight reports whether the memory limit has no room for what one search keeps in any case.
func (m *Budget) Tight() bool {
	limit := m.ByteLimit()
	return limit > 0 && (limit-reserved)/softShare < leastSoft
}

// ErrMemory and ErrAnswered are causes with which a context is cancelled.
var (
	ErrMemory   = errors.New("memory limit")
	ErrAnswered = errors.New("answered by another engine")
)

// CauseOf says why ctx is done.
func CauseOf(ctx context.Context) Cause {
	switch err := context.Cause(ctx); {
	case err == nil:
		return NoCause
	case errors.Is(err, ErrMemory):
		return Memory
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	default:
		return Cancelled
	}
}

// Stopped is the answer of an engine that found ctx done.
func Stopped(ctx context.Context) Answer { return Answer{Cause: CauseOf(ctx)} }
