package conformance_test

import (
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
)

// mostReached is how many states the operations of a partition may lead to, mostSummed how many
// operations may or may not come in between, for a claim to be judged by definition.
const (
	mostReached = 500
	mostSummed  = 12
)

// definition judges claims with the machine of the specification, or with what is written in the
// history.
type definition struct {
	b    *model.Instance
	m    model.Machine
	view *model.View // nil for the partition itself
}

func byDefinition(b *model.Instance, view int32) *definition {
	if view == 0 {
		return &definition{b: b, m: b.NewMachine()}
	}
	v := b.View(view)
	return &definition{b: &model.Instance{Spec: b.Spec, Partition: b.Partition, Theory: v.Theory},
		m: viewed{v.Theory}, view: v}
}

// viewed runs the operations of a view with one register as its theory describes them.
type viewed struct{ theory model.Theory }

func (m viewed) Init() model.State {
	if t, ok := m.theory.(*model.RegisterTheory); ok {
		return model.State(t.Init[0])
	}
	return 0
}

func (m viewed) Step(s model.State, i history.OpID, dst []model.State) []model.State {
	t, ok := m.theory.(*model.RegisterTheory)
	if !ok {
		return dst
	}
	for _, way := range t.Of(i) {
		excluded := append(slices.Clone(way.Others), way.V)
		if way.Test == model.Is && int32(s) != way.V || way.Test == model.Not && slices.Contains(excluded, int32(s)) {
			continue
		}
		next := s
		if way.Leaves != model.Keep {
			next = model.State(way.Leaves)
		}
		if !slices.Contains(dst, next) {
			dst = append(dst, next)
		}
	}
	return dst
}

func (m viewed) Describe(model.State) string { return "" }
func (m viewed) Bytes() int64                { return 0 }

func (d *definition) op(i history.OpID) *history.Op {
	return &d.b.Partition.History.Ops[d.b.Partition.Global(i)]
}

func (d *definition) steps(s model.State, i history.OpID) []model.State { return d.m.Step(s, i, nil) }

func (d *definition) fits(s model.State, i history.OpID) bool { return len(d.steps(s, i)) > 0 }

// reach returns the states that some operations lead to from others, in any order and any number.
func (d *definition) reach(from []model.State, by func(i history.OpID) bool) (all []model.State, ok bool) {
	all = slices.Clone(from)
	for k := 0; k < len(all); k++ {
		for i := range d.b.Partition.Ops {
			if !by(history.OpID(i)) {
				continue
			}
			for _, s := range d.steps(all[k], history.OpID(i)) {
				if !slices.Contains(all, s) {
					all = append(all, s)
				}
			}
		}
		if len(all) > mostReached {
			return nil, false
		}
	}
	return all, true
}

func any1(history.OpID) bool { return true }

// alongside reports which operations are on the object of another.
func (d *definition) alongside(one history.OpID) func(i history.OpID) bool {
	t, ok := d.b.Axiomatic().(*model.RegisterTheory)
	return func(i history.OpID) bool { return ok && t.Object[i] == t.Object[one] }
}

// brings lists the operations that lead from a state in which an operation is not allowed to one in
// which it is.
func (d *definition) brings(states []model.State, i history.OpID) (by []history.OpID) {
	for x := range d.b.Partition.Ops {
		if x := history.OpID(x); slices.ContainsFunc(states, func(s model.State) bool {
			return !d.fits(s, i) && slices.ContainsFunc(d.steps(s, x), func(next model.State) bool {
				return d.fits(next, i)
			})
		}) {
			by = append(by, x)
		}
	}
	return by
}

