package verify

import (
	"slices"

	"github.com/linsat/linsat/internal/isolation"
)

// definition is the axioms of isolation.Level for one commit order, as they are printed there.
type definition struct {
	h     *isolation.History
	l     isolation.Level
	order []int32
	from  map[isolation.Place]int32 // of registers; those of lists follow from the order
}

// holds reports whether the axioms hold.
func (d *definition) holds() bool {
	n := len(d.h.Txns)
	place := make([]int, n)
	for k, t := range d.order {
		place[t] = k
	}
	before := func(a, b int32) bool {
		return a != b && (a == isolation.Initial || b != isolation.Initial && place[a] < place[b])
	}
	type external struct {
		p    isolation.Place
		x, s int32
	}
	var reads []external
	direct := make([][]bool, n) // given, or read from
	for k := range direct {
		direct[k] = make([]bool, n)
	}
	for _, i := range d.order {
		for _, j := range d.order {
			if i != j && d.h.GivenBefore(d.l.Given, j, i) {
				direct[j][i] = true
			}
		}
		if d.h.Txns[i].Status != isolation.Committed {
			continue
		}
		for k, a := range d.h.Txns[i].Accesses {
			if a.Kind != isolation.Read {
				continue
			}
			var own []int32
			for _, b := range d.h.Txns[i].Accesses[:k] {
				if b.Kind != isolation.Read && b.Object == a.Object {
					own = append(own, b.Value)
				}
			}
			p, s := isolation.Place{Txn: i, Access: int32(k)}, int32(isolation.Initial)
			if d.h.Objects[a.Object].List {
				cut := len(a.List) - len(own)
				if cut < 0 || !slices.Equal(a.List[cut:], own) {
					return false
				}
				found := cut == 0
				var list []int32
				for _, w := range d.order {
					more := appends(d.h, w, a.Object)
					list = append(list, more...)
					if len(more) > 0 && slices.Equal(list, a.List[:cut]) {
						s, found = w, true
					}
				}
				if !found {
					return false
				}
			} else if len(own) > 0 {
				if own[len(own)-1] != a.Value {
					return false
				}
				continue
			} else {
				s = d.from[p]
			}
			reads = append(reads, external{p, a.Object, s})
			if s != isolation.Initial {
				direct[s][i] = true
			}
		}
	}
	for a := range direct {
		for b := range direct {
			if direct[a][b] && !before(int32(a), int32(b)) {
				return false
			}
		}
	}
	reach := close(direct)
	visible := make([][]bool, n) // of parallel snapshot isolation
	for a := range direct {
		visible[a] = slices.Clone(direct[a])
		for b := range direct {
			if a != b && before(int32(a), int32(b)) && conflicting(d.h, int32(a), int32(b)) &&
				slices.Contains(d.order, int32(a)) && slices.Contains(d.order, int32(b)) {
				visible[a][b] = true
			}
		}
	}
	visible = close(visible)
	for _, r := range reads {
		for _, w := range d.order {
			i := r.p.Txn
			if w == i || w == r.s || !writesTo(d.h, w, r.x) {
				continue
			}
			upTo := func(z int32) bool { return w == z || before(w, z) }
			sees := false
			switch d.l.Model {
			case isolation.ReadCommitted, isolation.ReadAtomic:
				for _, q := range reads {
					if q.p.Txn == i && q.s == w && (d.l.Model == isolation.ReadAtomic || q.p.Access < r.p.Access) {
						sees = true
					}
				}
				if d.l.Model == isolation.ReadAtomic && d.h.GivenBefore(d.l.Given, w, i) {
					sees = true
				}
			case isolation.Causal:
				sees = reach[w][i]
			case isolation.ParallelSnapshot:
				sees = visible[w][i]
			case isolation.Prefix, isolation.Snapshot:
				for _, z := range d.order {
					if direct[z][i] && upTo(z) || d.l.Model == isolation.Snapshot && before(z, i) &&
						conflicting(d.h, z, i) && upTo(z) {
						sees = true
					}
				}
			case isolation.Serializable:
				sees = before(w, i)
			}
			if sees && !before(w, r.s) {
				return false
			}
		}
	}
	return true
}

func close(r [][]bool) [][]bool {
	c := make([][]bool, len(r))
	for a := range r {
		c[a] = slices.Clone(r[a])
	}
	for k := range c {
		for a := range c {
			if !c[a][k] {
				continue
			}
			for b, more := range c[k] {
				c[a][b] = c[a][b] || more
			}
		}
	}
	return c
}

func appends(h *isolation.History, t, x int32) (all []int32) {
	for _, a := range h.Txns[t].Accesses {
		if a.Kind == isolation.Append && a.Object == x {
			all = append(all, a.Value)
		}
	}
	return all
}

func writesTo(h *isolation.History, t, x int32) bool {
	return slices.ContainsFunc(h.Txns[t].Accesses, func(a isolation.Access) bool {
		return a.Object == x && a.Kind != isolation.Read
	})
}

func conflicting(h *isolation.History, a, b int32) bool {
	return slices.ContainsFunc(h.Txns[a].Accesses, func(w isolation.Access) bool {
		return w.Kind != isolation.Read && writesTo(h, b, w.Object)
	})
}

// orders calls f for every order of those that committed and some of those that are open, and every
// choice of sources that leave the value read, until f returns false.
func orders(h *isolation.History, f func(order []int32, from map[isolation.Place]int32) bool) {
	used := make([]bool, len(h.Txns))
	var order []int32
	var more func() bool
	more = func() bool {
		complete := true
		for t := range h.Txns {
			if used[t] || h.Txns[t].Status == isolation.Aborted {
				continue
			}
			complete = complete && h.Txns[t].Status == isolation.Open
			used[t] = true
			order = append(order, int32(t))
			ok := more()
			used[t], order = false, order[:len(order)-1]
			if !ok {
				return false
			}
		}
		return !complete || choose(h, order, map[isolation.Place]int32{}, 0, 0, f)
	}
	more()
}

// choose extends the choice of sources from access k of the transaction at place n of the order on.
func choose(h *isolation.History, order []int32, from map[isolation.Place]int32, n, k int,
	f func([]int32, map[isolation.Place]int32) bool) bool {
	if n == len(order) {
		return f(order, from)
	}
	i := order[n]
	all := h.Txns[i].Accesses
	if k == len(all) || h.Txns[i].Status != isolation.Committed {
		return choose(h, order, from, n+1, 0, f)
	}
	a := all[k]
	own := slices.ContainsFunc(all[:k], func(b isolation.Access) bool {
		return b.Object == a.Object && b.Kind == isolation.Write
	})
	if a.Kind != isolation.Read || own || h.Objects[a.Object].List {
		return choose(h, order, from, n, k+1, f)
	}
	p := isolation.Place{Txn: i, Access: int32(k)}
	defer delete(from, p)
	if h.Objects[a.Object].Initial == a.Value {
		from[p] = isolation.Initial
		if !choose(h, order, from, n, k+1, f) {
			return false
		}
	}
	for _, s := range order {
		last := int32(-1)
		for _, b := range h.Txns[s].Accesses {
			if b.Kind == isolation.Write && b.Object == a.Object {
				last = b.Value
			}
		}
		if s != i && last == a.Value {
			from[p] = s
			if !choose(h, order, from, n, k+1, f) {
				return false
			}
		}
	}
	return true
}
