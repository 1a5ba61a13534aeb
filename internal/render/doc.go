// Package render shows results to people and programs: as text, as JSON, and as pictures.
//
// Text, Line, TSV and JSON write the answer. The pictures (a timeline for terminals, an HTML page,
// an SVG) are drawn from one Picture of a run, which gives every call and return a place on the
// axis and does not know how it is drawn. A Highlight marks the operations and the order that a
// verdict rests on.
package render
