package search

import "github.com/linsat/linsat/internal/model"

// setWords returns the length of a set of states.
func (s *space) setWords() int { return (int(s.states) + 63) / 64 }

// targets adds to set the states that pending operations of the first active classes should bring
// about from state own, where the operations listed are open. list is scratch; it returns it.
func (s *space) targets(own model.State, open []int32, active int32, set []uint64, list []model.State) []model.State {
	row := s.reach[int(own)*int(s.states):]
	add := func(t model.State) {
		if t != own && row[t] <= active && set[t>>6]>>(t&63)&1 == 0 {
			set[t>>6] |= 1 << (t & 63)
			list = append(list, t)
		}
	}
	for _, v := range open {
		from := s.lookup(own, v)
		for _, l := range s.legal[s.sig[v]] {
			if adds(s.transitions, own, from, l.state, l.code) {
				add(l.state)
			}
		}
	}
	for k := 0; k < len(list); k++ {
		b := list[k]
		for _, e := range s.into[b] {
			if e.class < active && !s.leads(s.lookup(own, s.members.of(e.class)[0]), b) {
				add(e.state)
			}
		}
	}
	return list
}
