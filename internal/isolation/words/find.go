package words

import (
	"slices"

	"github.com/linsat/linsat/internal/isolation"
)

// kind is what a search for cycles looks for.
type kind struct {
	writes, reads bool // edges of the kind WW, of the kind WR, are taken
	overwrites    int  // how many of the kind RW there are at most
	// adjacent and behind allow RW after RW, and RW after WW.
	adjacent, behind bool
}

// kinds are the kinds of cycles, as Adya orders them; the last ones are forbidden by fewer levels.
var kinds = []kind{
	{writes: true},
	{writes: true, reads: true},
	{reads: true, overwrites: 1},
	{writes: true, reads: true, overwrites: 1, behind: true},
	{writes: true, reads: true, overwrites: maxNamed},
	{writes: true, reads: true, overwrites: maxNamed, behind: true},
	{writes: true, reads: true, overwrites: maxNamed, behind: true, adjacent: true},
}

// cycle returns a shortest cycle of the first kind of which there is one that the level forbids;
// ones without given edges first.
func (g *graph) cycle() (best *isolation.Cycle) {
	for given := isolation.NoOrder; given <= g.level.Given; given++ {
		for _, k := range kinds {
			for _, a := range g.txns {
				for _, e := range g.edges[a] {
					if k.overwrites > 0 != (e.Kind == isolation.RW) || !k.takes(e, given) {
						continue
					}
					c := g.from(e, k, given)
					if c == nil || best != nil && len(c.Edges) >= len(best.Edges) {
						continue
					}
					if slices.ContainsFunc(forbids(c), g.level.Implies) {
						best = c
					}
				}
			}
			if best != nil {
				return best
			}
		}
	}
	return nil
}

// takes reports whether cycles of a kind have such an edge.
func (k kind) takes(e isolation.Edge, given isolation.Order) bool {
	switch e.Kind {
	case isolation.WW:
		return k.writes && (k.overwrites > 0 || !bySight(e))
	case isolation.WR:
		return k.reads
	case isolation.RW:
		return k.overwrites > 0
	case isolation.Session:
		return given >= isolation.SessionOrder
	}
	return given >= isolation.RealTime
}

// bySight reports whether the order of two writes is known because the first one's transaction did
// not see the second.
func bySight(e isolation.Edge) bool { return e.Kind == isolation.WW && e.Place.Txn == e.From }

// follows reports whether a cycle of a kind may go on so after an edge.
func (k kind) follows(a, b isolation.EdgeKind) bool {
	return b != isolation.RW || k.overwrites > 1 && (a != isolation.RW || k.adjacent) && (a != isolation.WW || k.behind)
}

// from returns a shortest cycle that begins with e.
func (g *graph) from(e isolation.Edge, k kind, given isolation.Order) *isolation.Cycle {
	type state struct {
		at   int32
		last isolation.EdgeKind
	}
	type step struct {
		edge isolation.Edge
		from int
	}
	steps := []step{{e, -1}}
	seen := map[state]bool{{e.To, e.Kind}: true}
	for n := 0; n < len(steps); n++ {
		at := steps[n].edge.To
		for _, next := range g.edges[at] {
			s := state{next.To, next.Kind}
			if seen[s] || !k.takes(next, given) || !k.follows(steps[n].edge.Kind, next.Kind) {
				continue
			}
			if next.To == e.From && (k.overwrites <= 1 || k.follows(next.Kind, e.Kind)) {
				c := &isolation.Cycle{Edges: []isolation.Edge{next}}
				for m := n; m >= 0; m = steps[m].from {
					c.Edges = append(c.Edges, steps[m].edge)
				}
				slices.Reverse(c.Edges)
				return c
			}
			seen[s] = true
			steps = append(steps, step{next, n})
		}
	}
	return nil
}

// forbids returns the weakest levels that a cycle shows a history not to be at.
//
// A cycle without RW is of commits. With one, the transaction that overwrites is visible to the
// reader: directly, by Given and reads-from, or with the order of writes; prefix and snapshot
// isolation have c(a) before s(b) for WR and what is given, the latter also for WW, and s(a) before
// c(b) for RW. Where each of two overwrites what the other one read, one has to see the other.
func forbids(c *isolation.Cycle) (all []isolation.Level) {
	order, ww, rw, adjacent, behind, sight := isolation.NoOrder, false, 0, false, false, false
	n := len(c.Edges)
	for k, e := range c.Edges {
		last := c.Edges[(k+n-1)%n].Kind
		switch e.Kind {
		case isolation.WW:
			ww, sight = true, sight || bySight(e)
		case isolation.RW:
			rw++
			adjacent = adjacent || last == isolation.RW
			behind = behind || last == isolation.WW
		case isolation.Session:
			order = max(order, isolation.SessionOrder)
		case isolation.Time:
			order = isolation.RealTime
		}
	}
	add := func(models ...isolation.Model) {
		for _, m := range models {
			all = append(all, isolation.Level{Model: m, Given: order})
		}
	}
	switch {
	case sight && rw == 1:
		add(isolation.ParallelSnapshot)
	case rw == 0:
		add(isolation.ReadCommitted)
	case rw == 1 && !ww && n == 2 && readsEarlier(c):
		add(isolation.ReadCommitted)
	case rw == 1 && !ww && n == 2:
		add(isolation.ReadAtomic)
	case rw == 1 && !ww && order == isolation.NoOrder:
		add(isolation.Causal, isolation.Prefix, isolation.ParallelSnapshot)
	case rw == 1 && !ww:
		add(isolation.Causal)
	case rw == 1 && !behind:
		add(isolation.Prefix, isolation.ParallelSnapshot)
	case rw == 1:
		add(isolation.ParallelSnapshot)
	case sight && !adjacent:
		add(isolation.Snapshot)
	case n == 2 && rw == 2 && c.Edges[0].Object == c.Edges[1].Object:
		add(isolation.ParallelSnapshot)
	case !adjacent && !behind:
		add(isolation.Prefix)
	case !adjacent:
		add(isolation.Snapshot)
	default:
		add(isolation.Serializable)
	}
	for k := range all { // causal consistency has sessions
		if all[k].Model == isolation.Causal {
			all[k].Given = max(all[k].Given, isolation.SessionOrder)
		}
	}
	return all
}

// readsEarlier reports whether a cycle of two edges is of a reader that read from the one that
// overwrites before it read what that one overwrites.
func readsEarlier(c *isolation.Cycle) bool {
	var from, over isolation.Edge
	for _, e := range c.Edges {
		if e.Kind == isolation.RW {
			over = e
		} else {
			from = e
		}
	}
	return from.Kind == isolation.WR && from.Place.Access < over.Place.Access
}
