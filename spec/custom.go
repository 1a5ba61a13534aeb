package spec

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/linsat/linsat/history"
)

// Definition defines a specification in ordinary Go. Only Name and Step are needed.
//
// Values are decoded: nil, bool, int64, string, []any, and map[string]any, whose keys are spelled as in JSON.
// All functions must be pure: what they return depends on their arguments alone, and they change nothing. They
// may be called by many goroutines.
type Definition[S comparable] struct {
	Name    string
	Summary string // one line
	Initial string // what the initial state may be, in words
	// Operations lists the operations. Step gets their first names, whichever the history uses, and other operations are bad input.
	// Without a list every name is let through to Step.
	Operations []Operation
	// Classes are the classes of operations for quasi-linearizability, if there are any.
	Classes []Class
	// Drain is the operation that takes out what is left over under a quasi factor, "" if nothing can be. It needs
	// Flow and Stored.
	Drain string
	// KeyIsPiece says that the key of an operation names a piece of one object. Else it names the object,
	// each of which is judged by itself.
	KeyIsPiece bool
	// ByProcess lets Step see who calls (the owner of a lock). Else Process is empty.
	ByProcess bool
	// Example is one history in linsat's JSON on one line.
	Example string

	// Init returns the initial state, given the one that the history states, or nil if it states none. Without Init it is the zero
	// value of S.
	Init func(initial any) (S, error)
	// Check refuses a call with values of a wrong type.
	Check func(c Call) error
	// Step returns every state in which the call may leave the object when it takes effect in s: none if it
	// is not allowed there, several if the specification leaves it open. A call whose result is not known may give any.
	Step func(s S, c Call) []S
	// Pure says that the call, given what is known of its result, cannot change any state. It makes searches faster.
	Pure func(c Call) bool
	// Flow says that the call puts its argument into the object (+1), takes out an item, its result (-1; also where the result is not
	// known), or does neither or found nothing (0); Stored counts the items in a state. Draining needs both, and Drain.
	Flow   func(c Call) int
	Stored func(s S) int
	// Pieces returns the names of the independent pieces of the object that the call touches (an element of a set), none if it
	// touches all of it. Names must be integers, strings or booleans that occur in the history; any other is taken for the whole.
	// Calls that share no piece must not influence each other: a part has some pieces only, and starts from the whole initial state.
	Pieces func(c Call) []any
	// Describe shows a state to people; without it fmt does.
	Describe func(s S) string
	// Refusal says why a call is not allowed in s ("the front is 3, not 5").
	Refusal func(s S, c Call) string
	// Weigh returns the bytes behind a state besides its own size, for states with long strings.
	Weigh func(s S) int64
}

// Call is one operation as a Definition sees it.
type Call struct {
	F       string
	Key     any // nil if there is none, or if it names the object
	Process string
	Arg     any
	Result  any  // nil unless Known
	Known   bool // whether the result is known: not of pending operations, nor where it was forgotten
}

// Gives says whether the result of the call may be v: it is v, or it is not known.
func (c Call) Gives(v any) bool {
	if !c.Known {
		return true
	}
	if n, isInt := v.(int); isInt {
		v = int64(n)
	}
	return reflect.DeepEqual(c.Result, v)
}

// Define returns the specification that d defines. It refuses a definition without a name or without Step, and one
// with two operations of one name.
func Define[S comparable](d Definition[S]) (Spec, error) {
	switch {
	case d.Name == "":
		return nil, errors.New("a specification needs a name")
	case d.Step == nil:
		return nil, fmt.Errorf("specification %s has no Step", d.Name)
	}
	seen := map[string]string{}
	for _, o := range d.Operations {
		for _, name := range append([]string{o.Name}, o.Aliases...) {
			if first, twice := seen[fold(name)]; twice {
				return nil, fmt.Errorf("specification %s calls both %s and %s %q", d.Name, first, o.Name, name)
			}
			seen[fold(name)] = o.Name
		}
	}
	for _, c := range d.Classes {
		for _, name := range c.Operations {
			if seen[fold(name)] != name {
				return nil, fmt.Errorf("class %s of specification %s has no operation %q to hold", c.Name, d.Name, name)
			}
		}
	}
	if d.Drain != "" && seen[fold(d.Drain)] != d.Drain {
		return nil, fmt.Errorf("specification %s has no operation %q to drain with", d.Name, d.Drain)
	}
	if d.Drain != "" && (d.Flow == nil || d.Stored == nil) {
		return nil, fmt.Errorf("specification %s drains, but does not say what is stored: it needs Flow and Stored", d.Name)
	}
	return custom[S]{&d, nameTable(d.Operations)}, nil
}

type custom[S comparable] struct {
	d     *Definition[S]
	index map[string]int // name, folded → index into Operations
}

// name returns the first name of operation o, or the name itself if the definition lists none such.
func (s custom[S]) name(h *history.History, o *history.Op) string {
	if o.F == DrainName {
		return s.d.Drain
	}
	f, _ := h.Values.AsString(o.F)
	if k, ok := s.index[fold(f)]; ok {
		return s.d.Operations[k].Name
	}
	return f
}

func (s custom[S]) Info() Info {
	d := s.d
	return Info{Name: d.Name, Summary: d.Summary, Initial: d.Initial, Operations: d.Operations, Classes: d.Classes, Drain: d.Drain, KeyIsPiece: d.KeyIsPiece, Example: d.Example}
}

