// Package charts draws what benchmarks measured, with gonum/plot, as SVG or as an HTML page: the
// curves of command bench/growth and the map of its sweep. The command linsat does not import it,
// because gonum/plot brings fonts and writers of PDF and LaTeX, 9 MB of them.
package charts