// holds reports whether a claim is true. known is false where the definition does not tell.
func (d *definition) holds(c claim.Claim) (holds, known bool) {
	init := []model.State{d.m.Init()}
	ops := d.b.Partition.Ops
	_, cells := d.b.Axiomatic().(*model.RegisterTheory)
	// One that never returned is allowed in more states than those in which it does something.
	open := func(i history.OpID) bool { return ops[i].Pending() }
	switch c := c.(type) {
	case claim.Before:
		if c.A < 0 || c.B < 0 {
			return true, true
		}
		return d.op(c.A).Return < d.op(c.B).Call, true
	case claim.OnlyFrom:
		all, ok := d.reach(init, any1)
		if !ok || !cells || c.Mode >= 0 && len(d.b.Axiomatic().(*model.RegisterTheory).Of(c.By)) > 1 {
			return false, false
		}
		for _, x := range d.brings(all, c.By) {
			later, past := ops[c.By].Return < ops[x].Call, ops[x].Return < c.Since
			if x != c.By && !slices.Contains(c.From, x) && !later && !past {
				return false, true
			}
		}
		return true, true
	case claim.NeverLeft:
		all, ok := d.reach(init, func(i history.OpID) bool { return i != c.By })
		if !ok || !cells || open(c.By) || len(d.b.Axiomatic().(*model.RegisterTheory).Of(c.By)) > 1 {
			return false, false
		}
		return !slices.ContainsFunc(all, func(s model.State) bool { return d.fits(s, c.By) }), true
	case claim.OnlyThrough:
		all, ok := d.reach(init, func(i history.OpID) bool { return i != c.Op })
		return ok && !slices.ContainsFunc(all, func(s model.State) bool {
			return d.fits(s, c.Finds)
		}), ok && cells && !open(c.Finds)
	case claim.Confined:
		by := any1
		if c.Most > 0 { // what the others do to other objects does not count
			by = d.alongside(c.By)
		}
		from, ok := init, true
		if c.After >= 0 {
			var all []model.State
			all, ok = d.reach(init, by)
			from = nil
			for _, s := range all {
				for _, next := range d.steps(s, c.After) {
					tookEffect := !open(c.After) || next != s
					if tookEffect && !slices.Contains(from, next) {
						from = append(from, next)
					}
				}
			}
		}
		if !ok || !cells || len(c.Not) > 0 || open(c.By) {
			return false, false
		}
		all, ok := d.reach(from, func(i history.OpID) bool {
			return by(i) && i != c.By && i != c.After && !slices.Contains(c.Outside, i) &&
				ops[i].Call <= ops[c.By].Return && ops[i].Return >= c.Since
		})
		if c.Most > 0 && len(all) > c.Most {
			return false, ok
		}
		return ok && !slices.ContainsFunc(all, func(s model.State) bool { return d.fits(s, c.By) }), ok
	case claim.Fillers:
		if len(c.Needs) == 0 {
			return false, true
		}
		all, ok := d.reach(init, any1)
		if !ok || !cells || slices.ContainsFunc(c.Needs, open) {
			return false, false
		}
		last := history.Rank(-1)
		for _, i := range c.Needs {
			last = max(last, ops[i].Return)
			for _, s := range all {
				if d.fits(s, i) != d.fits(s, c.Needs[0]) || c.Taken && slices.ContainsFunc(d.steps(s, i),
					func(next model.State) bool { return d.fits(next, i) }) {
					return false, true
				}
			}
		}
		for _, x := range d.brings(all, c.Needs[0]) {
			if !slices.Contains(c.Able, x) && !slices.Contains(c.Outside, x) && ops[x].Call <= last &&
				ops[x].Return >= c.Since {
				return false, true
			}
		}
		return len(c.Able) < c.Times, true
	case claim.NeverBack:
		if len(c.Needs) == 0 {
			return false, true
		}
		all, ok := d.reach(init, any1)
		return !slices.ContainsFunc(d.brings(all, c.Needs[0]), func(x history.OpID) bool {
			return !slices.Contains(c.Able, x) && !slices.Contains(c.Outside, x) && ops[x].Return >= c.Since
		}), ok && cells && !open(c.Needs[0])
	case claim.LeftOnce:
		all, ok := d.reach(init, any1)
		n := len(d.brings(all, c.Finds))
		if d.fits(d.m.Init(), c.Finds) {
			n++
		}
		return n <= 1, ok && cells && !open(c.Finds)
	case claim.TakesAway:
		all, ok := d.reach(init, any1)
		return !slices.ContainsFunc(all, func(s model.State) bool {
			return d.fits(s, c.A) != d.fits(s, c.B) || slices.ContainsFunc(append(d.steps(s, c.A), d.steps(s, c.B)...),
				func(next model.State) bool { return d.fits(next, c.A) })
		}), ok && cells && !open(c.A) && !open(c.B)
	case claim.FindsAnother: // one that never returned may find anything
		all, ok := d.reach(init, any1)
		return !slices.ContainsFunc(all, func(s model.State) bool {
			return d.fits(s, c.Op) && d.fits(s, c.Finds)
		}), ok && cells && !open(c.Finds)
	case claim.Impossible:
		all, ok := d.reach(init, any1)
		return !slices.ContainsFunc(all, func(s model.State) bool { return d.fits(s, c.Op) }), ok
	case claim.Sum:
		return d.sum(c)
	case claim.OneWay:
		return d.oneWay(c)
	case claim.Given:
		return d.given(c.A, c.B), true
	case claim.LeavesOrFinds:
		return d.leavesOrFinds(c)
	}
	switch {
	case d.view != nil:
		return false, false
	case d.b.Holding() != nil:
		return d.held(c)
	case model.As[*model.GrowingTheory](d.b) != nil:
		return d.listed(c)
	case model.As[*model.LogTheory](d.b) != nil:
		return d.logged(c)
	}
	return d.written(c)
}

