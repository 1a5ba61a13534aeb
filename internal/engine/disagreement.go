package engine

import "fmt"

// Disagreement is the error when two engines contradict each other, or when the verifier refuses
// what an engine gave: a bug in linsat, never a property of the history.
type Disagreement struct {
	Partition string // in words (model.Partition.Title), "" for a whole history
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
