package explain

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// Where to look for a core of values before an engine has refuted anything.
//
// What: a removal that passes over more items than the bound, or an item that is overtaken by more
// removals (quasi_passed.go, quasi_overtaken.go), anywhere in the partition. What other operations
// did, and whether they returned, does not matter, so this is soon found where histories with many
// operations of unknown outcome are beyond the engines.
//
// Invariant: it only names operations. FindValues refutes them, or does not.
//
// Cost: for each removal the items that are there, at most mostOvertaking together.

// Overtaking names operations that are likely to have no place within q; nil if it finds none.
func Overtaking(b *model.Instance, q *quasi.Question) []history.OpID {
	t, back := b.Collection()
	if t == nil || len(t.Initial) != 1 || len(b.Partition.Edges) > 0 || b.Class == nil || len(q.Sets) > 0 ||
		q.Meaning == quasi.Classes && (t.Discipline != model.FIFO || back != nil) {
		return nil
	}
	x := &overtaking{ops: b.Partition.Ops, t: t, back: back, open: history.Never, work: mostOvertaking,
		in: make([]history.OpID, t.Values), out: make([]history.OpID, t.Values)}
	for v := range x.in {
		x.in[v], x.out[v] = -1, -1
	}
	for i, v := range t.Value {
		op := history.OpID(i)
		switch does := t.Does[i]; {
		case does == model.Insert && x.in[v] == -1 && !x.ops[i].Pending() && !slices.Contains(t.Initial[0], v):
			x.in[v] = op
		case does == model.Insert:
			x.in[v] = several
		case does == model.Remove:
			x.bound[x.back.Of(op)] = int(q.Factor[b.Class[i]])
			switch {
			case x.ops[i].Pending() || v == model.Anything:
				x.open = min(x.open, x.ops[i].Call)
			case v >= 0 && x.out[v] == -1:
				x.out[v] = op
			case v >= 0:
				x.out[v] = several
			}
			if !x.ops[i].Pending() {
				x.byReturn = append(x.byReturn, op)
			}
		}
	}
	if max(x.bound[0], x.bound[1]) >= len(t.Value) {
		return nil
	}
	x.byCall = slices.Clone(x.byReturn)
	slices.SortFunc(x.byReturn, func(i, j history.OpID) int { return cmp.Compare(x.ops[i].Return, x.ops[j].Return) })
	slices.SortFunc(x.byCall, func(i, j history.OpID) int { return cmp.Compare(x.ops[i].Call, x.ops[j].Call) })
	if named := x.passedOver(); named != nil {
		return named
	}
	return x.overtaken()
}

// several stands for more than one operation on a value.
const several history.OpID = -2

// overtaking looks for a removal that passes over too many items, or an item that is overtaken.
type overtaking struct {
	ops              []history.Op
	t                *model.CollectionTheory
	back             model.Ends
	bound            [2]int         // of removals, of a deque by end
	in, out          []history.OpID // by value: the one that puts it in, and takes it out
	open             history.Rank   // the first call of a removal that may take anything
	byReturn, byCall []history.OpID // removals that returned
	work             int
}

// taken is the first rank at which a value can be taken out.
func (x *overtaking) taken(v int32) history.Rank {
	switch out := x.out[v]; out {
	case -1:
		return x.open
	case several:
		return -1
	default:
		return x.ops[out].Call
	}
}

// known lists the values that are put in once, by the return of their insertion.
func (x *overtaking) known() []int32 {
	var values []int32
	for v, i := range x.in {
		if i >= 0 {
			values = append(values, int32(v))
		}
	}
	slices.SortFunc(values, func(v, w int32) int {
		return cmp.Compare(x.ops[x.in[v]].Return, x.ops[x.in[w]].Return)
	})
	return values
}