// is reports whether an operation has one of the names.
func (d *definition) is(i history.OpID, names ...string) bool {
	return slices.Contains(names, (&wholeHistory{h: d.b.Partition.History}).name(d.op(i)))
}

// lists returns the elements that a result lists, or that are there at the start.
func (d *definition) lists(v history.Value) (texts []string) {
	values := d.b.Partition.History.Values
	items, _ := values.AsList(v)
	for _, x := range items {
		texts = append(texts, values.Format(x))
	}
	return texts
}

// listed judges claims about sets that only grow by what operations are called, their arguments and
// results.
func (d *definition) listed(c claim.Claim) (holds, known bool) {
	values := d.b.Partition.History.Values
	text := func(x int32) string { return values.Format(model.As[*model.GrowingTheory](d.b).Values[x]) }
	reads := func(i history.OpID) bool {
		return d.is(i, "read", "elements") && !d.op(i).Unknown && !d.op(i).Pending()
	}
	initial := func(x int32) bool {
		return d.b.Partition.HasInitial && slices.Contains(d.lists(d.b.Partition.Initial), text(x))
	}
	adds := func(i history.OpID, x int32) bool { return d.is(i, "add") && values.Format(d.op(i).Arg) == text(x) }
	found := func(i history.OpID) bool { return !d.op(i).Unknown && d.op(i).Result == history.False }
	added := func(by history.OpID, x int32) bool {
		for i := range d.b.Partition.Ops {
			if adds(history.OpID(i), x) && !found(history.OpID(i)) && d.op(history.OpID(i)).Call < d.op(by).Return {
				return true
			}
		}
		return initial(x)
	}
	switch c := c.(type) {
	case claim.Has:
		switch {
		case c.Op == claim.Start:
			return initial(c.Element), true
		case reads(c.Op):
			return slices.Contains(d.lists(d.op(c.Op).Result), text(c.Element)), true
		}
		return adds(c.Op, c.Element) && !d.op(c.Op).Pending(), d.is(c.Op, "add")
	case claim.Lacks:
		if reads(c.Op) {
			return !slices.Contains(d.lists(d.op(c.Op).Result), text(c.Element)), true
		}
		return adds(c.Op, c.Element) && d.op(c.Op).Result == history.True, d.is(c.Op, "add")
	case claim.NotAdded:
		return !added(c.By, c.Element), true
	case claim.Repeats:
		all := d.lists(d.op(c.Op).Result)
		return len(slices.DeleteFunc(all, func(v string) bool { return v != text(c.Element) })) > 1, reads(c.Op)
	case claim.Fate:
		return !slices.ContainsFunc(c.Elements, func(x int32) bool { return !d.fate(c.Is, x) }), len(c.Elements) > 0
	}
	return false, false
}

// logged judges claims about logs in the same way.
func (d *definition) logged(c claim.Claim) (holds, known bool) {
	values := d.b.Partition.History.Values
	entries := func(i history.OpID) (from int64, texts []string) {
		if i == claim.Start {
			return 0, d.lists(d.b.Partition.Initial)
		}
		o := d.op(i)
		if d.is(i, "append") {
			from, _ = values.AsInt(o.Result)
			return from, []string{values.Format(o.Arg)}
		}
		from, _ = values.AsInt(o.Arg)
		return from, d.lists(o.Result)
	}
	switch c := c.(type) {
	case claim.OneOffset:
		a, x := entries(c.A)
		b, y := entries(c.B)
		return d.is(c.A, "append") && d.is(c.B, "append") && a == c.Offset && b == c.Offset && len(x)+len(y) == 2, true
	case claim.Differ:
		a, x := entries(c.A)
		b, y := entries(c.B)
		k, l := c.Offset-a, c.Offset-b
		return k >= 0 && l >= 0 && k < int64(len(x)) && l < int64(len(y)) && x[k] != y[l], c.A >= 0 ||
			d.b.Partition.HasInitial
	case claim.NotFound:
		from, found := entries(c.Read)
		put := values.Format(d.op(c.Append).Arg)
		return from == 0 && d.is(c.Append, "append") && d.is(c.Read, "read") && !slices.Contains(found, put), true
	case claim.Appended:
		n := int64(0)
		for i := range d.b.Partition.Ops {
			i := history.OpID(i)
			o := d.op(i)
			after := c.First < 0 || d.op(c.First).Return < o.Call || c.AtMost && d.op(c.First).Call <= o.Return
			if before := o.Return < d.op(c.Second).Call || c.AtMost && o.Call <= d.op(c.Second).Return; d.is(i,
				"append") && i != c.First && i != c.Second && after && before {
				n++
			}
		}
		return n == c.Count, true
	case claim.NotAppended:
		from, found := entries(c.By)
		k := c.Offset - from
		if k < 0 || k >= int64(len(found)) {
			return false, true
		}
		if _, initially := entries(claim.Start); d.b.Partition.HasInitial && c.Offset < int64(len(initially)) &&
			initially[c.Offset] == found[k] {
			return false, true
		}
		for i := range d.b.Partition.Ops {
			i := history.OpID(i)
			at, put := entries(i)
			anywhere := d.op(i).Unknown || d.op(i).Pending() || d.op(i).Result == history.Nil
			if d.is(i, "append") && put[0] == found[k] && (anywhere || at == c.Offset) &&
				d.op(i).Call <= d.op(c.By).Return {
				return false, true
			}
		}
		return true, true
	}
	return false, false
}

