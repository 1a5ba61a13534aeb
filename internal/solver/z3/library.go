//go:build z3 && !goz3

package z3

// What: Z3's own interface in C, of the installed library that pkg-config finds.

// #cgo pkg-config: z3
// #include <stdlib.h>
// #include <z3.h>
import "C"

import (
	"errors"
	"strconv"
	"unsafe"

	"github.com/linsat/linsat/solver"
)

// library is a context of Z3 with a solver.
type library struct {
	c      C.Z3_context
	s      C.Z3_solver
	sort   C.Z3_sort
	consts map[int]C.Z3_ast // by variable
}

// open makes a context whose checks end after so many milliseconds, if not 0. Without a handler of
// errors Z3 ends the process, so the default one is taken away, and errors are asked for.
func open(ms int64) *library {
	config := C.Z3_mk_config()
	if ms > 0 {
		name, value := C.CString("timeout"), C.CString(strconv.FormatInt(ms, 10))
		C.Z3_set_param_value(config, name, value)
		C.free(unsafe.Pointer(name))
		C.free(unsafe.Pointer(value))
	}
	c := C.Z3_mk_context(config)
	C.Z3_del_config(config)
	C.Z3_set_error_handler(c, nil)
	s := C.Z3_mk_solver(c)
	C.Z3_solver_inc_ref(c, s)
	return &library{c: c, s: s, sort: C.Z3_mk_bool_sort(c), consts: map[int]C.Z3_ast{}}
}

func (z *library) close() {
	C.Z3_solver_dec_ref(z.c, z.s)
	C.Z3_del_context(z.c)
}

// interrupt stops the check that runs, from any goroutine.
func (z *library) interrupt() { C.Z3_interrupt(z.c) }

// err is the error of the last call.
func (z *library) err() error {
	code := C.Z3_get_error_code(z.c)
	if code == C.Z3_OK {
		return nil
	}
	return errors.New("z3: " + C.GoString(C.Z3_get_error_msg(z.c, code)))
}

// assert adds a clause.
func (z *library) assert(clause []solver.Lit) error {
	terms := make([]C.Z3_ast, len(clause))
	for k, l := range clause {
		v := l.Var()
		if z.consts[v] == nil {
			z.consts[v] = C.Z3_mk_const(z.c, C.Z3_mk_int_symbol(z.c, C.int(v)), z.sort)
		}
		if terms[k] = z.consts[v]; l < 0 {
			terms[k] = C.Z3_mk_not(z.c, terms[k])
		}
		if err := z.err(); err != nil {
			return err
		}
	}
	either := C.Z3_mk_or(z.c, C.uint(len(terms)), &terms[0])
	if err := z.err(); err != nil {
		return err
	}
	C.Z3_solver_assert(z.c, z.s, either)
	return z.err()
}

// check is Unknown if Z3 gave up or was stopped.
func (z *library) check() (solver.Status, error) {
	answer := C.Z3_solver_check(z.c, z.s)
	if err := z.err(); err != nil {
		return solver.Unknown, err
	}
	switch answer {
	case C.Z3_L_TRUE:
		return solver.Satisfiable, nil
	case C.Z3_L_FALSE:
		return solver.Unsatisfiable, nil
	}
	return solver.Unknown, nil
}

// model is the model after a check, up to a variable.
func (z *library) model(top int) ([]bool, error) {
	m := C.Z3_solver_get_model(z.c, z.s)
	if err := z.err(); err != nil {
		return nil, err
	}
	C.Z3_model_inc_ref(z.c, m)
	defer C.Z3_model_dec_ref(z.c, m)
	model := make([]bool, top+1)
	for v, term := range z.consts {
		var value C.Z3_ast
		if !C.Z3_model_eval(z.c, m, term, true, &value) {
			return nil, errors.New("z3: the model is incomplete")
		}
		model[v] = C.Z3_get_bool_value(z.c, value) == C.Z3_L_TRUE
	}
	return model, nil
}
