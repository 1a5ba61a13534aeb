package stale

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// Certificate shows that a question is answered yes, by an order for every object, or no, by a
// core. Operations are named by their places in the history.
type Certificate struct {
	Question string  `json:"question"` // as Question.String writes it
	Orders   []Order `json:"orders,omitempty"`
	Core     *Core   `json:"core,omitempty"`
}

// Order shows that the answer for an object is yes.
type Order struct {
	Object string `json:"object,omitempty"`
	// Operations are those that take effect, all completed ones among them. Under regular questions
	// only the order of the writes counts, and what stands before a read. Reads of unknown results
	// are not in it.
	Operations []history.OpID `json:"operations,omitempty"`
	// Late lists the reads that do not return the last version before them, by their order.
	Late []Lateness `json:"late,omitempty"`
	// Sources are, under weakly regular ones, the writes that reads return.
	Sources []Source `json:"sources,omitempty"`
}

// Lateness says how many versions have been left behind since the one that a read returns.
type Lateness struct {
	Read history.OpID `json:"read"`
	By   int32        `json:"by"`
}

// Source says which write a read returns.
type Source struct {
	Read  history.OpID `json:"read"`
	Write history.OpID `json:"write"` // -1 for what is there at the start
}

// Core is operations of an object that suffice for a no: they have no order as the question asks
// for, and leaving out all others only makes more orders possible, since those are
//
//   - operations that leave nothing behind, or
//   - operations called after all those of the core returned that are seen to find what they leave
//     behind, or are seen not to find some value.
//
// With Lemmas the operations may be of several objects, and a stated order counts. They refute the
// clauses about the operations (internal/stale/verify/clauses.go), each lemma as in LRAT.
type Core struct {
	Object     string         `json:"object,omitempty"`
	Operations []history.OpID `json:"operations"`
	Lemmas     []proof.Lemma  `json:"lemmas,omitempty"`
}
