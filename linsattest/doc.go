// Package linsattest checks a concurrent object inside of go test: goroutines use it, what they do
// is recorded, and linsat decides whether it is linearizable.
//
//	func TestStack(t *testing.T) {
//		linsattest.Check(t, spec.MustLookup("stack"), func(r *linsattest.Run) {
//			s := NewStack()
//			for range 4 {
//				r.Go(func(p *linsattest.Process) {
//					for range 20 {
//						n := p.Rand().IntN(100)
//						p.Do("push", n, func() any { s.Push(n); return nil })
//						p.Do("pop", nil, func() any { return s.Pop() })
//					}
//				})
//			}
//		})
//	}
//
// Random draws such programs from a table of operations. Control is for a twin of the object with a
// deliberate fault: it fails unless the fault is found, so that a test which cannot find anything
// is noticed.
//
// A test takes these flags of go test: -linsat.duration is how long it repeats the run with new
// seeds, -linsat.seed the first seed, -linsat.hang how long a run may take, and -linsat.dir where
// histories of failures are kept.
//
// The schedules are those that happen. Package explore runs an object under all of them.
package linsattest
