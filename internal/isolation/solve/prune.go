package solve

// What follows about the order of writers and about the sources of reads without a solver.
//
// What: of two writers of an object one comes first. If a comes before b, so does everybody who
// reads the object from a (serializable, prefix, snapshot isolation), or none of them sees b
// (parallel snapshot isolation); under snapshot isolation a commits before b starts. Where one side
// contradicts what is known, the other one becomes known; to a fixpoint. A source that is not
// possible is no source; the last one that is left is known.
//
// Source: polygraphs are Papadimitriou's (JACM 1979); Cobra (OSDI 2020) and PolySI (VLDB 2023)
// prune and solve them. What we changed: snapshot isolation has two events for each transaction, so
// that it is the same question with other edges (the prototype in our notes); reachability by
// chains; readers come before the next writers only.
//
// Invariant: an edge rests on older edges (refute.go).
//
// Cost: rounds × (reachability + pairs of writers that are open × their readers).

import (
	"cmp"
	"context"
	"slices"

	iso "github.com/linsat/linsat/internal/isolation"
)

// pair is two writers of an object whose order is open.
type pair struct{ object, a, b int32 }

// order is what is known of a strong level.
type order struct {
	*digest
	g     *graph
	model iso.Model
	reach *reach
	pairs []pair
	open  []int32 // reads whose source is open
	left  [][]int32
	facts map[statement]fact
	known map[int32]int32 // sources that became known, by read
	wrong *conflict
}

// conflict is a cycle, or a clause whose literals are false.
type conflict struct {
	cycle  []step
	clause *iso.Clause
	why    *why
	age    int32
}

// newOrder makes the edges that are known from the beginning, without the order that is given.
func newOrder(d *digest, g *graph, m iso.Model) *order {
	o := &order{digest: d, g: g, model: m, facts: map[statement]fact{}, known: map[int32]int32{}}
	for k := range d.reads {
		r := &d.reads[k]
		if len(r.from) > 1 {
			o.open = append(o.open, int32(k))
			o.left = append(o.left, slices.Clone(r.from))
			continue
		}
		o.overwrites(int32(k))
	}
	return o
}

// readsBefore reports whether the level makes readers come before who overwrites what they read.
func (o *order) readsBefore() bool { return o.model != iso.ParallelSnapshot }

// conflicts reports whether the level orders all transactions that write one object.
func (o *order) conflicts() bool { return o.model == iso.Snapshot || o.model == iso.ParallelSnapshot }

// overwrites adds that a read whose source is known comes before who overwrites it: of a list the
// next one, or those that no read shows; of a register, where it is the start, all writers.
func (o *order) overwrites(k int32) {
	r := &o.reads[k]
	if !o.readsBefore() {
		return
	}
	t := o.sourceOf(k)
	if t != iso.Initial && !o.h.Objects[r.object].List {
		return // pairs of writers
	}
	for _, w := range o.overwriters(r) {
		o.overwritten(r, t, w)
	}
}

// overwritten adds that a reader comes before w, which overwrites what it reads from t.
func (o *order) overwritten(r *read, t, w int32) {
	if i := r.place.Txn; i != w && !o.uncertain[w] {
		o.g.add(o.g.start(i), o.g.commit(w),
			why{rule: iso.RuleOverwritten, place: r.place, t: t, w: w, object: r.object})
	}
}

// sourceOf returns the source of a read, if it is known.
func (o *order) sourceOf(k int32) int32 {
	if s, known := o.known[k]; known {
		return s
	}
	return o.reads[k].from[0]
}

// listPairs adds the edges between appends that snapshot isolation asks for.
func (o *order) listPairs() {
	if o.model != iso.Snapshot {
		return
	}
	for x := range o.lists {
		l := &o.lists[x]
		for k := 1; k < len(l.versions); k++ {
			o.conflict(l.versions[k-1], l.versions[k], int32(x))
		}
		if n := len(l.versions); n > 0 {
			for _, b := range l.unseen {
				o.conflict(l.versions[n-1], b, int32(x))
			}
		}
	}
}

