package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindRegisterConflict is the kind of *RegisterConflict.
const KindRegisterConflict Kind = "register-conflict"

// RegisterConflict proves that a partition whose theory is model.RegisterTheory is not
// linearizable, by at most four operations on one cell.
//
// Some terms, all for one cell. The origin of a value is what leaves it there: operations, or
// proof.Initial for the initial value. An operation is needed if it completed, or if a needed one
// finds a value that it alone leaves. An operation comes from the sole origin of what it finds,
// that one from its own, and so on to a root: a blind write, the start, or, if the initial value
// has several origins, the operation that found it. All operations with one root are a block:
// nothing else changes the cell between the first and the last of them.
type RegisterConflict struct {
	about
	Rule RegisterRule `json:"rule"`
	// of the partition; proof.Initial precedes them all, proof.NoOp follows
	Ops []history.OpID `json:"operations"`
}

// RegisterRule says why the operations contradict each other.
type RegisterRule uint8

// The rules.
const (
	RegisterNoMode    RegisterRule = iota // (x) a completed operation contradicts itself
	RegisterUnwritten                     // (x) x is needed, but no operation leaves what it finds
	RegisterCircle                        // (x) x is needed, and comes from itself
	// (x, y) both are needed and take away the same value, which has one origin
	RegisterTwoTakers
	// (x, y) x and y are needed and in one block, x on y's way from the root; yet y precedes x
	RegisterBackwards
	// (a, b, c, d) a and b are of one block, c and d of another; a precedes d, c precedes b
	RegisterEntangled
	// (a, x, b) a leaves or sees and b finds a value with one origin; a precedes x, which found
	// another, precedes b
	RegisterBetween
)

// registerRules are the names of the rules.
var registerRules = []string{"no-mode", "unwritten", "circle", "two-takers", "backwards", "entangled", "between"}

func (RegisterRule) words() []string  { return registerRules }
func (r RegisterRule) String() string { return word(registerRules, r) }

// Kind implements Proof.
func (*RegisterConflict) Kind() Kind { return KindRegisterConflict }

// Operations implements Proof.
func (r *RegisterConflict) Operations(*model.Instance) []history.OpID { return positions(r.Ops) }

// RuleName is the name of the rule, for errors.
func (r *RegisterConflict) RuleName() string { return r.Rule.String() }
