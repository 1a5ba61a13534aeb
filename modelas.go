package linsat

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/spec"
)

// As says that a model is a shipped specification in other words: that both allow the same
// sequences of operations, from their initial states on. Then all that linsat knows about the
// specification holds of the model.
//
// linsat relies on it for violations. It tests it on sequences of the operations of the history,
// and repeats the witness of every linearizable history on the model; a difference is a
// *spec.Fault of the function As, which names the operation and the state. An operation whose
// output is not known may have any result, so Open has to allow that. Under the option Quasi the
// witness is not repeated.
type As[I, O any] struct {
	Spec spec.Spec // a spec.Spec
	// Initial is the initial state as the specification takes it, if it is not its default: nil, a
	// boolean, an integer, a string, or a slice or a map of them.
	Initial any
	// Operation returns the operation with that input in the words of the specification: its name,
	// the key (nil for none; with Model.Key, for that key) and the argument (nil for none).
	Operation func(in I) (f string, key, arg any)
	// Result returns the result of an operation that returned out, nil for none.
	Result func(in I, out O) any
}

// refuse reports what is missing.
func (a *As[I, O]) refuse() string {
	switch {
	case a.Spec == nil:
		return "has As without a specification: spec.Lookup finds one by its name"
	case a.Operation == nil || a.Result == nil:
		return "has As without Operation or Result, which say what an operation is in the specification"
	}
	return ""
}

// equated is a model that is checked as another specification.
type equated[S, I, O any] struct {
	*modelled[S, I, O]
	as      *history.History // in the words of the specification
	ofModel []history.OpID   // the position of every operation in the history of the model
	ofAs    []history.OpID   // and in that of the specification
}

// prepare makes both histories, and returns that in the words of the specification.
func (e *equated[S, I, O]) prepare(ctx context.Context) (*history.History, error) {
	mine, err := e.modelled.prepare()
	if err != nil {
		return nil, err
	}
	if e.as, err = e.translated(); err != nil {
		return nil, err
	}
	e.ofModel, e.ofAs = positions(mine), positions(e.as)
	return e.as, e.try(ctx)
}

// positions returns where in a history each of its operations is.
func positions(h *history.History) []history.OpID {
	at := make([]history.OpID, len(h.Ops))
	for i := range h.Ops {
		at[h.Origins[i].Position] = history.OpID(i)
	}
	return at
}

// translated makes the history in the words of the specification.
func (e *equated[S, I, O]) translated() (*history.History, error) {
	x, as := e.modelled, e.model.As
	b := history.NewBuilder()
	b.SetSpec(as.Spec.Info().Name)
	if as.Initial != nil {
		v, err := b.Values.Of(as.Initial)
		if err != nil {
			return nil, fmt.Errorf("linsat: model %s: the initial state of As: %w", x.model.Name, err)
		}
		b.SetInitial(v)
	}
	type called struct {
		f        string
		key, arg any
	}
	all := func(k int) int { return k }
	calls, results, keys := make([]called, len(x.ops)), make([]any, len(x.ops)), x.keys()
	names := keyValues{of: map[any]history.Value{}, taken: map[history.Value]bool{}}
	duringEach(x, "As.Operation", len(calls), all, func(_, i int) {
		c := &calls[i]
		c.f, c.key, c.arg = as.Operation(x.ops[i].Input)
	})
	duringEach(x, "As.Result", len(results), all, func(_, i int) {
		if o := &x.ops[i]; !o.Pending && !o.Unknown {
			results[i] = as.Result(o.Input, o.Output)
		}
	})
	return x.recorded(b, func(i int, r *history.Record) error {
		c := &calls[i]
		var err, errArg, errResult error
		r.F = b.Values.String(c.f)
		switch {
		case c.key != nil:
			r.Key, err = b.Values.Of(c.key)
		case keys != nil:
			r.Key, err = names.value(b.Values, "key", keys[i])
		}
		r.Arg, errArg = b.Values.Of(c.arg)
		r.Result, errResult = b.Values.Of(results[i])
		if err = errors.Join(err, errArg, errResult); err != nil {
			return x.bad(i, "in the words of As, "+err.Error(),
				"As.Operation and As.Result return nil, booleans, integers, strings, and slices and maps of them")
		}
		return nil
	})
}

// confirm repeats the witness of a linearizable history on the model, and tries the core of a
// violation on both.
func (e *equated[S, I, O]) confirm(ctx context.Context, r *result.Result) error {
	switch {
	case r.Quasi != nil:
		return nil
	case r.Verdict == engine.Linearizable:
		mine := model.Whole(e.history.Load())
		mine.TheoryLater = true
		b, err := e.modelled.Bind(mine)
		if err != nil {
			return err
		}
		order := make([]history.OpID, len(r.Witness))
		for k, i := range r.Witness {
			order[k] = e.ofModel[e.as.Origins[i].Position]
		}
		if err := verify.Witness(b, order); err != nil {
			what := fmt.Sprintf("%s allows a linearization that the model does not: %v", e.model.As.Spec.Info().Name,
				err)
			if e.model.Step == nil && e.as.Pending() > 0 {
				what += " (an operation of unknown outcome may have any result there)"
			}
			return e.untrue(-1, "", what)
		}
	case r.Verdict == engine.NotLinearizable && len(r.RestsOn()) > 0:
		var core []int
		for _, i := range r.RestsOn() {
			core = append(core, int(e.as.Origins[i].Position))
		}
		return e.tryCore(ctx, core)
	}
	return nil
}

// untrue is the fault that As does not hold, seen at an operation, if that is not negative.
func (e *equated[S, I, O]) untrue(i int, state, what string) error {
	f := e.fault("As", i)
	f.State, f.Untrue = state, what
	return &f
}
