// Package axioms is the memory model RC11 as printed (Lahav, Vafeiadis, Kang, Hur and Dreyer,
// "Repairing sequential consistency in C/C++11", PLDI 2017, section 3): every relation is a matrix
// of booleans, every axiom one line over them. It is the definition with which the searches are
// compared. One change: release sequences are those of C++20, a write and the atomic updates that
// follow it, without later writes of the same thread.
package axioms

import "github.com/linsat/linsat/internal/relaxed/graph"

// relation is a set of pairs of events.
type relation [][]bool

func empty(n int) relation {
	r := make(relation, n)
	for i := range r {
		r[i] = make([]bool, n)
	}
	return r
}

func identity(n int, in func(int) bool) relation {
	r := empty(n)
	for i := range r {
		r[i][i] = in(i)
	}
	return r
}

func union(rs ...relation) relation {
	out := empty(len(rs[0]))
	for _, r := range rs {
		for i := range r {
			for j := range r[i] {
				out[i][j] = out[i][j] || r[i][j]
			}
		}
	}
	return out
}

// seq composes relations.
func seq(rs ...relation) relation {
	out := rs[0]
	for _, r := range rs[1:] {
		next := empty(len(out))
		for i := range out {
			for j := range out {
				if !out[i][j] {
					continue
				}
				for k := range r[j] {
					next[i][k] = next[i][k] || r[j][k]
				}
			}
		}
		out = next
	}
	return out
}

func inverse(r relation) relation {
	out := empty(len(r))
	for i := range r {
		for j := range r[i] {
			out[j][i] = r[i][j]
		}
	}
	return out
}

// plus is the transitive closure.
func plus(r relation) relation {
	out := union(r)
	for k := range out {
		for i := range out {
			if !out[i][k] {
				continue
			}
			for j := range out {
				out[i][j] = out[i][j] || out[k][j]
			}
		}
	}
	return out
}

func optional(r relation) relation {
	return union(r, identity(len(r), func(int) bool { return true }))
}

func star(r relation) relation { return optional(plus(r)) }

func irreflexive(r relation) bool {
	for i := range r {
		if r[i][i] {
			return false
		}
	}
	return true
}

func acyclic(r relation) bool { return irreflexive(plus(r)) }

func filter(r relation, keep func(i, j int) bool) relation {
	out := empty(len(r))
	for i := range r {
		for j := range r[i] {
			out[i][j] = r[i][j] && keep(i, j)
		}
	}
	return out
}

// Model is a graph as relations. Its events are the Init of every location that an event touches,
// those of the graph without choices and blocked reads, and the start and the end of every thread:
// the latter and the joins are events without location.
type Model struct {
	events []*graph.Event
	number map[graph.Ref]int
	n      int

	sb, rf, mo, rmw, asw, sw, hb, eco, psc relation
	closed                                 relation // psc+
}

// Of derives the relations of a graph.
func Of(g *graph.Graph) *Model {
	m := &Model{number: map[graph.Ref]int{}}
	add := func(e *graph.Event) int { m.events = append(m.events, e); return len(m.events) - 1 }

	inits := map[int32]int{}
	var create, begin, end [graph.MaxThreads]int
	var line [graph.MaxThreads][]int // events in program order
	for t := range g.Threads {
		for i := range g.Threads[t] {
			e := &g.Threads[t][i]
			if _, ok := inits[e.Loc]; !ok && (e.Kind == graph.Read || e.Kind == graph.Write) {
				inits[e.Loc] = add(&graph.Event{Kind: graph.Write, Loc: e.Loc})
			}
		}
	}
	first := len(m.events)
	bare := &graph.Event{Kind: graph.Join}
	creates := func(parent, after int) {
		for t := 1; t < graph.MaxThreads; t++ {
			if b := g.Births[t]; b.Made && b.Parent == parent && b.After == after {
				create[t] = add(bare)
				line[parent] = append(line[parent], create[t])
			}
		}
	}
	for t := range g.Threads {
		if t > 0 && !g.Births[t].Made {
			continue
		}
		if t > 0 {
			begin[t] = add(bare)
			line[t] = append(line[t], begin[t])
		}
		for i := range g.Threads[t] {
			creates(t, i)
			if e := &g.Threads[t][i]; !e.Blocked && e.Kind != graph.Choice {
				m.number[graph.At(t, i)] = add(e)
				line[t] = append(line[t], m.number[graph.At(t, i)])
			}
		}
		creates(t, len(g.Threads[t]))
		if t > 0 {
			end[t] = add(bare)
			line[t] = append(line[t], end[t])
		}
	}

	m.n = len(m.events)
	m.sb, m.rf, m.mo, m.rmw, m.asw = empty(m.n), empty(m.n), empty(m.n), empty(m.n), empty(m.n)
	for i := range first {
		for j := first; j < m.n; j++ {
			m.sb[i][j] = true
		}
	}
	for t := range line {
		for a := range line[t] {
			for _, b := range line[t][a+1:] {
				m.sb[line[t][a]][b] = true
			}
		}
		if create[t] > 0 {
			m.asw[create[t]][begin[t]] = true
		}
	}
	for a, i := range m.number {
		e := g.Event(a)
		switch e.Kind {
		case graph.Join:
			m.asw[end[e.Arg]][i] = true
		case graph.Read:
			if e.RF == graph.Init {
				m.rf[inits[e.Loc]][i] = true
			} else {
				m.rf[m.number[e.RF]][i] = true
			}
			if w, ok := m.number[a+1]; ok && e.RMW && g.Event(a+1).RMW {
				m.rmw[i][w] = true
			}
		case graph.Write:
			m.mo[inits[e.Loc]][i] = true
			for _, b := range g.MO[e.Loc][g.Position(e.Loc, a):] {
				m.mo[i][m.number[b]] = true
			}
		}
	}
	m.derive()
	return m
}

