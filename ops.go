package linsat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/modelspec"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
)

// Model is a sequential specification in ordinary Go types: S are its states, I the inputs of its
// operations and O their outputs. Step is needed, or Accept instead, or As alone. CheckOps takes
// it.
//
//	register := linsat.Model[int, input, int]{
//		Name: "register",
//		Step: func(s int, in input) []linsat.Outcome[int, int] {
//			if in.write {
//				return linsat.Returns(0, in.value)
//			}
//			return linsat.Returns(s, s)
//		},
//	}
//
// All functions must be pure: their results depend only on their arguments, and they change
// nothing, in particular not the state that they are given. Many goroutines may call them. linsat
// repeats some calls to check this. If a function panics, or is found to be impure, CheckOps fails
// with a *meta.Fault, which names the function, the operation and the state.
//
// States are compared with reflect.DeepEqual, which for plain values is ==, so slices, maps and
// pointers work. Equal and Hash are for states with an equality of their own, and for speed.
type Model[S, I, O any] struct {
	Name string // "model" if it is empty
	Init S      // the initial state, of every key

	// Step computes what an operation may do when it takes effect in state s: each Outcome is an
	// output with the state that follows. No outcome means that the operation cannot take effect
	// there; several, that the specification allows each. Step does not see the observed output:
	// linsat compares it, so a pending operation needs no special case.
	Step func(s S, in I) []Outcome[S, O]

	// Accept replaces Step if the outputs cannot be listed (a fresh identifier): it returns the
	// states that may follow when the operation takes effect in s and returns out, none if it
	// cannot. Open complements it: it returns the states that may follow when the output is not
	// known. Without Open, an operation with an unknown output is an error.
	Accept func(s S, in I, out O) []S
	Open   func(s S, in I) []S

	// Key returns the key of the object that an operation is on, for a model whose state is that of
	// one object among many (one key of a map): a value that == compares, and not nil. The
	// operations of each key are decided separately, each from Init.
	Key func(in I) any
	// Pieces returns the pieces of the state that an operation with that input reads or writes, as
	// values that == compares, and none for all of it: the accounts of a transfer, the keys of a
	// transaction. Operations without a common piece must not influence each other: each is allowed
	// after the other if it is allowed before, and both orders leave the same state. What has no
	// connection, not even through others, is decided separately, each from Init, and elsewhere
	// only what is connected at a time is tried in all orders. A sample of this is tested.
	Pieces func(in I) []any
	// ReadOnly reports whether an operation with that input never changes a state. It makes
	// searches faster.
	ReadOnly func(in I) bool

	// Classes names the classes of operations for quasi-linearizability, and Class returns the
	// class of an operation with that input: its position in Classes, or -1 if it has none and
	// keeps its place. The option Quasi needs them; its Factor has one bound for each of Classes.
	Classes []string
	Class   func(in I) int

	// As says that the model is a shipped specification in other words. Histories are then decided
	// and explained by what linsat knows of that, which refutes where steps alone do not. A sample
	// of this is tested, in some thousand steps. A model with As alone says only what operations of
	// one's own types are there, such as transactions, and nothing is tested.
	As *As[I, O]

	// EqualOut reports whether an output that Step computed is the one that was observed; without
	// it reflect.DeepEqual does, which tells a nil slice from an empty one.
	EqualOut func(computed, observed O) bool
	// Equal reports whether two states are equal, and Hash returns the same number for equal
	// states. With Equal and no Hash every new state is compared with all others.
	Equal func(a, b S) bool
	Hash  func(s S) uint64

	// DescribeInput, DescribeOutput and DescribeState write operations and states for messages;
	// without them fmt does.
	DescribeInput  func(in I) string
	DescribeOutput func(out O) string
	DescribeState  func(s S) string
}

// Outcome is one thing that an operation may do.
type Outcome[S, O any] = meta.Outcome[S, O]

// Returns is the answer of a Step with one outcome: the operation returns output and leaves next.
func Returns[S, O any](output O, next S) []Outcome[S, O] {
	return []Outcome[S, O]{{Output: output, Next: next}}
}

