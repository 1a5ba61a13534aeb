// Package meta says what a specification is to those who look at it from outside: its names,
// operations and classes, and the error for its code. Package spec exports all of it again; this
// package is what linsat's engines share.
package meta

// Spec is a sequential specification. Functions of package spec and linsat.Model make them; Check
// refuses others.
type Spec interface {
	// Info describes the specification to users and to the command line.
	Info() Info
}

// Info describes a specification.
type Info struct {
	Name       string
	Summary    string      // one line
	Initial    string      // the initial state, what --initial may be, in words
	Operations []Operation // all of them, with their other names
	Classes    []Class     // classes of operations for quasi-linearizability, nil if it has none
	// canonical name of the operation that removes left-over items, "" if there is none
	Drain      string
	KeyIsPiece bool // Op.Key names a piece of one object (kv), not an object
	// what a piece of the object is called: "element"; "" where keys are pieces or there are none
	Piece   string
	Example string // one history in linsat's JSON on one line
}

// Operation describes one operation of a specification.
type Operation struct {
	Name    string
	Aliases []string
	Arg     string // in words, "" if it takes none
	Result  string // in words, "" if it gives none
}

// Class is a class of operations whose places a quasi factor may exchange.
type Class struct {
	Name       string   // "insertions", "removals"
	Operations []string // canonical names of its operations
	Relaxable  bool     // a uniform bound applies to it; the bound of the others is 0
}

// Outcome is one thing that an operation may do: return Output and leave the state Next.
type Outcome[S, O any] struct {
	Output O
	Next   S
	// AnyOutput says that any output goes with Next: the one that was observed is not looked at.
	AnyOutput bool
}
