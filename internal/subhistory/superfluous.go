package subhistory

// What: leaves out operations that the others make superfluous, one at a time. A core that is
// minimal as a set of facts may still be larger than another one, and which of them is found first
// depends on which engine was the first to answer.
//
// The last writer of a value that another one returned stays: without it the value would be what
// contradicts.
//
// Invariant: what is left is refuted whatever the other operations of the history did, and is
// explained up to the response that fails.
//
// Cost: at most mostDropped times three checks, one of them of the whole history.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
)

// drop returns those of the operations that are left. It keeps all where there are many.
func (s *shrinker) drop(ops []history.OpID) ([]history.OpID, error) {
	if len(ops) > mostDropped {
		return ops, nil
	}
	for k := 0; k < len(ops); {
		less := slices.Delete(slices.Clone(ops), k, k+1)
		if slices.Contains(writers(s.h, s.called, s.valued(less), true), ops[k]) {
			k++
			continue
		}
		if ok, err := s.stands(less); err != nil {
			return nil, err
		} else if ok {
			ops, k = less, 0
			continue
		}
		k++
	}
	return ops, nil
}

// stands reports whether the invariant holds of the operations.
func (s *shrinker) stands(ops []history.OpID) (bool, error) {
	if len(ops) == 0 {
		return false, nil
	}
	if ok, err := s.is(engine.NotLinearizable, ops, nil); err != nil || !ok {
		return false, err
	}
	if ok, err := s.explained(ops, ops); err != nil || !ok {
		return false, err
	}
	return s.refutes(ops)
}
