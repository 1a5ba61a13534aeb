package consistency

import (
	"math/bits"

	"github.com/linsat/linsat/internal/relaxed/axioms"
	"github.com/linsat/linsat/internal/relaxed/graph"
)

// Sequential decides whether psc has no cycle (Lahav and others, PLDI 2017, section 3.4). The
// events of psc are the accesses and the fences that are sequentially consistent. Between fences
//
//	psc = hb ∪ hb; eco; hb
//
// since what psc_base adds there is part of it. Between an access and a fence, the parts of scb
// that are part of hb need only be looked at from the neighbour of the access in its thread, or at
// the same location. Happens-before is in the clocks, and eco between two accesses of one location
// compares positions in mo; so one edge costs as much as there are accesses of the location.
type Sequential struct {
	nodes []graph.Ref
	joins []graph.Ref
	edges [64]uint64
	// accesses of the graph: by location with their position in mo
	at    [][]placed
	place [graph.MaxThreads][]int16
}

type placed struct {
	ref      graph.Ref
	position int16 // of the write, or of the one that is read
	write    bool
}

// anywhere is no location.
const anywhere = -1

// Check reports whether the axiom holds for a graph whose events satisfy the others.
func (s *Sequential) Check(g *graph.Graph) bool {
	s.nodes = s.nodes[:0]
	for t := range g.Threads {
		for i := range g.Threads[t] {
			if e := &g.Threads[t][i]; e.Order == graph.SeqCst {
				s.nodes = append(s.nodes, graph.At(t, i))
			}
		}
	}
	switch n := len(s.nodes); {
	case n < 2:
		return true
	case n > len(s.edges):
		return axioms.Sequential(g)
	}
	s.index(g)
	for i, a := range s.nodes {
		s.edges[i] = 0
		for j, b := range s.nodes {
			if i != j && s.edge(g, a, b) {
				s.edges[i] |= 1 << j
			}
		}
	}
	return s.acyclic()
}

// Buffers reports whether a graph whose events came in no order that respects rf satisfies the
// axioms but for the one against cycles. It is the definition, not incremental.
func Buffers(g *graph.Graph) bool { return axioms.Of(g).Buffers() }

// index lists the accesses of every location.
func (s *Sequential) index(g *graph.Graph) {
	for len(s.at) < len(g.MO) {
		s.at = append(s.at, nil)
	}
	for i := range s.at {
		s.at[i] = s.at[i][:0]
	}
	s.joins = s.joins[:0]
	for t := range g.Threads {
		s.place[t] = s.place[t][:0]
		for range g.Threads[t] {
			s.place[t] = append(s.place[t], 0)
		}
	}
	for loc := range g.MO {
		for p, w := range g.MO[loc] {
			if g.Event(w).Order == graph.NotAtomic {
				break // ordered by hb, or a race
			}
			s.place[w.Thread()][w.Index()] = int16(p + 1)
			s.at[loc] = append(s.at[loc], placed{w, int16(p + 1), true})
		}
	}
	for t := range g.Threads {
		for i := range g.Threads[t] {
			e := &g.Threads[t][i]
			if e.Kind == graph.Join {
				s.joins = append(s.joins, graph.At(t, i))
			}
			if e.Kind != graph.Read || e.Order == graph.NotAtomic {
				continue
			}
			if e.RF >= 0 {
				s.place[t][i] = s.place[e.RF.Thread()][e.RF.Index()]
			}
			for len(s.at) <= int(e.Loc) {
				s.at = append(s.at, nil)
			}
			s.at[e.Loc] = append(s.at[e.Loc], placed{graph.At(t, i), s.place[t][i], false})
		}
	}
}

func (s *Sequential) position(r graph.Ref) int16 { return s.place[r.Thread()][r.Index()] }

// edge reports whether a is before b in psc.
func (s *Sequential) edge(g *graph.Graph, a, b graph.Ref) bool {
	e, f := g.Event(a), g.Event(b)
	switch {
	case e.Kind == graph.Fence && f.Kind == graph.Fence:
		return f.HB.Has(a) || s.between(g, a, f)
	case e.Kind == graph.Fence:
		return s.fromFence(g, a, b, f)
	case f.Kind == graph.Fence:
		return s.toFence(g, a, b, e, f)
	}
	if a.Thread() == b.Thread() {
		return a.Index() < b.Index()
	}
	if e.Loc == f.Loc {
		if f.HB.Has(a) || f.Kind == graph.Write && s.position(a) < s.position(b) {
			return true // hb|loc, mo, fr
		}
	}
	return s.around(g, a, b, e, f)
}

