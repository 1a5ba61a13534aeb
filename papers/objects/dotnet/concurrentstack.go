package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// stack is Treiber's stack. Nodes never change, so that a range goes in or out with one
// compare-and-swap, and whoever has read the head holds a snapshot.
type stack struct {
	head *mem.Atomic[*stackNode]
	bits bool // seeded: a range is popped one by one
}

type stackNode struct {
	value any
	next  *stackNode
}

// PushRange pushes the values in their order, in one step.
func (s *stack) PushRange(values ...any) {
	for {
		old := s.head.Load()
		head := old
		for _, v := range values {
			head = &stackNode{v, head}
		}
		if s.head.CompareAndSwap(old, head) {
			return
		}
	}
}

// TryPopRange pops up to n values in one step and returns them, the last one pushed first.
func (s *stack) TryPopRange(n int) []any {
	popped := []any{}
	if s.bits {
		for ; n > 0; n-- {
			if v := s.TryPop(); v != nil {
				popped = append(popped, v)
			}
		}
		return popped
	}
	for {
		old := s.head.Load()
		head := old
		popped = popped[:0]
		for ; head != nil && len(popped) < n; head = head.next {
			popped = append(popped, head.value)
		}
		if old == nil || s.head.CompareAndSwap(old, head) {
			return popped
		}
	}
}

// TryPop returns the value at the top, or nil if there is none.
func (s *stack) TryPop() any {
	for {
		old := s.head.Load()
		if old == nil {
			return nil
		}
		if s.head.CompareAndSwap(old, old.next) {
			return old.value
		}
	}
}

func (s *stack) TryPeek() any {
	if head := s.head.Load(); head != nil {
		return head.value
	}
	return nil
}

// ToArray returns all values, the last one pushed first.
func (s *stack) ToArray() []any {
	values := []any{}
	for n := s.head.Load(); n != nil; n = n.next {
		values = append(values, n.value)
	}
	return values
}

func newStack(bits bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		s := &stack{head: mem.NewAtomic[*stackNode](m, "head", nil), bits: bits}
		return func(f string, arg any) any {
			switch f {
			case "push":
				s.PushRange(arg)
				return nil
			case "pushRange":
				s.PushRange(arg.([]any)...)
				return nil
			case "tryPop":
				return s.TryPop()
			case "tryPopRange":
				return s.TryPopRange(arg.(int))
			case "tryPeek":
				return s.TryPeek()
			case "toArray":
				return s.ToArray()
			case "count":
				return len(s.ToArray())
			case "clear":
				s.head.Store(nil)
				return nil
			}
			panic(unknown(f))
		}
	}
}

var stackCalls = []explore.Call{
	{F: "clear"}, {F: "count"}, {F: "push", Arg: 10}, {F: "push", Arg: 20},
	{F: "pushRange", Arg: []any{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
	{F: "tryPop"}, {F: "tryPopRange", Arg: 1}, {F: "tryPopRange", Arg: 2}, {F: "tryPopRange", Arg: 4}, {F: "tryPeek"},
	{F: "toArray"},
}
