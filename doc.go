// Package linsat decides whether a recorded concurrent history is linearizable, or
// quasi-linearizable within a bound, and proves its answer. Its one verb is Check:
//
//	h, err := history.ReadFile("h.json", history.ReadOptions{})
//	s, _ := specs.Lookup("queue")
//	result, err := linsat.Check(ctx, s, h, linsat.Timeout(time.Minute))
//
// Check splits the history into parts that can be judged apart, lets the engines race on each part,
// and has package certify replay every witness before it answers. A Result starts at Unknown: it
// claims nothing that was not proved. Running out of time, memory or steps is Unknown with its
// cause; an error is bad input, a broken specification, or two engines that disagree.
//
//	linsat.go   Check: split, judge the parts, merge
//	option.go   what a caller may ask for
//	result.go   what comes back
//	judge.go    one part: which engines, in which order, who wins
//	least.go    the least bound under which a history is accepted
//	locate.go   the shortest violating prefix, where the engine that refuted does not know it
//	argue.go    why it is a no: core and argument, judged by certify
//	certificate.go  a result as a certificate that certify judges against the history alone
//	merge.go    witnesses of parts → one linearization
package linsat
