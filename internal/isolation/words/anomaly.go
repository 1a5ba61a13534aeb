package words

import (
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/isolation"
)

// Anomaly is why a history is not at a level.
type Anomaly struct {
	// Name is what Adya and others call it, Known another name that people know, or "".
	Name, Known string
	// Type is what Elle calls it.
	Type string
	// Cycle is a cycle of dependencies; without edges, Places shows something that cannot be.
	Cycle  isolation.Cycle
	Places []isolation.Place
	// Writer is who wrote what the place shows where that is aborted, or not all of it, or its own.
	Writer int32
	// Forbids are the weakest levels at which it cannot be.
	Forbids []isolation.Level
	// argued is a refutation that is said as an argument.
	argued *isolation.Certificate
}

// Find returns the anomaly that a refutation is about, or nil: where the order of writes is not
// known, choices may be needed, and no cycle holds whatever they are.
func Find(h *isolation.History, c *isolation.Certificate) *Anomaly {
	l, err := isolation.ParseLevel(c.Level)
	r := c.Refutation
	if err != nil || r == nil || len(r.Clauses) == 0 {
		return nil
	}
	if len(r.Clauses) == 1 && len(r.Lemmas) == 0 {
		g := &graph{h: h, by: map[written][]int32{}}
		var readers []int32
		for _, p := range r.Clauses[0].Places {
			readers = append(readers, p.Txn)
		}
		g.collect(readers)
		if a := g.impossible(r.Clauses[0]); a != nil {
			return a
		}
	}
	if len(Named(r)) > maxNamed {
		return nil
	}
	cycle := newGraph(h, l, r).cycle()
	if cycle == nil {
		if argue(speaker{h, ByNumber}, c) == nil {
			return nil
		}
		return &Anomaly{Name: "no order of writes", Type: "no-order-of-writes", argued: c,
			Forbids: []isolation.Level{l}}
	}
	a := &Anomaly{Cycle: *cycle, Forbids: forbids(cycle)}
	a.name()
	return a
}

// name names a cycle.
func (a *Anomaly) name() {
	var kinds [isolation.Time + 1]int
	adjacent := false
	n := len(a.Cycle.Edges)
	for k, e := range a.Cycle.Edges {
		kinds[e.Kind]++
		adjacent = adjacent || e.Kind == isolation.RW && a.Cycle.Edges[(k+1)%n].Kind == isolation.RW
	}
	rw := kinds[isolation.RW]
	switch {
	case rw == 0 && kinds[isolation.WR] == 0:
		a.Name, a.Known = "G0", "dirty write"
	case rw == 0:
		a.Name, a.Known = "G1c", "circular information flow"
	case rw == 1:
		a.Name, a.Known = "G-single", "read skew"
	case !adjacent:
		a.Name = "G-nonadjacent"
		if kinds[isolation.WW] == 0 && n == 4 && rw == 2 {
			a.Known = "long fork"
		}
	default:
		a.Name = "G2-item"
		if n == 2 {
			a.Known = "write skew"
		}
	}
	a.Type = a.Name
	if rw == 1 || rw > 1 && !adjacent {
		a.Type += "-item"
	}
	if a.lostUpdate() {
		a.Known, a.Type = "lost update", "lost-update"
	}
	suffix := ""
	switch {
	case kinds[isolation.Time] > 0:
		suffix = "-realtime"
	case kinds[isolation.Session] > 0:
		suffix = "-process"
	}
	if suffix != "" && rw == 1 && a.Known == "read skew" {
		a.Known = "stale read"
	}
	a.Name, a.Type = a.Name+suffix, a.Type+suffix
}

// Class is the type without the order that it needs.
func (a *Anomaly) Class() string {
	return strings.TrimSuffix(strings.TrimSuffix(a.Type, "-process"), "-realtime")
}

// lostUpdate reports whether two transactions both overwrote the version that one of them read, or
// each what the other one read.
func (a *Anomaly) lostUpdate() bool {
	e := a.Cycle.Edges
	if len(e) != 2 || e[0].Object != e[1].Object {
		return false
	}
	return e[0].Kind == isolation.RW && (e[1].Kind == isolation.RW || e[1].Kind == isolation.WW)
}

// impossible names what one read cannot show, or two.
func (g *graph) impossible(c isolation.Clause) *Anomaly {
	a := &Anomaly{Places: c.Places, Writer: nobody,
		Forbids: []isolation.Level{{Model: isolation.ReadCommitted, Given: isolation.NoOrder}}}
	switch c.Rule {
	case isolation.RuleInternal:
		a.Name, a.Type = "internal inconsistency", "internal"
	case isolation.RuleTwice:
		a.Name, a.Type = "duplicate elements", "duplicate-elements"
	case isolation.RuleIncompatible:
		a.Name, a.Type = "incompatible orders", "incompatible-order"
	case isolation.RuleSource:
		a.unexplained(g, c.Places[0])
	default:
		return nil
	}
	return a
}

// unexplained names a read that can be from nobody.
func (a *Anomaly) unexplained(g *graph, p isolation.Place) {
	h := g.h
	all := g.reads(p.Txn)
	r := all[slices.IndexFunc(all, func(r read) bool { return r.place == p })]
	values := r.part
	if !h.Objects[r.object].List {
		values = []int32{h.Txns[p.Txn].Accesses[p.Access].Value}
	}
	for _, v := range values {
		if len(g.others(r, v)) > 0 {
			continue
		}
		a.Name, a.Type = "garbage read", "garbage-read"
		for _, t := range append([]int32{p.Txn}, g.lostBy(written{r.object, v})...) {
			for k, w := range h.Txns[t].Accesses {
				switch {
				case w.Kind == isolation.Read || w.Object != r.object || w.Value != v:
				case t == p.Txn && k > int(p.Access) && a.Writer == nobody:
					a.Name, a.Type, a.Writer = "future read", "future-read", t
				case t != p.Txn && h.Txns[t].Status == isolation.Aborted:
					a.Name, a.Known, a.Type, a.Writer = "G1a", "aborted read", "G1a", t
				case t != p.Txn:
					a.Name, a.Known, a.Type, a.Writer = "G1b", "intermediate read", "G1b", t
					return
				}
			}
		}
		return
	}
	seen := map[int32]bool{}
	for len(values) > 0 {
		t := g.owner(r, values[0])
		if t < 0 {
			return // several appended that
		}
		own := g.appends(t, r.object)
		if seen[t] {
			a.Name, a.Type = "duplicate elements", "duplicate-elements"
			return
		}
		if len(own) > len(values) || !slices.Equal(own, values[:len(own)]) {
			a.Name, a.Known, a.Type, a.Writer = "G1b", "intermediate read", "G1b", t
			return
		}
		seen[t] = true
		values = values[len(own):]
	}
}

// appends lists what a transaction appends to a list.
func (g *graph) appends(t, x int32) (all []int32) {
	for _, a := range g.h.Txns[t].Accesses {
		if a.Kind == isolation.Append && a.Object == x {
			all = append(all, a.Value)
		}
	}
	return all
}
