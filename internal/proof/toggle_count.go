package proof

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindToggleCount is the kind of *ToggleCount.
const KindToggleCount Kind = "toggle-count"

// ToggleCount proves that a partition whose theory is model.RegisterTheory is not linearizable: a
// cell that alternates between two values would have to change more often than there are operations
// to change it.
//
// It may begin late: operations that returned before the rank From are gone then, those that were
// open may have happened or happen later, and the cell may hold either value, with a run for each.
// From is 0 and there is one run if it begins at the start.
//
// A run is a list of operations. Up to the return of each, the cell changed at least so often as
// follows from the one before (or from the beginning, where it changed 0 times, just before From):
// one that sees the value that the cell does not hold after just so many changes, and was called
// later, says once more; one that changes the cell says as often as all those need, it taking
// turns, that change it in the same direction, were called later, and returned not later than this
// one. At the return of the last one there are not enough operations called that could have made so
// many changes.
type ToggleCount struct {
	about
	Cell int32        `json:"cell" min:"0"`
	From history.Rank `json:"from" min:"0"`
	// for the value that the cell holds at first, and, if From is not 0, for the other
	Runs [][]history.OpID `json:"runs" min:"0"`
}

// Kind implements Proof.
func (*ToggleCount) Kind() Kind { return KindToggleCount }

// Operations implements Proof: those of the runs.
func (r *ToggleCount) Operations(*model.Instance) []history.OpID {
	return positions(slices.Concat(r.Runs...))
}
