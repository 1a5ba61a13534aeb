package specs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// k-out-of-order and k-lateness [Henzinger et al., POPL'13, §4] of collections with an order among
// their items.
//
// The paper completes the transition system of an object: a step that is not allowed costs the
// length of the shortest segment of the state whose absence would allow it, and the segment is put
// back where it was. For a removal this is the number of items that should leave before the one
// taken (in a priority queue those of strictly smaller priority); for a removal or a peek that
// finds nothing, the number of items; for an insertion, the number of items between it and its
// place. In a priority queue an item has no other place. k-out-of-order bounds the greatest cost of
// a step. k-lateness, restricted to removals, bounds the number of removals of positive cost since
// the item that leaves next became that; it allows no other operation to be out of order.
//
// Our choices where the paper leaves it open: equal values are items of their own (the one that is
// taken is any of them); a removal that finds nothing although there are items passes over the next
// item; peeks are removals that put the item back, and never out of order if relaxations are
// restricted to removals; a deque counts at each of its ends separately. A removal whose change is
// left out (stuttering) is as far out of order as if it was made, and the next item has left only
// if it really did.
//
// Invariants: a state is three counts (late at the front, late at the back, changes left out),
// followed by the contents, next to leave first (deque: front first; priority queue: sorted by
// priority and number). A count without a bound stays 0. Cost: a step on n items yields at most n+2
// states of n+3 numbers.

// header is how many numbers of a state stand before the contents.
const header = 3

// ordering is the order among the items of a collection.
type ordering struct {
	object     string
	ends       []string // where items leave, by name
	element    element
	leaving    func(c *contents) // as in discipline
	show       func(c *contents, items []int32) string
	last       bool // insertions go to the end that items do not leave from
	byPriority bool
}

func orderingOf(s model.Spec) (*ordering, bool) {
	t, ok := s.(*table)
	if !ok || t.order == nil {
		return nil, false
	}
	return t.order, true
}

var (
	queueOrder = ordering{object: "queue", ends: []string{"front"}, element: anyElement,
		show: (*contents).list, last: true}
	stackOrder = ordering{object: "stack", ends: []string{"top"}, element: anyElement, leaving: lifo.leaving,
		show: (*contents).listTopLast}
	priorityOrder = ordering{object: "priority queue", ends: []string{"next element"}, element: byPriority.element,
		leaving: byPriority.leaving,
		show:    (*contents).list, byPriority: true}
	dequeOrder = ordering{object: "deque", ends: []string{"front", "back"}, element: anyElement, show: (*contents).list}
)

// listTopLast writes the contents of a stack, top first, as the machine of stack does.
func (c *contents) listTopLast(items []int32) string {
	if len(items) == 0 {
		return c.list(nil)
	}
	items = slices.Clone(items)
	slices.Reverse(items)
	return c.list(items) + " (top last)"
}

// disorder executes one collection out of order.
type disorder struct {
	*ordering
	*contents
	by   SemanticRelaxation
	back []bool // by operation: whether it is on the second end
	far  int    // how far removals may be out of order
	free int    // how far other operations may
}

// bindOutOfOrder binds a partition that holds one collection.
func (r *relaxed) bindOutOfOrder(o *ordering, p *model.Partition) (*model.Instance, error) {
	strict := r.strict.(*table)
	c, err := newContents(strict, p, o.element)
	if err != nil {
		return nil, err
	}
	if o.leaving != nil {
		o.leaving(c)
	}
	b, err := c.bind()
	if err != nil {
		return nil, err
	}
	for i, f := range c.verb {
		if strict.rows[f].does > model.Peek {
			return nil, p.Error(history.OpID(i), fmt.Sprintf("%s of a %s has no meaning out of order",
				p.History.Values.Format(p.Ops[i].F), o.object), "leave it out, or ask without --relax")
		}
	}
	d := &disorder{ordering: o, contents: c, by: r.by, back: make([]bool, len(p.Ops)), far: r.by.OutOfOrder,
		free: r.by.OutOfOrder}
	if r.by.Lateness > 0 {
		d.free = 0
		if d.far == 0 {
			d.far = math.MaxInt
		}
	}
	for i, class := range b.Class {
		d.back[i] = len(o.ends) == 2 && class%2 == 1
		b.ReadOnly[i] = c.does[i] == model.Peek || c.does[i] == model.Remove && c.value[i] == model.Nothing &&
			r.by.Lateness == 0
	}
	b.Spec, b.Class, b.Items = r, nil, model.Items{}
	b.NewMachine = d.machine
	b.Refusal = d.refusal
	return b, nil
}

func (d *disorder) machine() model.Machine {
	var before, after []int32
	step := func(s []int32, op history.OpID, yield func(next []int32)) {
		before = append(before[:0], s...)
		head, items := [header]int32(before), before[header:]
		// put yields items[:at], then insert if it is a value, then items[from:].
		put := func(head [header]int32, at int, insert int32, from int) {
			after = append(append(after[:0], head[:]...), items[:at]...)
			if insert >= 0 {
				after = append(after, insert)
			}
			yield(append(after, items[from:]...))
		}
		if d.does[op] == model.Insert {
			d.insert(head, items, op, put)
		} else {
			d.take(head, items, op, put)
		}
	}
	return model.NewVector(append(make([]int32, header), d.initial...), step, d.describe)
}

