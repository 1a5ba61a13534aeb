package modelspec

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/deep"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/spec/meta"
)

// Spec is a model as the specification of its operations. It belongs to the one history that
// they make.
type Spec[S, I, O any] struct {
	model    Model[S, I, O]
	ops      []Op[I, O]
	equalOut func(computed, observed O) bool
	equal    func(a, b S) bool
	table    func() guest.Table[S]
	print    func(s S) uint64                 // nil where states cannot change
	history  *atomic.Pointer[history.History] // once it is made
	watch    *guest.Watch
	sampler  *guest.Sampler
	alike    *alike
	memos    *memos[S] // of one check, or nil
	pieces   *pieces
	contents bool // states of different contents are apart, whatever Equal says
}

// New refuses a model that is not complete.
func New[S, I, O any](m Model[S, I, O], ops []Op[I, O]) (*Spec[S, I, O], error) {
	if err := m.refuse(); err != nil {
		return nil, err
	}
	x := &Spec[S, I, O]{model: m, ops: ops, history: &atomic.Pointer[history.History]{}, watch: &guest.Watch{},
		sampler: &guest.Sampler{}}
	x.pieces = &pieces{}
	x.alike = newAlike(false)
	x.equalOut = deep.Equal[O]()
	if m.EqualOut != nil {
		x.equalOut = func(a, b O) bool {
			return model.Guarded(x.in("EqualOut"), func() bool { return m.EqualOut(a, b) })
		}
	}
	x.states()
	return x, nil
}

// Equated is the model as the specification that it is said to be, nil for none.
func (x *Spec[S, I, O]) Equated() *Equated[S, I, O] {
	if x.model.As == nil {
		return nil
	}
	return &Equated[S, I, O]{Spec: x}
}

// Prepare makes the history that the specification belongs to.
func (x *Spec[S, I, O]) Prepare(context.Context) (h *history.History, err error) {
	h, err = x.record()
	x.history.Store(h)
	if err == nil && x.model.Pieces != nil {
		err = x.tryPieces(h)
	}
	return h, err
}

// states chooses how states are compared.
func (x *Spec[S, I, O]) states() {
	m := &x.model
	plain := deep.Plain(reflect.TypeFor[S]())
	hash := func(s S) uint64 {
		h, _ := deep.Hash(s)
		return h
	}
	x.equal = deep.Equal[S]()
	x.table = func() guest.Table[S] { return guest.HashTable(x.equal, hash) }
	switch {
	case m.Equal != nil:
		x.equal = func(a, b S) bool { return model.Guarded(x.in("Equal"), func() bool { return m.Equal(a, b) }) }
		if m.Hash != nil {
			hash = func(s S) uint64 { return model.Guarded(x.in("Hash"), func() uint64 { return m.Hash(s) }) }
			break
		}
		x.table = func() guest.Table[S] { return guest.CoarseTable(guest.MixedTable[S](), x.equal) }
	case plain:
		x.table = guest.AnyTable[S]
	case reflect.TypeFor[S]().Kind() == reflect.Interface:
		x.table = guest.MixedTable[S]
	}
	if !plain {
		x.print = func(s S) uint64 {
			if deep.Exact(s) {
				return 0 // it cannot change
			}
			return hash(s)
		}
	}
}

// in is a fault in a function of the model.
func (x *Spec[S, I, O]) in(function string) func() model.Fault {
	return func() model.Fault { return model.Fault{Spec: x.model.Name, Func: function} }
}

// Info implements model.Spec.
func (x *Spec[S, I, O]) Info() model.Info {
	info := model.Info{Name: x.model.Name}
	for _, name := range x.model.Classes {
		info.Classes = append(info.Classes, model.Class{Name: name, Relaxable: true})
	}
	return info
}

// pieces are what the operations touch, by operation; nil if the model does not say.
type pieces struct{ of [][]history.Value }

// Footprint implements model.Spec. Keys name objects.
func (x *Spec[S, I, O]) Footprint(_ *history.History, i history.OpID, dst []history.Value) []history.Value {
	if x.pieces.of == nil {
		return append(dst, model.Everything)
	}
	return append(dst, x.pieces.of[x.index(i)]...)
}

