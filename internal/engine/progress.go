package engine

import (
	"context"
	"sync/atomic"
)

// Phase is what a check is doing.
type Phase int32

const (
	Deciding   Phase = iota // looking for the verdict
	Explaining              // looking for the reasons of a violation
)

// Progress is how far a check has come, for a caller that watches it from another goroutine. Checks
// find it in their context. All methods work on a nil *Progress, which keeps nothing.
type Progress struct {
	phase     atomic.Int32
	done, all atomic.Int64 // partitions
	budget    atomic.Pointer[Budget]
}

type progressKey struct{}

// WithProgress returns a context whose checks report to p.
func WithProgress(ctx context.Context, p *Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// ProgressOf returns what checks report to, nil if the caller does not watch them.
func ProgressOf(ctx context.Context) *Progress {
	p, _ := ctx.Value(progressKey{}).(*Progress)
	return p
}

// Begin starts a phase of a check whose steps are counted on b.
func (p *Progress) Begin(phase Phase, b *Budget) {
	if p == nil {
		return
	}
	p.budget.Store(b)
	p.phase.Store(int32(phase))
}

// Divided says into how many partitions the history was split.
func (p *Progress) Divided(partitions int) {
	if p == nil {
		return
	}
	p.done.Store(0)
	p.all.Store(int64(partitions))
}

// Decided counts a partition whose turn is over.
func (p *Progress) Decided() {
	if p != nil {
		p.done.Add(1)
	}
}

// Phase returns what the check is doing.
func (p *Progress) Phase() Phase { return Phase(p.phase.Load()) }

// Partitions returns how many partitions are done, of how many; 0 of 0 before they are known.
func (p *Progress) Partitions() (done, all int64) { return p.done.Load(), p.all.Load() }

// Steps returns the steps that were counted so far.
func (p *Progress) Steps() int64 {
	if b := p.budget.Load(); b != nil {
		return b.steps.Load()
	}
	return 0
}
