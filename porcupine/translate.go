package porcupine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/linsat/linsat"
)

// unknown is the input of an operation of unknown outcome, with the outputs that it may have had.
type unknown struct {
	input   any
	outputs []any
}

// UnknownOutcome returns the operation as one that never returned: it took effect at some time
// after its call, with one of the outputs, or not at all. Its Return and Output are ignored;
// Output then holds these outputs.
//
// Without outputs, Step is asked whether the operation can return its Output, as a model does that
// marks unknown outcomes in its outputs. (Porcupine has no such operations. The name Unknown is a
// verdict there.)
func UnknownOutcome(op Operation, outputs ...any) Operation {
	if len(outputs) == 0 {
		outputs = []any{op.Output}
	}
	op.Output = outcome{outputs}
	return op
}

// outcome is the output of an operation of unknown outcome: what it may have been.
type outcome struct{ outputs []any }

// unknown returns the outputs that an operation of unknown outcome may have had, nil for others.
func (o *Operation) unknown() []any {
	out, _ := o.Output.(outcome)
	return out.outputs
}

// start is the state before any operation, of a model with several initial states.
type start struct{ states []any }

// current is the context of what asks a model now: of a check, later of the look for its reasons.
type current struct {
	atomic.Pointer[context.Context]
}

func currently(ctx context.Context) *current {
	c := &current{}
	c.Store(&ctx)
	return c
}

func (c *current) context() context.Context { return *c.Load() }

// linsat returns the model as linsat takes it, for a check of those operations.
func (m *Model) linsat(now *current, of *translation) linsat.Model[any, any, any] {
	p := m.states()
	out := linsat.Model[any, any, any]{
		Name:           "model",
		DescribeInput:  of.text,
		DescribeOutput: of.text,
		DescribeState:  m.describeState,
	}
	var accept func(s, in, out any) []any
	if p == nil {
		out.Init = m.Init()
		out.Equal, out.Hash = m.Equal, m.Hash
		accept = func(s, in, out any) []any {
			if ok, next := m.StepContext(now.context(), s, in, out); ok {
				return []any{next}
			}
			return nil
		}
	} else {
		out.Init, accept = p.explored(now)
		out.Equal, out.Hash = p.equality()
	}
	if out.Equal == nil {
		out.Hash = nil
	}
	// Of several initial states every operation decides which it was.
	if _, several := out.Init.(start); !several {
		if m.Pieces != nil {
			out.Pieces = func(in any) []any { return m.Pieces(original(in)) }
		}
		if m.ReadOnly != nil {
			out.ReadOnly = func(in any) bool { return m.ReadOnly(original(in)) }
		}
	}
	if as := m.As; as != nil {
		out.As = &linsat.As[any, any]{Spec: as.Spec, Initial: as.Initial}
		if as.Operation != nil {
			out.As.Operation = func(in any) (f string, key, arg any) { return as.Operation(original(in)) }
		}
		if as.Result != nil {
			out.As.Result = func(in, out any) any { return as.Result(original(in), plain(out)) }
		}
	}
	// A step that is cut off says nothing about the model, so it has no answer.
	step := func(s, in, out any) []any {
		if ctx := now.context(); ctx.Err() == nil {
			if next := accept(s, in, out); ctx.Err() == nil {
				return next
			}
		}
		panic(errCutOff)
	}
	out.Accept = func(s, in, out any) []any { return step(s, unboxed(plain(in)), plain(out)) }
	if of.outputs != nil {
		out.Open = func(s, in any) []any {
			in = plain(in)
			var next []any
			if u, ok := in.(unknown); ok {
				for _, out := range u.outputs {
					next = append(next, step(s, u.input, out)...)
				}
				return next
			}
			for _, out := range of.outputs[keyOf(in)] {
				next = append(next, step(s, unboxed(in), out)...)
			}
			return next
		}
	}
	return out
}

// errCutOff ends steps when the check ends.
var errCutOff = errors.New("the check has ended")

func (m *Model) describeState(s any) string {
	describe := m.DescribeState
	if p := m.states(); p != nil {
		if from, ok := s.(start); ok {
			return p.describeSet(from.states)
		}
		describe = p.describe
	}
	if describe != nil {
		return spoken(func() string { return describe(s) })
	}
	return strings.TrimSpace(fmt.Sprint(s))
}

// explored returns the initial state and the steps of the states that the sets hold.
func (p *powerSet) explored(now *current) (any, func(s, in, out any) []any) {
	initial := p.distinct(nil, p.init())
	step := func(s, in, out any) []any { return p.step(now.context(), s, in, out) }
	if len(initial) == 1 {
		return initial[0], step
	}
	return start{initial}, func(s, in, out any) []any {
		from, ok := s.(start)
		if !ok {
			return step(s, in, out)
		}
		var next []any
		for _, s := range from.states {
			next = append(next, step(s, in, out)...)
		}
		return next
	}
}

// equality returns the equality and the hash of states and of start.
func (p *powerSet) equality() (equal func(a, b any) bool, hash func(s any) uint64) {
	if p.equal == nil {
		return nil, nil
	}
	equal = func(a, b any) bool {
		_, x := a.(start)
		_, y := b.(start)
		if x || y {
			return x == y
		}
		return p.equal(a, b)
	}
	if p.hash != nil {
		hash = func(s any) uint64 {
			if _, ok := s.(start); ok {
				return 0
			}
			return p.hash(s)
		}
	}
	return equal, hash
}
