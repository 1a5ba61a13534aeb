package sat

// The order of ρ″ as literals, between any two operations.
//
// What: in ρ″ an operation of a class whose bound is not 0 has a slot, the rank that it has in its
// class there. Two operations of one class are ordered by their slots. Under slots, the places of
// the classes are those of ρ′: i with slot s in its class comes before j of a class that keeps its
// order iff s is at most the number of i's class before j in ρ′. If both classes move, the number
// of j's class before the s-th of i's class in ρ′ decides, which is a number of its own for each s.
// Under classes, operations of different classes are in any order, and clauses make it one order.
//
// Source: the definitions of Round-Up (slots: Algorithms 1 and 2; classes: Definition 4); the
// encoding is ours. The slots of collections (slots.go) need no literal for a pair, as disciplines
// say what they require in terms of slots; sums do.
//
// Invariants: numbers of operations that do not take effect are unconstrained. In classes whose
// bound is 0, ρ″ has the order of ρ′.
//
// Cost: two literals for each pair of operations whose windows of slots overlap, with a clause for
// each place of the overlap; under classes clauses with the third power of the length.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// rearranged is the order of ρ″ while it is encoded.
type rearranged struct {
	b       *cnf.Builder
	free    bool                // the order between classes is free
	class   []model.ClassID     // by kept operation
	bound   []int32             // by class
	members [][]history.OpID    // by class
	total   []cnf.Unary         // by class that moves: how many of it take effect
	place   []cnf.Unary         // by kept operation of a class that moves
	slot    []cnf.Unary         // likewise
	known   map[int64]cnf.Lit   // by pair, the smaller operation first
	counts  map[int64]cnf.Unary // by operation and class: as in count
	through map[int64][]cnf.Unary
}

// rearrange makes the slots of operations of so many classes. A class of its own has the operations
// without one.
func rearrange(b *cnf.Builder, class []model.ClassID, classes int, q *quasi.Question) *rearranged {
	n := int(b.Order.N)
	r := &rearranged{b: b, free: q.Meaning == quasi.Classes, class: make([]model.ClassID, n),
		place: make([]cnf.Unary, n), slot: make([]cnf.Unary, n), known: map[int64]cnf.Lit{},
		counts: map[int64]cnf.Unary{}, through: map[int64][]cnf.Unary{}}
	classes++
	r.bound, r.members = make([]int32, classes), make([][]history.OpID, classes)
	r.total = make([]cnf.Unary, classes)
	for c, k := range q.Factor {
		r.bound[c] = min(k, int32(n))
	}
	for i := range b.Order.N {
		c := model.ClassID(class[i])
		if c < 0 {
			c = model.ClassID(classes - 1)
		}
		r.class[i], r.members[c] = c, append(r.members[c], i)
	}
	b.Index()
	for c := range r.members {
		if r.bound[c] > 0 {
			r.move(model.ClassID(c))
		}
	}
	return r
}

// move makes the places and slots of a class that moves.
func (r *rearranged) move(c model.ClassID) {
	b, n := r.b, int32(len(r.members[c]))
	in := make([]cnf.Lit, n)
	for k, i := range r.members[c] {
		in[k] = b.In[i]
	}
	r.total[c] = b.Count(ranked, cnf.By(), in, 0, 0, n)
	for _, i := range r.members[c] {
		r.place[i] = b.Count(ranked, cnf.By(i), r.before(c, i), 1, 1, n)
		u := &r.place[i]
		r.slot[i] = b.Number(near, cnf.By(i), max(1, u.Lo-r.bound[c]), min(n, u.Hi+r.bound[c]))
		b.Within(near, cnf.By(i), []cnf.Lit{b.In[i]}, u, &r.slot[i], r.bound[c])
		b.LessOrEqual(slotted, cnf.By(i), []cnf.Lit{b.In[i]}, &r.slot[i], 0, &r.total[c], cnf.Boundless)
		if !b.Alive(1) {
			return
		}
	}
	for k, i := range r.members[c] {
		for _, j := range r.members[c][:k] {
			r.Before(j, i)
		}
	}
}

// before lists the literals "an operation of the class takes effect and comes before i in ρ′".
func (r *rearranged) before(c model.ClassID, i history.OpID) []cnf.Lit {
	var lits []cnf.Lit
	for _, j := range r.members[c] {
		if j != i {
			if l := r.b.And(r.b.In[j], r.b.Order.Before(j, i)); l != cnf.False {
				lits = append(lits, l)
			}
		}
	}
	r.b.Alive(int64(len(r.members[c])))
	return lits
}

// count is how many operations of class c come before i in ρ′.
func (r *rearranged) count(c model.ClassID, i history.OpID) *cnf.Unary {
	key := int64(i)<<32 | int64(c)
	u, known := r.counts[key]
	if !known {
		u = r.b.Count(ranked, cnf.By(i), r.before(c, i), 0, 0, int32(len(r.members[c])))
		r.counts[key] = u
	}
	return &u
}

