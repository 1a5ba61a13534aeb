package cdsspec

import (
	"fmt"
	"math/bits"

	"github.com/linsat/linsat/explore/c11"
)

// The order of ordering points and of calls, section 5.3 of the paper. Its five rules relate two
// points X and Y that access one location:
//
//	reads-from    X is read by Y
//	write-write   X is before Y in modification order
//	read-write    X reads from a write before Y
//	write-read    X is before the write that Y reads from
//	read-read     X reads from a write before the one that Y reads from
//
// What we changed: the rules are one comparison of numbers (rank). A write has twice its position
// in modification order, an update too, and a read one more than the write that it reads. X is
// before Y if and only if its number is less; opo_test.go compares this with the rules as printed.
// Two reads of one write, and accesses of different locations, are not ordered.
//
// Cost: n² pairs of calls times their points, for at most 64 calls that have a place.

// Rule is why an ordering point is before another.
type Rule string

// The rules.
const (
	ReadsFrom  Rule = "reads from"
	WriteWrite Rule = "modification order (write-write)"
	ReadWrite  Rule = "modification order (read-write)"
	WriteRead  Rule = "modification order (write-read)"
	ReadRead   Rule = "modification order (read-read)"
)

// Why returns the first rule, in the order of the paper, by which point x is before point y, or "".
func Why(g *c11.Graph, x, y int) Rule {
	e, f := &g.Events[x], &g.Events[y]
	if x == y || e.Place != f.Place {
		return ""
	}
	switch {
	case e.Writes() && f.Reads() && f.RF == x:
		return ReadsFrom
	case e.Writes() && f.Writes() && g.MOBefore(x, y):
		return WriteWrite
	case e.Reads() && f.Writes() && g.MOBefore(e.RF, y):
		return ReadWrite
	case e.Writes() && f.Reads() && g.MOBefore(x, f.RF):
		return WriteRead
	case e.Reads() && f.Reads() && g.MOBefore(e.RF, f.RF):
		return ReadRead
	}
	return ""
}

// rank returns the number of an access in the order of points of its location.
func rank(g *c11.Graph, event int) int {
	e := &g.Events[event]
	w, read := event, 0
	if !e.Writes() {
		w, read = e.RF, 1
	}
	for i, v := range g.MO[e.Place] {
		if v == w {
			return 2*i + read
		}
	}
	return -1
}

// Node is a place of the sequential history: a call, and the calls inside it that share an ordering
// point with it.
type Node struct {
	Calls  []int // in the order in which they began: the outermost is first
	Object int   // number of the object
	Points []int
}

// Ordering is what the ordering points say about the calls of an execution.
type Ordering struct {
	Graph   *c11.Graph
	Calls   []Call
	Nodes   []Node
	Place   []int // by call: its node, -1: it has none (an aggregate, or it does not end)
	Objects []Object
	// Before and Reach have a bit for each node: those that come before this one by a rule, and
	// those that come after it by any number of rules.
	Before, Reach []uint64
	// Cycle are nodes of which each comes before the next, and the last before the first; nil if
	// there is no cycle.
	Cycle []int
}

// Object is an object that calls are of.
type Object struct {
	Of   *Structure
	This any
}

// maxNodes is the size of the masks.
const maxNodes = 64

// Order orders the calls of an execution.
func Order(g *c11.Graph, calls []Call) (*Ordering, error) {
	o := &Ordering{Graph: g, Calls: calls, Place: make([]int, len(calls))}
	for i := range calls {
		o.place(i)
	}
	if len(o.Nodes) > maxNodes {
		return nil, fmt.Errorf("cdsspec: %d calls in one execution; at most %d can be ordered", len(o.Nodes), maxNodes)
	}
	o.relate()
	return o, nil
}

