package spectest

import (
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faulty is a specification with one law broken.
type faulty struct {
	model.Spec
	info    func(*model.Info)
	bound   func(*model.Instance)
	machine func(model.Machine) model.Machine
	touches func(h *history.History, i history.OpID, dst []history.Value) []history.Value
}

func (f faulty) Info() model.Info {
	info := f.Spec.Info()
	if f.info != nil {
		f.info(&info)
	}
	return info
}

func (f faulty) Footprint(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	if f.touches != nil {
		return f.touches(h, i, dst)
	}
	return f.Spec.Footprint(h, i, dst)
}

func (f faulty) Bind(p *model.Partition) (*model.Instance, error) {
	b, err := f.Spec.Bind(p)
	if err != nil {
		return nil, err
	}
	changed := *b
	changed.ReadOnly, changed.EquivID = slices.Clone(b.ReadOnly), slices.Clone(b.EquivID)
	if f.bound != nil {
		f.bound(&changed)
	}
	if f.machine != nil {
		changed.NewMachine = func() model.Machine { return f.machine(b.NewMachine()) }
		changed.Refusal = nil
	}
	return &changed, nil
}

// stepper changes what Step answers.
type stepper struct {
	model.Machine
	step func(m model.Machine, s model.State, op history.OpID, dst []model.State) []model.State
}

func (m stepper) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	return m.step(m.Machine, s, op, dst)
}

// paths is a machine with a state of its own for every way that leads to it.
type paths struct {
	model.Machine
	under []model.State
	next  map[[2]history.OpID][]model.State
}

func (m *paths) Init() model.State { return 0 }

func (m *paths) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	key := [2]history.OpID{history.OpID(s), op}
	if _, ok := m.next[key]; !ok {
		m.next[key] = nil
		for _, t := range m.Machine.Step(m.under[s], op, nil) {
			m.next[key] = append(m.next[key], model.State(len(m.under)))
			m.under = append(m.under, t)
		}
	}
	return append(dst, m.next[key]...)
}

func (m *paths) Describe(s model.State) string { return m.Machine.Describe(m.under[s]) }

