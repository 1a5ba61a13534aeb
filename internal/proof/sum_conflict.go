package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindSumConflict is the kind of *SumConflict.
const KindSumConflict Kind = "sum-conflict"

// SumConflict proves that a partition whose theory is model.CountingTheory, or of which View is
// such a view, is not linearizable:
// what certainly comes before Op (and after After), plus any selection of what may, never adds up
// to what Op observed.
//
// After is Initial, or an observation that returned before Op was called. Real time alone
// determines what is certain: operations that returned before the call of Op and, after an
// observation, were called after its return. Other operations may be between them if they were
// called by the return of Op and did not return before the call of After.
//
// After may also be an observation that changes a counter which every operation moves the same way,
// where Op observed a number that After leaves out, or changes the same number. Time then says
// nothing.
type SumConflict struct {
	about
	After history.OpID `json:"after"` // Initial for the start
	Op    history.OpID `json:"operation" min:"0"`
	// the number of the view, 0 for the partition itself
	View int32 `json:"view" none:"0" min:"0"`
}

// Kind implements Proof.
func (*SumConflict) Kind() Kind { return KindSumConflict }

// Operations implements Proof: the observations. All operations that add something matter, too.
func (r *SumConflict) Operations(*model.Instance) []history.OpID {
	return positions([]history.OpID{r.After, r.Op})
}
