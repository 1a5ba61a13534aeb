// Package render shows results to programs and outside terminals: as JSON, as one line for each of
// many files, as an HTML page, and as SVG. Its words come from package words, its drawings from
// package picture.
package render