func TestCheckFindsFaults(t *testing.T) {
	register := Kit{Samples: []Sample{
		{F: "read", Results: []any{nil, 1, 2}}, {F: "write", Arg: 1}, {F: "write", Arg: 2},
		{F: "cas", Arg: []any{1, 2}, Results: []any{true, false}},
		{F: "swap", Arg: 2, Results: []any{nil, 1, 2}}, {F: "compareandexchange", Arg: []any{2, 1},
			Results: []any{true, false, 1}},
	}}
	whole := []Sample{{F: "size", Results: []any{0}, More: true}, {F: "drain", Results: []any{[]any{}}, More: true}}
	queue := Kit{Samples: append([]Sample{{F: "enq", Arg: 1}, {F: "enq", Arg: 2}, {F: "deq", Results: []any{nil, 1, 2}},
		{F: "peek", Results: []any{nil, 1, 2}}}, whole...)}
	step := func(f func(m model.Machine, s model.State, op history.OpID,
		dst []model.State) []model.State) func(model.Machine) model.Machine {
		return func(m model.Machine) model.Machine { return stepper{m, f} }
	}
	calls := 0
	cas := specs.CASRegister()
	for name, fault := range map[string]struct {
		spec faulty
		kit  Kit
		want string
	}{
		"two names": {faulty{Spec: cas, info: func(i *model.Info) {
			i.Operations = slices.Clone(i.Operations)
			i.Operations[0].Aliases = []string{"Cas"}
		}}, register, `both read and cas are called "cas"`},
		"no sample": {faulty{Spec: cas}, Kit{Samples: register.Samples[:3]}, "no sample calls cas"},
		"example of another": {faulty{Spec: cas, info: func(i *model.Info) {
			i.Name = "other"
		}}, register, `the example is a history of "cas-register"`},
		"example not linearizable": {faulty{Spec: cas, info: func(i *model.Info) {
			i.Example = `{"spec": "cas-register", "operations": [{"process": 0, "f": "read", "call": 0, "return": 1, "result": 7}]}`
		}}, register, "the example is not linearizable"},
		"class of nothing": {faulty{Spec: cas, info: func(i *model.Info) {
			i.Classes = []model.Class{{Name: "moves", Operations: []string{"mov"}}}
		}}, register, `class moves holds "mov"`},
		"samples refused": {faulty{Spec: cas}, Kit{Samples: append([]Sample{{F: "cas", Arg: 3}}, register.Samples...)},
			"samples are refused"},
		"gap in signatures": {faulty{Spec: cas, bound: func(b *model.Instance) {
			for i := range b.EquivID {
				b.EquivID[i] *= 2
			}
		}}, register, "signatures go up to"},
		"one signature for all": {faulty{Spec: cas, bound: func(b *model.Instance) {
			clear(b.EquivID)
		}}, register, "have one signature"},
		"writes are pure": {faulty{Spec: cas, bound: func(b *model.Instance) {
			for i := range b.ReadOnly {
				b.ReadOnly[i] = true
			}
		}}, register, "is pure, but leads from"},
		"hidden state": {faulty{Spec: cas, machine: step(func(m model.Machine, s model.State, op history.OpID,
			dst []model.State) []model.State {
			if calls++; calls%11 == 0 {
				return dst
			}
			return m.Step(s, op, dst)
		})}, register, "Step of"},
		"states by path": {faulty{Spec: cas, machine: func(m model.Machine) model.Machine {
			return &paths{m, []model.State{m.Init()}, map[[2]history.OpID][]model.State{}}
		}}, register, "both look like"},
		"twice": {faulty{Spec: cas, machine: step(func(m model.Machine, s model.State, op history.OpID,
			dst []model.State) []model.State {
			return m.Step(s, op, m.Step(s, op, dst))
		})}, register, "names a state twice"},
		"no append": {faulty{Spec: cas, machine: step(func(m model.Machine, s model.State, op history.OpID,
			dst []model.State) []model.State {
			return m.Step(s, op, dst[:0])
		})}, register, "does not append"},
		"no reason": {faulty{Spec: cas, bound: func(b *model.Instance) {
			b.Refusal = func(model.Machine, model.State, history.OpID) string { return "" }
		}}, register, "for no reason"},
		"pending cas never succeeds": {faulty{Spec: cas, bound: func(b *model.Instance) {
			b.NewMachine = func() model.Machine {
				return stepper{cas2(b.Partition).NewMachine(), func(m model.Machine, s model.State, op history.OpID,
					dst []model.State) []model.State {
					if o := b.Partition.Ops[op]; o.Pending() && model.KindOf(b.Partition.History.Values,
						o.Arg) == model.KindList {
						return append(dst, s)
					}
					return m.Step(s, op, dst)
				}}
			}
		}}, register, "but some result does"},
		"theory of another register": {faulty{Spec: cas, bound: func(b *model.Instance) {
			c := *b.Axiomatic().(*model.RegisterTheory)
			c.Modes = slices.Clone(c.Modes)
			for i := range c.Modes {
				if c.Modes[i].Test == model.Not {
					c.Modes[i].Test = model.Any
				}
			}
			b.Theory = &c
		}}, register, "only the theory allows write 1; cas [1,2] → false"},
		"theory of a stack": {faulty{Spec: specs.Queue(), bound: func(b *model.Instance) {
			if t, ok := b.Theory.(*model.CollectionTheory); ok {
				c := *t
				c.Discipline = model.LIFO
				b.Theory = &c
			}
		}}, queue, "allows enq 1; enq 2;"},
		"queue by element": {faulty{Spec: specs.Queue(), touches: func(h *history.History, i history.OpID,
			dst []history.Value) []history.Value {
			if o := h.Ops[i]; o.Arg != history.Nil {
				return append(dst, o.Arg)
			} else if o.Result != history.Nil && model.KindOf(h.Values, o.Result) != model.KindList {
				return append(dst, o.Result)
			}
			return append(dst, model.Everything)
		}}, Kit{Samples: append([]Sample{{F: "enq", Arg: 1}, {F: "enq", Arg: 2}, {F: "deq", Results: []any{1, 2},
			More: true}, {F: "peek", Results: []any{1, 2}, More: true}}, whole...)},
			"split by key, it is linearizable: true; as a whole: false"},
	} {
		t.Run(name, func(t *testing.T) {
			errs := Check(fault.spec, fault.kit)
			require.NotEmpty(t, errs)
			var all []string
			for _, err := range errs {
				all = append(all, err.Error())
			}
			assert.Contains(t, strings.Join(all, "\n"), fault.want)
		})
	}
	assert.Empty(t, Check(cas, register))
	assert.Empty(t, Check(specs.Queue(), queue))
}

// cas2 binds a partition to the cas-register, whose samples nothing refuses.
func cas2(p *model.Partition) *model.Instance {
	b, err := specs.CASRegister().Bind(p)
	if err != nil {
		panic(err)
	}
	return b
}

// The histories made of samples are of both kinds, and some have pending operations and explicit
// edges.
func TestSamplesMakeHistories(t *testing.T) {
	kit := Kit{Samples: []Sample{{F: "read", Results: []any{nil, 1, 2}}, {F: "write", Arg: 1}, {F: "write", Arg: 2}}}
	linearizable, pending, edges := 0, 0, 0
	const n = 1000
	for seed := range uint64(n) {
		h, err := kit.draw(specs.Register(), seed)
		require.NoError(t, err, "seed %d", seed)
		b, err := specs.Register().Bind(model.Whole(h))
		require.NoError(t, err, "seed %d", seed)
		if ok, _ := oracle.Linearizable(b); ok {
			linearizable++
		}
		pending += min(1, h.Pending())
		edges += min(1, len(h.Edges))
	}
	assert.Greater(t, linearizable, n/4)
	assert.Less(t, linearizable, 9*n/10)
	assert.Greater(t, pending, n/10)
	assert.Greater(t, edges, n/50)
}
