package specs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// observing lists, by specification, the operations whose null result is an observation: nothing
// was there. A history must state such a result, since a result that is only missing would be
// judged as that observation. The results of other operations may be left out, and null says there
// that they are not recorded.
var observing = map[string][]string{
	"unordered-queue": {"deq", "peek", "size", "drain"},
	"bounded-queue":   {"deq", "peek", "size"},
	"bank":            {"read"},
	"register":        {"read", "swap"},
	"cas-register":    {"read", "swap"},
	"kv":              {"get", "swap", "getanddelete"},
	"set":             {"size", "elements"},
	"queue":           {"deq", "peek", "size", "drain"},
	"stack":           {"pop", "peek", "size", "drain"},
	"deque":           {"popfront", "popback", "peekfront", "peekback", "size", "drain"},
	"priority-queue":  {"deletemin", "min", "size", "drain"},
	"counter":         {"read", "getandinc", "getanddec", "incandget", "decandget", "swap"},
	"log":             {"read"},
}

// Observing reports whether a null result of the operation of that canonical name is an
// observation, so that a history must state it.
func Observing(s model.Spec, operation string) bool {
	s, names := Renamed(s)
	for from, to := range names {
		if Fold(to) == Fold(operation) {
			operation = canonical(s, from)
		}
	}
	if strict, _, relaxed := Relaxed(s); relaxed {
		s = strict
	}
	return slices.Contains(observing[s.Info().Name], operation)
}

// canonical returns the first name of an operation of s.
func canonical(s model.Spec, name string) string {
	info := s.Info()
	return info.Operations[NameTable(info.Operations)[Fold(name)]].Name
}

// CheckStated refuses a history in which an operation returned without a stated result although its
// result is an observation. The error is a *history.Error. Operations that s does not know are left
// to Bind.
func CheckStated(s model.Spec, h *history.History) error {
	var v *verbs
	var observes []bool // by operation of the specification
	var renaming *model.Renaming
	for i := range h.Ops {
		op := &h.Ops[i]
		if !op.NoResult {
			continue
		}
		if v == nil {
			if renamed, ok := s.(*renamedSpec); ok {
				s, renaming = renamed.Spec, renamed.renaming
			}
			if strict, _, relaxed := Relaxed(s); relaxed {
				s = strict
			}
			info := s.Info()
			if observing[info.Name] == nil {
				return nil
			}
			v = VerbsOf(&info, h, NameTable(info.Operations))
			v.renaming = renaming
			for _, o := range info.Operations {
				observes = append(observes, slices.Contains(observing[info.Name], o.Name))
			}
		}
		k := v.Of(op.F)
		if k < 0 || !observes[k] {
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
		return h.OpError(int32(i), fmt.Sprintf("%s returned, but the history does not state its result", f), hint)
	}
	return nil
}