func (s custom[S]) Touches(h *history.History, i int32, dst []history.Value) []history.Value {
	o := &h.Ops[i]
	if s.d.Pieces == nil {
		if s.d.KeyIsPiece && o.Key != history.NoKey {
			return append(dst, o.Key)
		}
		return append(dst, Everything)
	}
	from := len(dst)
	for _, piece := range s.d.Pieces(s.call(h, o)) {
		v, found := findValue(h.Values, piece)
		if !found {
			return append(dst[:from], Everything)
		}
		dst = append(dst, v)
	}
	if len(dst) == from {
		dst = append(dst, Everything)
	}
	return dst
}

func findValue(t *history.Values, piece any) (history.Value, bool) {
	switch x := piece.(type) {
	case bool:
		return t.Bool(x), true
	case int:
		return t.FindInt(int64(x))
	case int64:
		return t.FindInt(x)
	case string:
		return t.FindString(x)
	}
	return history.Nil, false
}

func (s custom[S]) call(h *history.History, o *history.Op) Call {
	c := Call{F: s.name(h, o), Arg: decode(h.Values, o.Arg), Known: !o.Unknown}
	if s.d.ByProcess && o.F != DrainName {
		c.Process = h.Processes[o.Process]
	}
	if s.d.KeyIsPiece && o.Key != history.NoKey {
		c.Key = decode(h.Values, o.Key)
	}
	if c.Known {
		c.Result = decode(h.Values, o.Result)
	}
	return c
}

func decode(t *history.Values, v history.Value) any {
	switch t.Kind(v) {
	case history.KindBool:
		return v == history.True
	case history.KindInt:
		n, _ := t.AsInt(v)
		return n
	case history.KindString:
		s, _ := t.AsString(v)
		return s
	case history.KindList:
		elements, _ := t.AsList(v)
		list := make([]any, len(elements))
		for k, e := range elements {
			list[k] = decode(t, e)
		}
		return list
	case history.KindMap:
		pairs, _ := t.AsMap(v)
		m := make(map[string]any, len(pairs)/2)
		for k := 0; k < len(pairs); k += 2 {
			name, isString := t.AsString(pairs[k])
			if !isString {
				name = t.Format(pairs[k])
			}
			m[name] = decode(t, pairs[k+1])
		}
		return m
	}
	return nil
}

func (s custom[S]) Bind(p *Part) (*Bound, error) {
	if s.d.KeyIsPiece {
		return s.bindOne(p)
	}
	return bindObjects(s, p, s.bindOne)
}

func (s custom[S]) bindOne(p *Part) (*Bound, error) {
	d := s.d
	var init S
	if d.Init != nil {
		var initial any
		if p.HasInitial {
			initial = decode(p.History.Values, p.Initial)
		}
		var err error
		if init, err = d.Init(initial); err != nil {
			return nil, &history.Error{File: p.History.Source, What: "initial state of " + d.Name + ": " + err.Error(), Hint: "state it with --initial or \"initial\""}
		}
	} else if p.HasInitial && p.Initial != history.Nil {
		return nil, &history.Error{File: p.History.Source, What: d.Name + " takes no initial state", Hint: "leave out \"initial\""}
	}
	classOf := map[string]int8{}
	for c := range d.Classes {
		for _, name := range d.Classes[c].Operations {
			classOf[name] = int8(c)
		}
	}
	b := &Bound{Spec: s, Part: p, Pure: make([]bool, len(p.Ops)), Sig: make([]int32, len(p.Ops))}
	if d.Classes != nil {
		b.Class = make([]int8, len(p.Ops))
	}
	calls, err := s.calls(p)
	if err != nil {
		return nil, err
	}
	if d.Flow != nil && d.Stored != nil {
		b.Flow, b.Stored = make([]int8, len(p.Ops)), d.Stored(init)
	}
	type signature struct {
		f                string
		key, arg, result history.Value
		known            bool
		process          string
	}
	sigs := map[signature]int32{}
	for i, c := range calls {
		b.Pure[i] = d.Pure != nil && d.Pure(c)
		if b.Flow != nil {
			b.Flow[i] = int8(d.Flow(c))
		}
		if b.Class != nil {
			class, ok := classOf[c.F]
			if !ok {
				class = -1
			}
			b.Class[i] = class
		}
		o := &p.Ops[i]
		g := signature{f: c.F, key: o.Key, arg: o.Arg, known: c.Known, process: c.Process}
		if c.Known {
			g.result = o.Result
		}
		if _, ok := sigs[g]; !ok {
			sigs[g] = int32(len(sigs))
		}
		b.Sig[i] = sigs[g]
	}
	describe := d.Describe
	if describe == nil {
		describe = func(s S) string { return fmt.Sprintf("%+v", s) }
	}
	b.NewMachine = func() Machine {
		return NewComparable(init, func(s S, op int32, dst []S) []S { return append(dst, d.Step(s, calls[op])...) }, describe, d.Weigh)
	}
	if d.Refusal != nil {
		b.Refusal = func(m Machine, s State, op int32) string { return d.Refusal(peekComparable[S](m, s), calls[op]) }
	}
	return b, nil
}

// calls decodes the operations of a part.
func (s custom[S]) calls(p *Part) ([]Call, error) {
	info := s.Info()
	verbs := &verbs{info: &info, h: p.History, names: s.index}
	calls := make([]Call, len(p.Ops))
	for i := range p.Ops {
		if o := &p.Ops[i]; len(s.d.Operations) > 0 && verbs.of(o.F) < 0 {
			return nil, verbs.unknown(p, int32(i))
		}
		calls[i] = s.call(p.History, &p.Ops[i])
		if s.d.Check != nil {
			if err := s.d.Check(calls[i]); err != nil {
				return nil, p.Error(int32(i), err.Error(), "specification "+s.d.Name+" refuses it")
			}
		}
	}
	return calls, nil
}

// String shows the name.
func (s custom[S]) String() string { return strings.TrimSpace(s.d.Name) }
