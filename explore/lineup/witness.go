package lineup

import (
	"fmt"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// What: the search for a serial witness of a history (paper, Definitions 1 and 2).
//
// A serial witness of H has the same operations with the same results in each thread, and orders
// what H orders. The serial witnesses among the observations are paths of the automaton. At every
// node such a path takes the next operation of some thread, with its result in H, once all
// operations that precede it in H are on the path. So the search goes down the automaton, depth
// first. For a full history the path ends when all operations are on it. For a stuck history and
// its pending operation e, the path must consist of the completed operations and end in a node in
// which e blocks, since H[e] has no other pending operation. Invariants: done[t] operations of
// thread t are on the path; the node at its end has at most one edge for each thread and outcome.
// Cost: at most the number of serial runs, times threads; comparing results cuts most of it.

// candidate is a history as the search reads it.
type candidate struct {
	obs        *Observations
	sequential bool         // the order between threads does not count
	threads    [][]observed // with one more for those that were not observed
	left       int          // completed operations not yet on the path
	done       []int32
	// After the last load: operation (position in Execution.Ops) by thread and index.
	positions [][]int
}

// observed is one operation of the history.
type observed struct {
	index   int32   // of the operation, or absent
	result  int32   // number of the value, or absent
	pending bool    // it never returned
	needs   []int32 // of every thread, how many operations precede it
}

// load reads the history of an execution.
func (c *candidate) load(e *explore.Execution) {
	n := len(c.obs.threads) + 1
	if c.threads == nil {
		c.threads = make([][]observed, n)
		c.positions = make([][]int, n)
	}
	for t := range c.threads {
		c.threads[t], c.positions[t] = c.threads[t][:0], c.positions[t][:0]
	}
	c.left = 0
	for i := range e.Ops {
		op := &e.Ops[i]
		t := c.thread(op.Thread)
		k := len(c.threads[t])
		if k < cap(c.threads[t]) {
			c.threads[t] = c.threads[t][:k+1]
		} else {
			c.threads[t] = append(c.threads[t], observed{})
		}
		c.positions[t] = append(c.positions[t], i)
		h := &c.threads[t][k]
		if h.needs == nil {
			h.needs = make([]int32, n)
		}
		h.pending, h.index, h.result = op.Return < 0, c.obs.operation(t, int32(k), op), absent
		if !h.pending {
			h.result = c.obs.values.find(op.Result)
			c.left++
		}
		clear(h.needs)
		if c.sequential {
			continue
		}
		for j := range i { // an operation that is called later does not precede it
			if r := e.Ops[j].Return; r >= 0 && r < op.Call {
				h.needs[c.thread(e.Ops[j].Thread)]++
			}
		}
	}
	c.done = append(c.done[:0], make([]int32, n)...)
}

// thread is the position of a thread.
func (c *candidate) thread(thread int) int32 {
	return min(c.obs.threadIndex(thread), int32(len(c.obs.threads)))
}

// full reports whether a full history has a serial witness.
func (c *candidate) full() bool { return c.search(0, -1) }

// stuck returns the position of a pending operation of a stuck history that has no stuck serial
// witness, or -1.
func (c *candidate) stuck() int {
	for t, ops := range c.threads {
		if k := len(ops) - 1; k >= 0 && ops[k].pending && !c.search(0, t) {
			return c.positions[t][k]
		}
	}
	return -1
}

// search reports whether the path can continue from a node: to the end of the history, or to where
// the pending operation of thread pending blocks.
func (c *candidate) search(node int32, pending int) bool {
	if c.left == 0 && pending < 0 {
		return true
	}
	for i := range c.obs.nodes[node] {
		e := &c.obs.nodes[node][i]
		if c.left == 0 {
			if ops := c.threads[e.thread]; int(e.thread) == pending && e.to == blocked &&
				ops[len(ops)-1].index == e.index {
				return true
			}
			continue
		}
		if e.to == blocked {
			continue
		}
		k := c.done[e.thread]
		if int(k) == len(c.threads[e.thread]) {
			continue
		}
		op := &c.threads[e.thread][k]
		if op.pending || op.index != e.index || op.result != e.result || !c.ready(op) {
			continue
		}
		c.done[e.thread]++
		c.left--
		found := c.search(e.to, pending)
		c.done[e.thread]--
		c.left++
		if found {
			return true
		}
	}
	return false
}

// ready reports whether all operations that precede op are on the path.
func (c *candidate) ready(op *observed) bool {
	for t, n := range op.needs {
		if c.done[t] < n {
			return false
		}
	}
	return true
}

// Accepts reports whether a full or stuck execution of the observed test has the serial witnesses
// that it needs (Definition 3). If not, op is the operation that blocks without a stuck witness, or
// -1 for a full execution.
func (o *Observations) Accepts(e *explore.Execution) (ok bool, op int, err error) {
	if len(o.nodes) == 0 || e == nil {
		return false, -1, errNothingObserved
	}
	c := &candidate{obs: o}
	if err := o.belongs(e); err != nil {
		return false, -1, err
	}
	c.load(e)
	switch e.Outcome {
	case explore.Completed:
		return c.full(), -1, nil
	case explore.Stuck:
		op = c.stuck()
		return op < 0, op, nil
	}
	return false, -1, fmt.Errorf("the execution ended %s; only complete or stuck ones have a verdict", e.Outcome)
}

// belongs checks that an execution only has operations of the observed test.
func (o *Observations) belongs(e *explore.Execution) error {
	if o.learns { // what was not seen has no witness
		return nil
	}
	called := make([]int32, len(o.threads))
	for i := range e.Ops {
		op := &e.Ops[i]
		t := op.Thread
		if t == schedule.Main {
			t = o.threadOf(mainName)
		}
		if t < 0 || t >= len(o.threads) {
			return fmt.Errorf("the observations have no thread that calls %s", explore.Call{F: op.F, Arg: op.Arg})
		}
		ops := o.threads[t].ops
		if k := int(called[t]); k < len(ops) {
			if ops[k].f != op.F || ops[k].arg != o.values.find(op.Arg) {
				return fmt.Errorf("operation %d of thread %s is %s, but %s in the observations", k+1, o.threads[t].name,
					explore.Call{F: op.F, Arg: op.Arg}, o.call(int32(t), int32(k)))
			}
		} else if o.Complete {
			return fmt.Errorf("thread %s of the observations has %d operations, not %s as the next", o.threads[t].name,
				len(ops), explore.Call{F: op.F, Arg: op.Arg})
		}
		called[t]++
	}
	return nil
}
