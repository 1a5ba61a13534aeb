package linsat

import (
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
)

// Result is what Check found out. The zero value claims nothing.
type Result struct {
	Verdict Verdict
	Cause   Cause  // why the verdict is Unknown
	Detail  string // more about the cause, or ""

	Spec       model.Spec
	Engines    []string        // the engines that answered, by number of partitions, most first
	Quasi      *quasi.Question // nil for plain linearizability
	Least      *Least          // the least bound, where it was asked for
	Partitions int             // how many partitions the history has
	Drains     int             // operations that draining added
	// Certified reports whether the verifier confirmed the verdict; Uncertified says why not.
	Certified   bool
	Uncertified string
	Effort      Effort
	Took        time.Duration // of Check, without reading

	// Witness of a linearizable history: positions in History.Ops of the operations that take
	// effect, in an order that proves it. Under a quasi factor it is ρ′ of the only partition; the
	// numbers of drains follow those of the operations.
	Witness []history.OpID
	// Rearranged is ρ″, in the same numbering.
	Rearranged []history.OpID

	// PartitionVerdicts holds the verdict on every partition, in the order of their first
	// operations. Under First, or when a limit was reached, some are Unknown.
	PartitionVerdicts []PartitionVerdict
	// Unanswered lists the engines without an answer, if all were asked (Engine("all")).
	Unanswered []portfolio.Unanswered

	// Partition is the one that is not linearizable: the first in the order of PartitionVerdicts,
	// or any if First was given. If there is none, it is one that stayed undecided; nil for a
	// linearizable history.
	Partition *model.Partition
	// Instance is the specification bound to Partition.
	Instance *model.Instance
	// Failure of a violation, in positions of Partition, if an engine knows it.
	Failure *Failure
	// Proof of a violation in Partition that the verifier confirmed, so that Certified is set; else
	// nil. It is the proof of Core if there is one, else that of an engine or of trying all orders.
	Proof proof.Proof
	// Core of a violation: facts that refute Partition; nil if none was found.
	Core *explain.Core
	// MoreCores are, under AllCores, further cores that share no fact with it or each other.
	MoreCores []*explain.Core
	// Furthest holds configurations in which the fewest completed operations are left, of all that
	// an Exhaustion tried.
	Furthest []Configuration

	// Answers of a linearizable history, by partition.
	Answers      []portfolio.PartitionAnswer
	Partitioning model.Partitioning // how the history was split
}

// What a Result holds, for callers that keep it or pass it on.
type (
	// Failure is where a history stops to have a linearization: the operation that ends the
	// shortest prefix without one, and the configurations just before it returns.
	Failure = engine.Failure
	// Configuration is a state that the operations before that return can lead to, and why no
	// operation can come next.
	Configuration = engine.Configuration
	// Effort counts the work of engines.
	Effort = engine.Effort
	// Least is what is known of the least quasi bound.
	Least = portfolio.Least
	// PartitionVerdict is the verdict on one partition of a history.
	PartitionVerdict = portfolio.PartitionVerdict
)

// Disagreement is the error when two engines contradict each other, or when the verifier refuses
// what an engine gave: a bug in linsat, never a property of the history.
type Disagreement = engine.Disagreement

// result is what was decided, without reasons.
func (k *checking) result(o portfolio.Outcome) Result {
	r := Result{
		Verdict: o.Verdict, Cause: o.Cause, Detail: o.Detail, Spec: k.spec, Engines: o.Engines, Quasi: o.Quasi, Least: o.Least,
		Partitions: o.Partitions, Partitioning: k.partitioning, Drains: o.Drains, Effort: o.Effort, Witness: o.Witness, Rearranged: o.Rearranged,
		Answers: o.Answers, PartitionVerdicts: o.PartitionVerdicts, Unanswered: o.Unanswered, Partition: o.Partition, Instance: o.Instance, Failure: o.Failure,
		Certified: o.Verdict == engine.Linearizable,
	}
	if r.Verdict == engine.NotLinearizable {
		r.Uncertified = explain.NotAsked
	}
	return r
}

// explained is a violation with reasons.
func (r Result) explained(e explain.Reasons) Result {
	r.Failure, r.Certified, r.Uncertified = e.Failure, e.Certified, e.Uncertified
	r.Proof, r.Core, r.MoreCores, r.Furthest = e.Proof, e.Core, e.MoreCores, e.Furthest
	return r
}
