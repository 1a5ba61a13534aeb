package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindGrowthConflict is the kind of *GrowthConflict.
const KindGrowthConflict Kind = "growth-conflict"

// GrowthConflict proves that a partition of one set from which nothing is removed (GrowingTheory)
// is not linearizable. An element is in such a set from one moment on: where it is there at the
// start, at the start, else when an add of it takes effect.
type GrowthConflict struct {
	about
	Rule GrowthRule `json:"rule"`
	// Ops are of the partition; Initial stands for the start.
	Ops []history.OpID `json:"operations"`
	// Elements are numbered as in model.GrowingTheory.
	Elements []int32 `json:"elements" min:"0"`
}

// GrowthRule says how the operations of a GrowthConflict contradict each other, or all others.
type GrowthRule uint8

// The rules, each with its operations and its elements. An operation has an element if the element
// is certainly in the set once it returned, and lacks it if it certainly was not there when it was
// called.
const (
	GrowthTwice   GrowthRule = iota // (a; x) a lists x twice
	GrowthUnadded                   // (a; x) a has x, and no add of x can have come before
	// (a, b; x) a has x, returned before b was called, and b lacks x
	GrowthLost
	GrowthAddedTwice // (a, b; x) a and b are adds that both found x absent
	// (a, b; x, y) a is a read that found x and not y, b is one that found y and not x
	GrowthIncomparable
	// (a, b, c; x, y) a is a read that found x and not y, so x came first; yet b has y, and
	// returned before c was called, which lacks x
	GrowthCrossed
	// (a, b; x, y) a is a read that found x and not y, so x came first; yet b has y, and no add of
	// x can have come before
	GrowthTooEarly
)

// growthRules are the names of the rules.
var growthRules = []string{"twice", "unadded", "lost", "added-twice", "incomparable", "crossed", "too-early"}

func (GrowthRule) words() []string  { return growthRules }
func (r GrowthRule) String() string { return word(growthRules, r) }

// Kind implements Proof.
func (*GrowthConflict) Kind() Kind { return KindGrowthConflict }

// Operations implements Proof: those of the rule. All adds of an element may matter, too.
func (r *GrowthConflict) Operations(*model.Instance) []history.OpID { return positions(r.Ops) }

// RuleName is the name of the rule, for errors.
func (r *GrowthConflict) RuleName() string { return r.Rule.String() }
