package window

// Bounds consistency of "all different" [LopezOrtizQuimperTrompVanBeek-IJCAI'03]: an interval of positions into which as many
// windows fit as it has positions is a Hall interval; every other window that starts inside starts after it. We keep one cell
// per position instead of one per distinct bound (positions are dense here), so both trees are plain union-finds.
//
// What: windows in the order of their ends, each put at its first free position. When the run of used positions that it
// joins reaches exactly to its end, that run is a Hall interval: everything in it starts in the run and ends no
// later. A window that finds no position up to its end proves an overfull interval.
//
// Invariants: positions of one run of used ones are taken by windows that start in the run. jump[p] is the first
// position from p on that lies in no Hall interval found so far.
//
// Cost: O(n α(n)), sorting by counting. Ends are treated by mirroring positions.

import "github.com/linsat/linsat/quasi"

func (w *Windows) hall() bool {
	q := w.Q
	m, r := int32(q.M), int32(q.R)
	return w.hallSide(0, m, m, false) && w.hallSide(0, m, m, true) &&
		w.hallSide(m, m+r, r, false) && w.hallSide(m, m+r, r, true)
}

// hallSide treats the variables from..to-1 over positions 1..size: their starts, or mirrored their ends.
func (w *Windows) hallSide(from, to, size int32, mirrored bool) bool {
	start := func(v int32) int32 { return w.Lo[v] }
	end := func(v int32) int32 { return w.Hi[v] }
	if mirrored {
		start = func(v int32) int32 { return size + 1 - w.Hi[v] }
		end = func(v int32) int32 { return size + 1 - w.Lo[v] }
	}
	free, jump := w.free[:size+2], w.scratch[0][:size+2]
	count, sorted := w.scratch[1][:size+2], w.scratch[2][:to-from]
	head := w.scratch[3][:size+2] // by position that ends a run: where the run starts
	for p := range free {
		free[p], jump[p], count[p], head[p] = int32(p), int32(p), 0, int32(p)
	}
	for v := from; v < to; v++ {
		count[end(v)]++
	}
	for p := int32(1); p <= size; p++ {
		count[p] += count[p-1]
	}
	for v := to - 1; v >= from; v-- {
		count[end(v)]--
		sorted[count[end(v)]] = v
	}
	for _, v := range sorted {
		a, b := start(v), end(v)
		p := find(free, a)
		if p > b {
			if mirrored {
				return w.overfull(from != 0, size+1-b, size+1-runStart(free, b))
			}
			return w.overfull(from != 0, runStart(free, b), b)
		}
		// The run that p joins: head is kept where a run ends.
		h := p
		if p > 1 && free[p-1] != p-1 {
			h = head[p-1]
		}
		free[p] = p + 1
		last := find(free, p) - 1
		head[last] = h
		if j := find(jump, a); j > a {
			ok := false
			if mirrored {
				ok = w.lower(v, size+1-j, quasi.Hall, 0)
			} else {
				ok = w.raise(v, j, quasi.Hall, 0)
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

// runStart returns the first position of the run of used positions that holds p.
func runStart(free []int32, p int32) int32 {
	for p > 1 && free[p-1] != p-1 {
		p--
	}
	return p
}

func find(next []int32, p int32) int32 {
	for next[p] != p {
		next[p] = next[next[p]]
		p = next[p]
	}
	return p
}
