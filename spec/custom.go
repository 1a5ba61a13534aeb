package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/spec/meta"
)

// Definition defines a specification in ordinary Go. Name is needed, and Step or Accept.
//
// Values are decoded: nil, bool, int64, string, []any, and map[string]any, whose keys are spelled
// as in JSON. All functions must be pure: what they return depends on their arguments alone, and
// they change nothing. They may be called by many goroutines. A function that panics makes the
// check fail with a *Fault, which names the operation and the state.
type Definition[S comparable] struct {
	Name    string
	Summary string // one line
	Initial string // what the initial state may be, in words
	// Operations lists the operations. Step gets their first names, whichever the history uses, and
	// other operations are bad input. Without a list every name is let through to Step.
	Operations []meta.Operation
	// Classes are the classes of operations for quasi-linearizability, if there are any.
	Classes []meta.Class
	// Drain is the operation that removes left-over items under a quasi factor, "" if there is
	// none. It needs ItemDelta and Stored.
	Drain string
	// KeyIsPiece says that the key of an operation names a piece of one object. Otherwise it names
	// the object; each object is checked by itself.
	KeyIsPiece bool
	// ByProcess lets Step see who calls (the owner of a lock). Else Process is empty.
	ByProcess bool
	// Example is one history in linsat's JSON on one line.
	Example string

	// Init returns the initial state, given the one that the history states, or nil if it states
	// none. Without Init it is the zero value of S.
	Init func(initial any) (S, error)
	// Check refuses a call with values of a wrong type.
	Check func(c Call, r Result) error
	// Step computes what the call may do when it takes effect in s: each outcome is a result with
	// the state that it leaves. No outcome means that the call is not allowed
	// there; several, that the specification leaves it open. Step does not see the result in the
	// history: linsat compares, and where the result is not known, because the operation never
	// returned, every outcome is possible.
	Step func(s S, c Call) []Outcome[S]
	// Accept takes the place of Step where the results cannot be listed (a fresh identifier): it
	// returns every state in which the call may leave the object when it takes effect in s and
	// returns result. It is called with known results only.
	Accept func(s S, c Call, result any) []S
	// Open belongs to Accept: it returns every state in which the call may leave the object if its
	// result is not known, whatever the result was. Without Open an operation that never returned
	// is bad input, and so is one whose result the history does not state, in a state in which
	// Accept does not take nil.
	Open func(s S, c Call) []S
	// ReadOnly reports whether the call, given what is known of its result, cannot change any
	// state. It makes searches faster.
	ReadOnly func(c Call, r Result) bool
	// ItemDelta returns +1 for a call that inserts its argument into the object, -1 for one that
	// removes an item, its result (also if the result is not known), and 0 for one that does
	// neither or found nothing. Stored counts the items in a state. Drain needs both.
	ItemDelta func(c Call, r Result) int
	Stored    func(s S) int
	// Pieces returns the names of the independent pieces of the object that the call touches (an
	// element of a set), none if it touches all of it. Names must be integers, strings or booleans
	// that occur in the history; any other is taken for the whole. Calls that share no piece must
	// not influence each other: a partition has some pieces only, and starts from the whole initial
	// state.
	Pieces func(c Call) []any
	// Describe returns a readable text of a state; without it fmt does.
	Describe func(s S) string
	// Refusal says why a call is not allowed in s ("the front is 3, not 5"). Without it, the
	// message lists the results that Step returns.
	Refusal func(s S, c Call, r Result) string
	// Waits reports whether the call may wait in s, as a take from an empty queue does, although
	// Step has an outcome for it there. Where Step has none, it may wait anyway. Only what runs an
	// object under its schedules asks (linsat test, package explore).
	Waits func(s S, c Call) bool
	// Weigh returns the bytes that a state refers to besides its own size. Without it strings and
	// what pointers lead to are counted.
	Weigh func(s S) int64
}

