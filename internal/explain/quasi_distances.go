package explain

// Distances between removals under a factor.
//
// What: the places of the removals in ρ′, where each insertion comes among them, and the removal
// at whose place its item leaves in ρ″ are numbers, of which some are at least so far apart: as
// the order in time says, and the removals in between; and what leaves is at most the bound away
// from the removal that takes it. Two rules add more. If x should leave before y where both are
// there, then x leaves before y if it comes in before y leaves, and it comes in only after y has
// left if it leaves later. And what leaves after several items leaves after as many places. A
// number that is before itself is the contradiction.
//
// Why: insertions do not move, so that the places in ρ″ are those of ρ′, and no other operation
// changes what is in the collection. That holds whatever the operations do that are left out: they
// can only add places.
//
// How: distances are closed under addition (Floyd and Warshall), then the rules are applied, until
// nothing changes. Each distance keeps the two that it adds, or what its rule rests on. There are
// no cases, so this refutes less than clauses do, but what it refutes has a reason that can be
// read.
//
// Cost: cubic in the operations, for a few rounds; it is meant for a few dozen.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// PointKind is a kind of point.
type PointKind uint8

// The kinds of points.
const (
	Place  PointKind = iota // of a removal in ρ′
	In                      // where an insertion comes among the removals
	Leaves                  // the removal in ρ″ at which the item of an insertion leaves
)

// Point is a number.
type Point struct {
	Kind PointKind
	Op   history.OpID
}

// DistanceRule says why a distance holds.
type DistanceRule uint8

// The rules.
const (
	InOrder   DistanceRule = iota // one returned before the other; Between come between
	Moved                         // what a removal takes leaves near to it
	ThereOnce                     // an item leaves after it comes in
	First                         // From, which should, leaves before To, as On says
	Absent                        // To comes in after From has left: it leaves later, as On says
	Crowded                       // as many items as On says leave in between
	added                         // two distances
)

// Distance says that To is at least Least places after From.
type Distance struct {
	From, To Point
	Least    int
	Rule     DistanceRule
	Between  []history.OpID // removals
	// On are chains of distances; for Crowded two for each item: the one that counts places, and
	// that by which the item leaves in between.
	On [][]*Distance

	from, to int32
	parts    [2]*Distance
}

// distances looks for a contradiction.
type distances struct {
	b       *model.Instance
	t       *model.CollectionTheory
	bound   int
	points  []Point
	at      map[Point]int32
	known   [][]*Distance
	items   []history.OpID // insertions
	changed bool
	failed  *Distance
}

// Contradiction is a chain of distances that leads back to where it starts, with at least one
// place in between: among the operations kept. It is nil if none was found.
func Contradiction(b *model.Instance, q *quasi.Question, kept []history.OpID) []*Distance {
	bound, ok := onlyRemovals(b, q)
	if !ok || len(kept) > 2*manyFacts {
		return nil
	}
	find := func(kept []history.OpID) *Distance { return newDistances(b, bound, kept).find() }
	found := find(kept)
	if found == nil {
		return nil
	}
	for k := len(kept) - 1; k >= 0; k-- {
		less := slices.Delete(slices.Clone(kept), k, k+1)
		if d := find(less); d != nil {
			found, kept = d, less
		}
	}
	return trimmed(found.chain(), 1)
}

// trimmed counts no more removals in between than it takes for a chain to reach so far.
func trimmed(chain []*Distance, far int) []*Distance {
	spare := -far
	for _, x := range chain {
		spare += x.Least
	}
	for k, x := range chain {
		if n := min(spare, len(x.Between)); n > 0 {
			less := *x
			less.Between, less.Least = x.Between[n:], x.Least-n
			chain[k] = &less
			spare -= n
		}
	}
	return chain
}

// onlyRemovals returns the bound of the removals, and reports whether nothing else moves.
func onlyRemovals(b *model.Instance, q *quasi.Question) (bound int, ok bool) {
	t, ok := b.Axiomatic().(*model.CollectionTheory)
	if !ok || len(t.Initial) != 1 || len(b.Partition.Edges) > 0 || b.Class == nil || q.Meaning != quasi.Slots ||
		len(q.Sets) > 0 {
		return 0, false
	}
	bound = -1
	for i, c := range b.Class {
		switch {
		case c < 0:
		case t.Does[i] == model.Remove && (bound < 0 || bound == int(q.Factor[c])):
			bound = int(q.Factor[c])
		case t.Does[i] == model.Remove || q.Factor[c] != 0:
			return 0, false
		}
	}
	return bound, bound >= 0
}

func newDistances(b *model.Instance, bound int, kept []history.OpID) *distances {
	d := &distances{b: b, t: b.Axiomatic().(*model.CollectionTheory), bound: bound, at: map[Point]int32{}}
	point := func(kind PointKind, op history.OpID) {
		p := Point{kind, op}
		d.at[p] = int32(len(d.points))
		d.points = append(d.points, p)
	}
	in, out := map[int32][]history.OpID{}, map[int32][]history.OpID{}
	for i, v := range d.t.Value {
		switch op := history.OpID(i); {
		case d.t.Does[i] == model.Insert:
			in[v] = append(in[v], op)
		case d.t.Does[i] == model.Remove && v >= 0:
			out[v] = append(out[v], op)
		}
	}
	for _, op := range kept {
		o, v := &b.Partition.Ops[op], d.t.Value[op]
		switch {
		case d.t.Does[op] == model.Remove && !o.Pending():
			point(Place, op)
		case d.t.Does[op] == model.Insert && len(in[v]) == 1 && len(out[v]) == 1 &&
			!slices.Contains(d.t.Initial[0], v) && !b.Partition.Ops[out[v][0]].Pending():
			point(In, op)
			point(Leaves, op)
			d.items = append(d.items, op)
		}
	}
	d.known = make([][]*Distance, len(d.points))
	for k := range d.known {
		d.known[k] = make([]*Distance, len(d.points))
	}
	d.given(out)
	return d
}

