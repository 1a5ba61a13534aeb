package wgl

// What: what is possible before a return, if open operations require others by explicit order.
//
// If the history gives u before v and both are open at a cut, u is pending in the prefix, so the
// prefix by itself lets v take effect without u. But u does return, so v cannot:
// model.Partition.Demands holds such pairs.
//
// Source: the definition, by plain enumeration.
//
// What we changed: the main search cannot respect demands, since it assumes that having used fewer
// pending operations is never worse. So these prefixes are enumerated depth first over (operations
// that took effect, state), each visited once. If nothing is possible before the return that the
// search reports, an earlier return is the one to report.
//
// Invariant: only a complete enumeration rules a return out.
//
// Cost: demandedSteps steps for each prefix; beyond that the frontier of the prefix is not
// complete.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// enumeration is an enumeration in progress.
type enumeration struct {
	*Run
	n       history.OpID
	demands layout.Lists[history.OpID, history.OpID] // op → those it must not take effect without
	before  layout.Lists[history.OpID, history.OpID] // op → what explicit order puts before it
	taken   []bool
	order   []history.OpID
	left    int // completed operations that have not taken effect
	seen    map[string]bool
	ways    []way
	longest []history.OpID
}

// enumerate lists the configurations after the first n operations of r's partition that respect its
// demands. It reports whether these are all.
func enumerate(r *Run, n history.OpID) (ways []way, longest []history.OpID, complete bool) {
	p := r.Instance.Partition
	d := &enumeration{Run: r, n: n, taken: make([]bool, n), seen: map[string]bool{}}
	d.demands = layout.NewLists(n, len(p.Demands), func(k int) (history.OpID, history.OpID) {
		return p.Demands[k].After, p.Demands[k].Before
	})
	d.before = layout.NewLists(n, len(p.Edges), func(k int) (history.OpID, history.OpID) {
		return p.Edges[k].After, p.Edges[k].Before
	})
	for i := range n {
		if !p.Ops[i].Pending() {
			d.left++
		}
	}
	complete = d.visit(r.State)
	return d.ways, d.longest, complete
}

// visit continues from a state, and reports whether it visited everything.
func (d *enumeration) visit(s model.State) bool {
	key := make([]byte, 0, d.n/8+5)
	for at := history.OpID(0); at < d.n; at += 8 {
		b := byte(0)
		for k := at; k < min(at+8, d.n); k++ {
			if d.taken[k] {
				b |= 1 << (k - at)
			}
		}
		key = append(key, b)
	}
	key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
	if d.seen[string(key)] {
		return true
	}
	d.seen[string(key)] = true
	if d.left == 0 {
		d.arrive(s)
	}
	// earliest return of a completed operation that has not taken effect
	first := history.Rank(1<<31 - 1)
	for i := range d.n {
		if o := &d.Ops[i]; o.Call > first {
			break // and neither can those that follow
		} else if !d.taken[i] {
			first = min(first, o.Return)
		}
	}
	for i := range d.n {
		o := &d.Ops[i]
		if o.Call > first {
			break
		}
		if d.taken[i] || !d.open(i) {
			continue
		}
		code := d.Apply(s, i)
		if code == 0 {
			return false
		}
		for k := int32(0); ; k++ {
			t, ok := d.Table.Next(code, k)
			if !ok {
				break
			}
			d.put(i, true)
			d.order = append(d.order, i)
			all := d.visit(t)
			d.order = d.order[:len(d.order)-1]
			d.put(i, false)
			if !all {
				return false
			}
		}
	}
	return true
}

// open reports whether explicit order lets operation i come next.
func (d *enumeration) open(i history.OpID) bool {
	for _, u := range d.before.Of(i) {
		if !d.taken[u] && !d.Ops[u].Pending() {
			return false
		}
	}
	for _, u := range d.demands.Of(i) {
		if !d.taken[u] {
			return false
		}
	}
	for _, e := range d.Instance.Partition.Edges {
		if e.Before == i && d.taken[e.After] {
			return false
		}
	}
	return true
}

// put records that operation i takes effect, or undoes that.
func (d *enumeration) put(i history.OpID, taken bool) {
	d.taken[i] = taken
	switch {
	case d.Ops[i].Pending():
	case taken:
		d.left--
	default:
		d.left++
	}
}

// arrive records a configuration.
func (d *enumeration) arrive(s model.State) {
	w := way{state: s}
	for i := range d.n {
		if d.taken[i] && d.Ops[i].Pending() {
			w.used = append(w.used, i)
		}
	}
	if d.ways == nil {
		d.longest = append([]history.OpID{}, d.order...)
	}
	d.ways = append(d.ways, w)
}

// way is one configuration after the last return of the partition before the victim's return.
type way struct {
	state model.State
	used  []history.OpID // operations, ascending
}
