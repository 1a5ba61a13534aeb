package cdsspec

import (
	"fmt"
	"reflect"
)

// Part is which function of a method refused.
type Part uint8

// Parts.
const (
	PreCondition Part = iota
	PostCondition
)

func (p Part) String() string {
	return [...]string{"pre-condition", "post-condition"}[p]
}

// Failure is a condition that does not hold.
type Failure struct {
	Call  int
	Part  Part
	State string // of the object, where the condition was evaluated
}

// Fault is the error for code of a specification that panics.
type Fault struct {
	Method string
	Panic  any
}

func (f *Fault) Error() string {
	return fmt.Sprintf("cdsspec: the specification of %s panics: %v", f.Method, f.Panic)
}

// replayer replays nodes on the states of their objects.
type replayer struct {
	o     *Ordering
	state []any // by object; nil: initial, not made yet
	fault *Fault
}

// reset puts all objects into their initial states.
func (r *replayer) reset() {
	r.state = make([]any, len(r.o.Objects))
}

// node replays the calls of a node: each with the calls inside it between its pre-condition and its
// side effect.
func (r *replayer) node(n int) *Failure {
	at := &r.o.Nodes[n]
	if r.state[at.Object] == nil {
		r.state[at.Object] = r.o.Objects[at.Object].Of.Init()
	}
	if len(at.Calls) == 1 {
		return r.call(at.Calls[0], nil)
	}
	return r.call(at.Calls[0], at.Calls[1:])
}

// call replays a call and those among inner that are in it. They are in the order in which they
// began.
func (r *replayer) call(i int, inner []int) (f *Failure) {
	c := &r.o.Calls[i]
	m := c.Method
	state := r.state[r.o.Nodes[r.o.Place[i]].Object]
	if f := r.condition(i, m.Pre, PreCondition, state); f != nil || r.fault != nil {
		return f
	}
	for len(inner) > 0 {
		next := 1
		for next < len(inner) && r.inside(inner[next], inner[0]) {
			next++
		}
		if f := r.call(inner[0], inner[1:next]); f != nil || r.fault != nil {
			return f
		}
		inner = inner[next:]
	}
	if m.Effect != nil {
		if r.effect(c, state); r.fault != nil {
			return nil
		}
	}
	return r.condition(i, m.Post, PostCondition, state)
}

// inside reports whether call a is in call b.
func (r *replayer) inside(a, b int) bool {
	for ; a >= 0; a = r.o.Calls[a].Outer {
		if a == b {
			return true
		}
	}
	return false
}

func (r *replayer) condition(i int, holds func(state, args, result any) bool, part Part, state any) *Failure {
	if holds == nil {
		return nil
	}
	c := &r.o.Calls[i]
	defer r.catch(c)
	if holds(state, c.Args, c.Result) {
		return nil
	}
	return &Failure{i, part, show(state)}
}

func (r *replayer) effect(c *Call, state any) {
	defer r.catch(c)
	c.Method.Effect(state, c.Args, c.Result)
}

func (r *replayer) catch(c *Call) {
	if p := recover(); p != nil {
		r.fault = &Fault{c.Method.Name, p}
	}
}

// all replays nodes from the initial states. It returns the failure, and the number of nodes that
// passed.
func (r *replayer) all(nodes []int) (*Failure, int) {
	r.reset()
	for i, n := range nodes {
		if f := r.node(n); f != nil || r.fault != nil {
			return f, i
		}
	}
	return nil, len(nodes)
}

// show writes a state, which is behind a pointer.
func show(state any) string {
	if s, ok := state.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%+v", reflect.ValueOf(state).Elem())
}
