package dual

// What: the states that pending operations should bring about at a node of the search (targets).
//
// Source: ours; package wgl (wgl/closure.go) has the argument.
//
// A state is a target if an open operation acts otherwise there than in the node's own state, or if
// a class leads from it to a target that the class does not lead to from the node's own state.
//
// Cost: the states in which an open operation is legal, and the pending steps into targets.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// SetWords returns the length of a set of states.
func (s *Space) SetWords() int { return (int(s.States) + 63) / 64 }

// Targets adds to set the states that pending operations of the first active classes should bring
// about from state own while the listed operations are open. list is scratch, and returned.
func (s *Space) Targets(own model.State, open []history.OpID, active layout.ClassID, set []uint64,
	list []model.State) []model.State {
	row := s.reach[int(own)*int(s.States):]
	add := func(t model.State) {
		if t != own && row[t] <= active && set[t>>6]>>(t&63)&1 == 0 {
			set[t>>6] |= 1 << (t & 63)
			list = append(list, t)
		}
	}
	for _, v := range open {
		from := s.Lookup(own, v)
		for _, l := range s.legal[s.Kind[v]] {
			if adds(s.Table, own, from, l.state, l.code) {
				add(l.state)
			}
		}
	}
	for k := 0; k < len(list); k++ {
		b := list[k]
		for _, e := range s.into[b] {
			if e.Class < active && !s.Leads(s.Lookup(own, s.Members.Of(e.Class)[0]), b) {
				add(e.State)
			}
		}
	}
	return list
}
