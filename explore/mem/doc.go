// Package mem is the shared memory that objects under package explore are written with. It is
// shaped like sync/atomic and sync, so that the code of an object reads like ordinary Go:
//
//	type stack struct{ head *mem.Atomic[*node] }
//
//	func (s *stack) push(v int) {
//		n := &node{value: v}
//		for {
//			n.next = s.head.Load()
//			if s.head.CompareAndSwap(n.next, n) {
//				return
//			}
//		}
//	}
//
// Every variable belongs to the Memory of one execution, which explore makes; nothing is global. In
// a running execution every operation on a variable is one event: the calling thread stops before
// it, explore decides which thread goes on, and the operation happens at once, sequentially
// consistent. Outside of one (a Memory without scheduler, or the code that builds an object) the
// same operations simply happen.
//
// The package does not model weak memory: all operations are sequentially consistent.
package mem
