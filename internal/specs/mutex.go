package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// mutex is a lock that one holds at a time. It does not ask who releases it.
type mutex struct{}

// Mutex returns the specification of a mutex: acquire, release and tryacquire. Anybody may release
// it, but only while it is held. Its initial state is false (free) or true (held); free by default.
func Mutex() model.Spec { return mutex{} }

var mutexInfo = model.Info{
	Name:    "mutex",
	Summary: "a lock that one holds at a time",
	Initial: "false (free) or true (held) (default: free)",
	Operations: []model.Operation{
		{Name: "acquire", Aliases: []string{"lock", "enter", "wait"}},
		{Name: "release", Aliases: []string{"unlock", "leave", "exit", "signal"}},
		{Name: "tryacquire", Aliases: []string{"trylock", "tryenter"}, Result: "true if it acquired the mutex, else false; null: not recorded"},
	},
	Example: `{"spec": "mutex", "operations": [{"process": 0, "f": "acquire", "call": 0, "return": 3}, ` +
		`{"process": 1, "f": "acquire", "call": 1, "return": 8}, {"process": 2, "f": "tryacquire", "call": 2, "return": 4, "result": false}, ` +
		`{"process": 0, "f": "release", "call": 5, "return": 7}, {"process": 1, "f": "release", "call": 9}]}`,
}

func (mutex) Info() model.Info { return mutexInfo }

func (mutex) Footprint(_ *history.History, _ int32, dst []history.Value) []history.Value {
	return append(dst, model.Everything)
}

func (s mutex) Bind(p *model.Partition) (*model.Instance, error) {
	return model.BindObjects(s, p, s.bindOne)
}

// The states of a mutex.
const (
	mutexFree int32 = iota
	mutexHeld
)

type mutexOp struct {
	release bool
	result  outcome // of an acquisition: whether it succeeded
}

func (s mutex) bindOne(p *model.Partition) (*model.Instance, error) {
	init := mutexFree
	if p.HasInitial {
		switch p.Initial {
		case history.True:
			init = mutexHeld
		case history.False, history.Nil:
		default:
			return nil, wrongInitial(p, mutexInfo)
		}
	}
	ops := make([]mutexOp, len(p.Ops))
	b := &model.Instance{Spec: s, Partition: p, ReadOnly: make([]bool, len(ops)), EquivID: make([]int32, len(ops))}
	cells := model.NewRegisterTheory(len(ops))
	cells.Init, cells.Values = []int32{init}, 2
	verbs := newVerbs(mutexInfo, p)
	var sigs signatures
	for i := range p.Ops {
		o := &p.Ops[i]
		f := verbs.Of(o.F)
		if f < 0 {
			return nil, verbs.Unknown(p, int32(i))
		}
		if o.Arg != history.Nil {
			return nil, wrongArg(p, int32(i), "null: it takes no argument")
		}
		var err error
		if ops[i].release = f == 1; ops[i].release {
			err = noResult(p, int32(i), "")
		} else {
			ops[i].result, err = acquisition(p, int32(i), f == 2)
		}
		if err != nil {
			return nil, err
		}
		b.ReadOnly[i] = ops[i].result == no
		b.EquivID[i] = sigs.one(int32(f), int32(ops[i].result), 3)
		if ops[i].release {
			cells.Add(0, model.Mode{Test: model.Is, V: mutexHeld, Leaves: mutexFree})
		} else {
			cells.Add(0, change(mutexFree, mutexHeld, ops[i].result, o.Pending()))
		}
	}
	b.Theory = cells
	b.NewMachine = func() model.Machine { return &mutexMachine{ops, init} }
	b.Refusal = func(_ model.Machine, s model.State, _ int32) string {
		if int32(s) == mutexHeld {
			return "the mutex is held"
		}
		return "the mutex is free"
	}
	return b, nil
}

// acquisition reads the result of an operation that acquires a lock. Without try it always
// succeeds: one that says false is a mistaken tryacquire, and to ignore that would judge another
// history.
func acquisition(p *model.Partition, i int32, try bool) (outcome, error) {
	o := &p.Ops[i]
	if try {
		result, ok := truth(o)
		if !ok {
			return unknown, wrongResult(p, i, "true or false")
		}
		return result, nil
	}
	if !o.Unknown && o.Result == history.False {
		return unknown, wrongResult(p, i, "null: one that may fail has a try in its name")
	}
	return yes, noResult(p, i, "leave out what does not say whether it was acquired; fenced-mutex looks at fences, owned-mutex at owners")
}

type mutexMachine struct {
	ops  []mutexOp
	init int32
}

func (m *mutexMachine) Init() model.State { return model.State(m.init) }

func (m *mutexMachine) Step(s model.State, op int32, dst []model.State) []model.State {
	held := int32(s) == mutexHeld
	switch o := m.ops[op]; {
	case o.release:
		if held {
			dst = append(dst, model.State(mutexFree))
		}
	case o.result == unknown, held == (o.result == no):
		dst = append(dst, model.State(mutexHeld))
	}
	return dst
}

func (m *mutexMachine) Describe(s model.State) string {
	if int32(s) == mutexHeld {
		return "held"
	}
	return "free"
}

func (m *mutexMachine) Bytes() int64 { return 0 }
