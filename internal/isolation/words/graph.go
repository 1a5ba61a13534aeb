package words

import (
	"slices"

	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/isolation"
)

// graph is the dependencies between some transactions that are known whatever the commit order is.
type graph struct {
	h     *isolation.History
	level isolation.Level
	txns  []int32
	in    map[int32]bool
	edges map[int32][]isolation.Edge // by From
	by    map[written][]int32        // who leaves a value, or appended an element
	lost  map[written][]int32        // who wrote one that does not last, made at need
}

type written struct{ object, value int32 }

// read is a read of what others wrote; its source is nobody's where several can be it, or none.
type read struct {
	place  isolation.Place
	object int32
	part   []int32 // of a list
	source int32
}

// nobody is no transaction.
const nobody = -2

// newGraph finds the dependencies among the transactions that clauses name.
func newGraph(h *isolation.History, l isolation.Level, r *isolation.Refutation) *graph {
	g := &graph{h: h, level: l, in: map[int32]bool{}, edges: map[int32][]isolation.Edge{}, by: map[written][]int32{}}
	named := Named(r)
	g.collect(named)
	var reads []read
	for _, t := range named {
		reads = append(reads, g.reads(t)...)
	}
	shown := map[int32]bool{} // open ones that somebody read
	for _, r := range reads {
		shown[r.source] = true
		for _, v := range r.part {
			shown[g.owner(r, v)] = true
		}
	}
	for _, t := range named {
		if h.Txns[t].Status == isolation.Committed || shown[t] && h.Txns[t].Status == isolation.Open {
			g.txns = append(g.txns, t)
			g.in[t] = true
		}
	}
	for _, r := range reads {
		g.ofRead(r)
	}
	for _, a := range g.txns {
		for _, b := range g.txns {
			switch {
			case a == b:
			case l.Given >= isolation.SessionOrder && h.GivenBefore(isolation.SessionOrder, a, b):
				g.add(isolation.Edge{From: a, To: b, Kind: isolation.Session})
			case l.Given >= isolation.RealTime && h.GivenBefore(isolation.RealTime, a, b):
				g.add(isolation.Edge{From: a, To: b, Kind: isolation.Time})
			}
		}
	}
	return g
}

// collect finds who wrote what some transactions read.
func (g *graph) collect(named []int32) {
	for _, t := range named {
		for _, a := range g.h.Txns[t].Accesses {
			switch {
			case a.Kind != isolation.Read:
			case g.h.Objects[a.Object].List:
				for _, v := range a.List {
					g.by[written{a.Object, v}] = nil
				}
			default:
				g.by[written{a.Object, a.Value}] = nil
			}
		}
	}
	for t := range int32(len(g.h.Txns)) {
		if g.h.Txns[t].Status == isolation.Aborted {
			continue
		}
		all := g.h.Txns[t].Accesses
		for k, a := range all {
			at := written{a.Object, a.Value}
			if by, needed := g.by[at]; !needed || a.Kind == isolation.Read || len(by) > 0 && by[len(by)-1] == t {
				continue
			}
			if a.Kind == isolation.Append || lastWrite(all, k) {
				g.by[at] = append(g.by[at], t)
			}
		}
	}
}

// Named lists the transactions that the clauses of a refutation name, ascending.
func Named(r *isolation.Refutation) (all []int32) {
	for _, c := range r.Clauses {
		all = append(all, c.Txns...)
		for _, p := range c.Places {
			all = append(all, p.Txn)
		}
		for _, hop := range c.Hops {
			all = append(all, hop.To, hop.From)
		}
		for _, e := range c.Events {
			all = append(all, e/2)
		}
	}
	return slices.DeleteFunc(inorder.Distinct(all), func(t int32) bool { return t == isolation.Initial })
}

// lostBy lists who wrote a value that is read, and aborted or overwrote it at once.
func (g *graph) lostBy(at written) []int32 {
	if g.lost == nil {
		g.lost = map[written][]int32{}
		for t := range int32(len(g.h.Txns)) {
			all := g.h.Txns[t].Accesses
			for k, a := range all {
				v := written{a.Object, a.Value}
				gone := g.h.Txns[t].Status == isolation.Aborted || a.Kind == isolation.Write && !lastWrite(all, k)
				if _, needed := g.by[v]; needed && a.Kind != isolation.Read && gone {
					g.lost[v] = append(g.lost[v], t)
				}
			}
		}
	}
	return g.lost[at]
}

func (g *graph) add(e isolation.Edge) {
	if e.From != e.To && g.in[e.From] && g.in[e.To] {
		g.edges[e.From] = append(g.edges[e.From], e)
	}
}

// lastWrite reports whether the access at k is the last write of its object.
func lastWrite(all []isolation.Access, k int) bool {
	return !slices.ContainsFunc(all[k+1:], func(a isolation.Access) bool {
		return a.Kind == isolation.Write && a.Object == all[k].Object
	})
}