// conflict adds that a, which is known to commit before b, does so before b starts.
func (o *order) conflict(a, b, object int32) {
	o.g.add(o.g.commit(a), o.g.start(b), why{rule: iso.RuleConflict, t: a, w: b, object: object})
}

// settle prunes to a fixpoint. It is false if ctx ended, or the limit was met; wrong is set if
// there is no order.
func (o *order) settle(ctx context.Context, limit int64) bool {
	first := true
	for {
		sorted := o.g.topological()
		if sorted == nil {
			o.wrong = &conflict{cycle: o.g.cycle()}
			return true
		}
		if first && !o.undecided() {
			return true
		}
		if o.reach = newReach(o.g, sorted, o.asked(), limit); o.reach == nil {
			o.unclear = tooManyOrders
			return false
		}
		edges := len(o.g.whys)
		if first && !o.makePairs(ctx, limit) {
			return false
		}
		first = false
		changed := o.settlePairs(ctx)
		if o.settleSources(ctx); o.wrong != nil {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		if !changed && len(o.g.whys) == edges {
			o.wrong = o.seenTooMuch(ctx)
			return ctx.Err() == nil
		}
	}
}

// asked returns of which events it matters who comes before them; nil for all.
func (o *order) asked() []bool {
	if !o.readsBefore() {
		return nil
	}
	asked := make([]bool, len(o.g.out))
	for x := range o.h.Objects {
		all := o.writers[x]
		switch {
		case !o.h.Objects[x].List:
		case o.conflicts():
			all = o.lists[x].unseen
		default:
			continue
		}
		for _, w := range all {
			asked[o.g.start(w)], asked[o.g.commit(w)] = true, true
		}
		if len(all) == 0 {
			continue // its reads are all from the start
		}
		for _, w := range append([]int32{iso.Initial}, all...) {
			s := &o.slots[o.slot(w, int32(x))]
			for _, k := range slices.Concat(s.readers, s.maybe) {
				asked[o.g.start(o.reads[k].place.Txn)] = true
			}
		}
	}
	return asked
}

// undecided reports whether anything is open beside the order of the graph.
func (o *order) undecided() bool {
	if len(o.open) > 0 {
		return true
	}
	for x := range o.h.Objects {
		if o.h.Objects[x].List {
			if o.conflicts() && len(o.lists[x].unseen) > 1 {
				return true
			}
		} else if len(o.writers[x]) > 1 {
			return true
		}
	}
	return !o.readsBefore()
}

// makePairs lists the pairs of writers whose order matters and is not known, by the order of the
// graph; it adds what follows from those that are known. It is false if there are too many, or ctx
// ended.
func (o *order) makePairs(ctx context.Context, limit int64) bool {
	most := int(min(mostPairs, limit/bytesOfPair))
	for x := range o.h.Objects {
		all := o.writers[x]
		if o.h.Objects[x].List {
			if all = o.lists[x].unseen; !o.conflicts() {
				continue
			}
		}
		all = slices.DeleteFunc(slices.Clone(all), func(i int32) bool { return o.uncertain[i] })
		slices.SortFunc(all, func(a, b int32) int {
			return cmp.Compare(o.reach.position[o.g.commit(a)], o.reach.position[o.g.commit(b)])
		})
		var next []int32
		for k, a := range all {
			next = next[:0]
			if ctx.Err() != nil {
				return false
			}
			if len(o.pairs) > most {
				o.unclear = "too many transactions write one object, in an order that nothing shows"
				return false
			}
			for _, b := range all[k+1:] {
				switch {
				case !o.conflicts() && !o.read(a, int32(x)) && !o.read(b, int32(x)):
				case !o.reach.has(o.g.commit(a), o.g.commit(b)):
					o.pairs = append(o.pairs, pair{int32(x), a, b})
				default:
					next = o.followsNext(next, int32(x), a, b)
				}
			}
		}
	}
	return true
}

// followsNext adds what follows if a comes before b, unless b also follows one of next, who are
// those that follow a next as far as they are known.
func (o *order) followsNext(next []int32, object, a, b int32) []int32 {
	if slices.ContainsFunc(next, func(w int32) bool { return o.reach.has(o.g.commit(w), o.g.commit(b)) }) {
		return next
	}
	o.follows(object, a, b)
	return append(next, b)
}

// read reports whether anybody can read an object from i.
func (o *order) read(i, object int32) bool {
	s := &o.slots[o.slot(i, object)]
	return len(s.readers)+len(s.maybe) > 0
}

// settlePairs settles what reachability decides, and reports whether anything did.
func (o *order) settlePairs(ctx context.Context) (changed bool) {
	kept := o.pairs[:0]
	var next []int32 // who follows the first of the pair at hand next, as far as settled
	for n := range o.pairs {
		p := o.pairs[n]
		if n&4095 == 0 && ctx.Err() != nil {
			return false
		}
		if n == 0 || o.pairs[n-1].a != p.a || o.pairs[n-1].object != p.object {
			next = next[:0]
		}
		a, b := o.g.commit(p.a), o.g.commit(p.b)
		switch {
		case o.reach.has(a, b):
			next = o.followsNext(next, p.object, p.a, p.b)
		case o.reach.has(b, a):
			o.follows(p.object, p.b, p.a)
		default:
			if w := o.against(p.object, p.a, p.b); w != nil {
				o.g.add(b, o.end(*w, p.a), *w)
				o.follows(p.object, p.b, p.a)
			} else if w := o.against(p.object, p.b, p.a); w != nil {
				o.g.add(a, o.end(*w, p.b), *w)
				o.follows(p.object, p.a, p.b)
			} else {
				kept = append(kept, p)
				continue
			}
		}
		changed = true
	}
	o.pairs = kept
	return changed
}

// end is the event of i to which an edge leads that follows from a contradiction.
func (o *order) end(w why, i int32) int32 {
	if w.rule == iso.RuleConflict {
		return o.g.start(i)
	}
	return o.g.commit(i)
}

// against returns why a does not come before b; nil if it can.
func (o *order) against(object, a, b int32) *why {
	if o.model == iso.Snapshot && o.reach.has(o.g.start(b), o.g.commit(a)) {
		return &why{rule: iso.RuleConflict, t: b, w: a, object: object}
	}
	for _, k := range o.slots[o.slot(a, object)].readers {
		r := &o.reads[k]
		if i := r.place.Txn; i != b && o.reach.has(o.g.commit(b), o.g.start(i)) {
			if !o.readsBefore() {
				return &why{rule: iso.RuleVisible, place: r.place, t: a, w: b, object: object}
			}
			return &why{rule: iso.RuleOverwritten, place: r.place, t: a, w: b, object: object}
		}
	}
	return nil
}

// follows adds what follows if a is known to come before b, or will be.
func (o *order) follows(object, a, b int32) {
	if o.model == iso.Snapshot && !o.reach.has(o.g.commit(a), o.g.start(b)) {
		o.conflict(a, b, object)
	}
	if !o.readsBefore() {
		return
	}
	for _, k := range o.slots[o.slot(a, object)].readers {
		if r := &o.reads[k]; r.place.Txn != b && !o.reach.has(o.g.start(r.place.Txn), o.g.commit(b)) {
			o.overwritten(r, a, b)
		}
	}
}

// settleSources excludes sources that are not possible.
func (o *order) settleSources(ctx context.Context) {
	kept, left := o.open[:0], o.left[:0]
	age := int32(len(o.g.whys))
	for n, k := range o.open {
		if ctx.Err() != nil {
			return
		}
		r := &o.reads[k]
		possible := slices.DeleteFunc(o.left[n], func(s int32) bool {
			w := o.notFrom(r, s)
			if w != nil {
				o.facts[statement{kind: isFrom, a: k, b: s}] = fact{why: *w, age: age, number: len(o.facts)}
			}
			return w != nil
		})
		switch len(possible) {
		case 0:
			o.wrong = &conflict{clause: &iso.Clause{Rule: iso.RuleSource, Places: []iso.Place{r.place}}, age: age}
			return
		case 1:
			o.becomes(k, possible[0], age)
			continue
		}
		kept, left = append(kept, k), append(left, possible)
	}
	o.open, o.left = kept, left
}

// notFrom returns why a read cannot be from s; nil if it can.
func (o *order) notFrom(r *read, s int32) *why {
	i := o.g.start(r.place.Txn)
	if s != iso.Initial && o.reach.has(i, o.g.commit(s)) {
		return &why{rule: iso.RuleWritten, t: s, w: -1}
	}
	for _, w := range o.overwriters(r) {
		if w == s || w == r.place.Txn || o.uncertain[w] || !o.reach.has(o.g.commit(w), i) {
			continue
		}
		if s == iso.Initial || o.reach.has(o.g.commit(s), o.g.commit(w)) {
			if !o.readsBefore() {
				return &why{rule: iso.RuleVisible, place: r.place, t: s, w: w}
			}
			return &why{rule: iso.RuleOverwritten, t: s, w: w}
		}
	}
	return nil
}

// overwriters lists who can overwrite what a read shows of s: of a list the next that appended.
func (o *order) overwriters(r *read) []int32 {
	if !o.h.Objects[r.object].List {
		return o.writers[r.object]
	}
	l, v := &o.lists[r.object], int32(0)
	if r.shown > 0 {
		v = l.at[r.shown-1] + 1
	}
	if int(v) < len(l.versions) {
		return l.versions[v : v+1]
	}
	return l.unseen
}

// becomes notes that a read is known to be from s.
func (o *order) becomes(k, s, age int32) {
	r := &o.reads[k]
	o.facts[statement{kind: isFrom, a: k, b: s}] = fact{true: true, why: why{rule: iso.RuleSource}, age: age,
		number: len(o.facts)}
	o.known[k] = s
	x := &o.slots[o.slot(s, r.object)]
	x.readers = append(x.readers, k)
	if s != iso.Initial {
		if o.uncertain[s] {
			o.uncertain[s] = false
			o.takesEffect(s)
		}
		o.g.add(o.g.commit(s), o.g.start(r.place.Txn),
			why{rule: iso.RuleWritten, place: r.place, t: s, w: -1, object: r.object})
		for _, w := range o.writers[r.object] { // those that were settled are again, with this read
			if w != s && !o.uncertain[w] {
				o.pairs = append(o.pairs, pair{r.object, s, w})
			}
		}
	}
	o.overwrites(k)
}

// takesEffect adds what follows once an open transaction is known to take effect.
func (o *order) takesEffect(i int32) {
	for n := o.own[i]; n < o.own[i+1]; n++ {
		x := o.slots[n].object
		for _, k := range o.slots[o.start[x]].readers {
			if o.readsBefore() && !o.h.Objects[x].List {
				o.overwritten(&o.reads[k], iso.Initial, i)
			}
		}
		for _, w := range o.writers[x] {
			if w != i && !o.uncertain[w] && !o.h.Objects[x].List {
				o.pairs = append(o.pairs, pair{x, w, i})
			}
		}
	}
}

// seenTooMuch returns the conflict of a read, under parallel snapshot isolation, that sees who
// overwrites what it reads.
func (o *order) seenTooMuch(ctx context.Context) *conflict {
	if o.readsBefore() {
		return nil
	}
	for k := range o.reads {
		if ctx.Err() != nil {
			return nil
		}
		r := &o.reads[k]
		s, known := o.only(int32(k))
		if !known {
			if s, known = o.known[int32(k)]; !known {
				continue
			}
		}
		if w := o.notFrom(r, s); w != nil {
			w.place, w.t = r.place, s
			return &conflict{why: w, age: always}
		}
	}
	return nil
}
