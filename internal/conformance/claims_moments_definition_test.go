package conformance_test

// Claims about moments, judged by all orders: every order of the operations that the times allow,
// in which those that never returned take effect or not.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
)

// mostOrdered is of how many operations all orders are tried.
const mostOrdered = 7

// orders calls visit with every order of some operations that the times allow, with and without
// those that are pending, until it returns false.
func (d *definition) orders(ops []history.OpID, visit func(order []history.OpID) bool) {
	placed := make([]bool, len(ops))
	var order []history.OpID
	var extend func() bool
	extend = func() bool {
		complete := true
		for k, i := range ops {
			complete = complete && (placed[k] || d.op(i).Pending())
		}
		if complete && !visit(order) {
			return false
		}
		for k, i := range ops {
			ready := !placed[k]
			for l, before := range ops {
				ready = ready && (placed[l] || d.op(before).Return >= d.op(i).Call)
			}
			if !ready {
				continue
			}
			placed[k], order = true, append(order, i)
			more := extend()
			placed[k], order = false, order[:len(order)-1]
			if !more {
				return false
			}
		}
		return true
	}
	extend()
}

// content is what one order of operations did to some values.
type content struct {
	in, out  map[string]int // when a value was put in, taken out; -1 for the start
	front    map[string]int // when it was seen or taken out for the first time
	last     map[string]int // and for the last time
	at       map[history.OpID]int
	inBefore map[history.OpID][]string // what was there when an operation took effect
}

// never is when something happens that does not.
const never = 1 << 30

func (d *definition) puts(i history.OpID) bool {
	return (&wholeHistory{h: d.b.Partition.History}).inserts(d.op(i))
}

func (d *definition) takes(i history.OpID) bool {
	return removal[(&wholeHistory{h: d.b.Partition.History}).name(d.op(i))]
}

// about is the value that an operation puts in, takes out or sees, as text.
func (d *definition) about(i history.OpID) string {
	if d.puts(i) {
		return d.b.Partition.History.Values.Format(d.op(i).Arg)
	}
	return d.b.Partition.History.Values.Format(d.op(i).Result)
}

// moments judges claims about when the values of a collection were there.
func (d *definition) moments(c claim.Claim) (holds, known bool) {
	t := d.b.Theory.(*model.CollectionTheory)
	values := d.b.Partition.History.Values
	var start []string // as operations could have put them in
	if d.b.Partition.HasInitial {
		start = d.lists(d.b.Partition.Initial)
	}
	named := func(v int32) string {
		for i, x := range t.Value {
			if x == v {
				return d.about(history.OpID(i))
			}
		}
		return ""
	}
	var numbers []int32
	var op history.OpID = -1
	switch c := c.(type) {
	case claim.Occupied:
		numbers, op = c.Values, c.Op
	case claim.NoneFirst:
		numbers = c.Values
	case claim.Ahead:
		if numbers = append([]int32{c.Value}, c.Others...); c.Via >= 0 {
			numbers = append(numbers, c.Via)
		}
	case claim.EachFirst:
		numbers = []int32{c.A, c.B}
	default:
		return false, false
	}
	var names []string
	for _, v := range numbers {
		name := named(v)
		if name == "" {
			return false, false // it is there at the start, and no operation tells its name
		}
		if slices.Contains(names, name) {
			return false, true
		}
		names = append(names, name)
	}
	told := slices.Clone(names)
	if op >= 0 && !d.puts(op) && d.about(op) != "null" && !slices.Contains(told, d.about(op)) {
		told = append(told, d.about(op))
	}
	var ops []history.OpID
	inserted, removed := map[string]int{}, map[string]int{}
	for _, v := range start {
		inserted[v]++
	}
	for i := range d.b.Partition.Ops {
		i := history.OpID(i)
		o := d.op(i)
		switch {
		case !d.puts(i) && o.Unknown && !o.Pending():
			return false, true // it may have been about any value
		case o.Pending() && !d.puts(i) && !d.takes(i):
			continue
		case o.Pending() && d.takes(i), i == op, slices.Contains(told, d.about(i)):
			ops = append(ops, i)
		}
		if d.puts(i) {
			inserted[d.about(i)]++
		} else if d.takes(i) && !o.Pending() {
			removed[d.about(i)]++
		}
	}
	if len(ops) > mostOrdered {
		return false, false
	}
	if op >= 0 && d.op(op).Pending() {
		return false, true
	}
	for _, v := range told {
		if inserted[v] != 1 || removed[v] > 1 {
			return false, true
		}
	}
	first := func(a, b string) bool { // in a priority queue
		return priority(values, d, a) < priority(values, d, b)
	}
	var judge func(x *content) bool
	finally := func() bool { return true }
	switch c := c.(type) {
	case claim.Occupied:
		if d.puts(op) {
			return false, true
		}
		if found := d.about(op); found != "null" {
			if t.Discipline != model.ByPriority || slices.ContainsFunc(names, func(v string) bool {
				return !first(v, found)
			}) {
				return false, true
			}
		}
		judge = func(x *content) bool {
			return slices.ContainsFunc(names, func(v string) bool { return slices.Contains(x.inBefore[op], v) })
		}
	case claim.NoneFirst:
		if t.Discipline != model.LIFO {
			return false, true
		}
		alone := map[history.OpID]bool{} // it took effect once while no other was there
		judge = func(x *content) bool {
			for i := range x.at {
				if !(d.op(i).Pending() && d.takes(i)) && !slices.ContainsFunc(x.inBefore[i], func(v string) bool {
					return v != d.about(i)
				}) {
					alone[i] = true
				}
			}
			return true
		}
		finally = func() bool {
			for _, v := range names {
				if !slices.ContainsFunc(ops, func(i history.OpID) bool {
					return d.about(i) == v && !(d.op(i).Pending() && d.takes(i)) && !alone[i]
				}) {
					return false
				}
			}
			return true
		}
	case claim.Ahead:
		if t.Discipline != model.FIFO {
			return false, true
		}
		value, others := names[0], names[1:1+len(c.Others)]
		behind := value
		if c.Via >= 0 {
			behind = names[len(names)-1]
		}
		judge = func(x *content) bool {
			if x.front[value] == never || behind != value && x.front[behind] >= max(x.last[value], x.out[value]) {
				return false
			}
			return !slices.ContainsFunc(others, func(v string) bool { return x.in[v] >= x.in[behind] }) &&
				slices.ContainsFunc(others, func(v string) bool { return x.out[v] > x.front[value] })
		}
	case claim.EachFirst:
		if t.Discipline != model.FIFO {
			return false, true
		}
		judge = func(x *content) bool {
			a, b := names[0], names[1]
			return x.front[a] < max(x.last[b], x.out[b]) && x.front[b] < max(x.last[a], x.out[a])
		}
	}
	holds = true
	d.orders(ops, func(order []history.OpID) bool {
		d.contents(order, told, start, removed, func(x *content) bool {
			holds = judge(x)
			return holds
		})
		return holds
	})
	return holds && finally(), true
}

