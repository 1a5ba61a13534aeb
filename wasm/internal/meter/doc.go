// Package meter rewrites WebAssembly modules so that they bound themselves.
//
// What: a module gets a counter of steps, a counter of the stack and a bound on its memory. It
// traps when one is used up, at the same instruction on every machine and under every runtime,
// which a clock or a signal could not do. Its floating-point results are the same everywhere, too.
//
// Source: the instrumentation of gas in blockchains (for example pwasm-utils), over the binary
// format of the WebAssembly Core Specification 2.0, chapter 5. We changed three things: costs are
// charged at the heads of functions and loops only, for all instructions that can follow without
// another head, so that code between them is not slowed down; the stack is accounted for by a block
// around each body, not by a second function; and results that are not a number get one bit
// pattern.
//
// Invariants, which the tests execute:
//   - A module computes what it did before, unless it traps on a counter.
//   - What is charged is at least the number of instructions executed, and the same whenever the
//     same path is taken.
//   - What the runtime reads as a body, a type or an instruction is read as the same here: what
//     linsat does not know is refused, also where the runtime knows it.
//   - Indices of functions, types, globals and locals stay; what is added stands behind them, where
//     a valid module cannot name it. So the caller has to see whether the module was valid.
//
// Cost: one pass over a body to count and one to write; a body grows by about 45 bytes for itself
// and 17 for each loop.
package meter
