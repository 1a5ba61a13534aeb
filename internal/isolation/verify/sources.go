package verify

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// explained is an order with what each transaction writes, and whom its reads are from.
type explained struct {
	*order
	reads  []from // by transaction, in their order; those of t end at ends[t]
	ends   []int32
	writes []left // by transaction, by object, each once
	bounds []int32
	values []leaver // by value and object, then by commit; those of value v end at until[v]
	until  []int32
	lists  [][]int32 // by object: the elements of a list at the end,
	owners [][]int32 // and whose they are
}

// from is a read of an object from a transaction.
type from struct{ access, object, source int32 }

// left is the value that a transaction leaves in a register; of a list one that it appended.
type left struct{ object, value int32 }

// readsOf and writesOf return the reads and the writes of one transaction.
func (f *explained) readsOf(t int32) []from  { return part(f.reads, f.ends, t) }
func (f *explained) writesOf(t int32) []left { return part(f.writes, f.bounds, t) }

// part returns the part t of s, given where parts end.
func part[T any](s []T, ends []int32, t int32) []T {
	if t == 0 {
		return s[:ends[0]]
	}
	return s[ends[t-1]:ends[t]]
}

// write returns what t writes to x.
func (f *explained) write(t, x int32) (w left, ok bool) {
	all := f.writesOf(t)
	k, ok := slices.BinarySearchFunc(all, x, func(w left, x int32) int { return cmp.Compare(w.object, x) })
	if ok {
		w = all[k]
	}
	return w, ok
}

// leaver is who leaves some value in a register.
type leaver struct{ object, txn int32 }

// explain finds for each read which transaction it is from, which has to come before the reader.
func (o *order) explain(ctx context.Context, stated []isolation.Source) (*explained, error) {
	f := &explained{order: o, lists: make([][]int32, len(o.h.Objects)), owners: make([][]int32, len(o.h.Objects))}
	f.collect()
	f.index()
	says := make(map[isolation.Place]int32, len(stated))
	for _, s := range stated {
		says[s.Place] = s.From
	}
	for t := range int32(len(o.h.Txns)) {
		if t&1023 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if o.at[t] >= 0 {
			if err := o.outside(t, func(r read, a *isolation.Access) error {
				p, find := isolation.Place{Txn: t, Access: r.access}, f.last
				if s, said := says[p]; said && !o.h.Objects[a.Object].List {
					find = func(p isolation.Place, _ read, a *isolation.Access) (int32, error) {
						return s, f.leaves(s, p, a)
					}
				}
				s, err := find(p, r, a)
				if err == nil && o.commit(s) >= o.commit(t) {
					err = base.Faultf(o.what(p), "it is from %s, which does not commit before it", o.txn(s))
				}
				f.reads = append(f.reads, from{r.access, a.Object, s})
				return err
			}); err != nil {
				return nil, err
			}
		}
		f.ends = append(f.ends, int32(len(f.reads)))
	}
	return f, nil
}

// collect fills in what transactions write.
func (f *explained) collect() {
	for t := range int32(len(f.h.Txns)) {
		begin := len(f.writes)
		if f.at[t] >= 0 {
			f.lasting(t, func(x, v int32) { f.writes = append(f.writes, left{x, v}) })
			its := f.writes[begin:]
			sort.SliceStable(its, func(i, j int) bool { return its[i].object < its[j].object })
			same := func(a, b left) bool { return a.object == b.object }
			f.writes = f.writes[:begin+len(slices.CompactFunc(f.writes[begin:], same))]
		}
		f.bounds = append(f.bounds, int32(len(f.writes)))
	}
}

// index fills in who leaves which value, and the lists.
func (f *explained) index() {
	f.until = make([]int32, len(f.h.Values)+1)
	each := func(do func(x, v, t int32)) {
		for x, of := range f.h.Objects {
			if !of.List {
				do(int32(x), of.Initial, isolation.Initial)
			}
		}
		for _, t := range f.txns {
			for _, w := range f.writesOf(t) {
				if !f.h.Objects[w.object].List {
					do(w.object, w.value, t)
				}
			}
		}
	}
	each(func(_, v, _ int32) { f.until[v+1]++ })
	for v := range f.h.Values {
		f.until[v+1] += f.until[v]
	}
	f.values = make([]leaver, f.until[len(f.h.Values)])
	each(func(x, v, t int32) {
		f.values[f.until[v]] = leaver{x, t}
		f.until[v]++
	})
	for v := range f.h.Values {
		if of := part(f.values, f.until, int32(v)); len(of) > 1 {
			sort.SliceStable(of, func(i, j int) bool { return of[i].object < of[j].object })
		}
	}
	for _, t := range f.txns {
		for _, a := range f.h.Txns[t].Accesses {
			if x := a.Object; a.Kind == isolation.Append {
				f.lists[x], f.owners[x] = append(f.lists[x], a.Value), append(f.owners[x], t)
			}
		}
	}
}

// leaves checks that the source s that is stated for a read can be it.
func (f *explained) leaves(s int32, p isolation.Place, a *isolation.Access) error {
	value, ok := f.h.Objects[a.Object].Initial, true
	switch {
	case s < isolation.Initial || int(s) >= len(f.h.Txns) || s >= 0 && f.at[s] < 0:
		ok = false
	case s >= 0:
		var w left
		w, ok = f.write(s, a.Object)
		value = w.value
	}
	if !ok || value != a.Value {
		return base.Faultf(f.what(p), "it is said to be from %s, which does not leave that", f.txn(s))
	}
	return nil
}

// last returns the source of a read that nothing is stated of: the only one that leaves the value,
// or, of a list, the one that appended its last element, if the list was so after its commit.
func (f *explained) last(p isolation.Place, r read, a *isolation.Access) (int32, error) {
	if !f.h.Objects[a.Object].List {
		all := part(f.values, f.until, a.Value)
		k, _ := slices.BinarySearchFunc(all, a.Object, func(l leaver, x int32) int { return cmp.Compare(l.object, x) })
		source, found := int32(0), false
		for ; k < len(all) && all[k].object == a.Object; k++ {
			switch {
			case all[k].txn == p.Txn:
			case found:
				return 0, base.Faultf(f.what(p), "several transactions leave that, and it is not stated which it is from")
			default:
				source, found = all[k].txn, true
			}
		}
		if !found {
			return 0, base.Faultf(f.what(p), "no other transaction that takes effect leaves that")
		}
		return source, nil
	}
	list, owners, n := f.lists[a.Object], f.owners[a.Object], len(r.part)
	switch {
	case n > len(list) || !slices.Equal(r.part, list[:n]):
		return 0, base.Faultf(f.what(p), "in the order of the commits the list becomes %s", f.list(list))
	case n == 0:
		return isolation.Initial, nil
	case n < len(list) && owners[n] == owners[n-1]:
		return 0, base.Faultf(f.what(p), "%s appended more at once", f.txn(owners[n]))
	}
	return owners[n-1], nil
}
