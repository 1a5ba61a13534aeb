package picture

import (
	"sort"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Partial linearizations of a history that is not linearizable, or not decided.
//
// What: for every operation a longest partial linearization with it: a sequence of operations that
// the specification allows, that respects the order of time, and that leaves out nothing which
// returned before an operation in it was called.
//
// Source: the search of Wing and Gong with Lowe's cache (G. Lowe, "Testing for linearizability",
// Concurrency and Computation 29(4), 2017), as Porcupine does it for its picture: what is placed
// when the search turns back is such a sequence.
//
// What we changed: operations that never returned are tried last and may be left out; a step may
// leave several states; the cache keeps hashes of configurations alone, so a collision can hide a
// longer sequence, but cannot make a wrong one; the search ends after partialSteps steps or
// partialTime, with the longest found so far.
//
// Invariants: every sequence is a partial linearization, and for small histories there is no longer
// one with the operation (TestPartialLinearizations compares with the definition).
//
// Cost: at most partialSteps steps of the machine, and partialPlaces places in all sequences.

// Partial is a partial linearization, as positions in History.Ops.
type Partial []history.OpID

// partials returns the longest partial linearizations found, each once, and for every operation of
// the instance's partition the number of its longest, -1 for none.
func partials(b *model.Instance) (orders []Partial, of []int32) {
	n := b.Partition.Len()
	if b.Partition.Drains > 0 || n == 0 {
		return nil, nil
	}
	w := newWalk(b)
	w.contained()
	of = make([]int32, n)
	number := map[*Partial]int32{}
	for i, l := range w.longest {
		of[i] = -1
		if l == nil {
			continue
		}
		k, had := number[l]
		if !had {
			k = int32(len(orders))
			number[l] = k
			order := make(Partial, len(*l))
			for j, op := range *l {
				order[j] = b.Partition.Global(op)
			}
			orders = append(orders, order)
		}
		of[i] = k
	}
	return orders, of
}

// contained runs the search. A specification that fails now, though it did not in the check, ends
// it with what was found: its context may be over, and a picture is not worth a panic.
func (w *walk) contained() {
	defer func() {
		if v := recover(); v != nil {
			if _, fault := v.(*model.Fault); !fault {
				panic(v)
			}
		}
	}()
	w.run()
}

// walk is a search in progress. Its events are the calls and returns of the operations that are not
// placed, a list in the order of time, from event 0, which is before all, to the last one.
type walk struct {
	machine       model.Machine
	ops           []history.Op
	events        []moment
	calls         []int32 // by operation
	before, after [][]history.OpID
	placed        []bool
	hash          uint64 // of what is placed
	stack         []frame
	seen          map[configuration]bool
	longest       []*Partial // by operation, in the numbering of the partition
	steps, places int
}

// moment is a call or a return.
type moment struct {
	op         history.OpID
	returns    bool
	prev, next int32
	other      int32 // the return of a call, 0 if there is none
}

// frame is a configuration, and how it goes on.
type frame struct {
	choices []choice
	next    int
	placed  history.OpID // by the choice before next; -1 for none
	grown   bool         // some choice was new
}

type choice struct {
	op    history.OpID
	state model.State
}

// configuration is a hash of a set of operations, and a state.
type configuration struct {
	hash  uint64
	state model.State
}

func newWalk(b *model.Instance) *walk {
	p := b.Partition
	n := len(p.Ops)
	w := &walk{machine: b.NewMachine(), ops: p.Ops, calls: make([]int32, n), before: make([][]history.OpID, n),
		after:  make([][]history.OpID, n),
		placed: make([]bool, n), seen: map[configuration]bool{}, longest: make([]*Partial, n)}
	for _, e := range p.Edges {
		w.before[e.After] = append(w.before[e.After], e.Before)
		w.after[e.Before] = append(w.after[e.Before], e.After)
	}
	type end struct {
		rank    history.Rank
		op      history.OpID
		returns bool
	}
	var ends []end
	for i := range p.Ops {
		ends = append(ends, end{p.Ops[i].Call, history.OpID(i), false})
		if !p.Ops[i].Pending() {
			ends = append(ends, end{p.Ops[i].Return, history.OpID(i), true})
		}
	}
	sort.Slice(ends, func(a, b int) bool { return ends[a].rank < ends[b].rank })
	w.events = make([]moment, len(ends)+2)
	for k, e := range ends {
		at := int32(k + 1)
		w.events[at] = moment{op: e.op, returns: e.returns}
		if e.returns {
			w.events[w.calls[e.op]].other = at
		} else {
			w.calls[e.op] = at
		}
	}
	for k := range w.events {
		w.events[k].prev, w.events[k].next = int32(k-1), int32(k+1)
	}
	return w
}

// run searches depth first.
func (w *walk) run() {
	w.stack = append(w.stack, w.choices(w.machine.Init()))
	start := time.Now()
	for turn := 1; len(w.stack) > 0 && w.steps < partialSteps && w.places < partialPlaces; turn++ {
		if turn%64 == 0 && time.Since(start) > partialTime {
			break
		}
		top := &w.stack[len(w.stack)-1]
		if top.placed >= 0 {
			w.take(top.placed, false)
			top.placed = -1
		}
		if top.next == len(top.choices) {
			if !top.grown {
				w.record()
			}
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		c := top.choices[top.next]
		top.next++
		at := configuration{w.hash ^ scatter(c.op), c.state}
		if w.seen[at] {
			continue
		}
		w.seen[at] = true
		top.grown, top.placed = true, c.op
		w.take(c.op, true)
		w.stack = append(w.stack, w.choices(c.state))
	}
	w.record()
}

// choices are the operations that may come next, and the states that they leave: those called
// before the first return of what is not placed, completed ones first.
func (w *walk) choices(s model.State) frame {
	f := frame{placed: -1}
	var open []history.OpID
	var room [4]model.State
	try := func(op history.OpID) {
		w.steps++
		for _, t := range w.machine.Step(s, op, room[:0]) {
			f.choices = append(f.choices, choice{op, t})
		}
	}
	end := int32(len(w.events) - 1)
	for at := w.events[0].next; at != end && !w.events[at].returns; at = w.events[at].next {
		switch op := w.events[at].op; {
		case !w.ordered(op):
		case w.ops[op].Pending():
			open = append(open, op)
		default:
			try(op)
		}
	}
	for _, op := range open {
		try(op)
	}
	return f
}

// ordered reports whether the explicit order allows op next.
func (w *walk) ordered(op history.OpID) bool {
	for _, i := range w.before[op] {
		if !w.placed[i] && !w.ops[i].Pending() {
			return false
		}
	}
	for _, i := range w.after[op] {
		if w.placed[i] {
			return false
		}
	}
	return true
}

// take takes op out of the events, or puts it back, the last one taken first.
func (w *walk) take(op history.OpID, out bool) {
	w.placed[op] = out
	w.hash ^= scatter(op)
	call := w.calls[op]
	for _, k := range [...]int32{call, w.events[call].other} {
		if e := &w.events[k]; k > 0 && out {
			w.events[e.prev].next, w.events[e.next].prev = e.next, e.prev
		}
	}
	for _, k := range [...]int32{w.events[call].other, call} {
		if e := &w.events[k]; k > 0 && !out {
			w.events[e.prev].next, w.events[e.next].prev = k, k
		}
	}
}

// record notes what is placed for every operation in it that has no longer sequence.
func (w *walk) record() {
	var order *Partial
	n := 0
	for k := range w.stack {
		if w.stack[k].placed >= 0 {
			n++
		}
	}
	w.steps += n / 16
	for k := range w.stack {
		op := w.stack[k].placed
		if op < 0 || w.longest[op] != nil && len(*w.longest[op]) >= n {
			continue
		}
		if order == nil {
			o := make(Partial, 0, n)
			for j := range w.stack {
				if i := w.stack[j].placed; i >= 0 {
					o = append(o, i)
				}
			}
			order = &o
			w.places += n
		}
		w.longest[op] = order
	}
}

// scatter is the part of an operation in the hash of a set.
func scatter(op history.OpID) uint64 { // splitmix64
	x := (uint64(op) + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
