// Package clauses keeps clauses: a Recorder collects them as a solver would, and WriteDIMACS hands
// them to another program.
package clauses
