package solve

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
)

// Diverges returns the contradiction to causal convergence among some operations, ascending, with
// the sources of their reads; nil if there is none. A write that is a cause of a read comes before
// the write that this is from, for all processes: that and causality have a cycle, or a write is a
// cause of a read of the start [Bouajjani, Enea, Guerraoui, Hamza, POPL 2017, Table 2].
func Diverges(a *consistency.Accesses, ops []history.OpID) *consistency.Conflict {
	s, unclear := newSources(a)
	switch {
	case s.thinAir >= 0:
		return &consistency.Conflict{Process: a.Ops[s.thinAir].Process, Path: path(s.thinAir)}
	case unclear != "" || len(ops) > mostMinimized:
		return nil
	}
	causes := map[history.OpID][]history.OpID{} // operation → direct causes
	for k, b := range ops {
		for _, c := range ops[:k] {
			if a.Ops[c].Process == a.Ops[b].Process {
				causes[b] = append(causes[b], c)
			}
		}
		if w := s.of[b]; a.Ops[b].Reads && w != start && slices.Contains(ops, w) {
			causes[b] = append(causes[b], w)
		}
	}
	before := map[history.OpID][]history.OpID{} // the same, and writes that come before for all
	for b, all := range causes {
		before[b] = slices.Clone(all)
	}
	ways := map[history.Edge][]history.OpID{}
	for _, r := range ops {
		for _, w := range ops {
			x, y := &a.Ops[w], &a.Ops[r]
			if !x.Writes || !y.Reads || x.Object != y.Object || s.of[r] == w {
				continue
			}
			way := shortest(causes, w, r)
			switch from := s.of[r]; {
			case way == nil:
			case from == start:
				return &consistency.Conflict{Process: y.Process, Path: way}
			case ways[history.Edge{Before: w, After: from}] == nil:
				ways[history.Edge{Before: w, After: from}] = way
				before[from] = append(before[from], w)
			}
		}
	}
	var cycle []history.OpID
	for _, i := range ops {
		for _, first := range before[i] {
			if way := shortest(before, i, first); way != nil && (cycle == nil || len(way) < len(cycle)-1) {
				cycle = append(way, i)
			}
		}
	}
	if cycle == nil {
		return nil
	}
	c := &consistency.Conflict{Process: a.Ops[cycle[0]].Process, Path: cycle}
	for k := range cycle[1:] {
		e := history.Edge{Before: cycle[k], After: cycle[k+1]}
		if !slices.Contains(causes[e.After], e.Before) {
			c.Overwrites = append(c.Overwrites, consistency.Overwrite{Path: ways[e]})
		}
	}
	return c
}

// shortest returns a shortest path from one operation to another by edges that are listed
// backwards, nil if there is none.
func shortest(before map[history.OpID][]history.OpID, from, to history.OpID) []history.OpID {
	after := map[history.OpID]history.OpID{to: start}
	queue := path(to)
	for k := 0; k < len(queue); k++ {
		if i := queue[k]; i == from {
			var all []history.OpID
			for ; i != start; i = after[i] {
				all = append(all, i)
			}
			return all
		}
		for _, i := range before[queue[k]] {
			if _, met := after[i]; !met {
				after[i] = queue[k]
				queue = append(queue, i)
			}
		}
	}
	return nil
}
