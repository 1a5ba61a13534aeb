// Package modelspec makes a specification of a caller's model (linsat.Model) and of its operations
// the history that the specification belongs to. It decides nothing.
//
// Inputs, outputs and states stay in the types of the caller: the history holds texts of them, and
// what engines ask about an operation is answered by its position (spec.go). A model may be said to
// be a shipped specification (as.go); then that is checked, and the model is a witness to it.
package modelspec
