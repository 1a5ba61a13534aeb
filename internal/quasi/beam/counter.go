package beam

// What: counters. A configuration holds the sum in ρ″. A ticket fills the next place of both
// sequences; any whose observation is the sum may come there in ρ″: itself, one that is owed, or
// one that is early, as its call is near. Whatever is of another class keeps its place.
//
// Operations that never returned have no observation, so only what they add matters, and that only
// where something is observed. So up to three are linearized just before an observation that is off
// by what they add.
//
// Source: ours.
//
// Invariants: only "linearizable" is concluded; the sum is within 64 bits, whatever took effect.
//
// Cost: for each move the square of how many amounts are pending, if they are few.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// ticket is what a ticket is in ρ″.
type ticket struct{ observed, by int64 }

// counter is what does not change while the beam advances on a counter.
type counter struct {
	timed
	t       *model.CountingTheory
	tickets []ticket         // by key
	key     []int32          // op → what it is; -1 if it keeps its place
	places  []bool           // op → is it of the class of tickets
	byKey   [][]history.OpID // completed tickets, by call
	all     []history.OpID   // completed tickets, by call
	pending [][]history.OpID // what never returned and adds the same, by call
	adds    []int64          // what these add
}

// newCounter returns nil if the question is not one that the beam takes.
func newCounter(p *engine.Task) *counter {
	t, ok := p.Instance.Theory.(*model.CountingTheory)
	if !ok || len(t.Init) != 1 || !t.Exact() {
		return nil
	}
	q := &counter{timed: timed{ops: p.Instance.Partition.Ops}, t: t, key: make([]int32, len(t.Delta)),
		places: make([]bool, len(t.Delta))}
	keys := map[ticket]int32{}
	class := -1
	for i := range q.ops {
		q.key[i] = -1
		c := int(p.Instance.Class[i])
		if c < 0 || c >= len(p.Quasi.Factor) || !t.Observes[i] || t.Delta[i] == 0 || p.Quasi.Factor[c] == 0 ||
			q.ops[i].Pending() || class >= 0 && c != class {
			continue
		}
		class, q.bound = c, min(p.Quasi.Factor[c], int32(2*len(q.ops)))
		x := ticket{t.Observed[i], t.Delta[i]}
		k, known := keys[x]
		if !known {
			k = int32(len(q.tickets))
			keys[x], q.tickets, q.byKey = k, append(q.tickets, x), append(q.byKey, nil)
		}
		q.key[i] = k
	}
	for i := range q.ops {
		q.places[i] = class >= 0 && int(p.Instance.Class[i]) == class
	}
	q.sort(func(i history.OpID) bool { return q.key[i] >= 0 })
	for _, i := range q.byCall {
		if k := q.key[i]; k >= 0 {
			q.all, q.byKey[k] = append(q.all, i), append(q.byKey[k], i)
		}
	}
	q.group()
	return q
}

// group lists what never returned by what it adds.
func (q *counter) group() {
	of := map[int64][]history.OpID{}
	for i := range q.ops {
		if q.ops[i].Pending() && q.t.Delta[i] != 0 {
			of[q.t.Delta[i]] = append(of[q.t.Delta[i]], history.OpID(i))
		}
	}
	for by := range of {
		q.adds = append(q.adds, by)
	}
	slices.Sort(q.adds)
	for _, by := range q.adds {
		slices.SortFunc(of[by], q.called)
		q.pending = append(q.pending, of[by])
	}
}

// start implements object.
func (q *counter) start() *configuration {
	x := &configuration{sum: q.t.Init[0], spent: make([]int32, len(q.adds))}
	q.opens(x)
	return x
}

// moves implements object. A read that may come next does: it changes nothing.
func (q *counter) moves(x *configuration) (all []move) {
	near := q.contents(x)
	add := func(op history.OpID, left int32, observed int64) {
		for _, with := range q.missing(x, observed-x.sum) {
			all = append(all, move{op, left, with})
		}
	}
	for _, i := range x.open {
		switch {
		case q.key[i] >= 0:
			for k, from := range near {
				if !slices.Contains(near[:k], from) {
					add(i, from, q.tickets[from].observed)
				}
			}
		case !q.t.Observes[i]:
			all = append(all, move{op: i})
		case q.t.Delta[i] == 0 && q.t.Observed[i] == x.sum:
			return []move{{op: i}}
		default:
			add(i, 0, q.t.Observed[i])
		}
	}
	return all
}

// contents returns what the next place of tickets may have in ρ″, if some ticket is open.
func (q *counter) contents(x *configuration) (keys []int32) {
	for _, i := range x.open {
		if q.key[i] >= 0 {
			keys = append(keys, q.key[i])
		}
	}
	if len(keys) == 0 {
		return nil
	}
	from := sort.Search(len(q.all), func(k int) bool { return q.at[q.all[k]] >= x.opened })
	for _, i := range q.all[from:] {
		if q.before[i]-q.done(x) > q.bound {
			break
		}
		keys = append(keys, q.key[i])
	}
	for _, d := range x.early {
		if k := slices.Index(keys, d.key); k >= 0 {
			keys = slices.Delete(keys, k, k+1)
		}
	}
	for _, d := range x.owed {
		keys = append(keys, d.key)
	}
	return keys
}

