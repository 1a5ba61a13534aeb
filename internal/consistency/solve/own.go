package solve

import (
	"cmp"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
)

// ownOrder is the view of read your writes, in which the reads of a process have no order: its own
// writes are, and come before its later reads.
//
// A read may be from anyone but the start, where the process had written before, and of its own
// writes before it only the last one. That suffices: each read of an own write comes right after
// the last own write that it has to follow; a write of another process comes with its readers just
// before the next own write of the object after the last one that a reader of it has to follow.
func (s *sources) ownOrder(p int32) ([]history.OpID, *consistency.Conflict) {
	type place struct {
		op         history.OpID
		own, turn  int32        // after so many own writes, and where among those
		with, then history.OpID // readers stand behind their source
	}
	var all []place
	var own []history.OpID
	last := map[int32]int{}            // object → so many own writes up to the last one of it
	follows := map[history.OpID]int{}  // write of another → so many own writes come first
	after := map[int32][]int{}         // object → where its own writes are, from 1
	readers := map[history.OpID]bool{} // writes of others that are read
	for i := range history.OpID(len(s.Ops)) {
		x := &s.Ops[i]
		switch {
		case x.Process != p || !x.Reads && !(x.Writes && s.effect[i]):
		case x.Writes:
			own = append(own, i)
			last[x.Object] = len(own)
			after[x.Object] = append(after[x.Object], len(own))
			all = append(all, place{op: i, own: int32(len(own))})
		default:
			w, n := s.of[i], last[x.Object]
			switch {
			case w == start && n > 0:
				return nil, &consistency.Conflict{Process: p, Path: path(own[n-1], i)}
			case w != start && s.Ops[w].Process == p && w < i && n > 0 && own[n-1] != w:
				u := own[n-1]
				return nil, &consistency.Conflict{Process: p, Path: path(w, u, w),
					Overwrites: []consistency.Overwrite{{Path: path(u, i)}}}
			case w != start && s.Ops[w].Process != p:
				readers[w] = true
				follows[w] = max(follows[w], n)
			}
		}
	}
	mine := int32(0)
	position := map[history.OpID]int32{}
	for k, i := range own {
		position[i] = int32(k) + 1
	}
	for i := range history.OpID(len(s.Ops)) {
		x := &s.Ops[i]
		switch {
		case x.Writes && readers[i]:
			all = append(all, place{i, s.next(after[x.Object], follows[i], len(own)), 2, i, -1})
		case x.Process != p:
		case x.Writes && s.effect[i]:
			mine++
		case x.Reads && s.of[i] != start && readers[s.of[i]]:
			w := s.of[i]
			all = append(all, place{i, s.next(after[x.Object], follows[w], len(own)), 2, w, i})
		case x.Reads && s.of[i] != start:
			all = append(all, place{op: i, own: max(mine, position[s.of[i]]), turn: 1})
		case x.Reads:
			all = append(all, place{op: i, own: mine, turn: 1})
		}
	}
	compare := func(a, b place) int {
		return cmp.Or(cmp.Compare(a.own, b.own), cmp.Compare(a.turn, b.turn), cmp.Compare(a.with, b.with),
			cmp.Compare(a.then, b.then))
	}
	sort.Slice(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	order := make([]history.OpID, len(all))
	for k := range all {
		order[k] = all[k].op
	}
	return order, nil
}

// next returns how many own writes come before the first one of an object after the given number.
func (s *sources) next(after []int, n, all int) int32 {
	for _, k := range after {
		if k > n {
			return int32(k - 1)
		}
	}
	return int32(all)
}
