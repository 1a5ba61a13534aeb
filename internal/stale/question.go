package stale

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Kind is a kind of question about one object.
type Kind uint8

// The kinds.
const (
	// Late: k-atomicity [Golab, Li and Shah, PODC 2011], with k one more than the bound. All
	// completed operations and some pending ones have an order that extends that of the history,
	// and each read returns the value of the last version before it or of one of those Bound
	// versions before that. What is there at the start is a version, and so is what an operation
	// leaves behind. Operations that are no reads find the last version.
	Late Kind = iota
	// Moved: Δ-atomicity [ibid.], with Δ the bound, in the unit of the times. The history is
	// linearizable once each read is called earlier by that.
	Moved
	// Regular: MWRegWO [Shao, Welch, Pierce and Lee, SIAM J. Comput. 2011]. All completed writes
	// and some pending ones have one order, and each read returns the value of the last write
	// before it, at some place that extends the order of the history between it and the writes.
	Regular
	// WeaklyRegular: MWRegWeak [ibid.], the same where each read may have an order of its own.
	WeaklyRegular
)

// Unbounded is the bound of Late under which a read may return any value that was written before.
const Unbounded = math.MaxInt32

// Question is a question about each object of a history.
type Question struct {
	Kind  Kind
	Bound int64 // of Late and Moved
	Given bool  // as a duration: in words, Bound is one
}

var kindNames = [...]string{"late", "moved", "regular", "weakly-regular"}

// String writes the question as certificates do: late 2, moved 50, regular.
func (q Question) String() string {
	if q.Kind > Moved {
		return kindNames[q.Kind]
	}
	return kindNames[q.Kind] + " " + strconv.FormatInt(q.Bound, 10)
}

// Amount is the bound in words.
func (q Question) Amount() string {
	switch {
	case q.Bound == math.MaxInt64 || q.Kind == Late && q.Bound == Unbounded:
		return "inf"
	case q.Given:
		return time.Duration(q.Bound).String()
	}
	return strconv.FormatInt(q.Bound, 10)
}

// ParseQuestion reads what String writes.
func ParseQuestion(text string) (Question, error) {
	name, bound, bounded := strings.Cut(text, " ")
	for k, known := range kindNames {
		if name != known || bounded != (Kind(k) <= Moved) {
			continue
		}
		q := Question{Kind: Kind(k)}
		if !bounded {
			return q, nil
		}
		n, err := strconv.ParseInt(bound, 10, 64)
		if q.Bound = n; err != nil || n < 0 || q.Kind == Late && n > Unbounded {
			break
		}
		return q, nil
	}
	return Question{}, fmt.Errorf("%q is no question about reads", text)
}

// Never is the least bound of an object that has a no under every bound.
const Never = math.MaxInt64

// Bound is what is known of the least bound of an object: it is at least Low and at most High.
type Bound struct{ Low, High int64 }

// Known reports whether it is known.
func (b Bound) Known() bool { return b.Low == b.High }
