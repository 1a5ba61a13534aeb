package clausal

// Some values of a collection among others.
//
// What: the formula of the operations on some values, whatever is true of those that are left out.
// What a legal sequence does with some values is legal by itself. But places count all removals,
// those that are left out, too. There are two cases.
//
// Counted: no removal is left out that may come between two that are retained. Then places and
// slots are relative to those that come before. Only the first slots may hold removals from before,
// and only the last slots removals or drains from behind, as far as the bound allows. A removal
// that was open at the start or the end may also come before some of those before, or after some of
// those behind; then its place is lower, or higher, than the number of those that are retained
// before it.
//
// Free: others are left out, or order is. Then places and slots are any numbers that are in order
// and differ by at most the bound, and what stands between two removals stands between their
// numbers, in ρ′ and in ρ″. Few numbers are enough: where a number is neither a place nor a slot,
// all above it can be lowered by one; orders stay, and no distance grows.
//
// A removal of which the result is forgotten took none of the retained values if the history says
// so; one of unknown result may have taken what is left out.
//
// Cost: as for the whole, but for what is retained. If free, a clause for each number, for each
// pair of operations: that is for a few dozen.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
)

// InTime is the axiom of the order in time where a weakening lists what is kept of it.
const InTime Axiom = "one returned before the other was called"

// elsewhere is the value of a removal that took none of the retained values.
const elsewhere int32 = -1 << 30

// among is what is known of operations that are left out.
type among struct {
	items          bool // items
	before, behind bool // removals before the start, behind the end
	free           bool // removals that need be neither

	// the first call of a removal of a retained value, and the last return on one
	start, end history.Rank
	shift      int32  // the places before the first one
	early      []Lit  // by removal: it may come before some of those before the start
	late       []Lit  // by removal: it may come after some of those behind the end
	passes     []pass // if free
}

// pass is an operation that is no removal, and the place after which it comes.
type pass struct {
	op    history.OpID
	after Number
}

// BuildAmong returns a formula that can be satisfied if b's partition is quasi-linearizable under
// q. It is about the operations of which the weakening retains something, with the order that it
// retains. Of a value of which it leaves out an operation it must leave out all. weak is what
// base.Weakened makes of b. The error is ErrUnsupported or ErrTooLarge.
func BuildAmong(b, weak *model.Instance, q *quasi.Question, weakening *proof.Weakening) (*Formula, error) {
	p := weak.Partition
	whole, _ := b.Collection()
	t, back := weak.Collection()
	if whole == nil || t == nil || len(t.Initial) != 1 || len(p.Demands) > 0 || p.Drains > 0 || len(b.Items.Bulk) > 0 ||
		len(p.Edges) > 0 {
		return nil, ErrUnsupported
	}
	c := &collection{f: NewFormula(), theory: t, back: back}
	if !c.under(b, q) {
		return nil, ErrUnsupported
	}
	c.leaveOut(p, whole, weakening)
	if !c.build() {
		return nil, ErrUnsupported
	}
	if weakening.SomeOrder {
		at := map[history.OpID]history.OpID{}
		for k, i := range c.f.names {
			at[i] = history.OpID(k)
		}
		for _, e := range weakening.Order {
			x, y := at[e[0]], at[e[1]]
			c.f.Add(InTime, By(x, y), c.o.Before(x, y))
		}
	}
	if !c.f.Step(0) {
		return nil, ErrTooLarge
	}
	return c.f, nil
}

// Renumbered returns the values of the operations of whole as weak numbers them, which was bound
// without some results.
func Renumbered(whole, weak *model.CollectionTheory) []int32 {
	numbers := map[int32]int32{}
	for i, v := range weak.Value {
		if v >= 0 {
			numbers[whole.Value[i]] = v
		}
	}
	for k, v := range weak.Initial[0] {
		numbers[whole.Initial[0][k]] = v
	}
	values := slices.Clone(whole.Value)
	for i, v := range values {
		if n, met := numbers[v]; met {
			values[i] = n
		} else if v >= 0 {
			values[i] = elsewhere
		}
	}
	return values
}

