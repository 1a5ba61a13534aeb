// Package portfolio decides who answers. It splits a history into partitions, lets engines decide
// each of them, has every witness replayed before it counts, and puts the partitions' answers
// together.
//
// A partition goes to the monitors first, which are polynomial; then to a short probe of the
// search, which decides most small partitions before a goroutine could have been started; then
// search and SAT race (decide.go). Small histories are tried on the goroutine of the caller, up to
// that race. Under a limit of steps nothing races, and under All every engine is asked to the end
// and the answers are compared.
//
// Why a history is not linearizable is the business of package explain. All constants that trade
// one thing for another are in policy.go.
package portfolio
