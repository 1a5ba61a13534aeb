// Package bench measures. Its benchmarks assert the verdict of everything that they time, so that a
// fast wrong answer fails, and report how the time compares with the bar that the project set itself.
//
//	quasi_bench_test.go  quasi-linearizability: small histories by the hundred, a queue of a million operations, empty
//	                     results, stacks, priority queues
//	leastk               a command: the least bounds of folders of histories, as a table
//
// Run it with
//
//	go test ./bench -run '^$' -bench Quasi -benchtime 3x
//
// Histories are generated from fixed seeds and not timed. The metric bar is the time of one operation of the benchmark
// divided by its bar: below 1 the bar is kept. Compare figures of one run only.
package bench
