// Package order is what linsat test and the command that rewrites packages for it tell each other.
package order

// Rewrite says what is rewritten.
type Rewrite struct {
	Dir      string   // of the module, or below it; "" is the current one
	Patterns []string // the packages under test, as go test takes them
	Include  []string // further packages, as patterns
	Exclude  []string // packages that stay as they are, as patterns
	Cache    string   // folder for rewritten files
	Flags    []string // of the go command, for which modules there are
	Build    []string // of the go command, for which files there are
}

// Rewritten is what go test needs to build the rewritten packages, or why there are none.
type Rewritten struct {
	Overlay string // file for -overlay
	ModFile string // file for -modfile, "" if none is needed
	Files   int    // how many were rewritten

	Refused []string // what cannot be modelled, a line each
	Error   string   // why the packages could not be loaded
}