// Define returns the specification that d defines. It refuses a definition without a name or
// without Step, and one with two operations of one name.
func Define[S comparable](d Definition[S]) (Spec, error) {
	switch {
	case d.Name == "":
		return nil, errors.New("a specification needs a name")
	case d.Step == nil && d.Accept == nil:
		return nil, fmt.Errorf("specification %s has no Step", d.Name)
	case d.Step != nil && (d.Accept != nil || d.Open != nil):
		return nil, fmt.Errorf("specification %s has both Step and Accept: one of them says what an operation does",
			d.Name)
	}
	seen := map[string]string{}
	for _, o := range d.Operations {
		for _, name := range append([]string{o.Name}, o.Aliases...) {
			if first, twice := seen[specs.Fold(name)]; twice {
				return nil, fmt.Errorf("specification %s calls both %s and %s %q", d.Name, first, o.Name, name)
			}
			seen[specs.Fold(name)] = o.Name
		}
	}
	for _, c := range d.Classes {
		for _, name := range c.Operations {
			if seen[specs.Fold(name)] != name {
				return nil, fmt.Errorf("class %s of specification %s has no operation %q to hold", c.Name, d.Name, name)
			}
		}
	}
	if d.Drain != "" && seen[specs.Fold(d.Drain)] != d.Drain {
		return nil, fmt.Errorf("specification %s has no operation %q to drain with", d.Name, d.Drain)
	}
	if d.Drain != "" && (d.ItemDelta == nil || d.Stored == nil) {
		return nil,
			fmt.Errorf("specification %s drains, but does not say what is stored: it needs ItemDelta and Stored",
				d.Name)
	}
	return custom[S]{&d, specs.NameTable(d.Operations), &guest.Watch{}, &guest.Sampler{}}, nil
}

type custom[S comparable] struct {
	d     *Definition[S]
	index map[string]int // name, folded → index into Operations

	watch   *guest.Watch
	sampler *guest.Sampler
}

// Watched implements guest.Watched.
func (s custom[S]) Watched() *guest.Watch { return s.watch }

// name returns the first name of operation o, or the name itself if the definition lists none such.
func (s custom[S]) name(h *history.History, o *history.Op) string {
	if o.F == model.DrainName {
		return s.d.Drain
	}
	f, _ := h.Values.AsString(o.F)
	if k, ok := s.index[specs.Fold(f)]; ok {
		return s.d.Operations[k].Name
	}
	return f
}

func (s custom[S]) Info() meta.Info {
	d := s.d
	return model.Info{Name: d.Name, Summary: d.Summary, Initial: d.Initial, Operations: d.Operations,
		Classes: d.Classes, Drain: d.Drain, KeyIsPiece: d.KeyIsPiece, Example: d.Example}
}

