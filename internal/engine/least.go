package engine

import (
	"context"

	"github.com/linsat/linsat/quasi"
)

// Minimizer is an engine that finds the least bound of some classes by itself, cheaper than one
// Check after the other from outside.
type Minimizer interface {
	Decider
	// Least finds the least bound that, given to all classes that free marks, makes the partition
	// of p quasi-linearizable; the other classes have their bounds of p.Relax.Factor, whose entries
	// for free classes do not count. free is indexed like the factor. An error is a broken
	// specification.
	Least(ctx context.Context, p *Task, free []bool, m *Budget) (Least, error)
}

// Least is what is known of a least bound. Bounds are monotone: what is accepted at K is accepted
// at K+1.
type Least struct {
	// Low and High enclose the least bound; it is settled where they are equal. High is
	// quasi.Unbounded while no bound is known to be accepted; Low is quasi.Unbounded, too, if none
	// is.
	Low, High int32
	Yes       *Answer // at High; nil if High is quasi.Unbounded
	// No is the answer at Low-1, nil if Low is 0; if no bound helps, at a bound beyond which
	// nothing changes.
	No     *Answer
	Cause  Cause // why it is not settled
	Detail string
	Effort Effort
}

// Settled reports whether the least bound is known.
func (l Least) Settled() bool { return l.Low == l.High && l.Cause == NoCause }

// None reports whether no bound helps.
func (l Least) None() bool { return l.Low == quasi.Unbounded }