// Before returns the literal "i comes before j in ρ″".
func (r *rearranged) Before(i, j history.OpID) cnf.Lit {
	if i > j {
		return -r.Before(j, i)
	}
	ci, cj := r.class[i], r.class[j]
	if r.bound[ci] == 0 && r.bound[cj] == 0 && (ci == cj || !r.free) {
		return r.b.Order.Before(i, j)
	}
	key := int64(i)<<32 | int64(j)
	l, known := r.known[key]
	if known {
		return l
	}
	both := []cnf.Lit{r.b.In[i], r.b.In[j]}
	switch {
	case ci == cj:
		l = r.less(i, j, &r.slot[i], 1, &r.slot[j], 1, both)
	case r.free:
		l = r.b.Fresh()
	case r.bound[cj] == 0:
		l = r.less(i, j, &r.slot[i], 0, r.count(ci, j), 1, both)
	case r.bound[ci] == 0: // j comes before i iff its slot is at most the count of its class
		l = -r.less(j, i, &r.slot[j], 0, r.count(cj, i), 1, both)
	default:
		l = r.cross(i, j, both)
	}
	r.known[key] = l
	return l
}

// less returns a literal that says, under the conditions, that x+by ≤ y if it holds, and
// y+other ≤ x if it does not.
func (r *rearranged) less(i, j history.OpID, x *cnf.Unary, by int32, y *cnf.Unary, other int32,
	conds []cnf.Lit) cnf.Lit {
	switch {
	case x.Hi+by <= y.Lo:
		return cnf.True
	case y.Hi+other <= x.Lo:
		return cnf.False
	}
	l := r.b.Fresh()
	r.decide(l, i, j, x, by, y, other, conds)
	return l
}

// decide adds that under the conditions x+by ≤ y if the literal holds, else y+other ≤ x.
func (r *rearranged) decide(l cnf.Lit, i, j history.OpID, x *cnf.Unary, by int32, y *cnf.Unary, other int32,
	conds []cnf.Lit) {
	n := len(conds)
	r.b.LessOrEqual(slotted, cnf.By(i, j), append(conds[:n:n], l), x, by, y, cnf.Boundless)
	r.b.LessOrEqual(slotted, cnf.By(i, j), append(conds[:n:n], -l), y, other, x, cnf.Boundless)
}

// cross returns the literal "i comes before j in ρ″" for two classes that move.
func (r *rearranged) cross(i, j history.OpID, both []cnf.Lit) cnf.Lit {
	b, l := r.b, r.b.Fresh()
	at := r.ahead(r.class[i], r.class[j])
	for p := r.slot[i].Lo; p <= r.slot[i].Hi; p++ {
		is := b.Equals(&r.slot[i], p, b.In[i])
		if is == cnf.False {
			continue
		}
		// j comes first iff its slot is at most what is ahead of the p-th
		r.decide(-l, i, j, &r.slot[j], 0, &at[p], 1, []cnf.Lit{both[0], both[1], is})
	}
	return l
}

// ahead returns, by rank, how many operations of class d come before that of class c with the rank,
// in ρ′.
func (r *rearranged) ahead(c, d model.ClassID) []cnf.Unary {
	key := int64(c)<<32 | int64(d)
	if at, known := r.through[key]; known {
		return at
	}
	b := r.b
	n, m := int32(len(r.members[c])), int32(len(r.members[d]))
	at := make([]cnf.Unary, n+1)
	for p := int32(1); p <= n; p++ {
		at[p] = b.Number(ranked, cnf.By(), 0, m)
	}
	for _, i := range r.members[c] {
		for p := r.place[i].Lo; p <= r.place[i].Hi; p++ {
			if is := b.Equals(&r.place[i], p, b.In[i]); is != cnf.False {
				b.Equal(ranked, cnf.By(i), is, r.count(d, i), &at[p])
			}
		}
		if !b.Alive(1) {
			break
		}
	}
	r.through[key] = at
	return at
}

// oneOrder makes ρ″ one order where the order between classes is free.
func (r *rearranged) oneOrder() {
	b := r.b
	if !r.free {
		return
	}
	n := int64(b.Order.N)
	if b.Expect(n*n/3*n, "orders of classes"); b.Stopped != nil {
		return
	}
	for x := range b.Order.N {
		for y := x + 1; y < b.Order.N; y++ {
			xy := r.Before(x, y)
			for z := y + 1; z < b.Order.N; z++ {
				yz, xz := r.Before(y, z), r.Before(x, z)
				b.Clause(slotted, cnf.By(x, y, z), -xy, -yz, xz)
				b.Clause(slotted, cnf.By(x, y, z), xy, yz, -xz)
			}
			if !b.Alive(n) {
				return
			}
		}
	}
}
