package cdsspec

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/explore/c11"
)

// Call is a call of a method in an execution.
type Call struct {
	Thread int
	Method *Method
	This   any
	Args   any
	// Result, ID and Holds are those of a call that ended.
	Result any
	ID     any
	Holds  map[string]bool
	// Began and Ended are notes of the graph; Ended is -1 if the call did not end.
	Began, Ended int
	Points       []int // events, in their order
	Outer        int   // the call around it, -1: none

	begun     *Begun
	potential []potential
}

type potential struct {
	label string
	event int
}

// Done reports whether the call ended.
func (c *Call) Done() bool { return c.Ended >= 0 }

// String returns the call for people.
func (c *Call) String() string {
	s := c.Method.Name + "(" + plain(c.Args) + ")"
	switch {
	case !c.Done():
		s += " does not end"
	case plain(c.Result) != "":
		s += " = " + plain(c.Result)
	}
	return s
}

// plain writes a value; nothing is the empty text.
func plain(v any) string {
	if v == nil || v == struct{}{} {
		return ""
	}
	return fmt.Sprintf("%+v", v)
}

// Misuse is the error for annotations that make no sense.
type Misuse struct{ What string }

func (m *Misuse) Error() string { return "cdsspec: " + m.What }

// Calls returns the calls of an execution, in the order in which they began, and per thread as they
// were called. Labels that are ordering points of some call are added to used.
func Calls(g *c11.Graph, used map[string]bool) ([]Call, error) {
	r := reader{g: g, used: used, open: make([][]int, g.Threads)}
	for i := range g.Notes {
		n := &g.Notes[i]
		var err error
		switch p := n.Payload.(type) {
		case *Begun:
			r.begin(i, n, p)
		case *Ended:
			err = r.end(i, n, p)
		case *Point:
			err = r.point(n, p)
		}
		if err != nil {
			return nil, err
		}
	}
	if g.Outcome == c11.Complete {
		for _, open := range r.open {
			if len(open) > 0 {
				c := &r.calls[open[len(open)-1]]
				return nil, &Misuse{fmt.Sprintf("a call of %s in thread %d has no End", c.Method.Name, c.Thread)}
			}
		}
	}
	return r.calls, nil
}

type reader struct {
	g     *c11.Graph
	used  map[string]bool
	calls []Call
	open  [][]int // by thread, innermost last
}

func (r *reader) begin(note int, n *c11.Note, b *Begun) {
	c := Call{Thread: n.Thread, Method: b.Method, This: b.This, Args: b.Args, Began: note, Ended: -1,
		Outer: -1, begun: b}
	if open := r.open[n.Thread]; len(open) > 0 {
		c.Outer = open[len(open)-1]
	}
	r.open[n.Thread] = append(r.open[n.Thread], len(r.calls))
	r.calls = append(r.calls, c)
}

func (r *reader) end(note int, n *c11.Note, e *Ended) error {
	open := r.open[n.Thread]
	if len(open) == 0 || r.calls[open[len(open)-1]].begun != e.Begun {
		return &Misuse{fmt.Sprintf("End of %s in thread %d is not that of the innermost open call",
			e.Begun.Method.Name, n.Thread)}
	}
	c := &r.calls[open[len(open)-1]]
	c.Ended, c.Result, c.ID, c.Holds = note, e.Result, e.ID, e.Holds
	r.open[n.Thread] = open[:len(open)-1]
	return nil
}

// point applies an annotation to the innermost open call of the thread, and to those around it that
// share its points.
func (r *reader) point(n *c11.Note, p *Point) error {
	open := r.open[n.Thread]
	if len(open) == 0 {
		return &Misuse{fmt.Sprintf("the ordering point %q in thread %d is in no call", p.Label, n.Thread)}
	}
	inner := &r.calls[open[len(open)-1]]
	event := -1
	if p.Kind == Potential || p.Kind == Here {
		if event = r.access(n, inner); event < 0 {
			return &Misuse{fmt.Sprintf("the ordering point %q in %s follows no atomic access of that call", p.Label,
				inner.Method.Name)}
		}
	}
	for i := len(open) - 1; i >= 0; i-- {
		c := &r.calls[open[i]]
		if c.Method.Of != inner.Method.Of || c.This != inner.This {
			continue
		}
		if p.Kind == Potential {
			c.potential = append(c.potential, potential{p.Label, event})
			continue
		}
		if !slices.Contains(c.Method.Points, p.Label) {
			continue
		}
		if r.used != nil {
			r.used[p.Label] = true
		}
		switch p.Kind {
		case Here:
			c.add(event)
		case Confirm:
			for _, q := range slices.Backward(c.potential) {
				if q.label == p.Of {
					c.add(q.event)
					break
				}
			}
		case Clear:
			c.Points, c.potential = c.Points[:0], c.potential[:0]
		}
	}
	return nil
}

func (c *Call) add(event int) {
	if at, known := slices.BinarySearch(c.Points, event); !known {
		c.Points = slices.Insert(c.Points, at, event)
	}
}

// access returns the last atomic access of a thread before a note, if it is in the call, or -1.
// Fences and plain cells are no ordering points.
func (r *reader) access(n *c11.Note, c *Call) int {
	first := r.g.Notes[c.Began].Done
	for i := n.Before; i >= 0 && r.g.Events[i].Thread == n.Thread && r.g.Events[i].Index >= first; i-- {
		if e := &r.g.Events[i]; (e.Reads() || e.Writes()) && e.Order != c11.NotAtomic {
			return i
		}
	}
	return -1
}
