// Package starspec reads specifications written in Starlark, a small language in the style of
// Python without access to files, clocks or chance.
//
// Load executes a file once and looks up what it defines (program.go); values go from Go to
// Starlark and back, and states are compared by a canonical text (values.go); step is called once
// for every new pair of a state and a kind of operation (step.go).
// docs/own-specification.md describes what a file may define.
package starspec