// leaveOut restricts partition and theory to what the weakening retains.
func (c *collection) leaveOut(p *model.Partition, whole *model.CollectionTheory, weakening *proof.Weakening) {
	less, t := *p, *c.theory
	less.Ops, t.Does, t.Value, t.Object = nil, nil, nil, nil
	var back model.Ends
	kept, starts, end, items := map[int32]bool{}, [2]history.Rank{history.Never, history.Never}, history.Rank(-1), false
	for i := range p.Ops {
		op := history.OpID(i)
		does, v := c.theory.Does[i], c.theory.Value[i]
		if weakening.Of(op) == proof.RetainNothing {
			items = true
			continue
		}
		c.f.names = append(c.f.names, op)
		less.Ops = append(less.Ops, p.Ops[i])
		t.Does, t.Value, t.Object = append(t.Does, does), append(t.Value, v), append(t.Object, 0)
		back = append(back, c.back.Of(op) == 1)
		kept[v] = true
		if v != model.Anything {
			end = max(end, p.Ops[i].Return)
			if start := &starts[c.back.Of(op)]; does == model.Remove {
				*start = min(*start, p.Ops[i].Call)
			}
		}
	}
	known := Renumbered(whole, c.theory)
	for k, i := range c.f.names {
		v := known[i]
		if t.Does[k] == model.Remove && t.Value[k] == model.Anything && v != model.Anything && !kept[v] {
			t.Value[k] = elsewhere
		}
	}
	t.Initial = [][]int32{slices.DeleteFunc(slices.Clone(t.Initial[0]), func(v int32) bool { return !kept[v] })}
	items = items || weakening.SomeOrder || len(t.Initial[0]) < len(whole.Initial[0])
	for e := range c.among {
		c.among[e] = &among{free: weakening.SomeOrder, items: items, start: starts[e], end: end}
	}
	for i := range p.Ops {
		switch o := c.among[c.back.Of(history.OpID(i))]; {
		case weakening.Of(history.OpID(i)) != proof.RetainNothing || c.theory.Does[i] != model.Remove:
		case p.Ops[i].Return < o.start:
			o.before = true
		case p.Ops[i].Call > o.end:
			o.behind = true
		default:
			o.free = true
		}
	}
	if weakening.SomeOrder { // all overlap
		n := history.Rank(len(less.Ops))
		for k := range less.Ops {
			op := &less.Ops[k]
			if op.Call = history.Rank(k); !op.Pending() {
				op.Return = n + history.Rank(k)
			}
		}
		for _, o := range c.among {
			o.start, o.end = history.Never, -1
		}
	}
	if c.back != nil {
		c.back = back
	}
	c.others, c.part, c.theory = c.among[0], &less, &t
}

// slotsAmong adds places and slots.
func (c *collection) slotsAmong() {
	if c.others.free {
		c.slotsFree()
		return
	}
	f, o := c.f, c.others
	n := int32(len(c.removals))
	for k := range c.items {
		if c.items[k].drained != False {
			n++
		}
	}
	bound := c.atMost(2 * n)
	for k := range c.removals {
		if o.before && c.part.Ops[c.removals[k].op].Call < o.start {
			o.shift++ // a slot for each that may come before
		}
	}
	if o.before {
		o.shift += bound
	}
	c.aside()
	var in, within []Lit
	for k := range c.removals {
		in = append(in, c.removals[k].in)
		within = append(within, f.And(c.removals[k].in, -o.late[k]))
	}
	c.taken = f.Count(By(), in, o.shift)
	c.last = c.taken.Hi
	for k := range c.items {
		if c.items[k].drained != False {
			c.last++
		}
	}
	after := o.behind || o.items && c.drain
	if after {
		c.last += bound
	}
	for k := range c.removals {
		r := &c.removals[k]
		of := By(r.op)
		r.place = f.Count(of, c.before(r.op), 1+o.shift)
		low, high := max(1, r.place.Lo-bound), min(c.last, r.place.Hi+bound)
		if o.early[k] != False {
			low = 1
		}
		if o.late[k] != False {
			high = c.last
		}
		r.slot = f.Number(moved, of, low, high)
		f.AtMost(moved, of, &r.place, -bound, &r.slot, Unlimited, r.in, -o.early[k])
		f.AtMost(moved, of, &r.slot, -bound, &r.place, Unlimited, r.in, -o.late[k])
	}
	last := Constant(c.last)
	for k := range c.items {
		c.leave(&c.items[k], bound, &last)
	}
	first, full := f.Count(By(), o.early, o.shift), f.Count(By(), within, o.shift)
	if o.before {
		first = f.Count(By(), o.early, o.shift+bound)
	}
	if !after {
		bound = 0
	}
	for k, held := range c.fill() {
		f.Add(oneEach, By(), append(held, -first.AtMost(int32(k)), full.AtMost(int32(k)+bound))...)
	}
}

