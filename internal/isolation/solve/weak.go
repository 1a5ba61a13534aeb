package solve

// Read committed, read atomic and causal consistency where it is known who reads from whom.
//
// What: the axioms of Biswas and Enea (OOPSLA 2019): who writes what i reads from t, and is seen by
// i in some other way, comes before t. They leave no choice: all these edges, with those that are
// known, have a cycle or are an order.
//
// Source: AWDIT (Møldrup, Pavlogiannis, PLDI 2025), Algorithms 1 to 3: only the last writer of a
// session that i sees needs an edge, as the others are before it. What we changed: the order that
// is given may be that of time; writers that returned before the reader was called go through a
// chain of barriers for each object.
//
// Invariants: the axioms hold of every topological order of the graph (tests, and the verifier).
//
// Cost: read committed and read atomic look at each pair of a read and an earlier source of its
// transaction; causal consistency takes O(n sessions) memory and O(reads sessions log n) time.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	iso "github.com/linsat/linsat/internal/isolation"
)

// weak adds what the axioms of a level ask for, given sources, to a graph of the given order and of
// reads. live says who takes effect.
type weak struct {
	*digest
	g      *graph
	source sourceOf
	live   func(i int32) bool
	// wrong is a clause that asks a transaction to come before the start, which none does.
	wrong  *why
	hubs   []hubs  // by object, under time
	later  []later // edges that are added at the end
	causes int32   // age of the first edge that is none of causality
}

// saturate adds all edges that a level asks for, and returns an order of them, or nil: then there
// is a cycle, or wrong is set.
func (x *weak) saturate(l iso.Level) []int32 {
	addGiven(x.g, x.digest, l.Given)
	addReads(x.g, x.digest, x.source)
	x.causes = int32(len(x.g.whys))
	switch l.Model {
	case iso.ReadCommitted:
		x.seen(true)
	case iso.ReadAtomic:
		x.seen(false)
		x.givenBefore(l.Given)
	case iso.Causal:
		sorted := x.g.topological()
		if sorted == nil {
			return nil
		}
		x.reached(sorted)
	}
	for _, e := range x.later {
		x.before(e.w, e.t, e.because)
	}
	addVersions(x.g, x.digest)
	if x.wrong != nil {
		return nil
	}
	return x.g.topological()
}

// before adds that w comes before t.
func (x *weak) before(w, t int32, because why) {
	if t == iso.Initial {
		if x.wrong == nil {
			because.w = w
			x.wrong = &because
		}
		return
	}
	x.g.add(x.g.commit(w), x.g.commit(t), because)
}

// seen adds the edges of read committed: who wrote the object of a read and was read from before.
// Under read atomic it is who is read from at all.
func (x *weak) seen(earlierOnly bool) {
	var sources []int32
	var at []iso.Place
	for i := range x.h.Txns {
		sources, at = sources[:0], at[:0]
		from, to := x.first[i], x.first[i+1]
		if !earlierOnly {
			for k := from; k < to; k++ {
				sources, at = x.note(k, sources, at)
			}
		}
		for k := from; k < to; k++ {
			r := &x.reads[k]
			t, ok := x.source(k)
			for n, w := range sources {
				if ok && w != t && x.writes(w, r.object) {
					x.before(w, t, why{rule: iso.RuleSeen, place: r.place, t: t, w: w, object: r.object,
						hops: []iso.Hop{{Kind: iso.Reads, To: int32(i), Place: at[n]}}})
				}
			}
			if earlierOnly {
				sources, at = x.note(k, sources, at)
			}
		}
	}
}

// note adds the source of a read to those of its transaction.
func (x *weak) note(k int32, sources []int32, at []iso.Place) ([]int32, []iso.Place) {
	if s, ok := x.source(k); ok && s != iso.Initial && !slices.Contains(sources, s) {
		return append(sources, s), append(at, x.reads[k].place)
	}
	return sources, at
}

// givenBefore adds the edges of read atomic for those who are given before the reader: the last
// writer of its session, and under time all that returned before it was called.
func (x *weak) givenBefore(order iso.Order) {
	if order == iso.NoOrder {
		return
	}
	type key struct{ session, object int32 }
	last := map[key]int32{}
	for i := range x.h.Txns {
		if !x.live(int32(i)) {
			continue
		}
		session := x.h.Txns[i].Session
		for k := x.first[i]; k < x.first[i+1]; k++ {
			r := &x.reads[k]
			t, ok := x.source(k)
			if w, some := last[key{session, r.object}]; ok && some && w != t {
				x.before(w, t, why{rule: iso.RuleSeen, place: r.place, t: t, w: w, object: r.object,
					hops: []iso.Hop{{To: int32(i)}}})
			}
			if ok && order == iso.RealTime {
				x.returnedBefore(r, t)
			}
		}
		for k := x.own[i]; k < x.own[i+1]; k++ {
			last[key{session, x.slots[k].object}] = int32(i)
		}
	}
}

