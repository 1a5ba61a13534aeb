// Package porcupine has the identifiers of github.com/anishathalye/porcupine v1.3.1, so that a
// program that checks its histories with Porcupine checks them with linsat when one import path is
// changed. Models, histories and verdicts mean the same.
//
// What is different: equal operations are recognised, and a search calls a step at most once for
// each state and kind of operation; several engines work on a history; memory can be bounded
// (MemoryLimit); a nondeterministic model is explored state by state instead of set by set. What is
// more: operations whose outcome is not known (UnknownOutcome), quasi-linearizability
// (Model.Quasi), the reason of a violation (LinearizationInfo.Explain) and a certificate of the
// verdict (LinearizationInfo.Certificate).
//
// These functions have no errors to return. They panic where Porcupine would end the process or
// answer wrongly: if a function of the model panics or is found to be impure (*meta.Fault), and if
// an operation returns before it is called (*history.Error).
package porcupine
