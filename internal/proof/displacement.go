package proof

import (
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindDisplacement is the kind of *Displacement.
const KindDisplacement Kind = "displacement"

// Displacement proves that a queue history with distinct values is not quasi-linearizable with
// removals bounded by Bound (insertions by 0). It reasons about two kinds of variables: the *slot*
// of every content (of every value, named by the operation that inserts it, and of every empty
// result, named by its removal) and the *place* of every completed removal. Slots and places start
// in the windows that counting gives; each step narrows one window, and the last step is a
// contradiction. A step states what follows and where to look, never the set of operations that it
// counts: the verifier finds that set in the history.
type Displacement struct {
	about
	Bound int32              `json:"bound" inf:"true"`
	Steps []DisplacementStep `json:"steps"`
}

// DisplacementRule says why a step holds.
type DisplacementRule uint8

// The rules. "Near" stands for "before" in a step from below and for "after" in one from above.
const (
	_ DisplacementRule = iota
	// RuleDisplacement: slot and place of a content differ by at most the bound.
	RuleDisplacement
	// RuleOrder: the operations of the same class that precede (follow) Op take different
	// positions, all but enough of them from Edge on (up to Edge).
	RuleOrder
	// RuleBalance: the same, where the removals that precede an insertion take places before its
	// slot, and the insertions that follow a removal take slots after its place.
	RuleBalance
	// RuleHall: other windows inside the positions from Edge to Value-1 (from Value+1 to Edge) need
	// all of them.
	RuleHall
	// RuleEmptyBefore: By is a removal whose place is not after the slot of an empty result, so
	// every insertion that precedes By has its slot before that empty result's. From below Op is
	// the empty result, from above the insertion.
	RuleEmptyBefore
	// RuleEmptyAfter: By is an insertion whose slot is after that of an empty result, so every
	// removal that follows By has its place after that slot. From below Op is the removal, from
	// above the empty result.
	RuleEmptyAfter
	// RuleInverted ends a refutation: the window of Op is empty.
	RuleInverted
	// RuleOverfull ends a refutation: more windows lie between positions Edge and Value than there
	// are positions.
	RuleOverfull
	// RuleNeverInserted ends a refutation: Op removes a value that is not inserted.
	RuleNeverInserted
	// RuleRemovedTwice ends a refutation: Op and By remove the same value, which is inserted once.
	RuleRemovedTwice
)

// displacementRules are the names of the rules, from 1 on.
var displacementRules = []string{"", "displacement", "order", "balance", "hall", "empty-before", "empty-after",
	"inverted", "overfull", "never-inserted",
	"removed-twice"}

func (DisplacementRule) words() []string  { return displacementRules }
func (r DisplacementRule) String() string { return word(displacementRules, r) }

// Draining as Step.By stands for the removals that draining adds.
const Draining history.OpID = -1 << 31

// DisplacementStep is one step of a Displacement.
type DisplacementStep struct {
	Rule DisplacementRule `json:"rule"`
	// about the place of removal Op, not about the slot of its content
	Place bool `json:"of" words:"slot,place"`
	// lowers the end of the window to Value; otherwise raises its start to Value
	Upper bool `json:"moves" words:"start,end"`
	// position in the partition; the j-th initial value counts as operation -1-j
	Op    history.OpID `json:"operation" items:"true"`
	Value int32        `json:"value"`
	Edge  int32        `json:"edge"`            // where counting starts, see the rules
	By    history.OpID `json:"by" items:"true"` // see the rules; else 0
}

// displacementFields are the fields that a step of each rule has.
var displacementFields = [...]string{
	RuleDisplacement:  "of moves operation value",
	RuleOrder:         "of moves operation value edge",
	RuleBalance:       "of moves operation value edge",
	RuleHall:          "of moves operation value edge",
	RuleEmptyBefore:   "of moves operation value edge by",
	RuleEmptyAfter:    "of moves operation value edge by",
	RuleInverted:      "of operation",
	RuleOverfull:      "of value edge",
	RuleNeverInserted: "operation",
	RuleRemovedTwice:  "operation by",
}

func (s DisplacementStep) has(field string) bool {
	return field == "rule" || int(s.Rule) < len(displacementFields) &&
		slices.Contains(strings.Fields(displacementFields[s.Rule]), field)
}

func (s DisplacementStep) String() string { return "rule " + strconv.Quote(s.Rule.String()) }

// Kind implements Proof.
func (*Displacement) Kind() Kind { return KindDisplacement }

// Operations implements Proof: those whose slots or places the steps narrow, and those by which
// they do.
func (d *Displacement) Operations(*model.Instance) []history.OpID {
	var ops []history.OpID
	for _, s := range d.Steps {
		if s.Rule != RuleOverfull {
			ops = append(ops, s.Op)
		}
		switch s.Rule {
		case RuleEmptyBefore, RuleEmptyAfter, RuleRemovedTwice:
			ops = append(ops, s.By)
		}
	}
	return positions(ops)
}
