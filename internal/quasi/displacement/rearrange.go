package displacement

// Rearrangements of the places of one class.
//
// What: every way to put m contents, numbered by their places in ρ′, into m places such that none
// moves by more than the bound. Source: Round-Up, Algorithm 2. Depth first over the places; at
// place p only the contents p−bound..p+bound are enabled, and content p−bound, which is already
// bound places late, must be selected if it is still there.
//
// Cost: every rearrangement is reached without a dead end: if late contents go first, the rest can
// always follow in order.

// Rearrangements calls yield with every arrangement of m contents in m places in which no content
// moves by more than bound places, in lexicographic order, beginning with the one that moves
// nothing. arrangement[p] is the content of place p. It stops when yield returns false, and reports
// whether all arrangements were visited. The slice is reused: yield must copy what it keeps.
func Rearrangements(m int, bound int32, yield func(arrangement []int32) bool) bool {
	if m < 0 || bound < 0 {
		return true // there is no arrangement
	}
	arrangement := make([]int32, m)
	used := make([]bool, m)
	reach := min(int(bound), m)
	var place func(p int) bool
	place = func(p int) bool {
		if p == m {
			return yield(arrangement)
		}
		last := min(p+reach, m-1)
		if late := p - reach; late >= 0 && !used[late] {
			last = late
		}
		for c := max(0, p-reach); c <= last; c++ {
			if used[c] {
				continue
			}
			used[c], arrangement[p] = true, int32(c)
			more := place(p + 1)
			used[c] = false
			if !more {
				return false
			}
		}
		return true
	}
	return place(0)
}
