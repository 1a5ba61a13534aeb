package lineup

import "github.com/linsat/linsat/internal/schedule"

// What: whether an execution is conflict-serializable, with operations as transactions.
//
// Source: section 5.6, after Farzan and Madhusudan (CAV 2008). Two accesses conflict if they touch
// a common location and one writes; what a lock, a condition or a semaphore does is a write of it.
// An edge leads from the operation of the earlier access to that of the later one, and from each
// operation to the next one of its thread. The execution is conflict-serializable if and only if
// there is no cycle. An access outside of operations, of a thread of the object's own, is a
// transaction by itself. A failed compare-and-swap only reads.
//
// Invariant: later[t] holds the transactions that an edge leads to from t. Cost: the number of
// accesses, and the square of the number of transactions.

func serializable(accesses []schedule.Access) bool {
	// number the transactions
	of := make([]int, len(accesses))
	numbers := map[int32]int{}
	n := 0
	for i := range accesses {
		op := accesses[i].Op
		at, known := numbers[op]
		if !known || op < 0 {
			at = n
			numbers[op] = at
			n++
		}
		of[i] = at
	}
	later := make([]set, n)
	for t := range later {
		later[t] = newSet(n)
	}
	type touched struct{ readers, writers set }
	known := map[int32]*touched{}
	last := map[int32]int{} // the transaction that a thread was in
	for i := range accesses {
		a, t := &accesses[i], of[i]
		if p, ok := last[a.Thread]; ok && p != t {
			later[p].add(t)
		}
		last[a.Thread] = t
		for _, loc := range [2]int32{a.Loc, a.Loc2} {
			if loc < 0 || a.Kind == schedule.Local {
				continue
			}
			v := known[loc]
			if v == nil {
				v = &touched{newSet(n), newSet(n)}
				known[loc] = v
			}
			edge := func(from int) {
				if from != t {
					later[from].add(t)
				}
			}
			v.writers.each(edge)
			if a.Kind.Writes() {
				v.readers.each(edge)
				v.writers.add(t)
			} else {
				v.readers.add(t)
			}
		}
	}
	return acyclic(later)
}

// acyclic reports whether a graph has no cycle: nodes that nothing leads to are taken away as long
// as there are some.
func acyclic(later []set) bool {
	into := make([]int, len(later))
	for _, s := range later {
		s.each(func(t int) { into[t]++ })
	}
	var free []int
	for t, n := range into {
		if n == 0 {
			free = append(free, t)
		}
	}
	taken := 0
	for len(free) > 0 {
		t := free[len(free)-1]
		free = free[:len(free)-1]
		taken++
		later[t].each(func(u int) {
			if into[u]--; into[u] == 0 {
				free = append(free, u)
			}
		})
	}
	return taken == len(later)
}
