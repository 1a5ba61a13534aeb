// Package verdict has the words of an answer: verdicts, the causes of unknown ones, the effort, and
// the error for answers that contradict each other. Package linsat names the verdicts and causes;
// this package is what its engines share.
package verdict

import "fmt"

// Verdict is the answer to "is it linearizable (within the bound)?".
// The zero value claims nothing. Package linsat has names for the others.
type Verdict uint8

func (v Verdict) String() string {
	names := [...]string{"unknown", "linearizable", "not linearizable"}
	if int(v) >= len(names) {
		return fmt.Sprintf("verdict %d", uint8(v))
	}
	return names[v]
}

// Cause says why a verdict is unknown; zero where it is known. Package linsat has
// names for the others.
type Cause uint8

func (c Cause) String() string {
	names := [...]string{"", "unsupported", "timeout", "memory limit", "step limit", "cancelled", "undecided"}
	if int(c) >= len(names) {
		return fmt.Sprintf("cause %d", uint8(c))
	}
	return names[c]
}

// Effort is what an answer took.
type Effort struct {
	Steps   int64 // attempts to apply an operation to a state
	States  int64 // distinct states of the specification
	Nodes   int64 // configurations visited
	Vars    int64 // SAT variables
	Clauses int64
}

// Add sums two efforts.
func (e Effort) Add(f Effort) Effort {
	return Effort{e.Steps + f.Steps, e.States + f.States, e.Nodes + f.Nodes, e.Vars + f.Vars, e.Clauses + f.Clauses}
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
