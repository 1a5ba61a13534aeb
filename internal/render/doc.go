// Package report shows a result to people and programs: as text, as JSON, and as pictures.
//
//	operation.go  one operation in a few words
//	rearranged.go ρ′ and ρ″ one above the other
//	reason.go     the argument and the core of a no
//	text.go       the answer as a terminal shows it
//	json.go       the answer as one JSON object
//
// The pictures are made from one view of a run, which knows nothing of how it is drawn:
//
//	picture.go    the view: operations with their places on the axis, notes, orders
//	highlight.go  what is shown as the reason, and references to operations in sentences
//	replay.go     witnesses with the state after every step
//	window.go     which operations a drawing of fixed size shows, and in which columns
//	timeline.go   in the terminal
//	svg.go        as a small static picture
//	html.go       as one page (page.html, page.css, page.js), which checks itself with #selfcheck
package render
