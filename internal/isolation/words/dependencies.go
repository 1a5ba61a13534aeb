package words

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
)

// dependencies adds to the graph what each read shows: from versions to the next ones only, which
// have the same paths as all.
func (s *surveyor) dependencies() {
	writers := make([][]int32, len(s.h.Objects)) // those that committed, each once
	for t := range int32(len(s.h.Txns)) {
		if s.h.Txns[t].Status != isolation.Committed {
			continue
		}
		for _, a := range s.h.Txns[t].Accesses {
			if w := writers[a.Object]; a.Kind != isolation.Read && (len(w) == 0 || w[len(w)-1] != t) {
				writers[a.Object] = append(w, t)
			}
		}
	}
	next := map[written][]read{} // by object and source: reads of those that overwrite it
	reads := map[written]bool{}  // the others overwrite what they have not read
	for k := range s.reads {
		if r := &s.reads[k]; r.source != nobody && !s.h.Objects[r.object].List {
			if _, writes := s.leaves(r.place.Txn, r.object); writes {
				next[written{r.object, r.source}] = append(next[written{r.object, r.source}], *r)
				reads[written{r.object, r.place.Txn}] = true
			}
		}
	}
	for x := range writers {
		if !s.h.Objects[x].List {
			writers[x] = slices.DeleteFunc(writers[x], func(t int32) bool { return reads[written{int32(x), t}] })
		}
	}
	unseen := make([][]int32, len(s.h.Objects))
	for x, m := range s.longest {
		if m >= 0 && s.h.Objects[x].List {
			unseen[x] = s.versions(int32(x), s.reads[m], writers[x])
		}
	}
	for k := range s.reads {
		switch r := &s.reads[k]; {
		case r.source == nobody:
		case s.h.Objects[r.object].List:
			s.ofListRead(r, unseen[r.object])
		default:
			s.ofRegisterRead(r, next[written{r.object, r.source}], writers[r.object])
		}
	}
}

// edge adds an edge to the graph; none from or to what is not there.
func (s *surveyor) edge(e isolation.Edge) {
	if e.From >= 0 && e.To >= 0 && e.From != e.To {
		s.out[e.From] = append(s.out[e.From], e)
	}
}

// anti adds that a reader comes before who overwrites what it read; and that it does so as another
// writer of the object, if it is one.
func (s *surveyor) anti(e isolation.Edge) {
	s.edge(e)
	for _, a := range s.h.Txns[e.From].Accesses {
		if a.Kind != isolation.Read && a.Object == e.Object {
			e.Kind, e.Value = isolation.WW, a.Value
			s.edge(e)
			return
		}
	}
}

// versions adds the order of appends that the longest read of a list shows, and returns those that
// committed and that it does not show.
func (s *surveyor) versions(x int32, m read, writers []int32) (unseen []int32) {
	shown := map[int32]bool{}
	ww := isolation.Edge{From: nobody, Kind: isolation.WW, Object: x, Place: m.place}
	for _, v := range m.part {
		ww.To, ww.Next = s.owner(m, v), v
		if !shown[ww.To] {
			s.edge(ww)
		}
		shown[ww.To] = true
		ww.From, ww.Value = ww.To, v
	}
	for _, ww.To = range writers {
		if ww.Next = s.appends(ww.To, x)[0]; !shown[ww.To] && !slices.Contains(m.part, ww.Next) {
			unseen = append(unseen, ww.To)
			s.edge(ww)
		}
	}
	return unseen
}

// ofListRead adds what a read of a list shows beside the order of appends.
func (s *surveyor) ofListRead(r *read, unseen []int32) {
	i := r.place.Txn
	s.edge(isolation.Edge{From: r.source, To: i, Kind: isolation.WR, Object: r.object, Place: r.place})
	rw := isolation.Edge{From: i, Kind: isolation.RW, Object: r.object, Place: r.place}
	m := s.reads[s.longest[r.object]]
	for _, v := range m.part[len(r.part):] {
		if rw.To, rw.Next = s.owner(m, v), v; rw.To != i && !slices.Contains(r.part, v) {
			s.anti(rw)
			return
		}
	}
	for _, rw.To = range unseen[:min(len(unseen), maxOverwrites)] {
		rw.Next = s.appends(rw.To, r.object)[0]
		s.anti(rw)
	}
}

// ofRegisterRead adds what a read of a register shows, given the reads of the same version by those
// that overwrite it, and who writes it without reading it.
func (s *surveyor) ofRegisterRead(r *read, next []read, blind []int32) {
	i := r.place.Txn
	s.edge(isolation.Edge{From: r.source, To: i, Kind: isolation.WR, Object: r.object, Place: r.place})
	rw := isolation.Edge{From: i, Kind: isolation.RW, Object: r.object, Place: r.place}
	for _, q := range next[:min(len(next), maxOverwrites)] {
		rw.To = q.place.Txn
		rw.Next, _ = s.leaves(rw.To, r.object)
		s.anti(rw)
	}
	if _, writes := s.leaves(i, r.object); writes && r.source >= 0 {
		ww := rw
		ww.From, ww.To, ww.Kind = r.source, i, isolation.WW
		ww.Value, _ = s.leaves(r.source, r.object)
		ww.Next, _ = s.leaves(i, r.object)
		s.edge(ww)
	}
	if r.source == isolation.Initial {
		for _, rw.To = range blind[:min(len(blind), maxOverwrites)] {
			rw.Next, _ = s.leaves(rw.To, r.object)
			s.anti(rw)
		}
	}
}

// givenEdges adds the order that is given: from one of a session to the next one, and of time
// through nodes after the transactions, for each of which some have returned and others are called
// later.
func (s *surveyor) givenEdges(given isolation.Order) {
	if given == isolation.NoOrder {
		return
	}
	var live, returned []int32
	last := map[int32]int32{}
	for t := range int32(len(s.h.Txns)) {
		x := &s.h.Txns[t]
		if x.Status != isolation.Committed {
			continue
		}
		if before, some := last[x.Session]; some {
			s.edge(isolation.Edge{From: before, To: t, Kind: isolation.Session})
		}
		last[x.Session] = t
		live = append(live, t)
	}
	if given < isolation.RealTime {
		return
	}
	returned = slices.Clone(live)
	slices.SortFunc(returned, func(a, b int32) int { return cmp.Compare(s.h.Txns[a].Return, s.h.Txns[b].Return) })
	now := int32(-1)
	before := func(rank history.Rank) bool { return len(returned) > 0 && s.h.Txns[returned[0]].Return < rank }
	for _, t := range live {
		call := s.h.Txns[t].Call
		if before(call) {
			node := int32(len(s.out))
			s.out = append(s.out, nil)
			s.edge(isolation.Edge{From: now, To: node, Kind: isolation.Time})
			for now = node; before(call); returned = returned[1:] {
				s.edge(isolation.Edge{From: returned[0], To: now, Kind: isolation.Time})
			}
		}
		s.edge(isolation.Edge{From: now, To: t, Kind: isolation.Time})
	}
}
