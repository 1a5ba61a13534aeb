package lineup

import (
	"slices"

	"github.com/linsat/linsat/internal/schedule"
)

// What: whether store buffers could turn an execution into one that no interleaving explains, so
// that sequential consistency itself would be lost on a machine with them (x86, SPARC's TSO).
//
// Source: section 5.7, after Burckhardt and Musuvathi (CAV 2008): a program has such behaviour if
// and only if some of its interleavings is one step from it, and each interleaving shows that by
// itself. A store may be delayed past a later load of its thread if no fence stands between them (a
// load of the same location then reads the buffer); updates (compare-and-swap, failed or not),
// locks and everything else but plain loads and stores are fences. Order that survives: that of
// each thread without those pairs, and that of conflicting accesses, except that stores do not
// precede a load that is forwarded a later store of its own thread. A load could have come before a
// store of another thread that it now reads if no order that survives, other than that between the
// two, forces it to come after. If that store also precedes, by all order, a store that the load
// overtakes, the outcome is outside of sequential consistency.
//
// Objects here are written for memory that is sequentially consistent, so a warning says that the
// same stores would need a fence if they were mere volatile ones.
//
// Invariant: past[i] and kept[i] hold what all order, and surviving order, put before access i, i
// included. Cost: quadratic in the length, with sets of bits.

func storeBuffers(accesses []schedule.Access) bool {
	pairs := delayed(accesses)
	if len(pairs) == 0 {
		return false
	}
	n := len(accesses)
	past := make([]set, n) // by all order, that of delayed pairs included
	kept := make([]set, n) // by the order that survives
	own := make([]set, n)  // by that part of it that comes from the thread itself
	for j := range accesses {
		b := &accesses[j]
		past[j], kept[j], own[j] = newSet(n), newSet(n), newSet(n)
		past[j].add(j)
		kept[j].add(j)
		for i := range j {
			a := &accesses[i]
			switch {
			case a.Thread == b.Thread:
				past[j].union(past[i])
				if !slices.Contains(pairs[j], i) {
					kept[j].union(kept[i])
					own[j].union(kept[i])
				}
			case a.Conflicts(b):
				past[j].union(past[i])
				if len(pairs[j]) == 0 || !forwarded(accesses, i, j) {
					kept[j].union(kept[i])
				}
			}
		}
	}
	for load, stores := range pairs {
		l := &accesses[load]
		for i := range load {
			w := &accesses[i]
			if w.Thread == l.Thread || !w.Conflicts(l) || forced(accesses, own[load], i, load) {
				continue
			}
			for _, s := range stores {
				if past[s].has(i) {
					return true
				}
			}
		}
	}
	return false
}

// forwarded reports whether load j reads a store of its own thread that came after store i, and may
// still be in the buffer.
func forwarded(accesses []schedule.Access, i, j int) bool {
	for k := j - 1; k > i; k-- {
		if a := &accesses[k]; a.Kind.Writes() && a.Conflicts(&accesses[j]) {
			return a.Thread == accesses[j].Thread && a.Kind == schedule.Write
		}
	}
	return false
}

// forced reports whether a load must come after store i of another thread whatever it reads: its
// own thread stored to the location since, or is ordered behind that store or a later one.
func forced(accesses []schedule.Access, own set, i, load int) bool {
	for k := i; k < load; k++ {
		if a := &accesses[k]; a.Kind.Writes() && a.Conflicts(&accesses[load]) &&
			(own.has(k) || a.Thread == accesses[load].Thread) {
			return true
		}
	}
	return false
}

// delayed returns for each load the stores of its thread that it can overtake.
func delayed(accesses []schedule.Access) map[int][]int {
	pairs := map[int][]int{}
	buffer := map[int32][]int{}
	for i := range accesses {
		a := &accesses[i]
		switch {
		case a.Kind == schedule.Local:
		case a.Kind == schedule.Write:
			buffer[a.Thread] = append(buffer[a.Thread], i)
		case a.Kind == schedule.Read && !a.Failed:
			if stores := buffer[a.Thread]; len(stores) > 0 {
				pairs[i] = slices.Clone(stores)
			}
		default:
			delete(buffer, a.Thread)
		}
	}
	return pairs
}
