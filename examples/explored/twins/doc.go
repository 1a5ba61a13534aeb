// Package twins holds small programs with a known fault of waiting, each with its repaired twin.
// Those that are named after an issue or a pull request are what is left of it; none of its code is
// here.
//
//	cd examples/explored/twins
//	linsat test --leaks
//
// docs/go-test.md has a table of what other tools find in them; go -C bench run ./twins makes it.
package twins

// scene is what a program runs in: Go starts one of its goroutines. A program may start others by
// itself. It is right if all of them end, and none panics.
type scene struct{ Go func(f func()) }

// program has a fault unless right is true.
type program struct {
	name, what string
	run        func(s scene, right bool)
}

// programs are all of them.
func programs() []program {
	all := append(wakeups(), deadlocks()...)
	all = append(all, leaks()...)
	all = append(all, reports()...)
	return append(all, found()...)
}
