package linsat

import (
	"fmt"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
)

// NotAsked is why a no is not certified that was asked for without reasons.
const NotAsked = "no reasons were asked for"

// Result is what Check found out. The zero value claims nothing.
type Result struct {
	Verdict engine.Verdict
	Cause   engine.Cause // why the verdict is Unknown
	Detail  string       // more about the cause, or ""

	Spec    model.Spec
	Engines []string        // the engines that answered, by number of parts, most first
	Quasi   *quasi.Question // nil for plain linearizability
	Least   *Least          // the least bound, where it was asked for
	Parts   int             // how many parts the history has
	Drains  int             // operations that draining added
	// Certified says whether package certify confirmed the verdict; Uncertified says why not.
	Certified   bool
	Uncertified string
	Effort      engine.Effort

	// Witness of a yes: positions in History.Ops of the operations that take effect, in an order
	// that proves it. Under a relaxation it is ρ′ of the only part; drains are numbered from the
	// number of operations on.
	Witness []int32
	// Rearranged is ρ″, in the same numbering.
	Rearranged []int32

	// Judged says of every part, in the order of their first operations, what was found out about
	// it; under First, and where the time was up, some are Unknown.
	Judged []PartVerdict
	// Unanswered lists the engines without an answer, where all were asked (All).
	Unanswered []Unanswered

	// Part is the part that is not linearizable, the first of them in the order of Judged unless
	// First was asked for, or one that stayed undecided; nil for a yes.
	Part *model.Partition
	// Instance is the specification bound to Part.
	Instance *model.Instance
	// Failure of a no, positions in Part, where an engine knows it.
	Failure *engine.Failure
	// Core of a no: facts that refute Part, and the argument; nil where none was found. Under a
	// relaxation Refutation says why.
	Core *explain.Core
	// further ones that share no fact with it or each other, under AllCores
	MoreCores  []*explain.Core
	Refutation *proof.Displacement
	// Evidence is what a monitor gave and certify confirmed: a refutation type of package check, or
	// nil.
	Evidence any
	// Exhausted is the claim that certify confirmed by trying everything, where there is no
	// argument; that took so many Cases.
	Exhausted *proof.Weakening
	Cases     int
	// Furthest holds configurations in which the fewest completed operations are left, of those
	// Cases.
	Furthest []engine.Configuration

	// Answers of a yes, by part.
	Answers []PartAnswer
	Scope   model.Partitioning // how the history was split
}

// PartVerdict is what was found out about one part. A no is certified for Result.Part only.
type PartVerdict struct {
	Part    *model.Partition
	Verdict engine.Verdict
	Cause   engine.Cause // why it is Unknown
	Detail  string       // more about the cause, or ""
	Engine  string       // that answered, or ""
}

// PartAnswer is the certified yes for one part; operations are positions in it.
type PartAnswer struct {
	Part                *model.Partition
	Witness, Rearranged []int32
	Drains              int
}

// Disagreement is the error when two engines contradict each other, or certify
// refuses a witness: a bug in linsat, never a property of the history.
type Disagreement struct {
	Part    string // the part in words (model.Partition.Title), "" for a whole history
	Says    []string
	Because string
	// Smallest names the operations on which two engines still contradict each other, without any
	// of which they do not, as far as time allowed; nil where certify refused what one engine gave.
	Smallest []string
}

func (d *Disagreement) Error() string {
	where := ""
	if d.Part != "" {
		where = " on " + d.Part
	}
	return fmt.Sprintf("linsat contradicts itself%s: %s", where, d.Because)
}
