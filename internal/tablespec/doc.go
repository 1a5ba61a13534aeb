// Package tablespec reads specifications that are finite tables in JSON: what each operation may do
// in each state. docs/own-specification.md describes the form.
//
// States are numbers for the engines, so a table of few states has a derived theory, like any
// specification of a caller with few states.
package tablespec