// place gives a call its node: that of a call around it with which it shares a point, or a new one.
func (o *Ordering) place(i int) {
	c := &o.Calls[i]
	o.Place[i] = -1
	if len(c.Method.Points) == 0 || !c.Done() {
		return
	}
	for outer := c.Outer; outer >= 0; outer = o.Calls[outer].Outer {
		if n := o.Place[outer]; n >= 0 && share(c.Points, o.Calls[outer].Points) {
			o.Place[i] = n
			o.Nodes[n].Calls = append(o.Nodes[n].Calls, i)
			o.Nodes[n].Points = append(o.Nodes[n].Points, c.Points...)
			return
		}
	}
	o.Place[i] = len(o.Nodes)
	o.Nodes = append(o.Nodes, Node{Calls: []int{i}, Object: o.object(c), Points: append([]int(nil), c.Points...)})
}

func (o *Ordering) object(c *Call) int {
	for i, x := range o.Objects {
		if x.Of == c.Method.Of && x.This == c.This {
			return i
		}
	}
	o.Objects = append(o.Objects, Object{c.Method.Of, c.This})
	return len(o.Objects) - 1
}

func share(a, b []int) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

type rankedPoint struct{ place, rank int }

func (o *Ordering) relate() {
	n := len(o.Nodes)
	masks := make([]uint64, 2*n)
	o.Before, o.Reach = masks[:n], masks[n:]
	ranked := make([][]rankedPoint, n)
	for i := range o.Nodes {
		for _, p := range o.Nodes[i].Points {
			ranked[i] = append(ranked[i], rankedPoint{o.Graph.Events[p].Place, rank(o.Graph, p)})
		}
	}
	for a := range n {
		for b := range n {
			if a != b && precedes(ranked[a], ranked[b]) {
				o.Before[b] |= 1 << a
				o.Reach[a] |= 1 << b
			}
		}
	}
	o.close()
}

// close makes Reach transitive, and looks for a cycle.
func (o *Ordering) close() {
	for k := range o.Nodes {
		for a := range o.Nodes {
			if o.Reach[a]>>k&1 != 0 {
				o.Reach[a] |= o.Reach[k]
			}
		}
	}
	o.Cycle = o.cycle()
}

func precedes(a, b []rankedPoint) bool {
	for _, x := range a {
		for _, y := range b {
			if x.place == y.place && x.rank < y.rank {
				return true
			}
		}
	}
	return false
}

// cycle returns a shortest cycle, or nil.
func (o *Ordering) cycle() []int {
	var best []int
	for a := range o.Nodes {
		if o.Reach[a]>>a&1 == 0 {
			continue
		}
		if c := o.path(a, a); best == nil || len(c) < len(best) {
			best = c
		}
	}
	return best
}

// path returns a shortest chain of nodes from a towards b, without b.
func (o *Ordering) path(a, b int) []int {
	from := make([]int, len(o.Nodes))
	var seen uint64
	for queue := []int{b}; len(queue) > 0; queue = queue[1:] {
		x := queue[0]
		for m := o.Before[x] &^ seen; m != 0; m &= m - 1 {
			y := bits.TrailingZeros64(m)
			seen |= 1 << y
			from[y] = x
			if y != a {
				queue = append(queue, y)
				continue
			}
			chain := []int{a}
			for z := from[a]; z != b; z = from[z] {
				chain = append(chain, z)
			}
			return chain
		}
	}
	return nil
}

// Later reports whether the ordering points put call b after call a.
func (o *Ordering) Later(a, b int) bool {
	x, y := o.Place[a], o.Place[b]
	return x >= 0 && y >= 0 && o.Reach[x]>>y&1 != 0
}

// Reason returns two points by which node a comes before node b, and the rule.
func (o *Ordering) Reason(a, b int) (x, y int, why Rule) {
	for _, x := range o.Nodes[a].Points {
		for _, y := range o.Nodes[b].Points {
			if why := Why(o.Graph, x, y); why != "" {
				return x, y, why
			}
		}
	}
	return -1, -1, ""
}