// priority of a value: an integer, or the first element of a list.
func priority(values *history.Values, d *definition, text string) (p int64) {
	for i := range d.b.Partition.Ops {
		for _, v := range []history.Value{d.op(history.OpID(i)).Arg, d.op(history.OpID(i)).Result} {
			if values.Format(v) != text {
				continue
			}
			if list, ok := values.AsList(v); ok && len(list) > 0 {
				v = list[0]
			}
			p, _ = values.AsInt(v)
			return p
		}
	}
	return p
}

// contents calls visit with what an order does to some values, for each choice of what pending
// removals take, until it returns false. An order in which a value is seen while it is not there
// does nothing.
func (d *definition) contents(order []history.OpID, told, start []string, removed map[string]int,
	visit func(x *content) bool) {
	x := &content{in: map[string]int{}, out: map[string]int{}, front: map[string]int{}, last: map[string]int{},
		at: map[history.OpID]int{}, inBefore: map[history.OpID][]string{}}
	for _, v := range told {
		x.in[v], x.out[v], x.front[v], x.last[v] = never, never, never, -1
		if k := slices.Index(start, v); k >= 0 {
			x.in[v] = k - len(start)
		}
	}
	there := func(v string) bool { return x.in[v] != never && x.out[v] == never }
	var from func(k int) bool
	from = func(k int) bool {
		if k == len(order) {
			return visit(x)
		}
		i := order[k]
		x.at[i], x.inBefore[i] = k, nil
		for _, v := range told {
			if there(v) {
				x.inBefore[i] = append(x.inBefore[i], v)
			}
		}
		v := d.about(i)
		switch {
		case d.op(i).Pending() && d.takes(i):
			for _, v := range told {
				if there(v) && removed[v] == 0 {
					x.out[v] = k
					more := from(k + 1)
					x.out[v] = never
					if !more {
						return false
					}
				}
			}
			return from(k + 1)
		case d.puts(i) && slices.Contains(told, v):
			was := x.in[v]
			x.in[v] = k
			more := from(k + 1)
			x.in[v] = was
			return more
		case !slices.Contains(told, v):
			return from(k + 1)
		case !there(v):
			return true
		}
		front, last := x.front[v], x.last[v]
		if x.last[v] = k; front == never {
			x.front[v] = k
		}
		if d.takes(i) {
			x.out[v] = k
		}
		more := from(k + 1)
		x.front[v], x.last[v], x.out[v] = front, last, never
		return more
	}
	from(0)
}
