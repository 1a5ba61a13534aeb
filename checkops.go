package linsat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/spec"
)

// OpsResult is the result of CheckOps: a Result in terms of the indices of the operations that
// CheckOps was given. The zero value claims nothing.
type OpsResult struct {
	Result
	// Witness of a linearizable history: the operations that take effect, in an order that proves
	// it. All that returned are among them, and some that are pending. Under a quasi factor it is
	// ρ′, and Rearranged is ρ″, if the history is one partition.
	Witness    []int
	Rearranged []int
	// Unplaced of a violation: the operation that ends the shortest prefix of the history without a
	// linearization, or -1 if it is not known. It takes effect nowhere between its call and its
	// return.
	Unplaced int
	// Core of a violation: the completed operations that it rests on, ascending; nil if they are
	// not known. A history of these and any of the others is a violation, too.
	Core []int
	// History holds the operations as the Result numbers them.
	History *history.History
	// Explanation says in a few lines why the verdict is a violation, or why it is unknown; "" for
	// a linearizable history.
	Explanation string

	confirm *confirmation // of a model with As
}

// CheckOps decides whether operations are linearizable with respect to a model. They may come in
// any order. Options are those of Check; Quasi needs a model with Classes.
//
// It returns an error for a model that is not complete ([ErrModel]) and for operations that cannot
// be a history (*history.Error; it names the operation), and otherwise as Check does; running out
// of time, memory or steps is an Unknown verdict with its cause.
func CheckOps[S, I, O any](ctx context.Context, m Model[S, I, O], ops []Op[I, O], options ...Option) (OpsResult,
	error) {
	x, err := newModelled(m, slices.Clone(ops))
	if err != nil {
		return OpsResult{}, err
	}
	q := question{spec: x, prepare: func(context.Context) (*history.History, error) { return x.prepare() }}
	if m.As != nil {
		e := &equated[S, I, O]{modelled: x}
		q.spec, q.model, q.prepare, q.confirm = model.Full(m.As.Spec), x, e.prepare, &confirmation{e.confirm}
	}
	r, err := q.run(ctx, options)
	if err != nil {
		return OpsResult{}, err
	}
	return opsResult(&r, q.made.Load(), q.confirm), nil
}

// Prepare returns the specification and the history on which CheckOps decides, for what takes
// these: Check, Certificate and Verify. The specification belongs to that history alone. The errors
// are those of CheckOps.
func (m Model[S, I, O]) Prepare(ops []Op[I, O]) (s spec.Spec, h *history.History, err error) {
	x, err := newModelled(m, slices.Clone(ops))
	if err != nil {
		return nil, nil, err
	}
	s, prepare := spec.Spec(x), x.prepare
	if m.As != nil {
		e := &equated[S, I, O]{modelled: x}
		s, prepare = m.As.Spec, func() (*history.History, error) { return e.prepare(context.Background()) }
	}
	err = engine.Contained(func() (err error) {
		h, err = prepare()
		return err
	})
	return s, h, err
}

// prepare makes the history that the specification belongs to.
func (x *modelled[S, I, O]) prepare() (h *history.History, err error) {
	h, err = x.record()
	x.history.Store(h)
	if err == nil && x.model.Pieces != nil {
		err = x.tryPieces(h)
	}
	return h, err
}

// opsResult tells a result about the history of operations in their indices.
func opsResult(full *result.Result, h *history.History, confirm *confirmation) OpsResult {
	r := public(full)
	out := OpsResult{Result: r, Unplaced: -1, History: h, confirm: confirm}
	index := func(i history.OpID) int { return int(h.Origins[i].Position) }
	switch r.Verdict {
	case engine.Linearizable:
		for _, i := range r.Witness {
			out.Witness = append(out.Witness, index(i))
		}
		for _, i := range r.Rearranged {
			out.Rearranged = append(out.Rearranged, index(i))
		}
	case engine.NotLinearizable:
		if r.Unplaced >= 0 {
			out.Unplaced = index(r.Unplaced)
		}
		for _, i := range r.Core {
			out.Core = append(out.Core, index(i))
		}
		slices.Sort(out.Core)
		out.Explanation = out.explain(full)
	default:
		out.Explanation = out.unknown()
	}
	return out
}

func (r *OpsResult) unknown() string {
	text := "unknown: " + r.Cause.String()
	if r.Detail != "" {
		text += ": " + r.Detail
	}
	if r.confirm == nil && r.History != nil && r.History.Pending() >= manyPending {
		text += fmt.Sprintf(
			"\n%d operations of unknown outcome leave many states possible; it helps to say more of the model: As (a "+
				"shipped specification that it is), Revision, Key or Pieces", r.History.Pending())
	}
	return text
}

// explain says why there is no linearization.
func (r *OpsResult) explain(full *result.Result) string {
	var b strings.Builder
	core := r.Result.Core
	name := func(i history.OpID) string { return r.name(full.Partition.Global(i)) }
	if title := full.Partition.Title(r.Spec.Info()); title != "" {
		b.WriteString(title + ": ")
	}
	b.WriteString("not ")
	if r.Quasi != nil {
		b.WriteString("quasi-")
	}
	b.WriteString("linearizable")
	if f := full.Failure; f != nil {
		fmt.Fprintf(&b, ": %s takes effect nowhere before it returns", name(f.Op))
		for k, c := range f.Frontier {
			if k == mostConfigurations {
				fmt.Fprintf(&b, "\n  … and %d more", len(f.Frontier)-k)
				break
			}
			fmt.Fprintf(&b, "\n  in state %s", c.State)
			for j, i := range c.Linearized {
				b.WriteString([]string{" after ", ", "}[min(j, 1)] + name(i))
			}
			for _, x := range c.Refusals {
				if x.Op == f.Op {
					b.WriteString(": " + x.Why)
				}
			}
		}
	}
	if later, earlier, ok := r.descends(core); ok {
		fmt.Fprintf(&b,
			": operation %s has revision %d, and returned before operation %s, with revision %d, was called",
			r.History.ID(later), r.History.Revisions[later].Number, r.History.ID(earlier),
			r.History.Revisions[earlier].Number)
	}
	if len(core) > 0 {
		b.WriteString("\nthis rests on")
	}
	for k, i := range core {
		if k == mostOfCore {
			fmt.Fprintf(&b, "\n  … and %d more", len(core)-k)
			break
		}
		b.WriteString("\n  " + r.name(i))
	}
	return b.String()
}

// descends returns two operations of a small core of which the one with the greater revision
// returned before the other one was called, if there are such.
func (r *OpsResult) descends(core []history.OpID) (later, earlier history.OpID, ok bool) {
	h := r.History
	if h.Revisions == nil || len(core) > mostOfCore {
		return 0, 0, false
	}
	for _, i := range core {
		for _, j := range core {
			x, y := h.Revisions[i], h.Revisions[j]
			if x != nil && y != nil && x.Chain == y.Chain && x.Number > y.Number && !h.Ops[i].Pending() &&
				h.Origins[i].ReturnTime < h.Origins[j].CallTime {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// name writes the operation at position i of the history.
func (r *OpsResult) name(i history.OpID) string {
	o, t := &r.History.Ops[i], r.History.Values
	word := func(v history.Value) string {
		if s, ok := t.AsString(v); ok {
			return s
		}
		return t.Format(v)
	}
	text := fmt.Sprintf("operation %s, %s", r.History.ID(i), word(o.F))
	switch {
	case o.Pending():
		return text + " (pending)"
	case o.Unknown:
		return text + " → ?"
	}
	return text + " → " + word(o.Result)
}
