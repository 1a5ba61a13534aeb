package verify

import (
	"context"

	"github.com/linsat/linsat/internal/model"
)

// LimitPriceWork sets how many states the verifier of prices looks at, and returns what undoes
// that.
func LimitPriceWork(n int64) (undo func()) {
	before, each := maxPriceWork, maxPriceWorkEach
	maxPriceWork, maxPriceWorkEach = n, 0
	return func() { maxPriceWork, maxPriceWorkEach = before, each }
}

// ShortenTrials sets from how many operations on an exhaustion leaves out what other ways are as
// good as, and returns what undoes that.
func ShortenTrials(n int) (undo func()) {
	before := longTrials
	longTrials = n
	return func() { longTrials = before }
}

// ShortenJumps sets from how many operations on pending ones of specifications without axioms are
// not told apart, and returns what undoes that.
func ShortenJumps(n int) (undo func()) {
	before := longJumps
	longJumps = n
	return func() { longJumps = before }
}

// Jumped reports whether the verifier refutes b without telling pending operations apart.
func Jumped(b *model.Instance) bool {
	s := newJumpTrial(context.Background(), b)
	if s == nil {
		return false
	}
	refuted, err := s.refuted()
	return err == nil && refuted
}

// Orderable reports whether completed operations have an order that extends times and edges.
func Orderable(p *model.Partition) bool { return orderable(p) }