// given adds the distances that the history alone gives.
func (d *distances) given(out map[int32][]history.OpID) {
	ops := d.b.Partition.Ops
	for i, p := range d.points {
		for j, q := range d.points {
			if p.Kind == Leaves || q.Kind == Leaves || ops[p.Op].Return >= ops[q.Op].Call {
				continue
			}
			x := &Distance{Rule: InOrder}
			for r, does := range d.t.Does {
				if does == model.Remove && ops[p.Op].Return < ops[r].Call && ops[r].Return < ops[q.Op].Call {
					x.Between = append(x.Between, history.OpID(r))
				}
			}
			if x.Least = len(x.Between); q.Kind == Place {
				x.Least++
			}
			d.add(int32(i), int32(j), x)
		}
	}
	for _, op := range d.items {
		leaves := d.at[Point{Leaves, op}]
		d.add(d.at[Point{In, op}], leaves, &Distance{Rule: ThereOnce, Least: 1})
		if taken, ok := d.at[Point{Place, out[d.t.Value[op]][0]}]; ok {
			d.add(taken, leaves, &Distance{Rule: Moved, Least: -d.bound})
			d.add(leaves, taken, &Distance{Rule: Moved, Least: -d.bound})
		}
	}
}

// add records a distance where it says more than what is known.
func (d *distances) add(from, to int32, x *Distance) {
	if old := d.known[from][to]; d.failed != nil || old != nil && old.Least >= x.Least || from == to && x.Least <= 0 {
		return
	}
	x.from, x.to, x.From, x.To = from, to, d.points[from], d.points[to]
	d.known[from][to], d.changed = x, true
	if from == to {
		d.failed = x
	}
}

// find applies the rules until nothing changes or there is a contradiction.
func (d *distances) find() *Distance {
	for d.changed = true; d.changed && d.failed == nil; {
		d.changed = false
		d.sums()
		for _, x := range d.items {
			for _, y := range d.items {
				d.pair(x, y)
			}
		}
		if d.sums(); d.failed == nil && !d.changed || d.failed != nil {
			break
		}
		d.crowds()
	}
	return d.failed
}

func (d *distances) sums() {
	for k := range d.points {
		for i := range d.points {
			a := d.known[i][k]
			if a == nil {
				continue
			}
			for j, b := range d.known[k] {
				if b == nil {
					continue
				}
				sum := a.Least + b.Least
				if old := d.known[i][j]; old == nil && (i != j || sum > 0) || old != nil && old.Least < sum {
					d.add(int32(i), int32(j), &Distance{Rule: added, Least: sum, parts: [2]*Distance{a, b}})
				}
			}
			if d.failed != nil {
				return
			}
		}
	}
}

// pair applies the rules for two items, of which x should leave first where both are there.
func (d *distances) pair(x, y history.OpID) {
	ops, first := d.b.Partition.Ops, false
	switch d.t.Discipline {
	case model.FIFO:
		first = ops[x].Return < ops[y].Call
	case model.LIFO:
		first = ops[y].Return < ops[x].Call
	case model.ByPriority:
		first = d.t.Rank[d.t.Value[x]] < d.t.Rank[d.t.Value[y]]
	}
	if !first {
		return
	}
	in, leaves, other := d.at[Point{In, x}], d.at[Point{Leaves, x}], d.at[Point{Leaves, y}]
	if on := d.known[in][other]; on != nil && on.Least >= 1 {
		d.add(leaves, other, &Distance{Rule: First, Least: 1, On: [][]*Distance{trimmed(on.chain(), 1)}})
	}
	if on := d.known[other][leaves]; on != nil && on.Least >= 0 {
		d.add(other, in, &Distance{Rule: Absent, On: [][]*Distance{trimmed(on.chain(), 0)}})
	}
}

// crowds applies the rule of items that leave in between.
func (d *distances) crowds() {
	for _, y := range d.items {
		to := d.at[Point{Leaves, y}]
		for from := range int32(len(d.points)) {
			d.crowd(from, to, func(item int32) (far, near *Distance) { return d.known[from][item], d.known[item][to] })
			d.crowd(to, from, func(item int32) (far, near *Distance) { return d.known[item][from], d.known[to][item] })
		}
	}
}

// crowd adds the distance of two points between which items leave: near, at least one place from
// one of them, and far from the other.
func (d *distances) crowd(from, to int32, of func(item int32) (far, near *Distance)) {
	type between struct{ far, near *Distance }
	var all []between
	for _, x := range d.items {
		if far, near := of(d.at[Point{Leaves, x}]); far != nil && near != nil && near.Least >= 1 {
			all = append(all, between{far, near})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].far.Least > all[j].far.Least })
	for k, x := range all {
		if old := d.known[from][to]; k == 0 || old != nil && old.Least >= x.far.Least+k+1 {
			continue
		}
		c := &Distance{Rule: Crowded, Least: x.far.Least + k + 1}
		for _, x := range all[:k+1] {
			c.On = append(c.On, x.far.chain(), x.near.chain())
		}
		d.add(from, to, c)
	}
}

// chain lists what a distance adds up.
func (x *Distance) chain() []*Distance {
	if x.Rule != added {
		return []*Distance{x}
	}
	return append(x.parts[0].chain(), x.parts[1].chain()...)
}
