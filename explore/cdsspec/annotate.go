//go:build !linsat_native

package cdsspec

import (
	"sync"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/internal/relaxed/cdsspec"
)

// structure and method hold the forms without types, made once.
type structure struct {
	once sync.Once
	cdsspec.Structure
}

type method struct {
	once sync.Once
	cdsspec.Method
}

// Call is a call of a method between its Begin and its End.
type Call[R any] struct {
	x     *c11.Exec
	begun *cdsspec.Begun
}

// Begin notes that the running thread calls the method of the object this. Objects are told apart
// by ==.
func (m *Method[S, A, R]) Begin(x *c11.Exec, this any, args A) Call[R] {
	b := &cdsspec.Begun{Method: m.erase(), This: this, Args: args}
	x.Annotate(b)
	return Call[R]{x, b}
}

// End notes that the call returns result. Every path out of a method needs one.
func (c Call[R]) End(result R) { c.x.Annotate(cdsspec.End(c.begun, result)) }

// Point says that the last atomic access of the thread is an ordering point if ok is true
// (Ordering_Point_Label_Check).
func Point(x *c11.Exec, ok bool, label Label) {
	note(x, ok, cdsspec.Point{Kind: cdsspec.Here, Label: label})
}

// PotentialPoint says that the last atomic access of the thread may turn out to be an ordering
// point if ok is true (Potential_Ordering_Point).
func PotentialPoint(x *c11.Exec, ok bool, label Label) {
	note(x, ok, cdsspec.Point{Kind: cdsspec.Potential, Label: label})
}

// ConfirmPoint says that the latest potential point of that label in this call was an ordering
// point if ok is true, and names it label (Ordering_Point_Check). Without such a point it says
// nothing.
func ConfirmPoint(x *c11.Exec, ok bool, potential, label Label) {
	note(x, ok, cdsspec.Point{Kind: cdsspec.Confirm, Label: label, Of: potential})
}

// ClearPoints says that all ordering points so far, and potential ones, of the calls that have the
// label are none if ok is true (Ordering_Point_Clear).
func ClearPoints(x *c11.Exec, ok bool, label Label) {
	note(x, ok, cdsspec.Point{Kind: cdsspec.Clear, Label: label})
}

func note(x *c11.Exec, ok bool, p cdsspec.Point) {
	if ok {
		x.Annotate(&p)
	}
}

func (s *Structure[S]) erase() *cdsspec.Structure {
	e := &s.erased
	e.once.Do(func() {
		e.Structure = cdsspec.Structure{Name: s.Name, Rules: s.HappensBefore, Init: func() any {
			if s.Init == nil {
				return new(S)
			}
			return s.Init()
		}}
	})
	return &e.Structure
}

func (m *Method[S, A, R]) erase() *cdsspec.Method {
	e := &m.erased
	e.once.Do(func() {
		e.Method = cdsspec.Method{Of: m.Of.erase(), Name: m.Name, Points: m.Points, Conditions: map[string]func(args,
			result any) bool{}}
		for label, holds := range m.Conditions {
			e.Conditions[label] = func(args, result any) bool { return holds(as[A](args), as[R](result)) }
		}
		if m.ID != nil {
			e.ID = func(args, result any) any { return m.ID(as[A](args), as[R](result)) }
		}
		e.Pre, e.Post = condition(m.PreCondition), condition(m.PostCondition)
		if m.SideEffect != nil {
			e.Effect = func(state, args, result any) { m.SideEffect(state.(*S), as[A](args), as[R](result)) }
		}
	})
	return &e.Method
}

func condition[S, A, R any](holds func(s *S, args A, result R) bool) func(state, args, result any) bool {
	if holds == nil {
		return nil
	}
	return func(state, args, result any) bool { return holds(state.(*S), as[A](args), as[R](result)) }
}

// as returns v as a T; nil is the zero value of an interface type.
func as[T any](v any) T {
	t, _ := v.(T)
	return t
}