func (m *Model) set(in func(e *graph.Event) bool) relation {
	return identity(m.n, func(i int) bool { return in(m.events[i]) })
}

func (m *Model) derive() {
	access := func(e *graph.Event) bool { return e.Kind == graph.Read || e.Kind == graph.Write }
	sameLoc := func(i, j int) bool {
		a, b := m.events[i], m.events[j]
		return access(a) && access(b) && a.Loc == b.Loc
	}
	otherLoc := func(i, j int) bool { return !sameLoc(i, j) }

	w := m.set(func(e *graph.Event) bool { return e.Kind == graph.Write && e.Order != graph.NotAtomic })
	r := m.set(func(e *graph.Event) bool { return e.Kind == graph.Read && e.Order != graph.NotAtomic })
	f := m.set(func(e *graph.Event) bool { return e.Kind == graph.Fence })
	rel := m.set(func(e *graph.Event) bool { return e.Kind != graph.Read && e.Order.Releases() })
	acq := m.set(func(e *graph.Event) bool { return e.Kind != graph.Write && e.Order.Acquires() })
	sc := m.set(func(e *graph.Event) bool { return e.Order == graph.SeqCst && e.Kind != graph.Fence })
	fsc := m.set(func(e *graph.Event) bool { return e.Order == graph.SeqCst && e.Kind == graph.Fence })

	// rs ≜ [W]; (rf; rmw)*,  sw ≜ [E⊒rel]; ([F]; sb)?; rs; rf; [R⊒rlx]; (sb; [F])?; [E⊒acq]
	rs := seq(w, star(seq(m.rf, m.rmw)))
	m.sw = seq(rel, optional(seq(f, m.sb)), rs, m.rf, r, optional(seq(m.sb, f)), acq)
	m.hb = plus(union(m.sb, m.asw, m.sw))
	fr := filter(seq(inverse(m.rf), m.mo), func(i, j int) bool { return i != j })
	m.eco = plus(union(m.rf, m.mo, fr))

	// scb ≜ sb ∪ sb≠loc; hb; sb≠loc ∪ hb|loc ∪ mo ∪ fr
	sbOther := filter(m.sb, otherLoc)
	scb := union(m.sb, seq(sbOther, m.hb, sbOther), filter(m.hb, sameLoc), m.mo, fr)
	hbq := optional(m.hb)
	base := seq(union(sc, seq(fsc, hbq)), scb, union(sc, seq(hbq, fsc)))
	fences := seq(fsc, union(m.hb, seq(m.hb, m.eco, m.hb)), fsc)
	m.psc = union(base, fences)
}

// Consistent reports whether the graph satisfies the axioms.
func (m *Model) Consistent() bool { return m.Buffers() && m.causal() }

// Buffers reports whether it satisfies them but for the one that sb ∪ rf has no cycle.
func (m *Model) Buffers() bool { return m.coherent() && m.atomic() && m.sequential() }

// coherent: hb; eco? is irreflexive.
func (m *Model) coherent() bool { return irreflexive(seq(m.hb, optional(m.eco))) }

// atomic: no write comes between the two events of an update.
func (m *Model) atomic() bool {
	fr := filter(seq(inverse(m.rf), m.mo), func(i, j int) bool { return i != j })
	between := seq(fr, m.mo)
	for i := range between {
		for j := range between {
			if between[i][j] && m.rmw[i][j] {
				return false
			}
		}
	}
	return true
}

// sequential: psc is acyclic.
func (m *Model) sequential() bool { return acyclic(m.psc) }

// causal: sb ∪ rf is acyclic.
func (m *Model) causal() bool { return acyclic(union(m.sb, m.asw, m.rf)) }

// Sequential reports whether the axiom of sequential consistency holds for a graph.
func Sequential(g *graph.Graph) bool { return Of(g).sequential() }

// has reports whether a relation has a pair of events of the graph.
func (m *Model) has(r relation, a, b graph.Ref) bool {
	i, known := m.number[a]
	j, too := m.number[b]
	return known && too && r[i][j]
}

// HB reports whether a happens before b.
func (m *Model) HB(a, b graph.Ref) bool { return m.has(m.hb, a, b) }

// SW reports whether a synchronises with b; the start and the join of a thread are not in it.
func (m *Model) SW(a, b graph.Ref) bool { return m.has(m.sw, a, b) }

// Race returns two accesses of one location, one of which writes and one of which is not atomic,
// and neither of which happens before the other.
func (m *Model) Race() (a, b graph.Ref, found bool) {
	for a, i := range m.number {
		for b, j := range m.number {
			e, f := m.events[i], m.events[j]
			access := (e.Kind == graph.Read || e.Kind == graph.Write) && (f.Kind == graph.Read || f.Kind == graph.Write)
			if access && i != j && e.Loc == f.Loc && (e.Kind == graph.Write || f.Kind == graph.Write) &&
				(e.Order == graph.NotAtomic || f.Order == graph.NotAtomic) && !m.hb[i][j] && !m.hb[j][i] {
				return a, b, true
			}
		}
	}
	return 0, 0, false
}

// SC reports whether the partial order psc puts a before b.
func (m *Model) SC(a, b graph.Ref) bool {
	if m.closed == nil {
		m.closed = plus(m.psc)
	}
	return m.has(m.closed, a, b)
}
