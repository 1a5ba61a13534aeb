package words

import (
	"cmp"
	"context"
	"slices"

	"github.com/linsat/linsat/internal/isolation"
)

// class is cycles of one name.
type class struct {
	rw    int // how many edges of the kind RW: none, one, or two for more
	wr    bool
	next  bool // two edges of the kind RW follow one another
	given isolation.Order
}

// classes are G0, G1c, G-single, G-nonadjacent and G2-item.
var classes = []class{{}, {wr: true}, {rw: 1}, {rw: 2}, {rw: 2, next: true}}

// trail is what is known of a path from the beginning of a cycle.
type trail struct {
	at      int32
	last    isolation.EdgeKind
	rw      int8
	wr      bool
	next    bool
	ordered bool // the strongest given order of the class is used
}

// cycles notes cycles of each class and given order.
func (s *surveyor) cycles(ctx context.Context, given isolation.Order) {
	of := isolation.Components(len(s.out), func(t, k int32) int32 {
		if int(k) == len(s.out[t]) {
			return -1
		}
		return s.out[t][k].To
	})
	size := make([]int32, len(of))
	for _, c := range of {
		size[c]++
	}
	members := map[int32][]int32{}
	for t := range int32(len(s.h.Txns)) {
		if size[of[t]] > 1 {
			members[of[t]] = append(members[of[t]], t)
		}
	}
	var components []int32
	for c := range members {
		components = append(components, c)
	}
	slices.Sort(components)
	for _, c := range components {
		for k := range classes {
			for order := isolation.NoOrder; order <= given; order++ {
				kind := classes[k]
				kind.given = order
				s.cyclesOf(ctx, kind, members[c], of)
			}
		}
	}
}

// cyclesOf notes cycles of a class within a component that have no transaction in common, short
// ones first.
func (s *surveyor) cyclesOf(ctx context.Context, c class, members, of []int32) {
	used := map[int32]bool{}
	for _, most := range surveyLengths {
		tries := 0
		for _, t := range members {
			var best *Anomaly
			for _, e := range s.out[t] {
				open := of[e.To] == of[t] && !used[t] && !used[e.To] && c.begins(e)
				if open && tries < surveyTries && s.work > 0 && ctx.Err() == nil {
					best = s.around(c, e, of, used, most).orSooner(best)
					tries++
				}
			}
			if best == nil {
				continue
			}
			for _, e := range best.Cycle.Edges {
				used[e.From] = true
			}
			tries = 0
			best.name()
			s.found = append(s.found, best)
		}
	}
}

// orSooner returns the shorter one of two cycles, of equal ones that which weaker levels forbid.
func (a *Anomaly) orSooner(b *Anomaly) *Anomaly {
	if a == nil || b != nil && cmp.Or(cmp.Compare(len(b.Cycle.Edges), len(a.Cycle.Edges)),
		cmp.Compare(b.Forbids[0].Model, a.Forbids[0].Model)) <= 0 {
		return b
	}
	return a
}

// begins reports whether a cycle of the class may begin with e.
func (c class) begins(e isolation.Edge) bool {
	switch {
	case c.rw > 0:
		return e.Kind == isolation.RW
	case c.wr:
		return e.Kind == isolation.WR
	}
	return e.Kind == isolation.WW && !bySight(e)
}

// takes reports whether cycles of the class have such an edge.
func (c class) takes(e isolation.Edge) bool {
	switch e.Kind {
	case isolation.WW:
		return c.rw > 0 || !bySight(e)
	case isolation.WR:
		return c.rw > 0 || c.wr
	case isolation.RW:
		return c.rw > 0
	case isolation.Session:
		return c.given >= isolation.SessionOrder
	}
	return c.given >= isolation.RealTime
}

// after is the trail with one more edge; ok is false if the class has no such trails.
func (c class) after(t trail, e isolation.Edge) (_ trail, ok bool) {
	n := trail{at: e.To, last: e.Kind, rw: t.rw, wr: t.wr || e.Kind == isolation.WR, next: t.next, ordered: t.ordered}
	switch e.Kind {
	case isolation.RW:
		n.next = n.next || t.last == isolation.RW
		n.rw = min(n.rw+1, 2)
	case isolation.Session:
		n.ordered = n.ordered || c.given == isolation.SessionOrder
	case isolation.Time:
		n.ordered = true
	}
	return n, c.takes(e) && int(n.rw) <= c.rw && (c.next || !n.next)
}

// ends reports whether a trail that is back where it began is a cycle of the class.
func (c class) ends(t trail) bool {
	adjacent := t.next || c.rw == 2 && t.last == isolation.RW
	return int(t.rw) == c.rw && t.wr == (t.wr && c.rw > 0 || c.wr) && adjacent == c.next &&
		(t.ordered || c.given == isolation.NoOrder)
}

// around returns a shortest cycle of a class that begins with e, within a component, of at most so
// many edges and without transactions that are used.
func (s *surveyor) around(c class, e isolation.Edge, of []int32, used map[int32]bool, most int) *Anomaly {
	type step struct {
		trail
		edge isolation.Edge
		from int
	}
	first, ok := c.after(trail{last: isolation.Time}, e)
	if !ok {
		return nil
	}
	steps := []step{{first, e, -1}}
	seen := map[trail]bool{}
	for level := []int{0}; len(level) > 0 && most > 1; most-- {
		var deeper []int
		var closed *Anomaly
		for k := 0; k < len(level); k++ {
			n := level[k]
			if seen[steps[n].trail] {
				continue
			}
			seen[steps[n].trail] = true
			for _, next := range s.out[steps[n].at] {
				s.work--
				t, ok := c.after(steps[n].trail, next)
				switch {
				case !ok || of[next.To] != of[e.From] || used[next.To] || seen[t]:
				case next.To == e.From && c.ends(t):
					cycle := []isolation.Edge{next}
					for m := n; m >= 0; m = steps[m].from {
						cycle = append(cycle, steps[m].edge)
					}
					slices.Reverse(cycle)
					closed = merged(cycle).orSooner(closed)
				case next.To != e.From:
					steps = append(steps, step{t, next, n})
					if m := len(steps) - 1; continues(steps[n].last, next.Kind) {
						level = append(level, m)
					} else {
						deeper = append(deeper, m)
					}
				}
			}
		}
		if level = deeper; closed != nil {
			return closed
		}
	}
	return nil
}

// continues reports whether two edges of these kinds, one after the other, are one of the order
// that is given.
func continues(a, b isolation.EdgeKind) bool { return a == b && b >= isolation.Session }

// merged returns a cycle of transactions: what leads through nodes of time, or along a session, is
// one edge. It is nil if a transaction comes twice in it.
func merged(all []isolation.Edge) *Anomaly {
	var edges []isolation.Edge
	met := map[int32]bool{}
	for _, e := range all {
		if n := len(edges); n > 0 && continues(edges[n-1].Kind, e.Kind) {
			edges[n-1].To = e.To
			continue
		}
		if met[e.From] {
			return nil
		}
		met[e.From] = true
		edges = append(edges, e)
	}
	a := &Anomaly{Cycle: isolation.Cycle{Edges: edges}}
	a.Forbids = forbids(&a.Cycle)
	return a
}
