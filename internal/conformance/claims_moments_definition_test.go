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
			if t.Discipline != model.ByPriority || slices.ContainsFunc(names, func(v string) bool { return !first(v, found) }) {
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
				if !(d.op(i).Pending() && d.takes(i)) && !slices.ContainsFunc(x.inBefore[i], func(v string) bool { return v != d.about(i) }) {
					alone[i] = true
				}
			}
			return true
		}
		finally = func() bool {
			for _, v := range names {
				if !slices.ContainsFunc(ops, func(i history.OpID) bool { return d.about(i) == v && !(d.op(i).Pending() && d.takes(i)) && !alone[i] }) {
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
func (d *definition) contents(order []history.OpID, told, start []string, removed map[string]int, visit func(x *content) bool) {
	x := &content{in: map[string]int{}, out: map[string]int{}, front: map[string]int{}, last: map[string]int{}, at: map[history.OpID]int{}, inBefore: map[history.OpID][]string{}}
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

// given reports whether the history itself puts one operation before another.
func (d *definition) given(a, b history.OpID) bool {
	h := d.b.Partition.History
	if a < 0 || b < 0 {
		return false
	}
	a, b = d.b.Partition.Global(a), d.b.Partition.Global(b)
	if slices.Contains(h.Edges, history.Edge{Before: a, After: b}) {
		return true
	}
	if h.Revisions == nil || h.Revisions[a] == nil || h.Revisions[b] == nil {
		return false
	}
	return h.Revisions[a].Chain == h.Revisions[b].Chain && h.Revisions[a].Number < h.Revisions[b].Number
}

// cell returns the states of the one cell of a partition; false if some operation does nothing in
// any of them, so that they do not tell what it does elsewhere.
func (d *definition) cell() (states []model.State, ok bool) {
	t, ok := d.b.Theory.(*model.RegisterTheory)
	if !ok || len(t.Init) != 1 {
		return nil, false
	}
	states, ok = d.reach([]model.State{d.m.Init()}, any1)
	for i, o := range d.b.Partition.Ops {
		ok = ok && slices.ContainsFunc(states, func(s model.State) bool {
			return slices.ContainsFunc(d.steps(s, history.OpID(i)), func(next model.State) bool { return !o.Pending() || next != s })
		})
	}
	return states, ok
}

// changers counts the operations that lead away from the initial state, or back to it.
func (d *definition) changers(c claim.Changers) (holds, known bool) {
	states, ok := d.cell()
	if !ok {
		return false, false
	}
	init, n, ops := d.m.Init(), 0, d.b.Partition.Ops
	for i := range ops {
		i := history.OpID(i)
		changes := slices.ContainsFunc(states, func(s model.State) bool {
			return (s == init) == c.Away && slices.ContainsFunc(d.steps(s, i), func(next model.State) bool { return (next == init) != c.Away })
		})
		if changes && ops[i].Call < ops[c.Last].Return && ops[i].Return >= c.From {
			n++
		}
	}
	return n == c.Count, true
}

// leavesOrFinds looks at where an operation leads, and where it is allowed.
func (d *definition) leavesOrFinds(c claim.LeavesOrFinds) (holds, known bool) {
	states, ok := d.cell()
	if !ok || d.b.Partition.Ops[c.Finds].Pending() {
		return false, false
	}
	finds := func(s model.State) bool { return d.fits(s, c.Finds) }
	if c.Op < 0 {
		return c.Op == claim.Start && finds(d.m.Init()), true
	}
	leaves, only := false, !d.b.Partition.Ops[c.Op].Pending()
	for _, s := range states {
		only = only && (!d.fits(s, c.Op) || finds(s))
		leaves = leaves || !finds(s) && slices.ContainsFunc(d.steps(s, c.Op), finds)
	}
	return leaves || only, true
}

// fate judges what became of an element by all pairs of operations.
func (d *definition) fate(is claim.FateKind, element int32) bool {
	values := d.b.Partition.History.Values
	text := values.Format(d.b.Growing.Values[element])
	initially := d.b.Partition.HasInitial && slices.Contains(d.lists(d.b.Partition.Initial), text)
	var adds, missing, finding, certain []*history.Op
	twice := false
	for i := range d.b.Partition.Ops {
		i := history.OpID(i)
		o := d.op(i)
		found := d.lists(o.Result)
		switch {
		case o.Pending() || o.Unknown && !d.is(i, "add"):
			if d.is(i, "add") && values.Format(o.Arg) == text {
				adds = append(adds, o)
			}
		case d.is(i, "add") && values.Format(o.Arg) == text:
			if certain = append(certain, o); o.Unknown || o.Result != history.False {
				adds = append(adds, o)
			}
		case d.is(i, "contains") && values.Format(o.Arg) == text && o.Result == history.True:
			certain = append(certain, o)
		case !d.is(i, "read", "elements"):
		case slices.Contains(found, text):
			alike := slices.DeleteFunc(slices.Clone(found), func(v string) bool { return v != text })
			slices.Sort(found)
			if twice = twice || len(alike) > 1; len(slices.Compact(found)) == len(d.lists(o.Result)) {
				finding = append(finding, o)
				certain = append(certain, o)
			}
		default:
			slices.Sort(found)
			if len(slices.Compact(found)) == len(d.lists(o.Result)) {
				missing = append(missing, o)
			}
		}
	}
	missed := slices.DeleteFunc(missing, func(r *history.Op) bool {
		return !initially && !slices.ContainsFunc(certain, func(o *history.Op) bool { return o.Return < r.Call })
	})
	later := func(r *history.Op) bool { // than all that find it
		return !slices.ContainsFunc(finding, func(f *history.Op) bool { return f.Call > r.Call })
	}
	switch is {
	case claim.Lost:
		return len(finding) > 0 && slices.ContainsFunc(missed, later)
	case claim.NeverRead:
		return len(finding) == 0 && len(missed) > 0
	case claim.FoundAgain:
		return len(missed) > 0 && !slices.ContainsFunc(missed, later)
	case claim.ReadEarly:
		return !initially && slices.ContainsFunc(finding, func(r *history.Op) bool {
			return !slices.ContainsFunc(adds, func(o *history.Op) bool { return o.Call <= r.Return })
		})
	}
	return twice
}

// held judges claims about the owners of locks, by all orders of the operations of an owner.
func (d *definition) held(c claim.Claim) (holds, known bool) {
	switch c := c.(type) {
	case claim.Holds:
		return d.holding(d.owner(c.Op), func(order []history.OpID, counts []int) bool {
			at := slices.Index(order, c.Op)
			if at < 0 {
				return true
			}
			last := history.OpID(-1)
			for k, i := range order[:at] {
				if counts[k] != counts[k+1] {
					last = i
				}
			}
			return counts[at] == int(c.Times) && (c.Since < 0 || last == c.Since)
		})
	case claim.HeldThroughout:
		return d.throughout(c)
	case claim.AtOnce:
		a, known := d.throughout(c.A)
		b, also := d.throughout(c.B)
		began, ended := history.Rank(-1), history.Never
		for _, x := range []claim.HeldThroughout{c.A, c.B} {
			if x.Acquisition >= 0 {
				began = max(began, d.op(x.Acquisition).Return)
			}
			if x.Release >= 0 {
				ended = min(ended, d.op(x.Release).Call)
			}
		}
		return a && b && began < ended && d.holderOf(c.A) != d.holderOf(c.B), known && also
	case claim.Refused:
		none, known := d.held(claim.Holds{Op: c.Op, Since: -1})
		r := d.op(c.Op).Result
		n, isInt := d.b.Partition.History.Values.AsInt(r)
		return none && d.is(c.Op, "tryacquire") && !d.op(c.Op).Unknown && (r == history.False || isInt && n == 0), known
	}
	return false, false
}

// owner returns the name of the owner of an operation.
func (d *definition) owner(i history.OpID) string {
	h := d.b.Partition.History
	v := d.op(i).Arg
	if v == history.Nil {
		return h.Processes[d.op(i).Process]
	}
	return d.ownerName(v)
}

func (d *definition) ownerName(v history.Value) string {
	values := d.b.Partition.History.Values
	if pairs, isMap := values.AsMap(v); isMap {
		for k := 0; k < len(pairs); k += 2 {
			if name, _ := values.AsString(pairs[k]); name == "owner" || name == "client" {
				return d.ownerName(pairs[k+1])
			}
		}
		return ""
	}
	if text, ok := values.AsString(v); ok {
		return text
	}
	return values.Format(v)
}

// atStart returns who holds a lock at the start, and how often.
func (d *definition) atStart() (owner string, times int) {
	values := d.b.Partition.History.Values
	pairs, isMap := values.AsMap(d.b.Partition.Initial)
	if !d.b.Partition.HasInitial || !isMap {
		return "", 0
	}
	for k := 0; k < len(pairs); k += 2 {
		switch name, _ := values.AsString(pairs[k]); name {
		case "owner":
			owner, times = d.ownerName(pairs[k+1]), max(times, 1)
		case "count":
			n, _ := values.AsInt(pairs[k+1])
			times = int(n)
		}
	}
	return owner, times
}

func (d *definition) holderOf(c claim.HeldThroughout) string {
	if c.Acquisition >= 0 {
		return d.owner(c.Acquisition)
	}
	owner, _ := d.atStart()
	return owner
}

// change is what an operation adds to how often its owner holds the lock.
func (d *definition) change(i history.OpID) int {
	o := d.op(i)
	n, isInt := d.b.Partition.History.Values.AsInt(o.Result)
	refused := !o.Unknown && (o.Result == history.False || isInt && n == 0)
	switch {
	case refused:
		return 0
	case d.is(i, "release"):
		return -1
	}
	return 1
}

// holding calls judge with all orders of the operations of an owner, and how often it holds the
// lock before each and at last, until it returns false, and returns whether it never did.
func (d *definition) holding(owner string, judge func(order []history.OpID, counts []int) bool) (holds, known bool) {
	var ops []history.OpID
	for i := range d.b.Partition.Ops {
		if i := history.OpID(i); d.owner(i) == owner {
			ops = append(ops, i)
		}
	}
	if len(ops) > mostOrdered {
		return false, false
	}
	holds = true
	d.orders(ops, func(order []history.OpID) bool {
		held := 0
		if who, times := d.atStart(); who == owner {
			held = times
		}
		counts := []int{held}
		for _, i := range order {
			held += d.change(i)
			counts = append(counts, held)
		}
		holds = judge(order, counts)
		return holds
	})
	return holds, true
}

func (d *definition) throughout(c claim.HeldThroughout) (holds, known bool) {
	owner := d.holderOf(c)
	if c.Release >= 0 && (d.owner(c.Release) != owner || d.change(c.Release) >= 0) || c.Acquisition >= 0 && d.change(c.Acquisition) <= 0 {
		return false, true
	}
	if _, times := d.atStart(); c.Acquisition < 0 && times == 0 {
		return false, true
	}
	return d.holding(owner, func(order []history.OpID, counts []int) bool {
		inside, ended := c.Acquisition < 0, false
		for k, i := range order {
			if c.Release >= 0 && !ended && d.op(i).Call > d.op(c.Release).Call {
				ended = true
			}
			switch {
			case i == c.Acquisition && ended:
				return false
			case i == c.Acquisition:
				inside = true
			case i == c.Release:
				if !inside && !ended {
					return false
				}
				ended = true
			}
			if inside && !ended && counts[k+1] <= 0 {
				return false
			}
		}
		return inside || c.Acquisition >= 0 && d.op(c.Acquisition).Pending()
	})
}
