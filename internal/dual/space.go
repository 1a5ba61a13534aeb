package dual

// What: the states of a specification that has few of them, as far as a partition can reach them,
// with what each operation does in each.
//
// Source: ours; reachability is transitive closure by bit rows (Warshall).
//
// Everything is found by applying every kind of operation in every state, from the initial one on.
// That may be more than the partition reaches, never less. A specification without bound (a queue,
// a log, a counter) exceeds the limits and has no space.
//
// Reach. Classes of pending operations are numbered by their first call, so those called by some
// layer are the ones below a number, active. reach[s, t] is one more than the least c such that
// classes 0, ..., c lead from s to t, if each may be used without limit.
//
// Invariants: the states are closed under all operations of the layout; reach is transitive:
// reach[s, u] ≤ max(reach[s, t], reach[t, u]).
//
// Cost: states × kinds steps; reach takes classes × states² / 64 and a visit of every pair.

import (
	"math/bits"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

const unreachable = layout.ClassID(1<<31 - 1)

// legality is a state in which some kind of operation is legal, and the code of what it leads to.
type legality struct {
	state model.State
	code  int32
}

// Step is one more operation of a class, from a state to another.
type Step struct {
	Class layout.ClassID
	State model.State // the other one
}

// stepGroup is all steps of a class that lead to one state.
type stepGroup struct {
	class layout.ClassID
	to    model.State
	all   bool          // they start from everywhere
	from  []model.State // other states than to
}

// Space is the states of a specification and the steps between them.
type Space struct {
	*layout.Layout
	*transition.Table
	States int32 // as a number: they are 0, ..., states-1, of which those with known[s] occur
	known  []bool
	// legal lists, for the kinds that completed operations have, where they are legal; nil for
	// those that lead to the same from everywhere.
	legal [][]legality
	Out   [][]Step // by state: the steps to other states
	// by state: the steps that lead there from others, those left out that do so from everywhere
	into   [][]Step
	groups []stepGroup      // all steps, by class and then by where they lead
	reach  []layout.ClassID // state × state
}

// NewSpace returns nil if there are too many states, or explicit edges, or if the search has to
// stop.
func NewSpace(l *layout.Layout, t *transition.Table, b *engine.Account) *Space {
	s := &Space{Layout: l, Table: t}
	if len(l.Instance.Partition.Edges) > 0 || !s.close(b) {
		return nil
	}
	s.listLegal()
	s.listSteps()
	if !b.Grow(int64(s.States) * int64(s.States) * 5) {
		return nil
	}
	if !s.findReach(b) {
		return nil
	}
	return s
}

// kinds returns one operation of every kind that occurs, read-only pending ones left out.
func (s *Space) kinds() []history.OpID {
	first := make([]int32, s.Kinds)
	var all []history.OpID
	for i := range s.Ops {
		if !s.Completed(history.OpID(i)) && s.Class[i] < 0 {
			continue
		}
		if k := s.Kind[i]; first[k] == 0 {
			first[k] = 1
			all = append(all, history.OpID(i))
		}
	}
	return all
}

// close finds all states; false if there are too many.
func (s *Space) close(b *engine.Account) bool {
	kinds := s.kinds()
	limit := min(maxStates, int32(s.Table.Rows), int32((maxOutcomes+maxOutcomesEach*len(s.Ops))/max(1, len(kinds))))
	start := s.Machine.Init()
	queue := []model.State{start}
	if int32(start) >= limit {
		return false
	}
	s.known = make([]bool, limit)
	s.known[start] = true
	for k := 0; k < len(queue); k++ {
		s.States = max(s.States, int32(queue[k])+1)
		for _, op := range kinds {
			code := s.Lookup(queue[k], op)
			for i := int32(0); ; i++ {
				t, ok := s.Next(code, i)
				if !ok {
					break
				}
				if int32(t) >= limit {
					return false
				}
				if !s.known[t] {
					s.known[t] = true
					queue = append(queue, t)
				}
			}
		}
		if !b.Toil(int64(len(kinds))) {
			return false
		}
	}
	return true
}

// listLegal fills in legal.
func (s *Space) listLegal() {
	s.legal = make([][]legality, s.Kinds)
	seen := make([]bool, s.Kinds)
	for _, v := range s.Returns {
		k := s.Kind[v]
		if seen[k] {
			continue
		}
		seen[k] = true
		var list []legality
		same, all := true, true
		for t := range s.States {
			if !s.known[t] {
				continue
			}
			code := s.Lookup(model.State(t), v)
			if code == transition.None {
				all = false
				continue
			}
			list = append(list, legality{model.State(t), code})
			same = same && code == list[0].code
		}
		if !same || !all {
			s.legal[k] = list
		}
	}
}

// listSteps fills in Out, into and groups.
func (s *Space) listSteps() {
	s.Out, s.into = make([][]Step, s.States), make([][]Step, s.States)
	places := make([]int32, s.States) // by state, its group plus one
	// by state, from how many states, itself included, the class leads there
	counts := make([]int32, s.States)
	states := int32(0)
	for _, known := range s.known {
		if known {
			states++
		}
	}
	for c := range s.Classes {
		q, first := s.Members.Of(c)[0], len(s.groups)
		clear(counts)
		for t := range s.States {
			if !s.known[t] {
				continue
			}
			code := s.Lookup(model.State(t), q)
			for i := int32(0); ; i++ {
				n, ok := s.Next(code, i)
				if !ok {
					break
				}
				counts[n]++
				if int32(n) == t {
					continue
				}
				if places[n] == 0 {
					s.groups = append(s.groups, stepGroup{class: c, to: n})
					places[n] = int32(len(s.groups))
				}
				g := &s.groups[places[n]-1]
				g.from = append(g.from, model.State(t))
				s.Out[t] = append(s.Out[t], Step{c, n})
			}
		}
		for k := first; k < len(s.groups); k++ {
			g := &s.groups[k]
			places[g.to] = 0
			if g.all = counts[g.to] == states; g.all {
				g.from = nil
			}
			for _, t := range g.from {
				s.into[g.to] = append(s.into[g.to], Step{c, t})
			}
		}
	}
}

// findReach adds class after class to the transitive closure.
func (s *Space) findReach(b *engine.Account) bool {
	n := int(s.States)
	words := (n + 63) / 64
	rows := make([]uint64, n*words) // by state, what it leads to
	s.reach = make([]layout.ClassID, n*n)
	for i := range s.reach {
		s.reach[i] = unreachable
	}
	for t := range n {
		s.reach[t*n+t] = 0
		rows[t*words+t>>6] |= 1 << (t & 63)
	}
	sources := make([]uint64, words)
	for first := 0; first < len(s.groups); {
		c, last, again := s.groups[first].class, first, true
		for last < len(s.groups) && s.groups[last].class == c {
			last++
		}
		for again {
			again = false
			for _, g := range s.groups[first:last] {
				g.mark(sources)
				more := rows[int(g.to)*words : (int(g.to)+1)*words]
				for u := range n {
					row := rows[u*words : (u+1)*words]
					if row[g.to>>6]>>(g.to&63)&1 == 1 || !meet(row, sources) {
						continue
					}
					again = true
					for w := range row {
						for new := more[w] &^ row[w]; new != 0; new &= new - 1 {
							s.reach[u*n+w<<6+bits.TrailingZeros64(new)] = c + 1
						}
						row[w] |= more[w]
					}
				}
				if !b.Toil(int64(n)) {
					return false
				}
			}
			again = again && last-first > 1
		}
		first = last
	}
	return true
}

// mark makes a set of the states that the steps of g start from.
func (g *stepGroup) mark(set []uint64) {
	for w := range set {
		set[w] = 0
		if g.all {
			set[w] = ^uint64(0)
		}
	}
	for _, t := range g.from {
		set[t>>6] |= 1 << (t & 63)
	}
}

// meet reports whether two sets have an element in common.
func meet(a, b []uint64) bool {
	for w := range a {
		if a[w]&b[w] != 0 {
			return true
		}
	}
	return false
}
