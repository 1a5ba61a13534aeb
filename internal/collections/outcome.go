package collections

import "github.com/linsat/linsat/history"

// outcome is how a search ended.
type outcome uint8

const (
	gaveUp    outcome = iota // see Account.Cause
	found                    // linearization returns it
	failed                   // there is none
	undecided                // it reached limits of its own
)

// collectionSearch is a search on one collection.
type collectionSearch interface {
	search() outcome
	linearization() []history.OpID
}
