// Package verdict has the words of an answer: verdicts, the causes of unknown ones, the effort, and
// the error for answers that contradict each other. Package linsat exports all of them again; this
// package is what its engines share.
package verdict

import "fmt"

// Verdict is the answer to "is it linearizable (within the bound)?".
// The zero value claims nothing.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	Linearizable
	NotLinearizable
)

func (v Verdict) String() string {
	if v > NotLinearizable {
		return fmt.Sprintf("verdict %d", uint8(v))
	}
	return [...]string{"unknown", "linearizable", "not linearizable"}[v]
}

// Cause says why a verdict is Unknown.
type Cause uint8

// The causes. A verdict that is known has NoCause.
const (
	NoCause     Cause = iota
	Unsupported       // the engine does not take this specification or this history
	TimedOut          // the time limit, or the deadline of the context
	MemoryLimit       // the memory limit
	StepLimit         // the step limit
	Cancelled         // another engine answered first, or the caller gave up
	Undecided         // an incomplete procedure finished without an answer
)

func (c Cause) String() string {
	if c > Undecided {
		return fmt.Sprintf("cause %d", uint8(c))
	}
	return [...]string{"", "unsupported", "timeout", "memory limit", "step limit", "cancelled", "undecided"}[c]
}

// Effort is what an answer took.
type Effort struct {
	Steps     int64 // attempts to apply an operation to a state
	States    int64 // distinct states of the specification
	Nodes     int64 // configurations visited
	Vars      int64 // SAT variables
	Clauses   int64
	Conflicts int64 // 0 where the solver does not tell
}

// Add sums two efforts.
func (e Effort) Add(f Effort) Effort {
	return Effort{e.Steps + f.Steps, e.States + f.States, e.Nodes + f.Nodes, e.Vars + f.Vars, e.Clauses + f.Clauses,
		e.Conflicts + f.Conflicts}
}

// Disagreement is the error when two engines contradict each other, or when the verifier refuses
// what an engine gave: a bug in linsat, never a property of the history.
type Disagreement struct {
	Partition string // in words, "" for a whole history
	Says      []string
	Because   string
	// Smallest names operations on which the two engines still contradict each other. Without any
	// one of them they agree, as far as time allowed; nil where the verifier refused what one
	// engine gave.
	Smallest []string
}

func (d *Disagreement) Error() string {
	where := ""
	if d.Partition != "" {
		where = " on " + d.Partition
	}
	return fmt.Sprintf("linsat contradicts itself%s: %s", where, d.Because)
}
