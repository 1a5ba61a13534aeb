package gen

import (
	"container/heap"
	"slices"

	"github.com/linsat/linsat/history"
)

// The ends of a list.
const (
	front = iota
	back
)

// list is a queue, a stack or a deque: insertions and removals at its ends.
type list struct {
	insert, remove []string // names of the operations
	put, take      []int    // the end at which each works; queues and stacks insert at the back
	peek           string   // "" if it has none
	items          []history.Value
	reserved       int // removals that were called but have not taken effect
}

// whole chooses, perhaps, an operation on the whole collection (size or drain), and reports whether
// it did.
func whole(d *draw, a *action) bool {
	if share := 0.1; !d.all || !d.free && !d.coin(0.1) || !d.coin(share) {
		return false
	}
	if a.f = "size"; d.coin(0.4) {
		a.f = "drain"
	}
	return true
}

// guessWhole returns a possible result of size or drain; the list has some values that may be in
// the collection.
func guessWhole(d *draw, a *action, value func() history.Value) history.Value {
	if a.f == "size" {
		return d.t.Int(d.r.Int64N(4))
	}
	var some []history.Value
	for range d.r.IntN(3) {
		some = append(some, value())
	}
	return d.t.List(some)
}

// turn is what a collection does next.
type turn uint8

const (
	insertion turn = iota
	removal
	look // at what would be removed, or at the whole
)

// next draws the turn of a collection. A look has its operation already. A long run without empty
// results removes no more than is there.
func next(d *draw, a *action, peek string, stored, reserved int) turn {
	if whole(d, a) {
		return look
	}
	remove := d.coin(1 / (2 - d.empty))
	switch {
	case d.free:
		if peek != "" && d.coin(0.1) {
			a.f = peek
			return look
		}
	case d.empty == 0 && stored <= reserved:
		remove = false
	}
	if remove {
		return removal
	}
	return insertion
}

// lost decides whether an operation that never returns takes effect. A removal that does not gives
// back what was reserved for it.
func lost(d *draw, removes bool, reserved *int) bool {
	if d.coin(0.5) {
		return true
	}
	if removes {
		*reserved--
	}
	return false
}

// guessItem returns a result that an operation on a collection may have: value draws one of a
// removal.
func guessItem(d *draw, a *action, inserts bool, value func() history.Value) history.Value {
	if a.f == "size" || a.f == "drain" {
		return guessWhole(d, a, value)
	}
	if inserts || d.coin(0.25) {
		return history.Nil
	}
	return value()
}

// startItems draws what is there at the start.
func startItems(d *draw, items *[]history.Value) (history.Value, bool) {
	for range 1 + d.r.IntN(2) {
		*items = append(*items, d.value())
	}
	return d.t.List(*items), true
}

func (o *list) pick(d *draw, a *action) bool {
	switch next(d, a, o.peek, len(o.items), o.reserved) {
	case insertion:
		a.f, a.arg = o.insert[d.r.IntN(len(o.insert))], d.value()
	case removal:
		o.reserved++
		a.f = o.remove[d.r.IntN(len(o.remove))]
	}
	return true
}

func (o *list) apply(d *draw, a *action) bool {
	switch a.f {
	case "size":
		a.result = d.t.Int(int64(len(o.items)))
		return true
	case "drain":
		all := slices.Clone(o.items)
		if o.take[0] == back {
			slices.Reverse(all)
		}
		a.result, o.items = d.t.List(all), nil
		return true
	}
	if k := slices.Index(o.insert, a.f); k >= 0 {
		a.result = d.done()
		if o.put != nil && o.put[k] == front {
			o.items = append([]history.Value{a.arg}, o.items...)
		} else {
			o.items = append(o.items, a.arg)
		}
		return true
	}
	k := slices.Index(o.remove, a.f)
	if k >= 0 {
		o.reserved--
	} else {
		k = 0
	}
	if len(o.items) == 0 {
		return true
	}
	if o.take[k] == front {
		a.result = o.items[0]
		if a.f != o.peek {
			o.items = o.items[1:]
		}
		return true
	}
	last := len(o.items) - 1
	a.result = o.items[last]
	if a.f != o.peek {
		o.items = o.items[:last]
	}
	return true
}

