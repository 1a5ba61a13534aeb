package specs

import (
	"slices"

	"github.com/linsat/linsat/internal/model"
)

// Waiting says where an operation may wait instead of returning, besides the states in which the
// specification has no outcome for it.
type Waiting uint8

const (
	// Returns: nowhere.
	Returns Waiting = iota
	// ForItems: a removal, where it finds nothing.
	ForItems
	// ForRoom: an insertion, where something could be removed: the specification states no bound,
	// and the object may have one.
	ForRoom
)

// waiting lists the operations of shipped specifications that return at once in one object and wait
// in another.
var waiting = map[string]struct{ inserts, removes []string }{
	"queue":           {[]string{"enq"}, []string{"deq"}},
	"unordered-queue": {[]string{"enq"}, []string{"deq"}},
	"bounded-queue":   {[]string{"enq"}, []string{"deq"}},
	"stack":           {[]string{"push"}, []string{"pop"}},
	"priority-queue":  {[]string{"insert"}, []string{"deletemin"}},
	"deque":           {[]string{"pushfront", "pushback"}, []string{"popfront", "popback"}},
}

// Waits returns where operation f of s may wait, and for ForRoom the name of an operation of s that
// removes.
func Waits(s model.Spec, f string) (Waiting, string) {
	info := s.Info()
	operation, ok := NameTable(info.Operations)[Fold(f)]
	if !ok {
		return Returns, ""
	}
	original, _ := Renamed(s)
	if strict, _, relaxed := Relaxed(original); relaxed {
		original = strict
	}
	if !shipped(original) {
		return Returns, ""
	}
	rows := original.Info()
	w, ok := waiting[rows.Name]
	switch name := rows.Operations[operation].Name; {
	case !ok:
		return Returns, ""
	case slices.Contains(w.removes, name):
		return ForItems, ""
	case slices.Contains(w.inserts, name):
		at := slices.IndexFunc(rows.Operations, func(o model.Operation) bool { return o.Name == w.removes[0] })
		return ForRoom, info.Operations[at].Name
	}
	return Returns, ""
}
