//go:build z3 && goz3

package z3

// What: the same through github.com/mitchellh/go-z3, whose cgo directive names a libz3.a in its own
// folder: no flag, no stub and no overlay replaces a file of the module cache, so `make goz3` gives
// the linker another name (scripts/cc-z3).
//
// What is wrong upstream, and how it is kept out of reach: without an error handler Z3 ends the
// process, so one is always set; two goroutines must not share a context, and here none is shared;
// closing a context forgets the error handler of whatever context has been given the same address
// meanwhile, so contexts are made and closed under one lock.

// #include <z3.h>
import "C"

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"unsafe"

	"github.com/linsat/linsat/solver"
	binding "github.com/mitchellh/go-z3"
)

// contexts guards the making and closing of contexts.
var contexts sync.Mutex

// library is a context of Z3 with a solver.
type library struct {
	c      *binding.Context
	s      *binding.Solver
	consts map[int]*binding.AST // by variable
	err    error                // the first
}

// open makes a context whose checks end after so many milliseconds, if not 0.
func open(ms int64) *library {
	config := binding.NewConfig()
	defer config.Close()
	if ms > 0 {
		config.SetParamValue("timeout", strconv.FormatInt(ms, 10))
	}
	contexts.Lock()
	defer contexts.Unlock()
	z := &library{c: binding.NewContext(config), consts: map[int]*binding.AST{}}
	z.c.SetErrorHandler(func(c *binding.Context, code binding.ErrorCode) {
		if z.err == nil {
			z.err = fmt.Errorf("z3: %s", c.Error(code))
		}
	})
	z.s = z.c.NewSolver()
	return z
}

func (z *library) close() {
	z.s.Close()
	contexts.Lock()
	defer contexts.Unlock()
	z.c.Close()
}

// interrupt stops the check that runs, from any goroutine. A C type of another package has another
// name in Go, so the pointer is read through its address.
func (z *library) interrupt() {
	raw := z.c.Z3Value()
	C.Z3_interrupt(*(*C.Z3_context)(unsafe.Pointer(&raw)))
}

// assert adds a clause.
func (z *library) assert(clause []solver.Lit) error {
	terms := make([]*binding.AST, len(clause))
	for k, l := range clause {
		v := l.Var()
		if z.consts[v] == nil {
			z.consts[v] = z.c.Const(z.c.SymbolInt(v), z.c.BoolSort())
		}
		if terms[k] = z.consts[v]; l < 0 {
			terms[k] = terms[k].Not()
		}
	}
	if len(terms) > 1 {
		terms[0] = terms[0].Or(terms[1:]...)
	}
	z.s.Assert(terms[0])
	return z.err
}

// check is Unknown if Z3 gave up or was stopped.
func (z *library) check() (solver.Status, error) {
	switch answer := z.s.Check(); {
	case z.err != nil:
		return solver.Unknown, z.err
	case answer == binding.True:
		return solver.Satisfiable, nil
	case answer == binding.False:
		return solver.Unsatisfiable, nil
	}
	return solver.Unknown, nil
}

// model is the model after a check, up to a variable.
func (z *library) model(top int) ([]bool, error) {
	m := z.s.Model()
	defer m.Close()
	yes := z.c.True().String()
	model := make([]bool, top+1)
	for v, term := range z.consts {
		value := m.Eval(term)
		if z.err == nil && value == nil {
			z.err = errors.New("z3: the model is incomplete")
		}
		if z.err != nil {
			return nil, z.err
		}
		model[v] = value.String() == yes
	}
	return model, nil
}
