package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// bag is an unordered collection of two lists with a lock each. .NET's has a list for each thread,
// and takes from one's own first and then from any other: what a removal takes is not determined
// (behaviour J of the paper). Here the value decides which list it goes to, and removals take the
// last value of the first list that has one: a bag whose operations are determined, and so can be
// linearizable with respect to a deterministic specification.
//
// A removal that finds the first list empty keeps its lock until it has the second one.
type bag struct {
	lists  [2]bagList
	m      *mem.Memory
	hasty  bool // seeded, class E: the lock of an empty list is freed before the next is taken
	random bool // behaviour J: removals and peeks take from any list
}

type bagList struct {
	lock  *mem.Mutex
	items *mem.Var[[]any]
}

func (b *bag) Add(v int) {
	l := &b.lists[v/10%2^1]
	l.lock.Lock()
	old := l.items.Load()
	l.items.Store(append(old[:len(old):len(old)], v))
	l.lock.Unlock()
}

// last returns the last value of the first list that has one, or nil, and takes it out if take.
func (b *bag) last(take bool) (v any) {
	if b.random {
		return b.any(take)
	}
	locked := b.lists[:0:0]
	for _, l := range b.lists {
		l.lock.Lock()
		locked = append(locked, l)
		if v = l.last(take); v != nil {
			break
		}
		if b.hasty {
			l.lock.Unlock()
			locked = locked[:0]
		}
	}
	for _, l := range locked {
		l.lock.Unlock()
	}
	return v
}

// any is last, but of any list that has a value.
func (b *bag) any(take bool) any {
	var some []*bagList
	for i := range b.lists {
		l := &b.lists[i]
		l.lock.Lock()
		if len(l.items.Load()) > 0 {
			some = append(some, l)
		}
	}
	var v any
	if len(some) > 0 {
		v = some[b.m.Choose(len(some))].last(take)
	}
	for i := range b.lists {
		b.lists[i].lock.Unlock()
	}
	return v
}

func (l *bagList) last(take bool) any {
	values := l.items.Load()
	n := len(values)
	if n == 0 {
		return nil
	}
	if take {
		l.items.Store(values[:n-1])
	}
	return values[n-1]
}

// ToArray returns all values, those of the first list first.
func (b *bag) ToArray() []any {
	all := []any{}
	for _, l := range b.lists {
		l.lock.Lock()
		all = append(all, l.items.Load()...)
	}
	for _, l := range b.lists {
		l.lock.Unlock()
	}
	return all
}

func newBag(hasty, random bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		b := &bag{m: m, hasty: hasty, random: random}
		for i := range b.lists {
			b.lists[i] = bagList{mem.NewMutex(m, "list.lock"), mem.NewVar(m, "list.items", []any(nil))}
		}
		return func(f string, arg any) any {
			switch f {
			case "add":
				b.Add(arg.(int))
				return nil
			case "tryTake":
				return b.last(true)
			case "tryPeek":
				return b.last(false)
			case "isEmpty":
				return len(b.ToArray()) == 0
			case "count":
				return len(b.ToArray())
			case "toArray":
				return b.ToArray()
			}
			panic(unknown(f))
		}
	}
}

var bagCalls = []explore.Call{{F: "count"}, {F: "add", Arg: 10}, {F: "add", Arg: 20}, {F: "tryTake"}, {F: "isEmpty"},
	{F: "tryPeek"}, {F: "toArray"}}