// reads lists what a transaction that committed read of others.
func (g *graph) reads(t int32) (all []read) {
	if g.h.Txns[t].Status != isolation.Committed {
		return nil
	}
	own := map[int32][]int32{} // by object: what it wrote so far
	for k, a := range g.h.Txns[t].Accesses {
		if a.Kind != isolation.Read {
			own[a.Object] = append(own[a.Object], a.Value)
			continue
		}
		r := read{place: isolation.Place{Txn: t, Access: int32(k)}, object: a.Object, source: nobody}
		if mine := own[a.Object]; g.h.Objects[a.Object].List {
			cut := len(a.List) - len(mine)
			if cut < 0 || !slices.Equal(a.List[cut:], mine) {
				continue
			}
			r.part = a.List[:cut]
			if r.source = isolation.Initial; cut > 0 {
				r.source = g.owner(r, r.part[cut-1])
			}
		} else if len(mine) > 0 {
			continue
		} else {
			r.source = g.owner(r, a.Value)
			if g.h.Objects[a.Object].Initial == a.Value {
				if r.source = nobody; len(g.others(r, a.Value)) == 0 {
					r.source = isolation.Initial
				}
			}
		}
		all = append(all, r)
	}
	return all
}

// others lists who wrote a value of a read, but for the reader.
func (g *graph) others(r read, v int32) []int32 {
	by := slices.Clone(g.by[written{r.object, v}])
	return slices.DeleteFunc(by, func(t int32) bool { return t == r.place.Txn })
}

// owner returns who wrote a value of a read, if only one can have.
func (g *graph) owner(r read, v int32) int32 {
	if all := g.others(r, v); len(all) == 1 {
		return all[0]
	}
	return nobody
}

// ofRead adds the dependencies that a read shows.
func (g *graph) ofRead(r read) {
	if r.source >= 0 {
		g.add(isolation.Edge{From: r.source, To: r.place.Txn, Kind: isolation.WR, Object: r.object, Place: r.place})
	}
	if g.h.Objects[r.object].List {
		g.ofList(r)
		return
	}
	if r.source == nobody {
		return
	}
	rw := isolation.Edge{From: r.place.Txn, Kind: isolation.RW, Object: r.object, Place: r.place}
	for _, rw.To = range g.txns {
		var writes bool
		if rw.Next, writes = g.leaves(rw.To, r.object); !writes {
			continue
		}
		if r.source == isolation.Initial {
			g.unseen(rw)
			continue
		}
		// Whoever read the same and wrote the register comes after the source.
		for _, q := range g.reads(rw.To) {
			if q.object == r.object && q.source == r.source {
				ww := rw
				ww.From, ww.Kind, ww.Place = r.source, isolation.WW, q.place
				ww.Value, _ = g.leaves(r.source, r.object)
				g.unseen(rw)
				g.add(ww)
			}
		}
	}
}

// unseen adds that rw.From read without what rw.To wrote; and, where the level orders those that
// write one object, that it comes before, if it wrote that itself.
func (g *graph) unseen(rw isolation.Edge) {
	g.add(rw)
	if g.level.Model < isolation.ParallelSnapshot {
		return
	}
	for _, a := range g.h.Txns[rw.From].Accesses {
		if a.Kind != isolation.Read && a.Object == rw.Object {
			rw.Kind, rw.Value = isolation.WW, a.Value
			g.add(rw)
			return
		}
	}
}

// leaves returns the last value that a transaction writes to a register.
func (g *graph) leaves(t, x int32) (value int32, writes bool) {
	for _, a := range g.h.Txns[t].Accesses {
		if a.Kind == isolation.Write && a.Object == x {
			value, writes = a.Value, true
		}
	}
	return value, writes
}

// ofList adds the order of appends that a read shows: what it shows is in its order, and before
// what it does not show.
func (g *graph) ofList(r read) {
	type appended struct{ by, last int32 }
	var before []appended // what is shown so far
	add := func(t, next int32) {
		e := isolation.Edge{To: t, Kind: isolation.WW, Object: r.object, Place: r.place, Next: next}
		for _, b := range before {
			e.From, e.Value = b.by, b.last
			g.add(e)
		}
	}
	for _, v := range r.part {
		t := g.owner(r, v)
		if n := len(before); n > 0 && before[n-1].by == t {
			before[n-1].last = v
		} else if t >= 0 {
			add(t, v)
			before = append(before, appended{t, v})
		}
	}
	rw := isolation.Edge{From: r.place.Txn, Kind: isolation.RW, Object: r.object, Place: r.place}
	for _, rw.To = range g.txns {
		hidden := func(v int32) bool { return !slices.Contains(r.part, v) }
		all := g.appends(rw.To, r.object)
		if k := slices.IndexFunc(all, hidden); k >= 0 {
			rw.Next = all[k]
			g.unseen(rw)
			add(rw.To, rw.Next)
		}
	}
}
