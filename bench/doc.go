// Package bench holds the benchmarks of whole checks, and commands that measure in its folders. It
// exports nothing; `linsat bench` compares engines over a corpus.
//
// The benchmarks assert the verdict of everything that they time, so that a fast wrong answer
// fails, and report how the time compares with the project's own bar. Command growth measures time
// against length, leastk finds the least bounds of folders of histories, reasons asks for the
// reasons of violations, mutate breaks code that decides to see which tests notice, plot draws what
// `linsat bench --rows` wrote, dropin runs programs that use Porcupine, and their tests, both ways,
// and peers compares with other tools; its command opaque does so on opaque models with operations
// of unknown outcome. Its command users is one of those programs. Command size prints lines, names,
// words and bytes.
//
// Run it with
//
//	go -C bench test . -run '^$' -bench Quasi -benchtime 3x
//
// Histories are generated from fixed seeds and not timed. The metric bar is the time of one
// operation of the benchmark divided by its bar: below 1 the bar is kept. Compare figures of one
// run only.
package bench
