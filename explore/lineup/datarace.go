package lineup

import (
	"slices"

	"github.com/linsat/linsat/internal/schedule"
)

// What: data races of an execution: two accesses of a plain variable (mem.Var), one of them a
// write, that happens-before does not order.
//
// Source: section 5.6 uses the detector of CHESS. Happens-before is here that of Java and .NET: the
// order of each thread, and from every write of a synchronisation variable (an Atomic, a lock, a
// condition, a semaphore) to every later access of it; the sections of a read lock do not order
// each other. Accesses before the threads start precede everything.
//
// Invariant: past[i] is the set of accesses that happen before access i, i included. Cost:
// quadratic in the length, with sets of bits.

// dataRaces returns the locations that races are about, each once.
func dataRaces(accesses []schedule.Access) (locations []int32) {
	if !slices.ContainsFunc(accesses, func(a schedule.Access) bool { return a.Plain && a.Kind.Writes() }) {
		return nil
	}
	past := happensBefore(accesses)
	for j := range accesses {
		b := &accesses[j]
		if !b.Plain || slices.Contains(locations, b.Loc) {
			continue
		}
		for i := range j {
			if a := &accesses[i]; a.Plain && a.Thread != b.Thread && a.Conflicts(b) && !past[j].has(i) {
				locations = append(locations, b.Loc)
				break
			}
		}
	}
	return locations
}

func happensBefore(accesses []schedule.Access) []set {
	n := len(accesses)
	past := make([]set, n)
	last := map[int32]int{}
	type released struct{ writers, readers set }
	syncs := map[int32]*released{}
	for i := range accesses {
		a := &accesses[i]
		past[i] = newSet(n)
		past[i].add(i)
		if p, ok := last[a.Thread]; ok {
			past[i].union(past[p])
		}
		last[a.Thread] = i
		if a.Plain || a.Kind == schedule.Local {
			continue
		}
		for _, loc := range [2]int32{a.Loc, a.Loc2} {
			if loc < 0 {
				continue
			}
			r := syncs[loc]
			if r == nil {
				r = &released{newSet(n), newSet(n)}
				syncs[loc] = r
			}
			past[i].union(r.writers)
			if a.Kind.Writes() && a.Kind != schedule.ReadLock && a.Kind != schedule.ReadUnlock {
				past[i].union(r.readers)
			}
		}
		for _, loc := range [2]int32{a.Loc, a.Loc2} {
			switch {
			case loc < 0 || !a.Kind.Writes() || a.Kind == schedule.ReadLock:
			case a.Kind == schedule.ReadUnlock:
				syncs[loc].readers.union(past[i])
			default:
				syncs[loc].writers.union(past[i])
			}
		}
	}
	return past
}
