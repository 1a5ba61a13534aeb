// Package rewrite changes Go packages so that they run under package explore: their imports of sync
// and sync/atomic become those of the shims, and go statements, channel operations, selects, time,
// random numbers and map iteration become calls of package shim. Lines stay what they are. What
// cannot be modelled is refused, by name and line.
//
//	Load ─► Package ─► edits of each file ─► Overlay for go test -overlay (and copies of modules)
package rewrite
