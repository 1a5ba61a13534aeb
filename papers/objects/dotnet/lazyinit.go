package dotnet

import (
	"strconv"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// lazy is a value that is computed when it is first asked for (Lazy<T>, sync.OnceValue): a flag
// that reports whether it was, checked once without and once with the lock. The factory returns how
// often it was called.
type lazy struct {
	created *mem.Atomic[bool]
	lock    *mem.Mutex
	value   *mem.Var[int]
	calls   *mem.Int64
	early   bool // seeded: the flag is set before the value
}

func (l *lazy) Value() int {
	if l.created.Load() {
		return l.value.Load()
	}
	l.lock.Lock()
	if !l.created.Load() {
		if l.early {
			l.created.Store(true)
			l.value.Store(int(l.calls.Add(1)))
		} else {
			l.value.Store(int(l.calls.Add(1)))
			l.created.Store(true)
		}
	}
	v := l.value.Load()
	l.lock.Unlock()
	return v
}

func (l *lazy) IsValueCreated() bool { return l.created.Load() }

func (l *lazy) ToString() string {
	if !l.created.Load() {
		return "not created"
	}
	return "value " + strconv.Itoa(l.value.Load())
}

func newLazy(early bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		l := &lazy{
			created: mem.NewAtomic(m, "created", false), lock: mem.NewMutex(m, "lock"),
			value: mem.NewVar(m, "value", 0), calls: mem.NewInt64(m, "calls", 0), early: early,
		}
		return func(f string, _ any) any {
			switch f {
			case "value":
				return l.Value()
			case "isValueCreated":
				return l.IsValueCreated()
			case "toString":
				return l.ToString()
			}
			panic(unknown(f))
		}
	}
}

var lazyCalls = []explore.Call{{F: "value"}, {F: "toString"}, {F: "isValueCreated"}}
