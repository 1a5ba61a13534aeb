package explore

import (
	"github.com/linsat/linsat/explore/mem"
)

type stackNode struct {
	value int
	next  *stackNode
}

// treiber is a lock-free stack.
func treiber(m *mem.Memory) Instance {
	head := mem.NewAtomic[*stackNode](m, "head", nil)
	return func(f string, arg any) any {
		switch f {
		case "push":
			n := &stackNode{value: arg.(int)}
			for {
				n.next = head.Load()
				if head.CompareAndSwap(n.next, n) {
					return nil
				}
			}
		case "pop":
			for {
				top := head.Load()
				if top == nil {
					return nil
				}
				if head.CompareAndSwap(top, top.next) {
					return top.value
				}
			}
		}
		panic(f)
	}
}

type queueNode struct {
	value int
	next  *mem.Atomic[*queueNode]
}

// msqueue is the queue of Michael and Scott.
func msqueue(m *mem.Memory) Instance {
	node := func(v int) *queueNode {
		return &queueNode{value: v, next: mem.NewAtomic[*queueNode](m, "next", nil)}
	}
	dummy := node(0)
	head := mem.NewAtomic(m, "head", dummy)
	tail := mem.NewAtomic(m, "tail", dummy)
	return func(f string, arg any) any {
		switch f {
		case "enq":
			n := node(arg.(int))
			for {
				last := tail.Load()
				next := last.next.Load()
				if last != tail.Load() {
					continue
				}
				if next != nil {
					tail.CompareAndSwap(last, next)
					continue
				}
				if last.next.CompareAndSwap(nil, n) {
					tail.CompareAndSwap(last, n)
					return nil
				}
			}
		case "deq":
			for {
				first := head.Load()
				last := tail.Load()
				next := first.next.Load()
				if first != head.Load() {
					continue
				}
				if first == last {
					if next == nil {
						return nil
					}
					tail.CompareAndSwap(last, next)
					continue
				}
				if head.CompareAndSwap(first, next) {
					return next.value
				}
			}
		}
		panic(f)
	}
}

// lossy is a counter that reads and writes in two accesses.
func lossy(m *mem.Memory) Instance {
	v := mem.NewVar(m, "count", 0)
	return func(f string, _ any) any {
		switch f {
		case "inc":
			v.Store(v.Load() + 1)
			return nil
		case "get":
			return v.Load()
		}
		panic(f)
	}
}

func calls(fs ...any) []Call {
	var cs []Call
	for i := 0; i < len(fs); i++ {
		c := Call{F: fs[i].(string)}
		if i+1 < len(fs) {
			if v, ok := fs[i+1].(int); ok {
				c.Arg = v
				i++
			}
		}
		cs = append(cs, c)
	}
	return cs
}
