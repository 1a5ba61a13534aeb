package meta

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Fault is the error when the code of a specification panics, is found not to be pure, returns
// something invalid, or says what is not so. There is no verdict on the history then.
type Fault struct {
	Spec      string // name of the specification
	Func      string // its function: Step, Init, Describe, ...
	Operation string // the operation that it was called for, or ""
	State     string // the state that it was called in, or ""
	Value     any    // what it panicked with
	Impure    string // how it was found not to be pure, or "" if it panicked
	Untrue    string // what it says of operations that is not so, or ""
	Stack     []byte // where it happened
}

func (f *Fault) Error() string {
	if of, history := f.Value.(interface{ BadInput() string }); history {
		return of.BadInput()
	}
	var b strings.Builder
	does := ": " + f.Func + " panics"
	if _, message := f.Value.(interface{ Deliberate() }); message {
		does = " fails" // the message says where
	}
	if f.Impure != "" {
		does = ": " + f.Func + " is not pure:"
	}
	if f.Untrue != "" {
		does = ": what " + f.Func + " says is not so:"
	}
	b.WriteString("specification " + f.Spec + does)
	if f.Operation != "" {
		b.WriteString(" on operation " + f.Operation)
	}
	if f.State != "" {
		b.WriteString(" in state " + f.State)
	}
	if why := f.Impure + f.Untrue; why != "" {
		if f.Operation+f.State != "" {
			b.WriteByte(':')
		}
		b.WriteString(" " + why)
		return b.String()
	}
	text := fmt.Sprint(f.Value)
	b.WriteString(": " + text)
	if strings.Contains(text, "interface conversion") {
		b.WriteString(" (arguments are nil, bool, int64, string, []any or map[string]any)")
	}
	return b.String()
}

// Unwrap returns the error that the code panicked with, if it was one.
func (f *Fault) Unwrap() error {
	err, _ := f.Value.(error)
	return err
}

// Of returns the fault with what the code panicked with. A *Fault stays as it is, and gets
// operation and state if it has neither.
func (f Fault) Of(v any) *Fault {
	if inner, ok := v.(*Fault); ok {
		if inner.Operation == "" && inner.State == "" {
			inner.Operation, inner.State = f.Operation, f.State
		}
		return inner
	}
	f.Value, f.Stack = v, debug.Stack()
	return &f
}