// aside adds which removals may come before some of those before the start, or after some of those
// behind the end: before all that was called after the start, or after all that returned before the
// end.
func (c *collection) aside() {
	f, o := c.f, c.others
	o.early, o.late = make([]Lit, len(c.removals)), make([]Lit, len(c.removals))
	for k := range c.removals {
		r := &c.removals[k]
		op := &c.part.Ops[r.op]
		o.early[k], o.late[k] = False, False
		if o.before && op.Call < o.start {
			o.early[k] = f.And(r.in, f.Fresh(1))
		}
		if o.behind && op.Return > o.end {
			o.late[k] = f.And(r.in, f.Fresh(1))
		}
		for j := range c.part.Ops {
			if other := history.OpID(j); other != r.op {
				if c.part.Ops[j].Call >= o.start {
					f.Add(placed, By(r.op, other), -o.early[k], -c.in[j], c.o.Before(r.op, other))
				}
				if c.part.Ops[j].Return <= o.end {
					f.Add(placed, By(r.op, other), -o.late[k], -c.in[j], c.o.Before(other, r.op))
				}
			}
		}
		f.Step(len(c.part.Ops))
	}
}

// slotsFree adds places and slots that are any numbers.
func (c *collection) slotsFree() {
	f := c.f
	c.last = int32(2*len(c.removals)) + 1
	for k := range c.items {
		if c.items[k].drained != False {
			c.last++
		}
	}
	bound := c.atMost(c.last)
	c.taken = f.Number(placed, By(), 0, c.last)
	for k := range c.removals {
		r := &c.removals[k]
		of := By(r.op)
		r.place, r.slot = f.Number(placed, of, 1, c.last), f.Number(moved, of, 1, c.last)
		f.AtMost(moved, of, &r.place, -bound, &r.slot, Unlimited, r.in)
		f.AtMost(moved, of, &r.slot, -bound, &r.place, Unlimited, r.in)
		f.AtMost(placed, of, &r.place, 0, &c.taken, Unlimited, r.in)
	}
	for k := range c.removals {
		for j := range c.removals {
			if r, s := &c.removals[k], &c.removals[j]; k != j {
				f.AtMost(placed, By(r.op, s.op), &r.place, 1, &s.place, Unlimited, r.in, s.in, c.o.Before(r.op, s.op))
			}
		}
		if !f.Step(len(c.removals)) {
			return
		}
	}
	last := Constant(c.last)
	for k := range c.items {
		c.leave(&c.items[k], bound, &last)
	}
	c.fill()
}

// passedAmong returns the place after which an operation comes that is no removal.
func (c *collection) passedAmong(op history.OpID) Number {
	f, o := c.f, c.others
	if !o.free {
		u := f.Count(By(op), c.before(op), o.shift)
		if !o.before || c.part.Ops[op].Call >= o.start {
			return u
		}
		v := f.Number(placed, By(op), 0, u.Hi) // it may come before some of those before the start
		f.AtMost(placed, By(op), &v, 0, &u, Unlimited)
		for k := range c.removals {
			if r := &c.removals[k]; c.part.Ops[r.op].Call >= o.start {
				f.AtMost(placed, By(r.op, op), &r.place, 0, &v, Unlimited, r.in, c.in[op], c.o.Before(r.op, op))
			}
		}
		return v
	}
	u := f.Number(placed, By(op), 0, c.last)
	f.AtMost(placed, By(op), &u, 0, &c.taken, Unlimited, c.in[op])
	for k := range c.removals {
		r := &c.removals[k]
		f.AtMost(placed, By(r.op, op), &r.place, 0, &u, Unlimited, r.in, c.in[op], c.o.Before(r.op, op))
		f.AtMost(placed, By(op, r.op), &u, 1, &r.place, Unlimited, r.in, c.in[op], c.o.Before(op, r.op))
	}
	for k := range o.passes {
		x := &o.passes[k]
		f.AtMost(placed, By(x.op, op), &x.after, 0, &u, Unlimited, c.in[x.op], c.in[op], c.o.Before(x.op, op))
		f.AtMost(placed, By(op, x.op), &u, 0, &x.after, Unlimited, c.in[x.op], c.in[op], c.o.Before(op, x.op))
	}
	o.passes = append(o.passes, pass{op, u})
	f.Step(len(c.removals))
	return u
}
