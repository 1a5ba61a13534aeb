// Package charts draws what benchmarks measured, with gonum/plot, as SVG or as an HTML page: rows
// of package bench as a cactus plot and a scatter plot, and the curves of command bench/growth. The
// command linsat does not import it, because gonum/plot brings fonts and writers of PDF and LaTeX,
// 9 MB of them.
package charts
