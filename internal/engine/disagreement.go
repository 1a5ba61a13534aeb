package engine

import "github.com/linsat/linsat/verdict"

// Disagreement is the error when two engines contradict each other, or when the verifier refuses
// what an engine gave: a bug in linsat, never a property of the history.
type Disagreement = verdict.Disagreement
