package model

// View is a coarser description of a partition in the vocabulary of a theory (the length of a log,
// the entry at one offset, the balance of an account). Every operation of the partition is an
// operation of the view, and whatever sequence the specification allows, the view allows too,
// perhaps without pending operations that changed nothing; so a view without a linearization
// refutes the partition. It may allow more, so only axioms are taken from it, never a
// witness.
type View struct {
	Theory Axiomatic            // *RegisterTheory or *CountingTheory, with one object
	What   string               // what it describes: "the length"
	Name   func(v int32) string // of a value of the register, nil for a counter
	// NoStart says that the value at the start is not known, whatever the theory says.
	NoStart bool
}
