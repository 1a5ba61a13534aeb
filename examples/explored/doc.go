// Package explored holds tests of maps and queues that others wrote, for linsat test:
// docs/go-test.md has what they showed.
//
//	cd examples/explored
//	linsat test --include ...
//
// It is a module of its own, since linsat needs none of these.
package explored
