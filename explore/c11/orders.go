//go:build !linsat_native

package c11

import "github.com/linsat/linsat/internal/relaxed/program"

// Site is a place in the code where a memory order stands: a line, or the second order of a
// compare-and-swap.
type Site struct {
	File    string
	Line    int
	Func    string
	Failure bool // the order of a compare-and-swap that fails
}

// reorder lets Options.Orders decide on the orders of a request.
func (x *Exec) reorder(q *program.Request) {
	switch q.Op {
	case program.Load, program.Store, program.Await, program.Fence, program.Swap, program.Add, program.CompareAndSwap,
		program.WeakCompareAndSwap:
	default:
		return
	}
	at := Site{q.Where.File, q.Where.Line, q.Where.Function, false}
	q.Order = x.orders(at, q.Order)
	if q.Op == program.CompareAndSwap || q.Op == program.WeakCompareAndSwap {
		at.Failure = true
		q.Fail = x.orders(at, q.Fail)
	} else {
		q.Fail = q.Order
	}
}
