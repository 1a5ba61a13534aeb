package spec

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/deep"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
)

// defined is a Definition on the operations of one partition.
type defined[S comparable] struct {
	guest.Steps[S, Call, any]
	spec    custom[S]
	part    *model.Partition
	calls   []Call
	results []Result
	unsaid  []bool // the operation returned, and the history does not say what; nil if none did
}

// code is the definition as it runs on the partition.
func (x *defined[S]) code(init S, readOnly []bool) *guest.Code[S] {
	d := x.spec.d
	g := &guest.Code[S]{
		Name: d.Name, Partition: x.part, Init: init, ReadOnly: readOnly, Watch: x.spec.watch, Sampler: x.spec.sampler,
		Next: x.next, Choices: x.Choices, Func: x.Func, Show: x.show,
		NewTable: func() guest.Table[S] { return guest.MapTable[S]() },
		Same:     func(a, b S) bool { return a == b }, Plain: true,
	}
	if d.Step != nil {
		g.IntsDiffer = x.intsDiffer
	}
	switch {
	case d.Weigh != nil:
		g.NewTable = func() guest.Table[S] {
			return weighed[S]{guest.MapTable[S](), func(s S) int64 {
				return model.Guarded(func() model.Fault {
					return x.spec.fault("Weigh", x.part.History, -1, "")
				}, func() int64 { return d.Weigh(s) })
			}}
		}
	case !deep.Fixed(reflect.TypeFor[S]()):
		g.NewTable = func() guest.Table[S] {
			return weighed[S]{guest.MapTable[S](), func(s S) int64 {
				_, bytes := deep.Hash(s)
				return bytes
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

// weighed is a table of states that counts the bytes that they refer to.
type weighed[S any] struct {
	guest.Table[S]
	weigh func(s S) int64
}

func (t weighed[S]) Add(s S, k model.State) int64 { return t.Table.Add(s, k) + t.weigh(s) }

// next appends the states that op may leave.
func (x *defined[S]) next(s S, op history.OpID, dst []S) []S {
	from := len(dst)
	dst = x.Next(s, op, dst)
	if x.Step == nil && len(dst) == from && x.results[op].known && x.unsaid != nil && x.unsaid[op] &&
		(x.Open == nil || len(x.Open(s, x.calls[op])) > 0) {
		panic(x.unstated(op, "something else than null")) // without Open nobody knows
	}
	return dst
}

// unequal reports whether op may have had a result that is not the one in the history.
func (x *defined[S]) unequal(op history.OpID, result any) bool {
	switch {
	case !x.results[op].known:
		sameValue(nil, result) // it panics if no history holds such a result
		return true
	case x.unsaid == nil || !x.unsaid[op]:
		return false
	case sameValue(x.calls[op].Arg, result): // events do not repeat it
		return true
	}
	panic(x.unstated(op, valueText(result)))
}

// unstated is what a definition panics with where it has a result that the history does not state.
// Results of nothing need not be stated.
type unstated struct{ bad *history.Error }

// Deliberate tells a model.Fault that this is a message, not a crash.
func (unstated) Deliberate() {}

// Unwrap returns the error about the history.
func (u unstated) Unwrap() error { return u.bad }

func (u unstated) Error() string { return u.bad.Error() }

// BadInput tells a model.Fault that the history is at fault, not the specification.
func (u unstated) BadInput() string { return u.bad.Error() }

func (x *defined[S]) unstated(op history.OpID, returns string) unstated {
	what := fmt.Sprintf("%s returned, but the history does not state its result, which may be %s in %s", x.calls[op].F,
		returns, x.spec.d.Name)
	return unstated{x.part.Error(op, what,
		`state what it returned: null says that it found nothing, "forgotten": true that its result is not known`)}
}

// intsDiffer checks whether Step compares an argument, which is an int64, with an int: Step then
// treats the argument like a value of another type, but recognises the same number as an int. Code
// that asserts int64 panics on other types, and is correct.
func (x *defined[S]) intsDiffer(s S, op history.OpID) (how string) {
	c := x.calls[op]
	asInt, changed := retyped(c.Arg, func(n int64) any { return int(n) })
	if !changed {
		return ""
	}
	other, _ := retyped(c.Arg, func(n int64) any { return otherInt(n) })
	defer func() {
		if recover() != nil {
			how = ""
		}
	}()
	answer := func(arg any) string { // as text, in which all integers look alike
		with := c
		with.Arg = arg
		text := ""
		for _, o := range x.spec.d.Step(s, with) {
			text += fmt.Sprintf("%t %+v %+v\n", o.AnyOutput, o.Next, o.Output)
		}
		return text
	}
	if right := answer(c.Arg); right != answer(other) || right == answer(asInt) {
		return ""
	}
	return "Step does not know the argument " + valueText(c.Arg) +
		", but would if it were an int: it is an int64, and spec.As[int] makes an int of it"
}

// otherInt is an integer that no specification knows.
type otherInt int64

// retyped returns v with every int64 in it changed, and whether there is any.
func retyped(v any, change func(n int64) any) (_ any, changed bool) {
	switch v := v.(type) {
	case int64:
		return change(v), true
	case []any:
		out := make([]any, len(v))
		for k, e := range v {
			x, is := retyped(e, change)
			out[k], changed = x, changed || is
		}
		return out, changed
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, e := range v {
			x, is := retyped(e, change)
			out[name], changed = x, changed || is
		}
		return out, changed
	}
	return v, false
}

func (x *defined[S]) show(s S) string {
	if x.spec.d.Describe == nil {
		return fmt.Sprintf("%+v", s)
	}
	return x.spec.d.Describe(s)
}

// refusal says why op is not allowed in a state.
func (x *defined[S]) refusal(m *guest.Machine[S], s S, op history.OpID) string {
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
	returned := guest.Returned(model.Guarded(at, func() []Outcome[S] { return d.Step(s, c) }), valueText)
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