// passedOver names a removal that passes over too many items, and these.
func (x *overtaking) passedOver() []history.OpID {
	var there []int32
	coming := x.known()
	for _, r := range x.byReturn {
		o, v := &x.ops[r], x.t.Value[r]
		for len(coming) > 0 && x.ops[x.in[coming[0]]].Return < o.Return {
			there, coming = append(there, coming[0]), coming[1:]
		}
		there = slices.DeleteFunc(there, func(w int32) bool { return x.taken(w) <= o.Return })
		if x.work -= len(there); x.work < 0 {
			return nil
		}
		if v < 0 || x.in[v] < 0 || x.out[v] != r {
			continue
		}
		e, queued := x.back.Of(r), true
		over := []history.OpID{r}
		for _, w := range there { // in the order of their returns
			if y := x.in[w]; w != v && x.ops[y].Return < o.Call && x.first(w, v, e) {
				queued = queued && x.queued(y, e)
				if over = append(over, y); len(over) == x.bound[e]+2 {
					break
				}
			}
		}
		if len(over) < x.bound[e]+2 {
			continue
		}
		if queued {
			return over
		}
		if since := x.between(x.ops[over[len(over)-1]].Return, o.Call, e); len(since) == x.bound[e] {
			return append(over, since...)
		}
	}
	return nil
}

// queued reports whether what an operation puts in leaves at the end first in, first out.
func (x *overtaking) queued(op history.OpID, e int) bool {
	if x.back != nil {
		return x.back.Of(op) != e
	}
	return x.t.Discipline == model.FIFO
}

// first reports whether w should leave at the end before v where both are there: as far as when
// they came in says so, if that matters.
func (x *overtaking) first(w, v int32, e int) bool {
	i, j := &x.ops[x.in[w]], &x.ops[x.in[v]]
	switch late, later := x.queued(x.in[w], e), x.queued(x.in[v], e); {
	case late && later:
		return i.Return < j.Call
	case x.back == nil && x.t.Discipline == model.ByPriority:
		return x.t.Rank[w] < x.t.Rank[v]
	case late != later: // of a deque: what came in at the end is nearer to it
		return later
	}
	return j.Return < i.Call
}

// between lists as many removals at end e as the bound after start and before end.
func (x *overtaking) between(start, end history.Rank, e int) (some []history.OpID) {
	k, _ := slices.BinarySearchFunc(x.byCall, start+1, func(r history.OpID, at history.Rank) int {
		return cmp.Compare(x.ops[r].Call, at)
	})
	for ; k < len(x.byCall) && len(some) < x.bound[e] && x.ops[x.byCall[k]].Call < end; k++ {
		if x.ops[x.byCall[k]].Return < end && x.back.Of(x.byCall[k]) == e {
			some = append(some, x.byCall[k])
		}
	}
	return some
}

// overtaken names an item that too many removals overtake, and these.
func (x *overtaking) overtaken() []history.OpID {
	for _, v := range x.known() {
		e := 0
		if out := x.out[v]; out >= 0 {
			e = x.back.Of(out)
		}
		a := &x.ops[x.in[v]]
		end := x.taken(v)
		k, _ := slices.BinarySearchFunc(x.byReturn, a.Return, func(r history.OpID, at history.Rank) int {
			return cmp.Compare(x.ops[r].Return, at)
		})
		by := []history.OpID{x.in[v]}
		var since []history.OpID
		for over := 0; k < len(x.byReturn) && x.ops[x.byReturn[k]].Return < end; k++ {
			if x.work--; x.work < 0 {
				return nil
			}
			p := x.byReturn[k]
			w := x.t.Value[p]
			if w < 0 || x.in[w] < 0 || x.out[w] != p || x.back.Of(p) != e || !x.first(v, w, e) ||
				!x.queued(x.in[v], e) && a.Return >= x.ops[p].Call {
				continue
			}
			if !x.queued(x.in[v], e) && (x.t.Discipline != model.ByPriority || a.Return >= x.ops[x.in[w]].Call) {
				more := x.between(a.Return, x.ops[p].Call, e)
				if len(more) < x.bound[e] {
					continue
				}
				since = append(since, more...)
			}
			by = append(by, p)
			if over++; over > x.bound[e] {
				return append(by, since...)
			}
		}
	}
	return nil
}
