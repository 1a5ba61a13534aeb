package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Mutex returns the specification of a mutex: acquire, release and tryacquire. Any process may
// release it, but only while it is held. Its initial state is false (free) or true (held); free by
// default.
func Mutex() model.Spec { return mutex }

var mutex = newTable(table{
	info: model.Info{
		Name:    "mutex",
		Summary: "a lock that one process holds at a time",
		Initial: "false (free) or true (held) (default: free)",
		Example: `{"spec": "mutex", "operations": [{"process": 0, "f": "acquire", "call": 0, "return": 3}, ` +
			`{"process": 1, "f": "acquire", "call": 1, "return": 8}, {"process": 2, "f": "tryacquire", "call": 2, "return": 4, "result": false}, ` +
			`{"process": 0, "f": "release", "call": 5, "return": 7}, {"process": 1, "f": "release", "call": 9}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "acquire", Aliases: []string{"lock", "enter", "wait"}}, arg: oneWithout,
			result: acquires},
		{Operation: model.Operation{Name: "release", Aliases: []string{"unlock", "leave", "exit", "signal"}},
			arg: oneWithout, result: releases("")},
		{Operation: model.Operation{Name: "tryacquire", Aliases: []string{"trylock", "tryenter"},
			Result: "true if it acquired the mutex, else false; null: not recorded"},
			arg: oneWithout, result: tries},
	},
	bind: bindMutex,
})

// mutexRelease is the row of release; the others acquire.
const mutexRelease = 1

// The states of a mutex.
const (
	mutexFree int32 = iota
	mutexHeld
)

var mutexLock = lock{initial: func(p *model.Partition) (int64, bool) {
	held := stated(p) && p.Initial == history.True
	if held {
		return int64(mutexHeld), true
	}
	return int64(mutexFree), !stated(p) || p.Initial == history.False
}}

func bindMutex(s *table, p *model.Partition) (*model.Instance, error) {
	b, init, ops, err := mutexLock.resolve(s, p)
	if err != nil {
		return nil, err
	}
	cells := model.NewRegisterTheory(len(ops))
	cells.Init, cells.Values = []int32{int32(init)}, 2
	for i, o := range ops {
		if o.verb == mutexRelease {
			cells.Add(0, model.Mode{Test: model.Is, V: mutexHeld, Leaves: mutexFree})
		} else {
			cells.Add(0, change(mutexFree, mutexHeld, o.result, p.Ops[i].Pending()))
		}
	}
	b.Theory = cells
	b.NewMachine = func() model.Machine { return &mutexMachine{ops, model.State(init)} }
	b.Refusal = func(m model.Machine, s model.State, _ history.OpID) string { return "the mutex is " + m.Describe(s) }
	return b, nil
}

type mutexMachine struct {
	ops  []lockOp
	init model.State
}

func (m *mutexMachine) Init() model.State { return m.init }

func (m *mutexMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	held := int32(s) == mutexHeld
	switch o := &m.ops[op]; {
	case o.verb == mutexRelease:
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
