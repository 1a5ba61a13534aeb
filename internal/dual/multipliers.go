package dual

// What: the cost of every pair of states for given multipliers, and the cheapest path through the
// relaxation.
//
// Source: Lagrangian relaxation of availabilities (Held and Karp, Math. Programming 1971).
//
// What we changed: capacity binds all the way, not at the end alone. What is called by layer j has
// the capacity W(j), the sum of multiplier × number called by then. A path that has cost more than
// W(j) by layer j has used more than there was, so it is cut there. A linearization, as a path,
// uses of every class up to every layer at most what was called; so for any multipliers its cost up
// to layer j is at most W(j). If no path keeps to that, the multipliers are a certificate, which
// package verify checks on a graph of its own (proof.DualBound). All multipliers 0 say that the end
// cannot be reached whatever is used.
//
// Distances between states: a step that leads to the same state from everywhere (a write) costs the
// same wherever it starts, so these steps take one row for all states; the others have a row for
// each state.
//
// Invariants: multipliers are integers and so is the test; floating point only chooses them.
//
// Cost of one evaluation: classes × states for the distances, more where many classes lead on from
// each other; then one pass over the edges.

import (
	"math"

	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Multipliers are integers: unit is 1. Far is further than any distance, and twice it still a
// number.
const (
	unit = 1 << 20
	Far  = int64(1) << 60
)

// chainEnd says how the cheapest way between two states ends.
type chainEnd struct {
	class layout.ClassID
	from  model.State
}

// nowhere is what the first step of such a way comes from.
const nowhere model.State = -1

// multipliers is a vector of multipliers on the relaxation, and what follows from it.
type multipliers struct {
	*relaxation
	multiplier []int64 // by class
	other      []int64 // the vector whose turn is next
	best       []int64 // the vector with the highest bound
	highest    float64
	updates    int // so far

	// state × state, by the classes called so far, those left out that lead to the same from
	// everywhere
	distance []int64
	ends     []chainEnd // state × state
	// by state: the cheapest way there that begins with one of the others, wherever from
	always     []int64
	alwaysEnds []chainEnd
	cost       []int64  // by pair
	start      []int32  // by pair: its chain in chains, and the one's after it
	chains     []Step   // with the states that they lead to
	capacity   []int64  // by layer: W
	from       []int64  // by node: the cheapest way from the root, far if it is cut
	back       []int32  // by node: the edge that it comes by
	sources    []NodeID // by edge: its node
	rest       []int64  // by node: the cheapest way to the end
	// by class: how many too many the cheapest path uses at some time, or how few at its end
	// (negative)
	over   []int32
	used   []int32            // by class
	path   []int32            // edges
	called [][]layout.LayerID // by class: the layers of the calls
}

// newMultipliers returns multipliers of 1.
func newMultipliers(x *relaxation) *multipliers {
	n, c := int(x.States), int(x.Classes)
	p := &multipliers{relaxation: x, multiplier: make([]int64, c),
		other: make([]int64, c), best: make([]int64, c), highest: math.Inf(-1), distance: make([]int64, n*n),
		ends: make([]chainEnd, n*n), always: make([]int64, n), alwaysEnds: make([]chainEnd, n),
		cost: make([]int64, len(x.pairs)), start: make([]int32, len(x.pairs)+1),
		capacity: make([]int64, len(x.Returns)+1),
		from:     make([]int64, len(x.masks)), back: make([]int32, len(x.masks)), sources: make([]NodeID, len(x.to)),
		over: make([]int32, c), used: make([]int32, c), called: make([][]layout.LayerID, c)}
	for i := range c {
		p.multiplier[i], p.other[i], p.best[i] = unit, unit, unit
		for _, v := range x.Members.Of(layout.ClassID(i)) {
			p.called[i] = append(p.called[i], x.Layout.From[v])
		}
	}
	for id := range x.masks {
		for e := x.first[id]; e < x.first[id+1]; e++ {
			p.sources[e] = NodeID(id)
		}
	}
	return p
}

// evaluate computes the cost of the pairs and the capacity of every layer. It returns false if the
// search has to stop.
func (p *multipliers) evaluate() bool {
	n := int(p.States)
	for i := range p.distance {
		p.distance[i] = Far
	}
	for s := range n {
		p.distance[s*n+s], p.always[s] = 0, Far
	}
	p.chains = p.chains[:0]
	group := 0
	for k := 1; k < len(p.pairs); k++ {
		q := p.pairs[k]
		for group < len(p.groups) && p.groups[group].class < q.active {
			p.add(&p.groups[group])
			group++
			if !p.Toil(int64(n*n) / 8) {
				return false
			}
		}
		p.cost[k], p.start[k] = p.distance[int(q.from)*n+int(q.to)], int32(len(p.chains))
		ends := p.ends[int(q.from)*n : int(q.from)*n+n]
		if p.always[q.to] < p.cost[k] {
			p.cost[k], ends = p.always[q.to], p.alwaysEnds
		}
		for t := q.to; t != q.from && t != nowhere; {
			p.chains = append(p.chains, Step{ends[t].class, t})
			t = ends[t].from
		}
		chain := p.chains[p.start[k]:]
		for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
			chain[i], chain[j] = chain[j], chain[i]
		}
	}
	if n := len(p.pairs); n > 0 {
		p.start[n] = int32(len(p.chains))
	}
	clear(p.capacity)
	for c, calls := range p.called {
		for _, j := range calls {
			p.capacity[j] += p.multiplier[c]
		}
	}
	for j := 1; j < len(p.capacity); j++ {
		p.capacity[j] += p.capacity[j-1]
	}
	return true
}

