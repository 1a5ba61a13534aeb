// Package bench measures: it runs engines side by side over a corpus of recorded histories (linsat
// bench), and holds the benchmarks of the whole.
//
// Plan.Run measures contenders on files and keeps a Row for each pair, with machine and commit.
// WriteRows and ReadRows store rows as JSON Lines. Tables (NewReport) and charts (command
// bench/plot) are made from rows, never from the runs themselves. Runs ask for verdicts only,
// without explanations. Reading is not timed, and nothing else runs meanwhile. Module bench/peers
// compares with other tools.
//
// The benchmarks of this package assert the verdict of everything that they time, so that a fast
// wrong answer fails, and report how the time compares with the project's own bar. Command growth
// measures time against length, and command leastk finds the least bounds of folders of histories.
//
// Run it with
//
//	go test ./bench -run '^$' -bench Quasi -benchtime 3x
//
// Histories are generated from fixed seeds and not timed. The metric bar is the time of one
// operation of the benchmark divided by its bar: below 1 the bar is kept. Compare figures of one
// run only.
package bench
