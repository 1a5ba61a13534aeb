package specs

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// rwmutex is a lock that one writer or any number of readers hold.
type rwmutex struct{}

// RWMutex returns the specification of a readers-writer lock: rlock, runlock, lock, unlock,
// tryrlock and trylock. A try succeeds exactly when the lock can be taken. Its initial state is the
// number of readers, or true if a writer holds it; free by default.
func RWMutex() model.Spec { return rwmutex{} }

var rwmutexInfo = model.Info{
	Name:    "rwmutex",
	Summary: "a lock that one writer or any number of readers hold",
	Initial: "the number of readers that hold it, or true if a writer does (default: free)",
	Operations: []model.Operation{
		{Name: "rlock", Aliases: []string{"read-lock", "lock-read", "lock-shared", "acquire-read", "acquire-shared"}},
		{Name: "runlock", Aliases: []string{"read-unlock", "unlock-read", "unlock-shared", "release-read", "release-shared"}},
		{Name: "lock", Aliases: []string{"write-lock", "lock-write", "wlock", "acquire", "acquire-write"}},
		{Name: "unlock", Aliases: []string{"write-unlock", "unlock-write", "wunlock", "release", "release-write"}},
		{Name: "tryrlock", Aliases: []string{"try-read-lock", "try-lock-shared", "try-acquire-read", "try-acquire-shared"}, Result: "true if it acquired the lock for reading, else false; null: not recorded"},
		{Name: "trylock", Aliases: []string{"try-write-lock", "trywlock", "try-acquire", "try-acquire-write"}, Result: "true if it acquired the lock for writing, else false; null: not recorded"},
	},
	Example: `{"spec": "rwmutex", "operations": [{"process": 0, "f": "rlock", "call": 0, "return": 3}, ` +
		`{"process": 1, "f": "rlock", "call": 1, "return": 2}, {"process": 2, "f": "trylock", "call": 4, "return": 5, "result": false}, ` +
		`{"process": 2, "f": "lock", "call": 6, "return": 11}, {"process": 0, "f": "runlock", "call": 7, "return": 9}, ` +
		`{"process": 1, "f": "runlock", "call": 8, "return": 10}, {"process": 2, "f": "unlock", "call": 12}]}`,
}

func (rwmutex) Info() model.Info { return rwmutexInfo }

func (rwmutex) Footprint(_ *history.History, _ int32, dst []history.Value) []history.Value {
	return append(dst, model.Everything)
}

func (s rwmutex) Bind(p *model.Partition) (*model.Instance, error) {
	return model.BindObjects(s, p, model.WithDerived(s.bindOne))
}

// The operations of a rwmutex, as they stand in its Info.
const (
	rwReadLock = iota
	rwReadUnlock
	rwLock
	rwUnlock
	rwTryReadLock
	rwTryLock
)

type rwmutexOp struct {
	verb   int
	result outcome // of an acquisition: whether it succeeded
}

// writing is the state of a lock that a writer holds; others are the number of readers.
const writing int64 = -1

func (s rwmutex) bindOne(p *model.Partition) (*model.Instance, error) {
	init := int64(0)
	if p.HasInitial && p.Initial != history.Nil && p.Initial != history.False {
		n, isInt := p.History.Values.AsInt(p.Initial)
		switch {
		case p.Initial == history.True:
			init = writing
		case isInt && n >= 0 && n <= maxHolders:
			init = n
		default:
			return nil, wrongInitial(p, rwmutexInfo)
		}
	}
	ops := make([]rwmutexOp, len(p.Ops))
	b := &model.Instance{Spec: s, Partition: p, ReadOnly: make([]bool, len(ops)), EquivID: make([]int32, len(ops))}
	verbs := newVerbs(rwmutexInfo, p)
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
		ops[i].verb = f
		var err error
		if f == rwReadUnlock || f == rwUnlock {
			err = noResult(p, int32(i), "")
		} else {
			ops[i].result, err = acquisition(p, int32(i), f >= rwTryReadLock)
		}
		if err != nil {
			return nil, err
		}
		b.ReadOnly[i] = ops[i].result == no
		b.EquivID[i] = sigs.one(int32(f), int32(ops[i].result), 3)
	}
	b.NewMachine = func() model.Machine {
		return model.NewComparable(init, func(s int64, op int32, dst []int64) []int64 { return ops[op].step(s, dst) }, describeRWMutex, nil)
	}
	b.Refusal = func(m model.Machine, s model.State, _ int32) string {
		return "the lock is " + describeRWMutex(model.PeekComparable[int64](m, s))
	}
	return b, nil
}

func (o rwmutexOp) step(s int64, dst []int64) []int64 {
	switch o.verb {
	case rwReadUnlock:
		if s > 0 {
			dst = append(dst, s-1)
		}
		return dst
	case rwUnlock:
		if s == writing {
			dst = append(dst, 0)
		}
		return dst
	}
	free, taken := s == 0, writing
	if o.verb == rwReadLock || o.verb == rwTryReadLock {
		free, taken = s != writing, s+1
	}
	switch {
	case free && o.result != no:
		dst = append(dst, taken)
	case !free && o.result != yes:
		dst = append(dst, s)
	}
	return dst
}

func describeRWMutex(s int64) string {
	switch s {
	case writing:
		return "held by a writer"
	case 0:
		return "free"
	case 1:
		return "held by 1 reader"
	}
	return fmt.Sprintf("held by %d readers", s)
}
