// Package randomspec draws random specifications and histories of them, for tests that compare
// engines with the definition: deterministic or not, with unknown results, pending operations and
// explicit edges.
package randomspec
