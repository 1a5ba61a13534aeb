// Package report shows a result to people and programs: as text and as JSON.
//
//	operation.go  one operation in a few words
//	rearranged.go ρ′ and ρ″ one above the other
//	reason.go     the argument and the core of a no
//	text.go       the answer as a terminal shows it
//	json.go       the answer as one JSON object
package report