// Op is one operation of a history, as CheckOps takes it. Operations that are known not to have
// taken effect are left out.
type Op[I, O any] struct {
	// Client is the caller: a client waits for an operation to return before it calls the next one,
	// but may continue after a pending operation. It is -1 if the client is not known.
	Client int
	Input  I
	// Call and Return are times on one clock. An operation precedes another if it returned before
	// that was called; at equal times they are concurrent.
	Call   int64
	Output O
	Return int64
	// Pending says that the operation never returned: it may have taken effect at any time after
	// its call, with any output, or not at all. Output and Return are ignored.
	Pending bool
	// Revision, unless it is nil, is the place of the operation in a known order (a revision, an
	// offset), and Chain the name of that order: of the operations of one chain that take effect,
	// those with smaller revisions come first.
	Revision *int64
	Chain    string
	// Unknown says that the operation returned, but that its output is not known. Output is
	// ignored.
	Unknown bool
}

// As says that a model is a shipped specification in other words: that both allow the same
// sequences of operations, from their initial states on. Then all that linsat knows about the
// specification holds of the model.
//
// linsat relies on it for violations. It tests it on sequences of the operations of the history,
// and repeats the witness of every linearizable history on the model; a difference is a
// *meta.Fault of the function As, which names the operation and the state. An operation whose
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

// prepared is a model on operations, which are copied, as the specification to decide on and what
// makes its history. equated is nil without As.
func prepared[S, I, O any](m Model[S, I, O], ops []Op[I, O]) (x *modelspec.Spec[S, I, O],
	equated *modelspec.Equated[S, I, O], err error) {
	inner := make([]modelspec.Op[I, O], len(ops))
	for i := range ops {
		inner[i] = modelspec.Op[I, O](ops[i])
	}
	x, err = modelspec.New(modelspec.Model[S, I, O]{
		Name: m.Name, Init: m.Init, Step: m.Step, Accept: m.Accept, Open: m.Open, Key: m.Key, Pieces: m.Pieces,
		ReadOnly: m.ReadOnly, Classes: m.Classes, Class: m.Class, As: (*modelspec.Words[I, O])(m.As),
		EqualOut: m.EqualOut, Equal: m.Equal, Hash: m.Hash, DescribeInput: m.DescribeInput,
		DescribeOutput: m.DescribeOutput, DescribeState: m.DescribeState,
	}, inner)
	if err != nil {
		return nil, nil, &kinded{ErrModel, err}
	}
	return x, x.Equated(), nil
}

var errNoOps = missing("there are no operations to check")

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
	x, e, err := prepared(m, ops)
	if err != nil {
		return OpsResult{}, err
	}
	q := question{spec: x, prepare: x.Prepare}
	if e != nil {
		q.spec, q.prepare = model.Full(m.As.Spec), e.Prepare
		if e.Tested() {
			q.model = x
		}
		q.confirm = &confirmation{func(ctx context.Context, r *result.Result) error {
			switch {
			case r.Quasi != nil, !e.Tested():
			case r.Verdict == engine.Linearizable:
				return e.Replayed(r.Witness, verify.Witness)
			case r.Verdict == engine.NotLinearizable:
				return e.TryCore(ctx, r.RestsOn())
			}
			return nil
		}}
	}
	if len(ops) == 0 {
		q.prepare = func(context.Context) (*history.History, error) { return nil, errNoOps }
	}
	r, err := q.run(ctx, options)
	if err != nil {
		return OpsResult{}, err
	}
	return opsResult(&r, q.made.Load(), q.confirm), nil
}

// Prepare returns the specification and the history on which CheckOps decides, for what takes
// these: Check, Certificate, Verify and those of package consistency. The specification belongs to
// that history alone. The errors are those of CheckOps.
func (m Model[S, I, O]) Prepare(ops []Op[I, O]) (s spec.Spec, h *history.History, err error) {
	x, e, err := prepared(m, ops)
	switch {
	case err != nil:
		return nil, nil, err
	case len(ops) == 0:
		return nil, nil, errNoOps
	}
	s, prepare := spec.Spec(x), x.Prepare
	if e != nil {
		s, prepare = m.As.Spec, e.Prepare
	}
	err = engine.Contained(func() (err error) {
		h, err = prepare(context.Background())
		return err
	})
	return s, h, err
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
