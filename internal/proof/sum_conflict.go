package proof

import "github.com/linsat/linsat/history"

// SumConflict proves that a partition whose theory is model.CountingTheory is not linearizable:
// what certainly comes before Op, and after After, and any part of what may, never adds up to what
// Op observed.
//
// After is Initial, or an observation that returned before Op was called. Real time alone says what
// is certain: operations that returned before the call of Op and, after an observation, were called
// after its return. What else was called by the return of Op, and did not return before the call of
// After, may be between them.
type SumConflict struct {
	After history.OpID // Initial for the start
	Op    history.OpID
}
