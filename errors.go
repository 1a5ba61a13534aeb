package linsat

import "errors"

// The kinds of errors that are the caller's, for [errors.Is]. What is wrong with a history is a
// *history.Error, and with the code of a specification or a model a *meta.Fault.
var (
	ErrOption = errors.New("linsat: an option makes no sense, or an argument is missing")
	ErrModel  = errors.New("linsat: the model is not complete")
)

// kinded is an error of one of these kinds, with a text of its own.
type kinded struct {
	kind error
	error
}

// Unwrap returns the kind and the error.
func (e *kinded) Unwrap() []error { return []error{e.kind, e.error} }

// missing is the error for an argument that is missing.
func missing(text string) error { return &kinded{ErrOption, errors.New("linsat: " + text)} }

var errNoContext = missing("the context is nil; context.Background() is one without a limit")

// senseless is err as an ErrOption, nil for nil.
func senseless(err error) error {
	if err == nil {
		return nil
	}
	return &kinded{ErrOption, err}
}
