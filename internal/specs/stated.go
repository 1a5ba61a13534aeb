package specs

import (
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Observing reports whether a null result of the operation of that canonical name is an
// observation, so that a history must state it: a result that is merely missing would be taken for
// that observation. The results of other operations may be left out; there, null says that they are
// not recorded.
func Observing(s model.Spec, operation string) bool {
	s, names := Renamed(s)
	for from, to := range names {
		if Fold(to) == Fold(operation) {
			operation = from
		}
	}
	if strict, _, relaxed := Relaxed(s); relaxed {
		s = strict
	}
	t, ok := s.(*table)
	if !ok {
		return false
	}
	k, known := t.names[Fold(operation)]
	return known && t.rows[k].observes
}

// CheckStated refuses a history in which an operation returned without a stated result although its
// result is an observation. The error is a *history.Error. Operations that s does not have are left
// to Bind.
func CheckStated(s model.Spec, h *history.History) error {
	renamed, ok := s.(*renamedSpec)
	if ok {
		s = renamed.Spec
	}
	if strict, _, relaxed := Relaxed(s); relaxed {
		s = strict
	}
	t, ok := s.(*table)
	if !ok {
		return nil
	}
	v := VerbsOf(&t.info, h, t.names)
	if renamed != nil {
		v.renaming = renamed.renaming
	}
	half := 0 // of a long history is looked at beside the other one
	if runtime.GOMAXPROCS(0) > 1 && len(h.Ops) >= statedAside {
		half = len(h.Ops) / 2
	}
	var first error
	var beside sync.WaitGroup
	if half > 0 {
		w := *v
		beside.Go(func() { first = t.checkStated(&w, h, 0, half) })
	}
	err := t.checkStated(v, h, half, len(h.Ops))
	if beside.Wait(); first != nil {
		return first
	}
	return err
}

// checkStated is CheckStated for the operations from one position to another.
func (t *table) checkStated(v *verbs, h *history.History, from, to int) error {
	var need [quickNames]bool // by the number of a name: whether its results may have to be stated
	for f := range need {
		need[f] = true
	}
	for i := from; i < to; i++ {
		op := &h.Ops[i]
		name := uint32(op.F)
		if name < quickNames {
			if !both(op.NoResult, need[name]) { // alone, op.NoResult is hard to predict
				continue
			}
		} else if !op.NoResult {
			continue
		}
		k := v.Of(op.F)
		if k < 0 || !t.rows[k].observes {
			if name < quickNames {
				need[name] = false
			}
			continue
		}
		f, _ := h.Values.AsString(op.F)
		hint := `state what it returned: null says that it found nothing, "forgotten": true that its result is not known`
		for _, w := range h.Warnings {
			// a misspelled field is the likely cause
			if meant, _, found := strings.Cut(w.Hint, "? its fields"); found {
				hint = w.What + ": " + meant + "? Else " + hint
				break
			}
		}
		return h.OpError(history.OpID(i), fmt.Sprintf("%s returned, but the history does not state its result", f),
			hint)
	}
	return nil
}

// both is a && b, computed without a branch.
func both(a, b bool) bool {
	var x, y uint8
	if a {
		x = 1
	}
	if b {
		y = 1
	}
	return x&y != 0
}

// NeverStated returns the operations of h that returned, never have a result in it, and return
// something in s, if s is a specification of one's own. What they returned is not checked.
func NeverStated(s model.Spec, h *history.History) []string {
	for {
		if own, ok := s.(interface {
			NeverStated(h *history.History) []string
		}); ok {
			return own.NeverStated(h)
		}
		made, ok := s.(interface{ Unwrap() model.Spec })
		if !ok {
			return nil
		}
		s = made.Unwrap()
	}
}