// around: sb≠loc; hb; sb≠loc. The first event after a and the last one before b are the best.
func (s *Sequential) around(g *graph.Graph, a, b graph.Ref, e, f *graph.Event) bool {
	t := b.Thread()
	to := g.Threads[t]
	j := b.Index() - 1
	for j >= 0 && (to[j].Kind == graph.Choice || to[j].Kind <= graph.Write && to[j].Loc == f.Loc) {
		j--
	}
	if j >= 0 && s.left(g, a, e.Loc, &to[j].HB) {
		return true
	}
	if t > 0 { // the start of the thread of b
		if hb, _ := g.Start(t); g.Follows(t, a) || s.left(g, a, e.Loc, &hb) {
			return true
		}
	}
	for u := 1; u < graph.MaxThreads; u++ { // the last thread that this one made before b
		at := &g.Births[u]
		if at.Made && at.Parent == t && at.After > j+1 && at.After <= b.Index() &&
			s.left(g, a, e.Loc, &to[at.After-1].HB) {
			return true
		}
	}
	return false
}

// left reports whether an event after a in its thread, which is no access of the location, is in
// the clock. The end of the thread and the start of another one are such events.
func (s *Sequential) left(g *graph.Graph, a graph.Ref, loc int32, in *graph.Clock) bool {
	t := a.Thread()
	of := g.Threads[t]
	i := a.Index() + 1
	for i < len(of) && (of[i].Kind == graph.Choice || of[i].Kind <= graph.Write && of[i].Loc == loc) {
		i++
	}
	if i < len(of) && in.Has(graph.At(t, i)) {
		return true
	}
	for u := 1; u < graph.MaxThreads; u++ {
		if in[u] > 0 && g.Follows(u, a) {
			return true
		}
	}
	for _, j := range s.joins {
		if of := int(g.Event(j).Arg); in.Has(j) && (of == t || g.Follows(of, a)) {
			return true
		}
	}
	return false
}

// between: hb; eco; hb between fences.
func (s *Sequential) between(g *graph.Graph, a graph.Ref, f *graph.Event) bool {
	for loc := range s.at {
		// The first access after a, in eco, and the last one before f. A write is before the reads
		// of it.
		first, firstWrites, last, lastWrites := int16(-1), false, int16(-1), false
		for i := range s.at[loc] {
			x := &s.at[loc][i]
			if g.Event(x.ref).HB.Has(a) && (first < 0 || x.position < first || x.position == first && x.write) {
				first, firstWrites = x.position, x.write
			}
			if f.HB.Has(x.ref) && (x.position > last || x.position == last && !x.write) {
				last, lastWrites = x.position, x.write
			}
		}
		if first >= 0 && last >= 0 && (first < last || first == last && firstWrites && !lastWrites) {
			return true
		}
	}
	return false
}

// fromFence: hb?; scb into an access.
func (s *Sequential) fromFence(g *graph.Graph, a, b graph.Ref, f *graph.Event) bool {
	if i := b.Index(); i > 0 && g.Threads[b.Thread()][i-1].HB.Has(a) {
		return true // sb
	}
	if hb, _ := g.Start(b.Thread()); hb.Has(a) {
		return true // sb from the start of the thread
	}
	p := s.position(b)
	for i := range s.at[f.Loc] {
		x := &s.at[f.Loc][i]
		if x.ref != b && g.Event(x.ref).HB.Has(a) && (f.HB.Has(x.ref) || f.Kind == graph.Write && x.position < p) {
			return true // hb|loc, mo, fr
		}
	}
	return false
}

// toFence: scb; hb? from an access.
func (s *Sequential) toFence(g *graph.Graph, a, b graph.Ref, e, f *graph.Event) bool {
	if s.left(g, a, anywhere, &f.HB) {
		return true // sb
	}
	p := s.position(a)
	for i := range s.at[e.Loc] {
		x := &s.at[e.Loc][i]
		if x.ref != a && f.HB.Has(x.ref) && (g.Event(x.ref).HB.Has(a) || x.write && p < x.position) {
			return true // hb|loc, mo, fr
		}
	}
	return false
}

// acyclic takes away events without successors until none is left.
func (s *Sequential) acyclic() bool {
	left := uint64(1)<<len(s.nodes) - 1
	for left != 0 {
		before := left
		for rest := left; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			if s.edges[i]&left == 0 {
				left &^= 1 << i
			}
		}
		if left == before {
			return false
		}
	}
	return true
}
