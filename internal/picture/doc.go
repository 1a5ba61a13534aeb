// Package picture lays out a history: a Picture gives every call and return a place on the axis,
// and a Highlight marks the operations and the order that a verdict rests on. A Window is what a
// drawing of limited size shows. Timeline draws it in a terminal; package render draws pages and
// SVG.
package picture
