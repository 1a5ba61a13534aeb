package guest

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec/meta"
)

// Steps is what a specification in Go says of the operations of one partition: with Step alone, or
// with Accept and perhaps Open. It is behind linsat.Model and spec.Definition, which say what the
// functions mean.
type Steps[S, I, O any] struct {
	Step   func(s S, in I) []meta.Outcome[S, O]
	Accept func(s S, in I, out O) []S
	Open   func(s S, in I) []S
	// At returns the input of an operation and its output, which is nothing unless it is known.
	At func(op history.OpID) (in *I, out *O, known bool)
	// Equal reports whether a computed output is the one observed.
	Equal func(computed, observed O) bool
	// Unequal, unless it is nil, is asked about outputs that are not known or not the one observed.
	// It reports whether the operation may have had them all the same.
	Unequal func(op history.OpID, computed O) bool
}

// Func names the function that is asked about op.
func (x *Steps[S, I, O]) Func(op history.OpID) string {
	if x.Step != nil {
		return "Step"
	}
	if _, _, known := x.At(op); known {
		return "Accept"
	}
	return "Open"
}

// Next appends the states that op may leave.
func (x *Steps[S, I, O]) Next(s S, op history.OpID, dst []S) []S {
	in, out, known := x.At(op)
	switch {
	case x.Step == nil && known:
		return append(dst, x.Accept(s, *in, *out)...)
	case x.Step == nil:
		return append(dst, x.Open(s, *in)...)
	}
	for _, c := range x.Step(s, *in) {
		if c.AnyOutput || known && x.Equal(c.Output, *out) || x.Unequal == nil && !known ||
			x.Unequal != nil && x.Unequal(op, c.Output) {
			dst = append(dst, c.Next)
		}
	}
	return dst
}

// Choices lists what is answered about op.
func (x *Steps[S, I, O]) Choices(s S, op history.OpID) []Choice[S] {
	var all []Choice[S]
	if x.Step == nil {
		for _, n := range x.Next(s, op, nil) {
			all = append(all, Choice[S]{Next: n})
		}
		return all
	}
	in, _, _ := x.At(op)
	for _, c := range x.Step(s, *in) {
		choice := Choice[S]{Next: c.Next}
		if !c.AnyOutput {
			choice.Result = c.Output
		}
		all = append(all, choice)
	}
	return all
}

// Returned writes the outputs of outcomes, each once.
func Returned[S, O any](outcomes []meta.Outcome[S, O], write func(out O) string) (texts []string) {
	for _, c := range outcomes {
		if c.AnyOutput {
			continue
		}
		if text := write(c.Output); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}
