package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Draining: left-over values are removed at the end. A removal whose result is unknown, because it
// never returned or because the result was forgotten, took a value or found nothing: all ways to
// say which are tried, one by one, as are all choices of the pending operations. Then it is known
// how many items every object put in and how many it gave out, and it gets
//
//	max(0, initial contents + insertions − removals that took a value)
//
// more removals, concurrent with each other, after everything else, each of which must take some
// value. Insertions and removals are the operations of the classes with these prefixes; a drain is
// the first operation of the first such class of removals that is relaxable (popfront of a deque).
// That a removal takes *some* value means: any value that was ever inserted or in the object
// initially. In ρ″ the removals of unknown results do what was said of them, so nothing is left in
// the end.

// question is a partition to be decided under a relaxation. Its elements are the operations of the
// partition, and then the drains.
type question struct {
	b       *model.Instance         // the partition, then candidates for results
	real    int                     // operations of the partition itself
	drain   string                  // name of the draining operation, "" without one
	drained int                     // class of the drains
	values  map[site][]history.OpID // appended removals, one for each possible value
	nothing map[site]history.OpID   // appended removal that finds nothing
}

// site is an object and the name of a removal from it.
type site struct{ object, f history.Value }

// ask binds the partition again, with candidates appended: for each object, each way to remove from
// it, and each value that can be in it one removal of that value, and one removal that finds
// nothing. They are after everything else.
func ask(b *model.Instance) *question {
	q := &question{real: b.Partition.Len(), drained: -1, values: map[site][]history.OpID{},
		nothing: map[site]history.OpID{}}
	for c, class := range b.Spec.Info().Classes {
		if strings.HasPrefix(class.Name, "removals") && class.Relaxable && q.drain == "" {
			q.drain, q.drained = class.Operations[0], c
		}
	}
	if q.drain == "" {
		q.b = b
		return q
	}
	h := *b.Partition.History
	h.Ops, h.Origins, h.IDs, h.Edges = slices.Clone(h.Ops), slices.Clone(h.Origins), nil, nil
	p := *b.Partition
	p.History, p.Ops = &h, slices.Clone(p.Ops)
	p.Index = make([]history.OpID, q.real)
	rank := history.Rank(0)
	for i := range p.Ops {
		p.Index[i] = b.Partition.Global(history.OpID(i))
		rank = max(rank, p.Ops[i].Call)
		if !p.Ops[i].Pending() {
			rank = max(rank, p.Ops[i].Return)
		}
	}
	candidate := func(at site, result history.Value) history.OpID {
		o := history.Op{F: at.f, Key: at.object, Result: result, Call: rank + 1, Return: rank + 2}
		rank += 2
		p.Index = append(p.Index, history.OpID(len(h.Ops)))
		h.Ops, h.Origins = append(h.Ops, o), append(h.Origins, history.Origin{})
		p.Ops = append(p.Ops, o)
		return history.OpID(len(p.Ops) - 1)
	}
	initial := initialContents(b.Partition)
	for _, key := range objects(b.Partition) {
		inserted := slices.Clone(initial)
		ways := []history.Value{h.Values.String(q.drain)}
		for i, o := range b.Partition.Ops {
			if o.Key == key && kind(b, history.OpID(i)) == "insertions" {
				inserted = append(inserted, o.Arg)
			}
			if o.Key == key && kind(b, history.OpID(i)) == "removals" && !slices.Contains(ways, o.F) {
				ways = append(ways, o.F)
			}
		}
		slices.Sort(inserted)
		inserted = slices.Compact(inserted)
		for _, f := range ways {
			at := site{key, f}
			for _, v := range inserted {
				q.values[at] = append(q.values[at], candidate(at, v))
			}
			q.nothing[at] = candidate(at, history.Nil)
		}
	}
	var err error
	if q.b, err = b.Spec.Bind(&p); err != nil {
		panic(fmt.Sprintf("oracle: %v", err)) // the same operations were bound before
	}
	return q
}

// objects lists the keys of the partition's operations, ascending.
func objects(p *model.Partition) []history.Value {
	var keys []history.Value
	for _, o := range p.Ops {
		keys = append(keys, o.Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// initialContents lists the initial contents of the objects, if they are lists.
func initialContents(p *model.Partition) []history.Value {
	if !p.HasInitial {
		return nil
	}
	list, _ := p.History.Values.AsList(p.Initial)
	return list
}

// kind returns "insertions", "removals", or "" for other operations.
func kind(b *model.Instance, i history.OpID) string {
	if b.Class == nil || b.Class[i] < 0 {
		return ""
	}
	name, _, _ := strings.Cut(b.Spec.Info().Classes[b.Class[i]].Name, "-")
	return name
}

// unknown returns the included removals of which it is open whether they took something, as a set:
// none if nothing is drained.
func (q *question) unknown(included uint64) (set uint64) {
	for i := range q.real {
		if o := q.b.Partition.Ops[i]; q.drain != "" && included>>i&1 == 1 && o.Unknown &&
			kind(q.b, history.OpID(i)) == "removals" {
			set |= 1 << i
		}
	}
	return set
}

// subsets calls yield with every subset of a set until it returns false, and reports whether it
// never did.
func subsets(set uint64, yield func(uint64) bool) bool {
	for s := set; ; s = (s - 1) & set {
		if !yield(s) {
			return false
		}
		if s == 0 {
			return true
		}
	}
}

// leftover returns for each drain the object that it drains, for one choice of the pending
// operations, and of the unknown removals that took something.
func (q *question) leftover(included, took uint64) []history.Value {
	if q.drain == "" {
		return nil
	}
	var drains []history.Value
	initial := initialContents(q.b.Partition)
	for _, key := range objects(q.b.Partition) {
		left := len(initial)
		for i := range q.real {
			o := q.b.Partition.Ops[i]
			switch {
			case o.Key != key || included>>i&1 == 0:
			case kind(q.b, history.OpID(i)) == "insertions":
				left++
			case kind(q.b, history.OpID(i)) != "removals":
			case o.Unknown && took>>i&1 == 1, !o.Unknown && o.Result != history.Nil:
				left--
			}
		}
		for range left {
			drains = append(drains, key)
		}
	}
	return drains
}
