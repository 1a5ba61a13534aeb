package explore

import (
	"encoding/json"
	"fmt"

	"github.com/linsat/linsat/explore/mem"
)

// Call is an operation in a test: its name, as linsat's specifications call it, and its argument:
// nil, bool, int, string, []any or map[string]any.
type Call struct {
	F   string
	Arg any
}

func (c Call) String() string {
	if c.Arg == nil {
		return c.F + "()"
	}
	return c.F + "(" + text(c.Arg) + ")"
}

// text writes an argument or a result as JSON.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// Instance performs one operation of one object and returns its result. It panics on an operation
// that the object does not have.
type Instance func(f string, arg any) any

// Object is a concurrent object that can be made afresh.
type Object struct {
	Name, About string
	Spec        string // linsat's name of its specification, or "" if it has none
	Initial     any    // initial state of the specification, nil for its default
	// New makes one. It is called for every execution, before the threads start; memory operations
	// in it are not events.
	New func(m *mem.Memory) Instance
	Ops []Call // example operations, for generated tests
	// Background are the calls of threads of the object's own, one thread for each: a worker, a
	// timer. They run beside the threads of every test, and need not end. What they call is no
	// operation of the history.
	Background []Call
}

// Case is a finite test of an object: Before runs serially, then the threads run concurrently, then
// After runs serially. Before and After are part of the history, as operations of process "main".
type Case struct {
	Object        *Object
	Before, After []Call
	Threads       [][]Call

	program Program // in their place, of ProgramCase
}

// ProgramCase returns the test that a program is: its operations are those of Exec.Do and
// Thread.Do. name is what reports call it.
func ProgramCase(name string, p Program) *Case {
	return &Case{Object: &Object{Name: name}, program: p}
}

// Program returns the test in the form that Run takes. It panics when it runs if the object has no
// New, or New returns nil.
func (c *Case) Program() Program {
	if c.program != nil {
		return c.program
	}
	return func(x *Exec) {
		if c.Object.New == nil {
			panic(fmt.Sprintf("explore: object %q has no New", c.Object.Name))
		}
		instance := c.Object.New(x.Memory())
		if instance == nil {
			panic(fmt.Sprintf("explore: New of object %q returns no Instance", c.Object.Name))
		}
		for _, call := range c.Before {
			x.call(x.main, instance, call)
		}
		for _, calls := range c.Threads {
			x.Go(func(t *Thread) {
				for _, call := range calls {
					x.call(t, instance, call)
				}
			})
		}
		for _, call := range c.Object.Background {
			x.Background(func() { instance(call.F, call.Arg) })
		}
		if len(c.After) > 0 {
			x.After(func() {
				for _, call := range c.After {
					x.call(x.main, instance, call)
				}
			})
		}
	}
}

// Program builds what one execution runs: with x.Memory it makes the shared variables, with x.Go
// the threads. It must do the same every time: no clock, no random numbers but those of
// Memory.Choose, no iteration over maps.
type Program func(x *Exec)
