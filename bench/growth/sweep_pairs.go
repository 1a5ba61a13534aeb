//go:build unix

package main

// What: few shapes in which any two levels of different dimensions meet, where they meet at all.
//
// Source: covering arrays of strength two, by the greedy choice of Cohen, Dalal, Fredman and Patton
// (IEEE Trans. Software Eng. 23(7), 1997), over a given list of candidates.
//
// Cost: for each shape that is chosen, all candidates times the pairs of one.

// meeting is two levels that a shape brings together, and their dimensions.
type meeting struct {
	a, b   int
	la, lb any
}

// meetings lists the pairs of levels of a shape.
func meetings(s shape) []meeting {
	levels := []any{s.Processes, s.Values, s.Empties, s.Pending, s.Violation, s.Quasi}
	var out []meeting
	for a := range levels {
		for b := a + 1; b < len(levels); b++ {
			out = append(out, meeting{a, b, levels[a], levels[b]})
		}
	}
	return out
}

// pairwise returns some of the shapes of one specification, in which all pairs of levels occur that
// occur in any. The first ones cover most.
func pairwise(all []shape) []shape {
	left := map[meeting]bool{}
	for _, s := range all {
		for _, m := range meetings(s) {
			left[m] = true
		}
	}
	var chosen []shape
	for len(left) > 0 {
		best, most := shape{}, 0
		for _, s := range all {
			covers := 0
			for _, m := range meetings(s) {
				if left[m] {
					covers++
				}
			}
			if covers > most {
				best, most = s, covers
			}
		}
		for _, m := range meetings(best) {
			delete(left, m)
		}
		chosen = append(chosen, best)
	}
	return chosen
}