func (o *list) crash(d *draw, a *action) bool {
	return lost(d, slices.Contains(o.remove, a.f), &o.reserved)
}

func (o *list) guess(d *draw, a *action) history.Value {
	return guessItem(d, a, slices.Contains(o.insert, a.f), d.seen)
}

func (o *list) start(d *draw) (history.Value, bool) { return startItems(d, &o.items) }

// element is an element of a priority queue: an integer, which is its priority, or a pair of
// priority and value.
type element struct {
	priority int64
	value    history.Value
}

// priorities is a priority queue: a heap in which elements of equal priority come in any order.
type priorities struct {
	paired   int // whether elements are pairs: 0 undecided, 1 yes, 2 no
	heap     []element
	reserved int
}

func (o *priorities) Len() int           { return len(o.heap) }
func (o *priorities) Less(i, j int) bool { return o.heap[i].priority < o.heap[j].priority }
func (o *priorities) Swap(i, j int)      { o.heap[i], o.heap[j] = o.heap[j], o.heap[i] }
func (o *priorities) Push(x any)         { o.heap = append(o.heap, x.(element)) }
func (o *priorities) Pop() any {
	last := o.heap[len(o.heap)-1]
	o.heap = o.heap[:len(o.heap)-1]
	return last
}

// element draws an element. If values are new, each priority occurs once, in no particular order.
func (o *priorities) element(d *draw, n int64) history.Value {
	if o.paired == 0 {
		o.paired = 2
		if d.free && d.coin(0.3) {
			o.paired = 1
		}
	}
	if d.values == 0 && !d.free {
		n = n * 0x9e3779b1 % (1 << 32) // odd: one to one
	}
	if o.paired == 1 {
		return d.t.List([]history.Value{d.t.Int((n + 1) / 2), d.t.Int(n)})
	}
	return d.t.Int(n)
}

func (o *priorities) pick(d *draw, a *action) bool {
	switch next(d, a, "min", len(o.heap), o.reserved) {
	case insertion:
		a.f, a.arg = "insert", o.element(d, d.int64())
	case removal:
		o.reserved++
		a.f = "deletemin"
	}
	return true
}

func (o *priorities) apply(d *draw, a *action) bool {
	switch a.f {
	case "size":
		a.result = d.t.Int(int64(len(o.heap)))
		return true
	case "drain":
		var all []history.Value
		for len(o.heap) > 0 {
			all = append(all, heap.Pop(o).(element).value)
		}
		a.result = d.t.List(all)
		return true
	}
	if a.f == "insert" {
		a.result = d.done()
		heap.Push(o, element{priorityOf(d.t, a.arg), a.arg})
		return true
	}
	if a.f == "deletemin" {
		o.reserved--
	}
	if len(o.heap) == 0 {
		return true
	}
	k := 0
	if d.free { // any of the equal ones; in a long run, the first of the heap
		equal := 0
		for i, e := range o.heap {
			if e.priority == o.heap[0].priority {
				if equal++; d.r.IntN(equal) == 0 {
					k = i
				}
			}
		}
	}
	a.result = o.heap[k].value
	if a.f == "deletemin" {
		heap.Remove(o, k)
	}
	return true
}

func priorityOf(t *history.Values, v history.Value) int64 {
	if pair, ok := t.AsList(v); ok {
		v = pair[0]
	}
	n, _ := t.AsInt(v)
	return n
}

func (o *priorities) crash(d *draw, a *action) bool {
	return lost(d, a.f == "deletemin", &o.reserved)
}

func (o *priorities) guess(d *draw, a *action) history.Value {
	return guessItem(d, a, a.f == "insert", func() history.Value {
		n, _ := d.t.AsInt(d.seen())
		return o.element(d, n)
	})
}

func (o *priorities) start(d *draw) (history.Value, bool) {
	var all []history.Value
	for range 1 + d.r.IntN(2) {
		v := o.element(d, d.int64())
		heap.Push(o, element{priorityOf(d.t, v), v})
		all = append(all, v)
	}
	return d.t.List(all), true
}

