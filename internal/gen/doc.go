// Package gen generates histories with known verdicts from seeds, for tests, benchmarks and `linsat
// gen`.
//
// Every specification has a sequential object here, written independently of package specs.
// Generate makes long runs of many processes: each operation takes effect at some moment within its
// interval, so the run is linearizable by construction. An injected violation then makes it wrong,
// certainly or probably. Small makes small histories full of ties for comparison with brute force,
// and Families are histories with certain verdicts that are hard for some engine. Equal seeds give
// equal histories.
package gen
