// Package render shows results to programs and outside terminals: as JSON, as one line for each of
// many files, as an HTML page, and as SVG. What it writes in words is of package words, and what it
// draws is of package picture.
package render
