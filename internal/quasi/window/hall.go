package window

import "github.com/linsat/linsat/internal/proof"

// Bounds consistency of "all different" [LopezOrtizQuimperTrompVanBeek-IJCAI'03]: an interval of
// positions into which as many windows fit as it has positions is a Hall interval; every other
// window that starts inside starts after it. We keep one cell per position instead of one per
// distinct bound (positions are dense here), so both trees are plain union-finds.
//
// What: windows in the order of their ends, each put at its first free position. When the run of
// used positions that it joins reaches exactly to its end, that run is a Hall interval: everything
// in it starts in the run and ends no later. A window that finds no position up to its end proves
// an overfull interval.
//
// Invariants: positions of one run of used ones are taken by windows that start in the run. jump[p]
// is the first position from p on that lies in no Hall interval found so far.
//
// Cost: O(n α(n)), sorting by counting. Ends are treated by mirroring positions.

// hall processes all variables.
func (w *Windows) hall() bool {
	m, r := w.Q.M, w.Q.R
	for _, mirrored := range [...]bool{false, true} {
		if w.stopped() || !w.hallSide(0, m, Position(m), mirrored) ||
			w.stopped() || !w.hallSide(m, m+r, Position(r), mirrored) {
			return false
		}
	}
	return true
}

// hallSpan processes only the values and removals of a span. Fewer windows prove less, but nothing
// wrong.
func (w *Windows) hallSpan(in span) bool {
	m := w.Q.M
	x, xs := in.clip(w.Q.N)
	y, ys := in.clip(w.Q.R)
	return w.hallRange(x, xs, Position(m)) && w.hallRange(m+y, m+ys, Position(w.Q.R))
}

func (w *Windows) hallRange(from, to int, size Position) bool {
	return w.hallSide(from, to, size, false) && w.hallSide(from, to, size, true)
}

// hallSide processes the variables from..to-1 over positions 1..size: their starts, or mirrored
// their ends.
func (w *Windows) hallSide(from, to int, size Position, mirrored bool) bool {
	if from == to {
		return true
	}
	start, end := w.Lo[from:to], w.Hi[from:to]
	if mirrored {
		start, end = w.mirror(from, to, size)
	}
	first, last := size, Position(1) // the positions that matter
	for v, a := range start {
		first, last = min(first, a), max(last, end[v])
	}
	free, jump := w.scratch[0], w.scratch[1]
	count, sorted := w.counts, w.sorted[0][:to-from]
	head := w.scratch[2] // by position that ends a run: where the run starts
	for p := first - 1; p <= last+1; p++ {
		free[p], jump[p], count[p], head[p] = p, p, 0, p
	}
	for _, b := range end {
		count[b]++
	}
	for p := first; p <= last; p++ {
		count[p] += count[p-1]
	}
	for v := len(end) - 1; v >= 0; v-- {
		count[end[v]]--
		sorted[count[end[v]]] = Variable(from + v)
	}
	place := from >= w.Q.M
	for _, v := range sorted {
		a, b := start[int(v)-from], end[int(v)-from]
		p := find(free, a)
		if p > b {
			if mirrored {
				return w.overfull(place, size+1-b, size+1-runStart(free, b, first))
			}
			return w.overfull(place, runStart(free, b, first), b)
		}
		// The run that p joins: head is kept where a run ends.
		h := p
		if p > first && free[p-1] != p-1 {
			h = head[p-1]
		}
		free[p] = p + 1
		last := find(free, p) - 1
		head[last] = h
		if j := find(jump, a); j > a {
			ok := false
			if mirrored {
				ok = w.lower(v, size+1-j, proof.RuleHall, 0)
			} else {
				ok = w.raise(v, j, proof.RuleHall, 0)
			}
			if !ok {
				return false
			}
		}
		if last == b {
			for k := find(jump, h); k <= b; k = find(jump, k) {
				jump[k] = k + 1
			}
		}
	}
	return true
}

// mirror returns the windows of variables from..to-1 with positions counted from the end.
func (w *Windows) mirror(from, to int, size Position) (start, end []Position) {
	start, end = w.scratch[3][:to-from], w.scratch[4][:to-from]
	for v := from; v < to; v++ {
		start[v-from], end[v-from] = size+1-w.Hi[v], size+1-w.Lo[v]
	}
	return start, end
}

// runStart returns the first position of the run of used positions that holds p.
func runStart(free []Position, p, first Position) Position {
	for p > first && free[p-1] != p-1 {
		p--
	}
	return p
}
