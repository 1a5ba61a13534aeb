package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindHoldConflict is the kind of *HoldConflict.
const KindHoldConflict Kind = "hold-conflict"

// HoldConflict proves that a partition of one lock with owners (model.Holding) is not linearizable.
// Of no owner two operations overlap, so its own operations tell how often it holds the lock
// between them. It holds it from an acquisition of the lock that it does not hold to the release
// that gives it up; certainly so from the return of the one to the call of the other, and at most
// from the call of the one to the return of the other, or for ever.
type HoldConflict struct {
	about
	Rule HoldRule `json:"rule"`
	// of the partition; Initial is the acquisition of who holds it at the start
	Ops []history.OpID `json:"operations"`
}

// HoldRule says how the operations of a HoldConflict contradict each other, or all others.
type HoldRule uint8

// The rules.
const (
	HoldOwn   HoldRule = iota // (x) x contradicts what its owner did before
	HoldTwice                 // (x, y) x and y begin holds of two owners, certainly at one time
	// (x) x is an attempt to acquire that was refused, while nobody can have held the lock
	HoldNobody
)

// holdRules are the names of the rules.
var holdRules = []string{"own", "twice", "nobody"}

func (HoldRule) words() []string  { return holdRules }
func (r HoldRule) String() string { return word(holdRules, r) }

// Kind implements Proof.
func (*HoldConflict) Kind() Kind { return KindHoldConflict }

// Operations implements Proof: those of the rule. What else their owners did matters, too.
func (r *HoldConflict) Operations(*model.Instance) []history.OpID { return positions(r.Ops) }

// RuleName is the name of the rule, for errors.
func (r *HoldConflict) RuleName() string { return r.Rule.String() }