// bag is a collection that returns its values in any order.
type bag struct {
	items    []history.Value
	reserved int // removals that were called but have not taken effect
}

func (o *bag) pick(d *draw, a *action) bool {
	switch next(d, a, "peek", len(o.items), o.reserved) {
	case insertion:
		a.f, a.arg = "enq", d.value()
	case removal:
		o.reserved++
		a.f = "deq"
	}
	return true
}

func (o *bag) apply(d *draw, a *action) bool {
	switch a.f {
	case "size":
		a.result = d.t.Int(int64(len(o.items)))
		return true
	case "drain":
		d.r.Shuffle(len(o.items), func(i, j int) { o.items[i], o.items[j] = o.items[j], o.items[i] })
		a.result, o.items = d.t.List(o.items), nil
		return true
	case "enq":
		a.result = d.done()
		o.items = append(o.items, a.arg)
		return true
	}
	if a.f == "deq" {
		o.reserved--
	}
	if len(o.items) == 0 {
		return true
	}
	k := d.r.IntN(len(o.items))
	a.result = o.items[k]
	if a.f == "deq" {
		last := len(o.items) - 1
		o.items[k], o.items = o.items[last], o.items[:last]
	}
	return true
}

func (o *bag) crash(d *draw, a *action) bool { return lost(d, a.f == "deq", &o.reserved) }

func (o *bag) guess(d *draw, a *action) history.Value { return guessItem(d, a, a.f == "enq", d.seen) }

func (o *bag) start(d *draw) (history.Value, bool) { return startItems(d, &o.items) }

// bounded is a queue of limited capacity. Long runs insert by offers only, which never wait for
// room.
type bounded struct {
	capacity int // 0 until it is drawn
	items    []history.Value
	reserved int // removals that were called but have not taken effect, in a long run
}

func (o *bounded) open(d *draw) {
	switch {
	case o.capacity > 0:
	case d.free:
		o.capacity = 1 + d.r.IntN(3)
	default:
		o.capacity = 8
	}
}

func (o *bounded) pick(d *draw, a *action) bool {
	o.open(d)
	remove := d.coin(1 / (2 - d.empty))
	if d.free && d.coin(0.15) {
		a.f = [2]string{"peek", "size"}[d.r.IntN(2)]
		return true
	}
	if !d.free && d.empty == 0 && len(o.items) <= o.reserved {
		remove = false
	}
	if !remove {
		a.f, a.arg = "offer", d.value()
		if d.free && d.coin(0.4) {
			a.f = "enq"
		}
		return true
	}
	o.reserved++
	a.f = "deq"
	return true
}

func (o *bounded) apply(d *draw, a *action) bool {
	room := len(o.items) < o.capacity
	switch a.f {
	case "enq", "offer":
		if a.f == "offer" {
			a.result = d.t.Bool(room)
		} else if !room {
			return false
		}
		if room {
			o.items = append(o.items, a.arg)
		}
		return true
	case "size":
		a.result = d.t.Int(int64(len(o.items)))
		return true
	case "deq":
		o.reserved--
	}
	if len(o.items) > 0 {
		a.result = o.items[0]
		if a.f == "deq" {
			o.items = o.items[1:]
		}
	}
	return true
}

func (o *bounded) crash(d *draw, a *action) bool { return lost(d, a.f == "deq", &o.reserved) }

func (o *bounded) guess(d *draw, a *action) history.Value {
	switch {
	case a.f == "offer":
		return d.bool()
	case a.f == "size":
		return d.t.Int(d.r.Int64N(4))
	case a.f == "enq" || d.coin(0.25):
		return history.Nil
	}
	return d.seen()
}

func (o *bounded) start(d *draw) (history.Value, bool) {
	o.open(d)
	if !d.free || d.coin(0.5) {
		return d.t.Int(int64(o.capacity)), true
	}
	for range 1 + d.r.IntN(o.capacity) {
		o.items = append(o.items, d.value())
	}
	if d.coin(0.5) {
		return d.t.List(o.items), true
	}
	return d.t.Map([]history.Value{d.t.String("capacity"), d.t.Int(int64(o.capacity)), d.t.String("items"),
		d.t.List(o.items)}), true
}