// counter says what operations add to a counter, what they saw, and what it is at the start. It is
// nil where that is not known.
type counter struct {
	start        int64
	amount, seen func(i history.OpID) int64
	ok           bool // as far as it was asked
}

func (d *definition) counter() *counter {
	t, counting := d.b.Theory.(*model.CountingTheory)
	if !counting {
		return nil
	}
	c := &counter{ok: true}
	if d.view != nil {
		c.start = t.Init[0]
		c.amount = func(i history.OpID) int64 { return t.Delta[i] }
		c.seen = func(i history.OpID) int64 {
			c.ok = c.ok && t.Observes[i]
			return t.Observed[i]
		}
		return c
	}
	p := *d.b.Partition
	p.Ops = slices.Clone(p.Ops)
	for i := range p.Ops {
		p.Ops[i].Unknown = true
	}
	free, err := d.b.Spec.Bind(&p)
	if err != nil {
		return nil
	}
	m := free.NewMachine()
	number := func(s model.State) int64 {
		n, err := strconv.ParseInt(m.Describe(s), 10, 64)
		c.ok = c.ok && err == nil
		return n
	}
	c.start = number(m.Init())
	c.amount = func(i history.OpID) int64 {
		next := m.Step(m.Init(), i, nil)
		if len(next) != 1 {
			c.ok = false
			return 0
		}
		return number(next[0]) - c.start // wraps around as the machine refuses to
	}
	c.seen = func(i history.OpID) int64 {
		n, is := p.History.Values.AsInt(d.op(i).Result)
		c.ok = c.ok && is && !d.op(i).Unknown
		return n
	}
	return c
}

// oneWay compares what all operations add.
func (d *definition) oneWay(c claim.OneWay) (holds, known bool) {
	n := d.counter()
	if n == nil {
		return false, false
	}
	holds = true
	as := n.amount(c.As)
	for i := range d.b.Partition.Ops {
		x := n.amount(history.OpID(i))
		holds = holds && (x == 0 || x > 0 && as > 0 || x < 0 && as < 0)
	}
	return holds, n.ok
}

// sum tries all choices of what may come in between, with amounts that the machine adds.
func (d *definition) sum(c claim.Sum) (holds, known bool) {
	n := d.counter()
	if n == nil || len(c.Maybe) > mostSummed {
		return false, false
	}
	ops := d.b.Partition.Ops
	at := n.start
	if c.After >= 0 {
		at = n.seen(c.After) + n.amount(c.After)
	}
	for _, i := range c.Inside {
		at += n.amount(i)
	}
	want := n.seen(c.By)
	for choice := range 1 << len(c.Maybe) {
		sum := at
		for k, i := range c.Maybe {
			if choice>>k&1 != 0 {
				sum += n.amount(i)
			}
		}
		if sum == want && n.ok {
			return false, true
		}
	}
	for i, o := range ops {
		i := history.OpID(i)
		told := slices.Contains(c.Inside, i) || slices.Contains(c.Maybe, i) || slices.Contains(c.Outside, i) ||
			i == c.By || i == c.After
		if !told && n.amount(i) != 0 && o.Call <= ops[c.By].Return && o.Return >= c.Since &&
			!(c.After >= 0 && o.Return < ops[c.After].Call) {
			return false, true
		}
	}
	return true, n.ok
}
