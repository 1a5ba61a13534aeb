// Package conformance holds the tests that compare engines with each other and with the definition,
// and the golden cases under testdata, which show what linsat answers and why. It has no code of
// its own.
package conformance
