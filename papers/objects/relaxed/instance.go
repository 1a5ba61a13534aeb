package relaxed

import (
	"fmt"

	"github.com/linsat/linsat/explore"
)

// nothing is the value of an empty slot. Objects hold numbers from 1 on.
const nothing = 0

// queue names the operations of a queue.
func queue(enq func(v int), deq func() int) explore.Instance { return named("enq", enq, "deq", deq) }

// stack names the operations of a stack.
func stack(push func(v int), pop func() int) explore.Instance { return named("push", push, "pop", pop) }

// priorityQueue names the operations of a priority queue.
func priorityQueue(insert func(p int), deleteMin func() int) explore.Instance {
	return named("insert", insert, "deletemin", deleteMin)
}

// named makes an instance of two operations; remove returns nothing if it found the object empty.
func named(insertion string, insert func(v int), removal string, remove func() int) explore.Instance {
	return func(f string, arg any) any {
		switch f {
		case insertion:
			insert(arg.(int))
			return nil
		case removal:
			if v := remove(); v != nothing {
				return v
			}
			return nil
		}
		panic(fmt.Sprintf("relaxed: no operation %q", f))
	}
}
