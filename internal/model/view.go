package model

// View is a coarser description of a partition in the vocabulary of a theory, of which every
// operation of the partition is one: the length of a log, what it holds at one offset. Whatever
// sequence the specification allows, the view allows too; so a view without a linearization refutes
// the partition. It need not allow as little: only axioms are taken from it, never a witness.
type View struct {
	Theory Theory               // *RegisterTheory or *CountingTheory, with one object
	What   string               // what it describes: "the length"
	Name   func(v int32) string // of a value of the register, nil for a counter
}