// Watched returns what watches the model's code.
func (x *Spec[S, I, O]) Watched() *guest.Watch { return x.watch }

// Bind implements model.Spec.
func (x *Spec[S, I, O]) Bind(p *model.Partition) (b *model.Instance, err error) {
	if !sameOperations(p.History, x.history.Load()) {
		return nil,
			fmt.Errorf(
				"linsat: model %s is bound to the operations that it was prepared for, and asked about another history",
				x.model.Name)
	}
	defer func() {
		if v := recover(); v != nil {
			f, ok := v.(*model.Fault)
			if !ok {
				panic(v)
			}
			b, err = nil, f
		}
	}()
	return model.BindObjects(x, p, model.WithDerived(x.bindOne))
}

// sameOperations reports whether two histories are the same, or one is the other in another order
// or with fewer results, as package consistency makes them: they share where operations are from.
func sameOperations(a, b *history.History) bool {
	n := len(b.Origins)
	return a == b || n > 0 && len(a.Ops) == n && len(a.Origins) == n && &a.Origins[0] == &b.Origins[0]
}

func (x *Spec[S, I, O]) bindOne(p *model.Partition) (*model.Instance, error) {
	part := &modelPart[S, I, O]{Spec: x, part: p, of: make([]int, p.Len())}
	b := &model.Instance{Spec: x, Partition: p, ReadOnly: make([]bool, p.Len()), EquivID: make([]int32, p.Len())}
	for i := range part.of {
		k := x.index(p.Global(history.OpID(i)))
		part.of[i] = k
		unknown := p.Ops[i].Unknown
		if unknown && x.model.Step == nil && x.model.Open == nil {
			return nil, x.bad(k, "its output is not known", "model "+x.model.Name+
				" says with Open what such an operation may do, or with Step instead of Accept")
		}
	}
	engine, verifier := x.kindsOf(part)
	dense(b.EquivID, engine)
	if x.model.ReadOnly != nil {
		duringEach(x, "ReadOnly", len(part.of), func(k int) int {
			return part.of[k]
		}, func(k, i int) { b.ReadOnly[k] = x.model.ReadOnly(x.ops[i].Input) })
	}
	if x.model.Class != nil {
		b.Class = make([]model.ClassID, len(part.of))
		wrong := -1
		duringEach(x, "Class", len(part.of), func(k int) int { return part.of[k] }, func(k, i int) {
			c := x.model.Class(x.ops[i].Input)
			if c < -1 || c >= len(x.model.Classes) {
				c, wrong = -1, i
			}
			b.Class[k] = model.ClassID(c)
		})
		if wrong >= 0 {
			return nil, x.bad(wrong, "its class is none of the model", "Class returns a position in Classes, or -1")
		}
	}
	g := part.code(b.ReadOnly)
	if x.pieces.of != nil {
		g.Touches = model.TouchesOf(x, p)
		b.Touches = model.OfSeveral(g.Touches)
	} else {
		b.Seen = func(more func() bool) ([][]int32, []bool) {
			return g.Seen(func(op history.OpID) any { return x.ops[part.of[op]].Input }, more)
		}
	}
	x.machines(b, g, engine, verifier)
	b.Refusal = func(m model.Machine, s model.State, op history.OpID) string {
		gm := m.(*guest.Machine[S])
		return part.refusal(gm.Peek(s), op)
	}
	g.Probe()
	return b, nil
}

// index is the position among the operations of the one at position i of the history.
func (x *Spec[S, I, O]) index(i history.OpID) int {
	return int(x.history.Load().Origins[i].Position)
}

// during calls a function of the model about operation i, or about none if that is negative. A
// panic in it goes on as a *model.Fault.
func during[T, S, I, O any](x *Spec[S, I, O], function string, i int, call func() T) T {
	return guest.Guarded(x.watch, x.history.Load(), func() model.Fault { return x.fault(function, i) }, call)
}

