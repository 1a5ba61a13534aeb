// Package linsat decides whether a recorded concurrent history is linearizable, or
// quasi-linearizable within a bound, and proves its answer. Its one verb is Check:
//
//	h, err := history.ReadFile("h.json", history.ReadOptions{})
//	s := spec.MustLookup("queue")
//	result, err := linsat.Check(ctx, s, h, linsat.Timeout(time.Minute))
//
// CheckOps is the same for operations in the caller's own types, against a Model.
//
// Check splits the history into partitions that can be decided separately, lets the engines race on
// each partition, and has every witness replayed before it answers. A Result starts at Unknown: it
// claims nothing that was not proved. Running out of time, memory or steps is Unknown with its
// cause; an error is bad input, a broken specification, or two engines that disagree.
package linsat
