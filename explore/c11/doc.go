// Package c11 runs lock-free code under the memory model of C and C++, and shows every execution
// that the model allows.
//
//	Program ─► Run ─► Graph: events, and sb, rf, mo, sw, hb, sc between them
//
// The code is written with atomics that take a memory order, fences, and cells for plain data. It
// reads like C++ or like sync/atomic:
//
//	func messagePassing(x *c11.Exec) {
//		data, flag := c11.NewCell(x, "data", 0), c11.NewAtomic(x, "flag", 0)
//		x.Go(func() {
//			data.Store(42)
//			flag.Store(1, c11.Release)
//		})
//		x.Go(func() {
//			if flag.Load(c11.Acquire) == 1 {
//				_ = data.Load()
//			}
//		})
//	}
//
// A program is called once for each execution and builds its objects afresh. It must be
// deterministic: what it does depends only on the values that it reads, and on Choose.
//
// The model is RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017) with the release sequences
// of C++20. In RC11, sb ∪ rf has no cycle: no load reads from a store that depends on it, or that
// only comes later in program order (load buffering). Options.LoadBuffering admits the second.
package c11