func (s custom[S]) Footprint(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	o := &h.Ops[i]
	if s.d.Pieces == nil {
		if s.d.KeyIsPiece && o.Key != history.NoKey {
			return append(dst, o.Key)
		}
		return append(dst, model.Everything)
	}
	from := len(dst)
	c := s.call(h, o)
	pieces := guest.Guarded(s.watch, h, func() model.Fault {
		return s.fault("Pieces", h, i, "")
	}, func() []any { return s.d.Pieces(c) })
	for _, piece := range pieces {
		v, found := findValue(h.Values, piece)
		if !found {
			return append(dst[:from], model.Everything)
		}
		dst = append(dst, v)
	}
	if len(dst) == from {
		dst = append(dst, model.Everything)
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
	c := Call{F: s.name(h, o), Arg: model.Decoded(h.Values, o.Arg)}
	if s.d.ByProcess && o.F != model.DrainName {
		c.Process = model.Client(h.Processes[o.Process])
	}
	if s.d.KeyIsPiece && o.Key != history.NoKey {
		c.Key = model.Decoded(h.Values, o.Key)
	}
	return c
}

func resultOf(h *history.History, o *history.Op) Result {
	if o.Unknown {
		return Result{}
	}
	return Result{model.Decoded(h.Values, o.Result), true}
}

func (s custom[S]) Bind(p *model.Partition) (b *model.Instance, err error) {
	defer func() {
		if v := recover(); v != nil {
			f, ok := v.(*model.Fault)
			if !ok {
				panic(v)
			}
			b, err = nil, f
		}
	}()
	one := model.WithDerived(s.bindOne)
	if s.d.KeyIsPiece {
		return one(p)
	}
	return model.BindObjects(s, p, one)
}

// fault returns the fault of a panic in the named function, about operation i of h, or about none
// if i is -1.
func (s custom[S]) fault(function string, h *history.History, i history.OpID, state string) model.Fault {
	f := model.Fault{Spec: s.d.Name, Func: function, State: state}
	if i >= 0 {
		f.Operation = guest.OperationText(h, i)
	}
	return f
}

// init returns the initial state of a partition.
func (s custom[S]) init(p *model.Partition) (init S, err error) {
	d := s.d
	if d.Init == nil {
		if p.HasInitial && p.Initial != history.Nil {
			return init, &history.Error{File: p.History.Source, What: d.Name + " takes no initial state",
				Hint: "leave out \"initial\""}
		}
		return init, nil
	}
	var initial any
	if p.HasInitial {
		initial = model.Decoded(p.History.Values, p.Initial)
	}
	init = guest.Guarded(s.watch, p.History, func() model.Fault {
		return s.fault("Init", p.History, -1, "")
	}, func() (init S) {
		init, err = d.Init(initial)
		if err == nil {
			_ = map[S]bool{init: true} // a state that cannot be compared panics
		}
		return init
	})
	if err != nil {
		return init, &history.Error{File: p.History.Source, What: "initial state of " + d.Name + ": " + err.Error(),
			Hint: "state it with --initial or \"initial\""}
	}
	return init, nil
}

func (s custom[S]) bindOne(p *model.Partition) (*model.Instance, error) {
	d := s.d
	init, err := s.init(p)
	if err != nil {
		return nil, err
	}
	classOf := map[string]model.ClassID{}
	for c := range d.Classes {
		for _, name := range d.Classes[c].Operations {
			classOf[name] = model.ClassID(c)
		}
	}
	b := &model.Instance{Spec: s, Partition: p, ReadOnly: make([]bool, len(p.Ops)), EquivID: make([]int32, len(p.Ops))}
	if d.Classes != nil {
		b.Class = make([]model.ClassID, len(p.Ops))
	}
	calls, results, err := s.calls(p)
	if err != nil {
		return nil, err
	}
	if d.ItemDelta != nil && d.Stored != nil {
		b.Items.Delta = make([]int8, len(p.Ops))
		b.Items.Stored = guest.Guarded(s.watch, p.History, func() model.Fault {
			return s.fault("Stored", p.History, -1, "")
		}, func() int { return d.Stored(init) })
	}
	type signature struct {
		f                string
		key, arg, result history.Value
		known            bool
		process          string
		unsaid           bool
	}
	sigs := map[signature]int32{}
	for i, c := range calls {
		r := results[i]
		if d.ReadOnly != nil {
			b.ReadOnly[i] = guest.Guarded(s.watch, p.History, func() model.Fault {
				return s.faultIn("ReadOnly", p, history.OpID(i), "")
			}, func() bool { return d.ReadOnly(c, r) })
		}
		if b.Items.Delta != nil {
			flow := guest.Guarded(s.watch, p.History, func() model.Fault {
				return s.faultIn("ItemDelta", p, history.OpID(i), "")
			}, func() int { return d.ItemDelta(c, r) })
			b.Items.Delta[i] = int8(max(-1, min(flow, 1)))
		}
		if b.Class != nil {
			class, ok := classOf[c.F]
			if !ok {
				class = model.NoClass
			}
			b.Class[i] = class
		}
		o := &p.Ops[i]
		g := signature{f: c.F, key: o.Key, arg: o.Arg, known: r.known, process: c.Process, unsaid: o.NoResult}
		if r.known {
			g.result = o.Result
		}
		if _, ok := sigs[g]; !ok {
			sigs[g] = int32(len(sigs))
		}
		b.EquivID[i] = sigs[g]
	}
	x := &defined[S]{spec: s, part: p, calls: calls, results: results}
	x.Steps = guest.Steps[S, Call, any]{Step: d.Step, Accept: d.Accept, Open: d.Open, Equal: sameResult,
		Unequal: x.unequal, At: func(op history.OpID) (*Call, *any, bool) {
			return &calls[op], &results[op].value, results[op].known
		}}
	if slices.ContainsFunc(p.Ops, func(o history.Op) bool { return o.NoResult }) {
		x.unsaid = make([]bool, len(p.Ops))
		for i := range p.Ops {
			x.unsaid[i] = p.Ops[i].NoResult
		}
	}
	g := x.code(init, b.ReadOnly)
	if d.Pieces != nil {
		g.Touches = model.TouchesOf(s, p)
		b.Touches = model.OfSeveral(g.Touches)
	} else {
		b.Seen = func(more func() bool) ([][]int32, []bool) {
			return g.Seen(func(op history.OpID) any {
				return struct {
					F        string
					Key, Arg any
				}{calls[op].F, calls[op].Key, calls[op].Arg}
			}, more)
		}
	}
	b.NewMachine = func() model.Machine { return g.NewMachine() }
	b.Refusal = func(m model.Machine, st model.State, op history.OpID) string {
		gm := m.(*guest.Machine[S])
		return x.refusal(gm, gm.Peek(st), op)
	}
	if d.Waits != nil {
		b.Waits = func(m model.Machine, st model.State, op history.OpID) bool {
			gm := m.(*guest.Machine[S])
			at := func() model.Fault { return s.faultIn("Waits", p, op, gm.Attempt(gm.Peek(st))) }
			return model.Guarded(at, func() bool { return d.Waits(gm.Peek(st), calls[op]) })
		}
	}
	g.Probe()
	return b, nil
}

// faultIn returns such a fault about operation i of a partition.
func (s custom[S]) faultIn(function string, p *model.Partition, i history.OpID, state string) model.Fault {
	if p.Ops[i].F != model.DrainName {
		return s.fault(function, p.History, p.Global(i), state)
	}
	f := s.fault(function, p.History, -1, state)
	f.Operation = "that draining adds (" + s.d.Drain + ")"
	return f
}

// calls decodes the operations of a partition.
func (s custom[S]) calls(p *model.Partition) ([]Call, []Result, error) {
	info := s.Info()
	verbs := specs.VerbsOf(&info, p.History, s.index)
	calls, results := make([]Call, len(p.Ops)), make([]Result, len(p.Ops))
	for i := range p.Ops {
		o := &p.Ops[i]
		if len(s.d.Operations) > 0 && verbs.Of(o.F) < 0 {
			return nil, nil, verbs.Unknown(p, history.OpID(i))
		}
		calls[i], results[i] = s.call(p.History, o), resultOf(p.History, o)
		if s.d.Accept != nil && s.d.Open == nil && o.Unknown {
			return nil, nil,
				p.Error(history.OpID(i),
					fmt.Sprintf("the result of %s is not known, and %s does not say what such an operation may do",
						p.History.Values.Format(o.F), s.d.Name),
					"give its Definition the function Open, or Step instead of Accept")
		}
		if s.d.Check != nil {
			bad := guest.Guarded(s.watch, p.History, func() model.Fault {
				return s.faultIn("Check", p, history.OpID(i), "")
			}, func() error { return s.d.Check(calls[i], results[i]) })
			if bad != nil {
				return nil, nil, p.Error(history.OpID(i), bad.Error(), "specification "+s.d.Name+" refuses it")
			}
		}
	}
	return calls, results, nil
}

// String shows the name.
func (s custom[S]) String() string { return strings.TrimSpace(s.d.Name) }