// insert yields the contents with the value of op at each place that it may get, and those without
// it.
func (d *disorder) insert(head [header]int32, items []int32, op history.OpID, put func(head [header]int32, at int,
	insert int32, from int)) {
	n, v := len(items), d.value[op]
	made := head
	made[2] = 0
	if d.byPriority {
		at, _ := slices.BinarySearchFunc(items, v, d.compare)
		if n == 0 || d.rank[v] < d.rank[items[0]] {
			made[0] = 0
		}
		put(made, at, v, at)
	} else {
		for off := 0; off <= min(d.free, n); off++ {
			at := off
			if d.last || d.back[op] {
				at = n - off
			}
			next := made
			if at == 0 {
				next[0] = 0
			}
			if at == n {
				next[1] = 0
			}
			put(next, at, v, at)
		}
	}
	if d.leaveOut(&head) {
		put(head, n, model.Nothing, n)
	}
}

// take yields what a removal or a peek may leave behind.
func (d *disorder) take(head [header]int32, items []int32, op history.OpID, put func(head [header]int32, at int,
	insert int32, from int)) {
	n := len(items)
	if d.allows(op, model.Nothing) {
		if late, ok := d.passOver(head, op, n); ok {
			put(late, n, model.Nothing, n)
		}
	}
	for at, v := range items {
		if !d.allows(op, v) {
			continue
		}
		cost := d.cost(items, op, at)
		late, ok := d.passOver(head, op, cost)
		switch {
		case !ok:
			continue
		case d.does[op] == model.Peek:
			put(late, n, model.Nothing, n)
			continue
		}
		made := late
		made[2] = 0
		if at == 0 || cost == 0 && !d.back[op] {
			made[0] = 0
		}
		if at == n-1 || cost == 0 && d.back[op] {
			made[1] = 0
		}
		put(made, at, model.Nothing, at+1)
		if d.leaveOut(&late) {
			put(late, n, model.Nothing, n)
		}
	}
}

// cost returns the number of items that should leave before the one at place at, at the end of op.
func (d *disorder) cost(items []int32, op history.OpID, at int) int {
	switch {
	case d.back[op]:
		return len(items) - 1 - at
	case d.byPriority:
		for at > 0 && d.rank[items[at-1]] == d.rank[items[at]] {
			at--
		}
	}
	return at
}

// passOver reports whether removal or peek op may be out of order by cost, and counts it if that
// makes an item late.
func (d *disorder) passOver(head [header]int32, op history.OpID, cost int) ([header]int32, bool) {
	if d.does[op] == model.Peek {
		return head, cost <= d.free
	}
	if cost > d.far {
		return head, false
	}
	if cost > 0 && d.by.Lateness > 0 {
		end := d.end(op)
		if int(head[end]) >= d.by.Lateness {
			return head, false
		}
		head[end]++
	}
	return head, true
}

// leaveOut counts a change that is left out, and reports whether it may be.
func (d *disorder) leaveOut(head *[header]int32) bool {
	if int(head[2]) >= d.by.Stuttering {
		return false
	}
	head[2]++
	return true
}

func (d *disorder) end(op history.OpID) int {
	if d.back[op] {
		return 1
	}
	return 0
}

func (d *disorder) describe(s []int32) string {
	var b strings.Builder
	b.WriteString(d.show(d.contents, s[header:]))
	for end, name := range d.ends {
		if n := s[end]; n > 0 {
			fmt.Fprintf(&b, " (%s passed over %s)", name, times(n))
		}
	}
	b.WriteString(leftOut(s[2]))
	return b.String()
}

func times(n int32) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// refusal says why op is not allowed.
func (d *disorder) refusal(m model.Machine, s model.State, op history.OpID) string {
	state := model.PeekVector(m, s)
	items, v := state[header:], d.value[op]
	end := d.end(op)
	place := d.ends[end]
	cost, limit := len(items), d.far
	if d.does[op] == model.Peek {
		limit = d.free
	}
	if d.does[op] == model.Insert || v == model.Anything {
		return ""
	}
	if v >= 0 {
		cost = -1
		for at, e := range items {
			if k := d.cost(items, op, at); e == v && (cost < 0 || k < cost) {
				cost = k
			}
		}
	}
	switch {
	case cost < 0:
		return d.format(v) + " is not in the " + d.object
	case cost > limit && v == model.Nothing:
		return fmt.Sprintf("the %s is not empty: it holds %d, and %d may be missed", d.object, cost, limit)
	case cost > limit:
		return fmt.Sprintf("%s is %d away from being the %s, and may be %d", d.format(v), cost, place, limit)
	case cost > 0 && d.does[op] == model.Remove && d.by.Lateness > 0 && int(state[end]) >= d.by.Lateness:
		return fmt.Sprintf("the %s has been passed over %s", place, times(state[end]))
	}
	return ""
}