// hubs are the writers of an object by return, and a barrier for each: after it and those before
// it. They are made where they are needed.
type hubs struct {
	made    bool
	writers []int32
	nodes   []int32
}

// returnedBefore adds that all writers that returned before the reader was called come before t.
func (x *weak) returnedBefore(r *read, t int32) {
	h := &x.hubs[r.object]
	if !h.made {
		h.made = true
		for _, w := range x.writers[r.object] {
			if x.live(w) && x.h.Txns[w].Return != history.Never {
				h.writers = append(h.writers, w)
			}
		}
		slices.SortFunc(h.writers, func(a, b int32) int { return cmp.Compare(x.h.Txns[a].Return, x.h.Txns[b].Return) })
	}
	returned := func(rank history.Rank) int {
		k, _ := slices.BinarySearchFunc(h.writers, rank, func(w int32, r history.Rank) int {
			return cmp.Compare(x.h.Txns[w].Return, r)
		})
		return k
	}
	n := returned(x.h.Txns[r.place.Txn].Call)
	because := why{rule: iso.RuleSeen, place: r.place, t: t, w: -1, object: r.object,
		hops: []iso.Hop{{To: r.place.Txn}}}
	prefix := n
	if t == iso.Initial {
		if n > 0 {
			x.before(h.writers[0], t, because)
		}
		return
	}
	if k := returned(x.h.Txns[t].Return); k < n {
		prefix = k
	}
	for _, w := range h.writers[prefix:n] {
		if w != t {
			because.w = w
			x.before(w, t, because)
			if x.h.Txns[w].Call > x.h.Txns[t].Return {
				break // a cycle
			}
		}
	}
	if prefix == 0 {
		return
	}
	for k := len(h.nodes); k < prefix; k++ {
		node := x.g.node()
		x.g.add(x.g.commit(h.writers[k]), node, barrier)
		if k > 0 {
			x.g.add(h.nodes[k-1], node, barrier)
		}
		h.nodes = append(h.nodes, node)
	}
	because.w = -1
	x.g.add(h.nodes[prefix-1], x.g.commit(t), because)
}

// reached adds the edges of causal consistency. order is a topological order of the graph so far.
func (x *weak) reached(order []int32) {
	place := make([]int32, len(x.h.Txns)) // in its session, from 1
	session := make([]int32, len(x.h.Txns))
	number := map[int32]int32{}
	var length []int32
	for i := range x.h.Txns {
		if !x.live(int32(i)) {
			continue
		}
		s, known := number[x.h.Txns[i].Session]
		if !known {
			s = int32(len(length))
			number[x.h.Txns[i].Session] = s
			length = append(length, 0)
		}
		length[s]++
		session[i], place[i] = s, length[s]
	}
	// by object, its writers by session and place
	bySession := make([][]int32, len(x.h.Objects))
	for o, all := range x.writers {
		for _, w := range all {
			if x.live(w) {
				bySession[o] = append(bySession[o], w)
			}
		}
		slices.SortStableFunc(bySession[o], func(a, b int32) int { return cmp.Compare(session[a], session[b]) })
	}
	width := len(length)
	clocks := make([]int32, len(x.g.out)*width)
	for _, u := range order {
		mine := clocks[int(u)*width : (int(u)+1)*width]
		if u < x.g.events && x.live(u) {
			x.reachedBy(u, mine, session, place, bySession)
			mine[session[u]] = place[u]
		}
		for _, e := range x.g.out[u] {
			theirs := clocks[int(e.to)*width : (int(e.to)+1)*width]
			for s, p := range mine {
				theirs[s] = max(theirs[s], p)
			}
		}
	}
}

// reachedBy adds the edges for the reads of i: it is reached by so many of each session.
func (x *weak) reachedBy(i int32, clock, session, place []int32, bySession [][]int32) {
	for k := x.first[i]; k < x.first[i+1]; k++ {
		r := &x.reads[k]
		t, ok := x.source(k)
		if !ok {
			continue
		}
		all := bySession[r.object]
		for from := 0; from < len(all); {
			s := session[all[from]]
			by := func(of []int32) func(w, x int32) int {
				return func(w, x int32) int { return cmp.Compare(of[w], x) }
			}
			to, _ := slices.BinarySearchFunc(all[from:], s+1, by(session))
			to += from
			n, _ := slices.BinarySearchFunc(all[from:to], clock[s]+1, by(place))
			if n > 0 {
				if w := all[from+n-1]; w != t {
					x.later = append(x.later, later{w, t,
						why{rule: iso.RuleReached, place: r.place, t: t, w: w, object: r.object}})
				}
			}
			from = to
		}
	}
}

// later is an edge of the commit order that is none of causality.
type later struct {
	w, t    int32
	because why
}
