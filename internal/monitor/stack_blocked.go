package monitor

// Small sets of values that block each other on a stack.
//
// What: in a blocked set, every value has an operation that is open only while other values of the
// set are inside. The values that are stuck form such a set. To find a smaller one, start with one
// value; as long as some value of the set has no such operation yet, choose the operation that
// needs the fewest further values, and add these. From the smallest set over several starting
// values, remove what can be removed.
//
// With pending removals, values left over count as far as their own peeks show them inside, and
// beyond that by how many more of them were pushed than pending removals called. Then a residue is
// what remains after unblocked values are removed, in rounds; a residue that is not empty is a
// refutation.
//
// Cost: O(n) to begin with; after that a limited number of steps, at whose end the set known so far
// is returned.

import (
	"cmp"
	"slices"
	"sort"
)

// blockedSet returns a small blocked set among the stuck values.
func (c *collected) blockedSet(stuck []int32) []int32 {
	// By moment: of the values inside from no later on, the two that stay longest.
	best, second := make([]int32, c.end+1), make([]int32, c.end+1)
	for g := range best {
		best[g], second[g] = -1, -1
	}
	longer := func(a, b int32) bool { return a >= 0 && (b < 0 || c.remLo[a] > c.remLo[b]) }
	enter := func(g moment, v int32) {
		switch {
		case v == best[g] || v == second[g]:
		case longer(v, best[g]):
			best[g], second[g] = v, best[g]
		case longer(v, second[g]):
			second[g] = v
		}
	}
	for _, v := range stuck {
		if c.inside(v) {
			enter(c.insHi[v], v)
		}
	}
	for g := moment(1); g <= c.end; g++ {
		for _, v := range [...]int32{best[g-1], second[g-1]} {
			if v >= 0 {
				enter(g, v)
			}
		}
	}
	b := &blocking{collected: c, best: best, second: second, stamp: make([]int32, len(c.ins))}
	set := stuck
	for k := range min(beginnings, len(stuck)) {
		if s := b.from(stuck[k*len(stuck)/min(beginnings, len(stuck))], len(set)); s != nil {
			set = s
		}
	}
	return c.smaller(set)
}

type blocking struct {
	*collected
	best, second []int32
	stamp        []int32 // by value: the last set that it was in
	sets         int32
}

// from makes a blocked set that contains v, of fewer than limit values, or nil.
func (b *blocking) from(v int32, limit int) []int32 {
	b.sets++
	b.stamp[v] = b.sets
	set := []int32{v}
	steps := 0
	for k := 0; k < len(set); k++ {
		v := set[k]
		var least []int32
		found := false
		try := func(lo, hi moment) {
			var new []int32
			for g := lo; g < hi; steps++ {
				u := b.best[g]
				if u == v {
					u = b.second[g]
				}
				if u < 0 || b.remLo[u] <= g || steps > blockingSteps {
					return
				}
				if b.stamp[u] != b.sets {
					new = append(new, u)
				}
				g = b.remLo[u]
			}
			if !found || len(new) < len(least) {
				least, found = new, true
			}
		}
		try(b.insLo[v], b.insHi[v])
		try(b.remLo[v], b.remHi[v])
		for p := b.peekFrom[v]; p < b.peekFrom[v+1]; p++ {
			try(b.peekLo[p], b.peekHi[p])
		}
		for _, u := range least {
			b.stamp[u] = b.sets
		}
		if set = append(set, least...); !found || len(set) >= limit {
			return nil
		}
	}
	return set
}

// smaller leaves out values of a blocked set as long as a blocked set remains. Large sets it leaves
// as they are.
func (c *collected) smaller(set []int32) []int32 {
	events := len(set)
	if slices.ContainsFunc(set, c.unremoved) {
		events += len(c.pendLo)
	}
	if len(set)*len(set)*events > smallerSteps {
		return set
	}
	for k := 0; k < len(set); {
		// Values without which nothing remained are in every blocked set that remains: the first k
		// stay.
		if rest := c.residue(slices.Delete(slices.Clone(set), k, k+1)); rest != nil {
			set = rest
		} else {
			k++
		}
	}
	return set
}

// stretch is a time over which the same values are inside.
type stretch struct {
	at    moment
	count int32 // values inside
	sum   int32 // of their numbers
	spare int32 // values left over that were pushed, minus pending removals called
}

// residue leaves out values that are not blocked by the rest until all are, and returns what
// remains, nil for nothing.
func (c *collected) residue(set []int32) []int32 {
	set = slices.Clone(set)
	for steps := 0; len(set) > 0; {
		if steps += len(set) + len(c.pendLo); steps > blockingSteps {
			return nil
		}
		before := len(set)
		if set = c.blockedAmong(set); len(set) == before {
			return set
		}
	}
	return nil
}

// blockedAmong keeps the values of set that are blocked by the others. It reuses set.
func (c *collected) blockedAmong(set []int32) []int32 {
	var events []stretch
	for _, v := range set {
		if c.unremoved(v) {
			events = append(events, stretch{at: c.insHi[v], spare: 1})
		}
		if c.inside(v) {
			events = append(events, stretch{c.insHi[v], 1, v, 0}, stretch{c.remLo[v], -1, -v, 0})
		}
	}
	if slices.ContainsFunc(set, c.unremoved) {
		for _, g := range c.pendLo {
			events = append(events, stretch{at: g, spare: -1})
		}
	}
	sort.Slice(events, func(i, j int) bool { return events[i].at < events[j].at })
	all := []stretch{{at: 0}}
	for _, e := range events {
		if last := all[len(all)-1]; last.at < e.at {
			last.at = e.at
			all = append(all, last)
		}
		s := &all[len(all)-1]
		s.count, s.sum, s.spare = s.count+e.count, s.sum+e.sum, s.spare+e.spare
	}
	// Stretches before this one in which nothing is inside, or but one value that is left over.
	nothing, one := make([]int32, len(all)+1), make([]int32, len(all)+1)
	alone := map[int32][]int32{} // value → stretches in which it alone is inside
	for k, s := range all {
		nothing[k+1], one[k+1] = nothing[k], one[k]
		switch {
		case s.count == 0 && s.spare <= 0:
			nothing[k+1]++
		case s.count == 0 && s.spare == 1:
			one[k+1]++
		case s.count == 1 && (s.spare <= 0 || s.spare == 1 && c.unremoved(s.sum)):
			alone[s.sum] = append(alone[s.sum], int32(k))
		}
	}
	place := func(g moment) int { // of the stretch that g is in
		k, exact := slices.BinarySearchFunc(all, g, func(s stretch, g moment) int { return cmp.Compare(s.at, g) })
		if !exact {
			k--
		}
		return k
	}
	fits := func(v int32, lo, hi moment) bool {
		from, to := place(lo), place(hi-1)+1
		if nothing[from] < nothing[to] {
			return true
		}
		if c.unremoved(v) {
			if since := max(place(c.insHi[v]), from); since < to && one[since] < one[to] {
				return true
			}
		}
		k, _ := slices.BinarySearch(alone[v], int32(from))
		return k < len(alone[v]) && alone[v][k] < int32(to)
	}
	return slices.DeleteFunc(set, func(v int32) bool {
		fit := fits(v, c.insLo[v], c.insHi[v]) && (c.unremoved(v) || fits(v, c.remLo[v], c.remHi[v]))
		for p := c.peekFrom[v]; fit && p < c.peekFrom[v+1]; p++ {
			fit = fits(v, c.peekLo[p], c.peekHi[p])
		}
		return fit
	})
}
