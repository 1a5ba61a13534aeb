package localize

import "cmp"

// The failing trace that is shown is one whose last critical node is a race, not a step before it.
// Such a trace exists: if the access e that excludes the white outcomes commutes with every access
// that does not, then e can wait until after one of those, and still excludes them; as traces are
// finite, it reaches one that it races with. Among these the trace has the fewest steps, so that no
// loop goes round without need; then the most critical nodes at which accesses race, since each is
// a place in the code where the fault becomes visible; then the fewest preemptions, since it is
// easiest to follow; then the fewest critical nodes at which accesses commute. Among equals the
// thread that ran continues, and then the lowest.
//
// The best rest of a trace depends on the node and on the thread that ran last; every pair is
// examined once.

// cost is the cost of the rest of a trace. It has that many steps, and races + commuting critical
// nodes; late is 1 if there are some and the accesses of the last one commute.
type cost struct{ late, steps, races, preemptions, commuting int }

// compare returns a negative number if a is better.
func (a cost) compare(b cost) int {
	return cmp.Or(cmp.Compare(a.late, b.late), cmp.Compare(a.steps, b.steps), cmp.Compare(b.races, a.races),
		cmp.Compare(a.preemptions, b.preemptions), cmp.Compare(a.commuting, b.commuting))
}

// rest is the best rest of a trace: the edge to take; -1 at a leaf, -2 if there is none.
type rest struct {
	cost cost
	edge int
}

// chooser looks for the best failing trace whose sequence is want, or of any failing trace if want
// is nil.
type chooser struct {
	g         *graph
	want      Sequence
	onlyRaces bool // want is what remains without commuting nodes
	memo      map[place]rest
}

type place struct {
	node, last int32
	done       int // labels of want that are behind
}

// choose returns the positions of the edges from the root to a leaf, or nil if no failing trace has
// the wanted sequence.
func (g *graph) choose(want Sequence, onlyRaces bool) []int {
	if len(g.nodes) == 0 || g.nodes[0].failing == 0 {
		return nil
	}
	c := &chooser{g: g, want: want, onlyRaces: onlyRaces, memo: map[place]rest{}}
	at := place{last: -1}
	if c.best(at).edge == none {
		return nil
	}
	path := []int{}
	for {
		r := c.best(at)
		if r.edge == end {
			return path
		}
		path = append(path, r.edge)
		at, _ = c.follow(at, r.edge)
	}
}

const (
	end  = -1
	none = -2
)

func (c *chooser) best(at place) rest {
	n := &c.g.nodes[at.node]
	if n.kind == leaf {
		if c.want != nil && at.done != len(c.want) {
			return rest{edge: none}
		}
		return rest{edge: end}
	}
	if r, ok := c.memo[at]; ok {
		return r
	}
	best := rest{edge: none}
	for i := range n.edges {
		e := &n.edges[i]
		if e.child < 0 || c.g.nodes[e.child].failing == 0 {
			continue
		}
		next, ok := c.follow(at, i)
		if !ok {
			continue
		}
		r := c.best(next)
		if r.edge == none {
			continue
		}
		r.edge = i
		if n.kind == race {
			r.cost.steps++
		}
		if n.critical() {
			if c.g.decisive(n, i) == Commuting {
				if r.cost.races+r.cost.commuting == 0 {
					r.cost.late = 1
				}
				r.cost.commuting++
			} else {
				r.cost.races++
			}
		}
		if e.decision != at.last && n.kind == race && n.runs(at.last) {
			r.cost.preemptions++
		}
		if best.edge == none || cmp.Or(r.cost.compare(best.cost), tie(e.decision, n.edges[max(best.edge, 0)].decision,
			at.last)) < 0 {
			best = r
		}
	}
	c.memo[at] = best
	return best
}

// tie prefers the thread that ran, then the lowest.
func tie(a, b, last int32) int {
	switch {
	case a == b:
		return 0
	case a == last:
		return -1
	case b == last:
		return 1
	}
	return cmp.Compare(a, b)
}

// runs reports whether the thread can continue at n.
func (n *node) runs(thread int32) bool {
	for i := range n.edges {
		if n.edges[i].decision == thread {
			return true
		}
	}
	return false
}

// follow returns where an edge leads; ok is false if the sequence can no longer be the wanted one.
func (c *chooser) follow(at place, i int) (next place, ok bool) {
	n := &c.g.nodes[at.node]
	next = place{n.edges[i].child, at.last, at.done}
	if n.kind == race {
		next.last = n.edges[i].decision
	}
	if c.want != nil && c.g.counts(n, i, c.onlyRaces) {
		if at.done == len(c.want) || c.want[at.done] != n.label {
			return next, false
		}
		next.done++
	}
	return next, true
}
