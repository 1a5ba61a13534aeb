package words

// All that a history shows to be wrong, by kind.
//
// What: each read that cannot be, and cycles of dependencies. Of each kind of cycles, and of each
// order that is given, cycles are looked for that have no transaction in common, shortest first
// within a component; so their number is a lower bound, and 0 only if there is none among the
// dependencies that are known.
//
// Source: Elle (Kingsbury, Alvaro, VLDB 2020) searches each kind of cycles in each component.
//
// Cost: linear in the history, and a search from some edges of each component.

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/internal/isolation"
)

// Tally is how often a history has an anomaly, at least, and one of them.
type Tally struct {
	Count    int
	Shortest *Anomaly
}

// Survey is all anomalies of a history.
type Survey struct{ found []*Anomaly }

// NewSurvey looks for all anomalies of a history, with given orders up to one, until ctx is done.
func NewSurvey(ctx context.Context, h *isolation.History, given isolation.Order) *Survey {
	s := &surveyor{graph: &graph{h: h, by: map[written][]int32{}}, out: make([][]isolation.Edge, len(h.Txns)),
		work: surveyWork}
	all := make([]int32, len(h.Txns))
	for t := range all {
		all[t] = int32(t)
	}
	s.collect(all)
	s.impossibleReads()
	s.dependencies()
	s.givenEdges(given)
	s.cycles(ctx, given)
	return &Survey{s.found}
}

// At returns what a level forbids, by what Elle calls it; with an anomaly that is known beside, if
// it is not nil.
func (s *Survey) At(l isolation.Level, known *Anomaly) (all []Tally) {
	place := map[string]int{}
	for _, a := range s.found {
		if !slices.ContainsFunc(a.Forbids, l.Implies) {
			continue
		}
		k, met := place[a.Type]
		if !met {
			k = len(all)
			place[a.Type] = k
			all = append(all, Tally{Shortest: a})
		}
		all[k].Count++
		all[k].Shortest = a.orSooner(all[k].Shortest)
	}
	if known != nil {
		if k, met := place[known.Type]; met {
			all[k].Shortest = known.orSooner(all[k].Shortest)
		} else {
			all = append(all, Tally{1, known})
		}
	}
	compare := func(a, b Tally) int { return cmp.Compare(a.Shortest.Type, b.Shortest.Type) }
	sort.Slice(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	return all
}

// surveyor looks for anomalies.
type surveyor struct {
	*graph
	reads   []read
	longest []int32 // by object: the longest read of a list, or -1
	out     [][]isolation.Edge
	found   []*Anomaly
	work    int // edges that may still be followed
}

// impossibleReads finds the reads, and those that cannot be: their sources become nobody.
func (s *surveyor) impossibleReads() {
	s.longest = make([]int32, len(s.h.Objects))
	for x := range s.longest {
		s.longest[x] = -1
	}
	for t := range int32(len(s.h.Txns)) {
		for _, p := range s.contradictions(t) {
			s.impossible(isolation.Clause{Rule: isolation.RuleInternal, Places: []isolation.Place{p}})
		}
		for _, r := range s.graph.reads(t) {
			if m := s.longest[r.object]; m < 0 || len(r.part) > len(s.reads[m].part) {
				s.longest[r.object] = int32(len(s.reads))
			}
			s.reads = append(s.reads, r)
		}
	}
	garbage := make([]int, len(s.h.Objects)) // how much of the longest read others appended
	for x, m := range s.longest {
		if m >= 0 && s.h.Objects[x].List {
			r := s.reads[m]
			garbage[x] = slices.IndexFunc(r.part, func(v int32) bool { return len(s.others(r, v)) == 0 })
		}
	}
	for k := range s.reads {
		r, m := &s.reads[k], &s.reads[s.longest[s.reads[k].object]]
		clause := isolation.Clause{Rule: isolation.RuleSource, Places: []isolation.Place{r.place}}
		switch list, n := s.h.Objects[r.object].List, len(r.part); {
		case list && !slices.Equal(r.part, m.part[:n]):
			clause = isolation.Clause{Rule: isolation.RuleIncompatible, Places: []isolation.Place{r.place, m.place}}
		case list && garbage[r.object] >= 0 && n > garbage[r.object]:
		case list && r.source >= 0 && !s.endsWith(r.source, r.object, r.part[n-1]):
		case !list && r.source == nobody && s.garbage(r):
		default:
			continue
		}
		s.impossible(clause)
		r.source = nobody
	}
}

// endsWith reports whether a value is the last that a transaction appends to a list.
func (s *surveyor) endsWith(t, x, v int32) bool {
	all := s.appends(t, x)
	return all[len(all)-1] == v
}

// garbage reports whether nobody wrote what a read of a register shows.
func (s *surveyor) garbage(r *read) bool {
	v := s.h.Txns[r.place.Txn].Accesses[r.place.Access].Value
	return v != s.h.Objects[r.object].Initial && len(s.others(*r, v)) == 0
}

// contradictions lists the reads of a transaction that contradict what it wrote itself.
func (s *surveyor) contradictions(t int32) (all []isolation.Place) {
	if s.h.Txns[t].Status != isolation.Committed {
		return nil
	}
	own := map[int32][]int32{}
	for k, a := range s.h.Txns[t].Accesses {
		mine := own[a.Object]
		switch cut := len(a.List) - len(mine); {
		case a.Kind != isolation.Read:
			own[a.Object] = append(mine, a.Value)
			continue
		case s.h.Objects[a.Object].List && cut >= 0 && slices.Equal(a.List[cut:], mine):
			continue
		case !s.h.Objects[a.Object].List && (len(mine) == 0 || mine[len(mine)-1] == a.Value):
			continue
		}
		all = append(all, isolation.Place{Txn: t, Access: int32(k)})
	}
	return all
}

// impossible notes what one read shows that cannot be, or two.
func (s *surveyor) impossible(c isolation.Clause) {
	if a := s.graph.impossible(c); a != nil && a.Type != "" {
		s.found = append(s.found, a)
	}
}
