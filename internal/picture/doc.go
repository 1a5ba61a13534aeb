// Package picture lays a history out: a Picture gives every call and return a place on the axis,
// and a Highlight marks the operations and the order that a verdict rests on. A Window is the part
// that a drawing shows. Timeline draws it in a terminal; package render draws pages and SVG.
package picture