// duringEach is during for n calls in turn, call k about operation of(k). It notes once for all of
// them that they are under way, which takes longer than most such calls.
func duringEach[S, I, O any](x *Spec[S, I, O], function string, n int, of func(k int) int, call func(k, i int)) {
	var now atomic.Int64
	guest.Guarded(x.watch, x.history.Load(), func() model.Fault {
		return x.fault(function, int(now.Load()))
	}, func() struct{} {
		for k := range n {
			i := of(k)
			now.Store(int64(i))
			call(k, i)
		}
		return struct{}{}
	})
}

// fault is one in a function of the model, about operation i, or about none if that is negative.
func (x *Spec[S, I, O]) fault(function string, i int) model.Fault {
	f := model.Fault{Spec: x.model.Name, Func: function}
	switch {
	case function == "DescribeInput":
		f.Operation = fmt.Sprintf("%d (%+v)", i, x.ops[i].Input)
	case i >= 0:
		f.Operation = fmt.Sprintf("%d (%s)", i, x.input(i))
	}
	return f
}

// input writes the input of operation i.
func (x *Spec[S, I, O]) input(i int) string {
	if x.model.DescribeInput != nil {
		return orOperation(during(x, "DescribeInput", i, func() string {
			return x.model.DescribeInput(x.ops[i].Input)
		}))
	}
	return orOperation(fmt.Sprintf("%+v", x.ops[i].Input))
}

func orOperation(text string) string { return cmp.Or(text, "operation") }

// output writes an output.
func (x *Spec[S, I, O]) output(out O) string {
	if x.model.DescribeOutput == nil {
		return fmt.Sprintf("%+v", out)
	}
	return during(x, "DescribeOutput", -1, func() string { return x.model.DescribeOutput(out) })
}

// modelPart is a model on the operations of one partition.
type modelPart[S, I, O any] struct {
	*Spec[S, I, O]
	part *model.Partition
	of   []int // the operation at each position of the partition
}

func (x *modelPart[S, I, O]) code(readOnly []bool) *guest.Code[S] {
	m := &x.model
	steps := &guest.Steps[S, I, O]{Step: m.Step, Accept: m.Accept, Open: m.Open, Equal: x.equalOut,
		At: func(op history.OpID) (in *I, out *O, known bool) {
			o := &x.ops[x.of[op]]
			return &o.Input, &o.Output, !x.unknown(op)
		}}
	return &guest.Code[S]{
		Name: m.Name, Partition: x.part, Init: m.Init, ReadOnly: readOnly, Watch: x.watch, Sampler: x.sampler,
		Next: steps.Next, Choices: steps.Choices, Func: steps.Func, Show: x.show, NewTable: x.table, Same: x.equal,
		Print: x.print, OwnEqual: m.Equal != nil, OwnHash: m.Hash != nil, Plain: m.Equal == nil && x.print == nil,
	}
}

func (x *modelPart[S, I, O]) unknown(op history.OpID) bool { return x.part.Ops[op].Unknown }

func (x *modelPart[S, I, O]) show(s S) string {
	if x.model.DescribeState == nil {
		return fmt.Sprintf("%+v", s)
	}
	return x.model.DescribeState(s)
}

// refusal says why op is not allowed in a state.
func (x *modelPart[S, I, O]) refusal(s S, op history.OpID) string {
	k := x.of[op]
	in := x.input(k)
	if x.model.Step == nil || x.unknown(op) {
		return in + " is not allowed in this state"
	}
	outcomes := during(x.Spec, "Step", k, func() []meta.Outcome[S, O] { return x.model.Step(s, x.ops[k].Input) })
	observed, returned := x.output(x.ops[k].Output), guest.Returned(outcomes, x.output)
	if slices.Contains(returned, observed) { // a nil slice beside an empty one, and the like
		full := func(out O) string { return fmt.Sprintf("%#v", out) }
		observed, returned = full(x.ops[k].Output), guest.Returned(outcomes, full)
	}
	if returned == nil {
		return in + " is not allowed in this state"
	}
	return fmt.Sprintf("%s returns %s there, not %s", in, strings.Join(returned, " or "), observed)
}
