package spec

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/deep"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
)

// defined is a Definition on the operations of one part.
type defined[S comparable] struct {
	spec    custom[S]
	part    *model.Partition
	calls   []Call
	results []Result
}

// code is the definition as it runs on the part.
func (x *defined[S]) code(init S, readOnly []bool) *guest.Code[S] {
	d := x.spec.d
	g := &guest.Code[S]{
		Name: d.Name, Part: x.part, Init: init, ReadOnly: readOnly, Watch: x.spec.watch, Sampler: x.spec.sampler,
		Next: x.next, Choices: x.choices, Func: x.function, Show: x.show,
		NewTable: func() guest.Table[S] { return guest.MapTable[S]() },
		Same:     func(a, b S) bool { return a == b },
	}
	if d.Weigh != nil {
		g.NewTable = func() guest.Table[S] {
			return weighed[S]{guest.MapTable[S](), func(s S) int64 {
				return model.Guarded(func() model.Fault { return x.spec.fault("Weigh", x.part.History, -1, "") }, func() int64 { return d.Weigh(s) })
			}}
		}
	}
	if !deep.Plain(reflect.TypeFor[S]()) {
		g.Print = func(s S) uint64 {
			print, _ := deep.Hash(s)
			return print
		}
	}
	return g
}

// weighed is a table of states of which a definition knows how much hangs on them.
type weighed[S any] struct {
	guest.Table[S]
	weigh func(s S) int64
}

func (t weighed[S]) Add(s S, k model.State) int64 { return t.Table.Add(s, k) + t.weigh(s) }

// function names what the definition is asked about op.
func (x *defined[S]) function(op int32) string {
	switch {
	case x.spec.d.Step != nil:
		return "Step"
	case x.results[op].known:
		return "Accept"
	}
	return "Open"
}

// next appends the states that op may leave.
func (x *defined[S]) next(s S, op int32, dst []S) []S {
	d, c, r := x.spec.d, x.calls[op], x.results[op]
	switch {
	case d.Step != nil:
		for _, o := range d.Step(s, c) {
			if o.allows(r) {
				dst = append(dst, o.next)
			}
		}
		return dst
	case r.known:
		return append(dst, d.Accept(s, c, r.value)...)
	}
	return append(dst, d.Open(s, c)...)
}

// choices lists what the definition answers about op.
func (x *defined[S]) choices(s S, op int32) []guest.Choice[S] {
	var out []guest.Choice[S]
	if d := x.spec.d; d.Step != nil {
		for _, o := range d.Step(s, x.calls[op]) {
			out = append(out, guest.Choice[S]{Next: o.next, Result: o.result})
		}
		return out
	}
	for _, n := range x.next(s, op, nil) {
		out = append(out, guest.Choice[S]{Next: n})
	}
	return out
}

func (x *defined[S]) show(s S) string {
	if x.spec.d.Describe == nil {
		return fmt.Sprintf("%+v", s)
	}
	return x.spec.d.Describe(s)
}

// refusal says why op is not allowed in a state.
func (x *defined[S]) refusal(m *guest.Machine[S], s S, op int32) string {
	d, c, r := x.spec.d, x.calls[op], x.results[op]
	if d.Refusal != nil {
		at := func() model.Fault { return x.spec.faultIn("Refusal", x.part, op, m.Attempt(s)) }
		return model.Guarded(at, func() string { return d.Refusal(s, c, r) })
	}
	const otherwise = "it is not allowed in this state"
	if d.Step == nil || !r.known {
		return otherwise
	}
	at := func() model.Fault { return x.spec.faultIn("Step", x.part, op, m.Attempt(s)) }
	var returned []string
	for _, o := range model.Guarded(at, func() []Outcome[S] { return d.Step(s, c) }) {
		if text := valueText(o.result); o.kind == returns && !slices.Contains(returned, text) {
			returned = append(returned, text)
		}
	}
	if returned == nil {
		return otherwise
	}
	return fmt.Sprintf("%s returns %s there, not %s", c.F, strings.Join(returned, " or "), valueText(r.value))
}

// valueText writes a decoded value, and one that Returns was given, as JSON does.
func valueText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
