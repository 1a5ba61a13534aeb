// Package shim is what `linsat test` puts in the place of Go's statements and functions that start,
// schedule or connect goroutines: go, channels, select, runtime.Gosched, time, random numbers, the
// order of map iteration. While an execution of package explore runs they are events of it;
// otherwise they are what they replace. Nothing else needs this package.
package shim
