package explore

import "github.com/linsat/linsat/internal/schedule"

// Folding of long traces.
//
// What: an access that conflicts with none of another thread could stand anywhere in its thread, so
// the order of the others is what a violation is about. A trace of more than foldFrom accesses is
// written without these, but for the first and the last one of an operation, and the last one of a
// thread, which says where it stopped.

// unmet returns which accesses a long trace leaves out, nil if it leaves out none.
func (e *Execution) unmet() []bool {
	if len(e.Events) < foldFrom {
		return nil
	}
	hidden := make([]bool, len(e.Events))
	last := map[int]int{}
	for i := range e.Events {
		hidden[i] = !e.meets(i) && !(e.Events[i].Op >= 0 && (e.starts(i) || e.ends(i)))
		last[e.Events[i].Thread] = i
	}
	for _, i := range last {
		hidden[i] = false
	}
	return hidden
}

// meets reports whether event i conflicts with one of another thread.
func (e *Execution) meets(i int) bool {
	v := schedule.Inside(&e.Events[i].Access)
	for j := range e.Events {
		if e.Events[j].Thread != e.Events[i].Thread && v.Conflicts(schedule.Inside(&e.Events[j].Access)) {
			return true
		}
	}
	return false
}
