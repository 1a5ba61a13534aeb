package engine

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/verdict"
)

// The words of an answer, which users see.
type (
	Verdict = verdict.Verdict
	Cause   = verdict.Cause
	Effort  = verdict.Effort
)

// The verdicts.
const (
	Unknown Verdict = iota
	Linearizable
	NotLinearizable
)

// The causes. A verdict that is known has NoCause.
const (
	NoCause Cause = iota
	Unsupported
	Timeout
	Memory
	Steps
	Cancelled
	Undecided
)

// Problem asks an engine of linearizability about one partition.
type Problem struct{ Instance *model.Instance }

// Engine decides linearizability.
type Engine interface {
	// Name is what --engine and the output call it.
	Name() string
	// Check answers the problem, Unknown with a cause if it cannot within the budget or before ctx
	// is done. It returns soon after ctx is done, and is deterministic apart from that. An error is
	// a broken specification.
	Check(ctx context.Context, p *Problem, m *Budget) (Answer, error)
}

// Sealed is an Engine that users can name, but not ask.
type Sealed struct{ engine Engine }

// Seal closes e.
func Seal(e Engine) Sealed { return Sealed{e} }

// Open returns the engine in s.
func Open(s Sealed) Engine { return s.engine }

// Task is a question about one partition, plain or under a factor.
type Task struct {
	Instance *model.Instance
	Quasi    *quasi.Question // nil asks for linearizability
}

// Plain is the task as a question of linearizability.
func (t *Task) Plain() *Problem { return &Problem{t.Instance} }

// Decider decides tasks of one kind: an engine of quasi-linearizability those with a factor, the
// decider that For makes of an Engine those without one.
type Decider interface {
	// Name is what --engine and the output call it.
	Name() string
	// Check answers the task, with the same contract as Engine.Check.
	Check(ctx context.Context, t *Task, m *Budget) (Answer, error)
}

// For returns an engine of linearizability as a decider. Tasks with a factor are Unsupported.
func For(e Engine) Decider { return plain{e} }

type plain struct{ Engine }

// Check implements Decider.
func (p plain) Check(ctx context.Context, t *Task, m *Budget) (Answer, error) {
	if t.Quasi != nil {
		return Answer{Cause: Unsupported}, nil
	}
	return p.Engine.Check(ctx, t.Plain(), m)
}

// Answer is what an engine says of one partition. Operations are positions in the partition.
type Answer struct {
	Verdict Verdict
	Cause   Cause
	Detail  string // more about the cause or the way, one line, or ""
	By      string // the technique within the engine that decided, or ""
	// Witness of a linearizable partition: the operations that take effect, in order: all completed
	// ones and some of the pending ones. Under a factor it is ρ′.
	Witness []history.OpID
	// Rearranged is ρ″ of a quasi-linearizable partition: the same operations as Witness, in the
	// order that the specification accepts. The numbers of drains follow those of the partition's
	// operations.
	Rearranged []history.OpID
	Drains     int // operations that draining added
	// Failure of a violation, if the engine knows it.
	Failure *Failure
	// Reached is a guess at the failing return of a violation: the latest before which an engine
	// could use all that had returned. 0 where the engine does not say.
	Reached history.Rank
	// Proof of a violation, about the partition; nil where the engine has none.
	Proof  proof.Proof
	Effort Effort
}

// Failure says how far a history without linearization can be followed.
type Failure struct {
	// Op is the operation whose return ends the shortest prefix that is not linearizable: it
	// cannot be placed before it returns.
	Op history.OpID
	// Cut is the rank of that return.
	Cut history.Rank
	// Frontier holds some of the configurations that are possible just before that return.
	Frontier []Configuration
	// Complete reports whether Frontier holds all of them.
	Complete bool
	// Longest is a linearization of the prefix without that return.
	Longest []history.OpID
}

// Configuration is one way to explain a prefix.
type Configuration struct {
	Linearized []history.OpID // open operations that have taken effect, by position
	State      string         // the state that results, as the specification describes it
	Refusals   []Refusal
}

// Refusal says why an operation cannot come next.
type Refusal struct {
	Op  history.OpID
	Why string
}