// done counts the completed tickets that are linearized.
func (q *counter) done(x *configuration) int32 { return x.places - x.used }

// missing returns what never returned and adds so much: the fewest operations, up to three, or two
// if many amounts are pending, in all choices of amounts.
func (q *counter) missing(x *configuration, by int64) (choices [][]history.OpID) {
	if by == 0 {
		return [][]history.OpID{nil}
	}
	var chosen []history.OpID
	var choose func(from int, by int64, n int)
	choose = func(from int, by int64, n int) {
		to := len(q.adds)
		if n == 1 {
			last, found := slices.BinarySearch(q.adds, by)
			if !found || last < from {
				return
			}
			from, to = last, last+1
		}
		for k := from; k < to; k++ {
			next, free := q.free(x, k, chosen)
			if !free {
				continue
			}
			chosen = append(chosen, next)
			if n == 1 {
				choices = append(choices, slices.Clone(chosen))
			} else {
				choose(k, by-q.adds[k], n-1)
			}
			chosen = chosen[:len(chosen)-1]
		}
	}
	for n := 1; len(choices) == 0 && (n <= 2 || n == 3 && len(q.adds)*len(q.adds) <= len(q.ops)); n++ {
		choose(0, by, n)
	}
	return choices
}

// free returns the next pending operation that adds the amount k, if there is one that may come now
// after those that were chosen.
func (q *counter) free(x *configuration, k int, chosen []history.OpID) (op history.OpID, is bool) {
	n := int(x.spent[k])
	for _, op := range chosen {
		if q.t.Delta[op] == q.adds[k] {
			n++
		}
	}
	if n >= len(q.pending[k]) || q.ops[q.pending[k][n]].Call >= q.limit(x) {
		return 0, false
	}
	return q.pending[k][n], true
}

// linearize implements object.
func (q *counter) linearize(x, y *configuration, m move) bool {
	x.becomes(y, m.op)
	y.with = m.with
	for _, op := range m.with {
		k, _ := slices.BinarySearch(q.adds, q.t.Delta[op])
		y.spent[k]++
		y.sum += q.t.Delta[op]
		if q.places[op] {
			y.places, y.used = y.places+1, y.used+1
		}
	}
	k := slices.Index(y.open, m.op)
	y.open = slices.Delete(y.open, k, k+1)
	by := q.t.Delta[m.op]
	if q.places[m.op] {
		y.places++
	}
	if own := q.key[m.op]; own >= 0 {
		y.left, by = m.left, q.tickets[m.left].by
		if !settle(&y.early, &y.owed, debt{own, y.places}, q.bound) ||
			!settle(&y.owed, &y.early, debt{m.left, y.places}, q.bound) {
			return false
		}
	} else if q.places[m.op] {
		y.used++
	}
	y.sum += by
	q.opens(y)
	return q.judge(y)
}

// judge implements object. What never returned and is linearized all the same counts first: it
// explains anything, and is not there later. Then the places count by which debts move.
func (q *counter) judge(x *configuration) bool {
	x.score = 0
	x.hash = layout.Mix(uint64(x.sum), uint64(x.opened))
	for k, n := range x.spent {
		x.score += int64(n) << 32
		x.hash = layout.Mix(x.hash, uint64(k)<<32|uint64(n))
	}
	for _, i := range x.open {
		x.hash = layout.Mix(x.hash, uint64(i))
	}
	return q.affords(x, x.owed, func(*configuration, int32) int32 { return 0 }) && q.affords(x, x.early, q.comes)
}

// comes counts the tickets before one can be linearized that has this content.
func (q *counter) comes(x *configuration, key int32) int32 {
	for _, i := range x.open {
		if q.key[i] == key {
			return 0
		}
	}
	list := q.byKey[key]
	if k := sort.Search(len(list), func(k int) bool { return q.at[list[k]] >= x.opened }); k < len(list) {
		return max(0, q.before[list[k]]-q.done(x))
	}
	return q.bound + 1
}

// finish implements object.
func (q *counter) finish(x *configuration) *configuration {
	if len(x.open) > 0 || int(x.opened) < len(q.byCall) || len(x.owed)+len(x.early) > 0 {
		return nil
	}
	return x
}

// near implements object: no clauses are about few operations of a counter.
func (*counter) near(*configuration) []history.OpID { return nil }

// orders implements object.
func (q *counter) orders(end *configuration) (first, then []history.OpID, drains int) {
	first, then = end.orders(func(op history.OpID) (int32, bool) { return q.key[op], q.key[op] >= 0 },
		func(left int32) int32 { return left })
	return first, then, 0
}
