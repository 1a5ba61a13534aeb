package engine

import (
	"context"
	"errors"
	"sync/atomic"
)

// Budget counts what one Check spends and says when a limit is reached. It is shared by
// the engines and parts of one Check and safe for concurrent use. A nil *Meter has no limits.
type Budget struct {
	steps     atomic.Int64
	stepLimit int64
	bytes     atomic.Int64
	byteLimit int64
}

// NewBudget returns a meter with limits; 0 means none.
func NewBudget(stepLimit, byteLimit int64) *Budget {
	return &Budget{stepLimit: stepLimit, byteLimit: byteLimit}
}

// Spend counts n steps and says whether they were within the limit. Engines call it in batches, but
// so that the same history always stops at the same step.
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

// Grow counts n bytes that an engine is about to take (negative: gives back) and says whether
// they fit. A large single allocation must ask before it is made.
func (m *Budget) Grow(n int64) bool {
	if m == nil {
		return true
	}
	return m.bytes.Add(n) <= m.byteLimit || m.byteLimit == 0
}

// Bytes returns what is counted as taken.
func (m *Budget) Bytes() int64 {
	if m == nil {
		return 0
	}
	return m.bytes.Load()
}

// ByteLimit returns the memory limit, 0 for none.
func (m *Budget) ByteLimit() int64 {
	if m == nil {
		return 0
	}
	return m.byteLimit
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