// add takes the steps of a group into the distances.
func (p *multipliers) add(g *stepGroup) {
	n, to, w := int(p.States), int(g.to), p.multiplier[g.class]
	onward, ends := p.distance[to*n:to*n+n], p.ends[to*n:to*n+n]
	if g.all {
		extend(p.always, p.alwaysEnds, w, chainEnd{g.class, nowhere}, to, onward, ends)
		return
	}
	p.addTo(p.always, p.alwaysEnds, g, onward, ends)
	for s := range n {
		if p.known[s] {
			p.addTo(p.distance[s*n:s*n+n], p.ends[s*n:s*n+n], g, onward, ends)
		}
	}
}

// addTo takes the steps of a group, which do not start from everywhere, into the distances from one
// state.
func (p *multipliers) addTo(row []int64, rowEnds []chainEnd, g *stepGroup, onward []int64, ends []chainEnd) {
	in, source := Far, model.State(0)
	for _, t := range g.from {
		if row[t] < in {
			in, source = row[t], t
		}
	}
	if in < Far {
		extend(row, rowEnds, in+p.multiplier[g.class], chainEnd{g.class, source}, int(g.to), onward, ends)
	}
}

// extend lowers distances that get shorter by reaching state to at a cost, with last as the last
// step, and going on from there.
func extend(row []int64, rowEnds []chainEnd, cost int64, last chainEnd, to int, onward []int64, ends []chainEnd) {
	if cost >= row[to] {
		return
	}
	for t, d := range onward {
		if cost+d < row[t] {
			row[t] = cost + d
			if rowEnds[t] = last; t != to {
				rowEnds[t] = ends[t]
			}
		}
	}
}

// cheapest computes the cheapest way from the root to every node within the capacity, and returns
// its cost to the end, far if everything is cut. With a seed it cuts nothing and makes every edge
// dearer by some noise: where several places compete for several operations, equal multipliers
// would send all of them to the same place.
func (p *multipliers) cheapest(seed uint64) int64 {
	for id := range p.from {
		p.from[id] = Far
	}
	p.from[0] = 0
	for id := range len(p.masks) - 1 {
		f := p.from[id]
		if f == Far {
			continue
		}
		limit := p.capacity[p.layers[id]]
		if seed != 0 {
			limit = Far
		}
		for e := p.first[id]; e < p.first[id+1]; e++ {
			d := f + p.cost[p.by[e]]
			if seed != 0 && p.by[e] != 0 {
				d += int64(layout.Mix(seed, uint64(e)) & (unit - 1) >> 1)
			}
			if to := p.to[e]; d <= limit && d < p.from[to] {
				p.from[to], p.back[to] = d, e
			}
		}
	}
	return p.from[p.goal()]
}

// follow walks the cheapest path, counts what it uses, and reports whether that is there when it is
// used.
func (p *multipliers) follow() bool {
	p.path = p.path[:0]
	for id := p.goal(); id != 0; id = p.sources[p.back[id]] {
		p.path = append(p.path, p.back[id])
	}
	clear(p.used)
	for c := range p.over {
		p.over[c] = 0
	}
	fits := true
	for k := len(p.path) - 1; k >= 0; k-- {
		e := p.path[k]
		if p.by[e] == 0 {
			continue
		}
		j := p.layers[p.sources[e]]
		for _, step := range p.chains[p.start[p.by[e]]:p.start[p.by[e]+1]] {
			c := step.Class
			p.used[c]++
			have := int32(len(p.called[c]))
			for have > 0 && p.called[c][have-1] > j {
				have--
			}
			p.over[c] = max(p.over[c], p.used[c]-have)
		}
	}
	for c := range p.over {
		if p.over[c] > 0 {
			fits = false
		} else {
			p.over[c] = p.used[c] - int32(len(p.called[c]))
		}
	}
	return fits
}

// refutation returns the multipliers as a proof.
func (p *multipliers) refutation() *proof.DualBound {
	r := &proof.DualBound{}
	for c, w := range p.multiplier {
		if w > 0 {
			r.Prices = append(r.Prices, proof.Price{Op: p.Members.Of(layout.ClassID(c))[0], Multiplier: w})
		}
	}
	return r
}

// bounds computes the cheapest way from every node to the end.
func (p *multipliers) bounds() {
	p.rest = make([]int64, len(p.masks))
	for id := len(p.masks) - 2; id >= 0; id-- {
		d := Far
		for e := p.first[id]; e < p.first[id+1]; e++ {
			d = min(d, p.cost[p.by[e]]+p.rest[p.to[e]])
		}
		p.rest[id] = d
	}
}
