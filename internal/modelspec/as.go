package modelspec

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/spec/meta"
)

// Words say what the operations of a model are in another specification (linsat.As).
type Words[I, O any] struct {
	Spec      meta.Spec
	Initial   any
	Operation func(in I) (f string, key, arg any)
	Result    func(in I, out O) any
}

// refuse reports what is missing.
func (a *Words[I, O]) refuse() string {
	switch {
	case a.Spec == nil:
		return "has As without a specification: spec.MustLookup finds one by its name"
	case a.Operation == nil || a.Result == nil:
		return "has As without Operation or Result, which say what an operation is in the specification"
	}
	return ""
}

// Equated is a model that is checked as another specification.
type Equated[S, I, O any] struct {
	*Spec[S, I, O]
	as      *history.History // in the words of the specification
	ofModel []history.OpID   // the position of every operation in the history of the model
	ofAs    []history.OpID   // and in that of the specification
}

// Tested reports whether the model has steps of its own, with which those of the specification are
// compared.
func (e *Equated[S, I, O]) Tested() bool { return e.model.Step != nil || e.model.Accept != nil }

// Prepare makes both histories, and returns that in the words of the specification.
func (e *Equated[S, I, O]) Prepare(ctx context.Context) (*history.History, error) {
	if !e.Tested() {
		return e.translated()
	}
	mine, err := e.Spec.Prepare(ctx)
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
func (e *Equated[S, I, O]) translated() (*history.History, error) {
	x, as := e.Spec, e.model.As
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

// Replayed repeats the witness of a linearizable history on the model: replay judges one of a
// partition.
func (e *Equated[S, I, O]) Replayed(witness []history.OpID, replay func(*model.Instance, []history.OpID) error) error {
	mine := model.Whole(e.history.Load())
	mine.TheoryLater = true
	b, err := e.Spec.Bind(mine)
	if err != nil {
		return err
	}
	order := make([]history.OpID, len(witness))
	for k, i := range witness {
		order[k] = e.ofModel[e.as.Origins[i].Position]
	}
	if err := replay(b, order); err != nil {
		what := fmt.Sprintf("%s allows a linearization that the model does not: %v", e.model.As.Spec.Info().Name, err)
		if e.model.Step == nil && e.as.Pending() > 0 {
			what += " (an operation of unknown outcome may have any result there)"
		}
		return e.untrue(-1, "", what)
	}
	return nil
}

// TryCore tries the core of a violation on both.
func (e *Equated[S, I, O]) TryCore(ctx context.Context, core []history.OpID) error {
	ops := make([]int, min(len(core), trialOperations))
	for k := range ops {
		ops[k] = int(e.as.Origins[core[k]].Position)
	}
	if len(ops) == 0 {
		return nil
	}
	return e.tryOn(ctx, ops)
}

// untrue is the fault that As does not hold, seen at an operation, if that is not negative.
func (e *Equated[S, I, O]) untrue(i int, state, what string) error {
	f := e.fault("As", i)
	f.State, f.Untrue = state, what
	return &f
}
