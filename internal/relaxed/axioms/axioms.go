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

// Model is a graph as relations. Events are numbered: first the Init of every location that an
// event touches, then the events, thread by thread. Blocked reads are left out.
type Model struct {
	events []*graph.Event
	number map[graph.Ref]int
	n      int

	sb, rf, mo, rmw, sw, hb, eco, psc relation
	closed                            relation // psc+
}

// Of derives the relations of a graph.
func Of(g *graph.Graph) *Model {
	m := &Model{number: map[graph.Ref]int{}}
	inits := map[int32]int{}
	add := func(e *graph.Event) int { m.events = append(m.events, e); return len(m.events) - 1 }
	for t := range g.Threads {
		for i := range g.Threads[t] {
			e := &g.Threads[t][i]
			if _, ok := inits[e.Loc]; !ok && (e.Kind == graph.Read || e.Kind == graph.Write) {
				inits[e.Loc] = add(&graph.Event{Kind: graph.Write, Loc: e.Loc})
			}
		}
	}
	first := len(m.events)
	for t := range g.Threads {
		for i := range g.Threads[t] {
			if e := &g.Threads[t][i]; !e.Blocked {
				m.number[graph.At(t, i)] = add(e)
			}
		}
	}
	m.n = len(m.events)
	m.sb, m.rf, m.mo, m.rmw = empty(m.n), empty(m.n), empty(m.n), empty(m.n)
	asw := empty(m.n) // start and join of threads
	for i := range first {
		for j := first; j < m.n; j++ {
			m.sb[i][j] = true
		}
	}
	for a, i := range m.number {
		e := g.Event(a)
		for b, j := range m.number {
			f := g.Event(b)
			if a.Thread() == b.Thread() && a.Index() < b.Index() {
				m.sb[i][j] = true
				m.rmw[i][j] = a.Index()+1 == b.Index() && e.RMW && f.RMW && e.Kind == graph.Read && f.Kind == graph.Write
			}
			if a.Thread() == 0 && b.Thread() != 0 && a.Index() < g.Starts[b.Thread()] {
				asw[i][j] = true
			}
			if f.Kind == graph.Join && a.Thread() == int(f.Arg) {
				asw[i][j] = true
			}
			if e.Kind == graph.Write && f.Kind == graph.Write && e.Loc == f.Loc {
				m.mo[i][j] = g.Position(e.Loc, a) < g.Position(f.Loc, b)
			}
			m.rf[i][j] = f.Kind == graph.Read && f.RF == a
		}
		if e.Kind == graph.Write {
			m.mo[inits[e.Loc]][i] = true
		}
		if e.Kind == graph.Read && e.RF == graph.Init {
			m.rf[inits[e.Loc]][i] = true
		}
	}
	m.derive(asw)
	return m
}

func (m *Model) set(in func(e *graph.Event) bool) relation {
	return identity(m.n, func(i int) bool { return in(m.events[i]) })
}

func (m *Model) derive(asw relation) {
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
	m.sw = union(asw, seq(rel, optional(seq(f, m.sb)), rs, m.rf, r, optional(seq(m.sb, f)), acq))
	m.hb = plus(union(m.sb, m.sw))
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
func (m *Model) Consistent() bool { return m.coherent() && m.atomic() && m.sequential() && m.causal() }

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
func (m *Model) causal() bool { return acyclic(union(m.sb, m.rf)) }

// Sequential reports whether the axiom of sequential consistency holds for a graph.
func Sequential(g *graph.Graph) bool { return Of(g).sequential() }

// HB reports whether a happens before b.
func (m *Model) HB(a, b graph.Ref) bool { return m.hb[m.number[a]][m.number[b]] }

// SW reports whether a synchronises with b.
func (m *Model) SW(a, b graph.Ref) bool { return m.sw[m.number[a]][m.number[b]] }

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
	return m.closed[m.number[a]][m.number[b]]
}
