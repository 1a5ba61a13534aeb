package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindCollectionConflict is the kind of *CollectionConflict.
const KindCollectionConflict Kind = "collection-conflict"

// CollectionConflict says why one FIFO queue, LIFO stack or priority queue with distinct values is
// not linearizable: it names a few values and the contradiction between them. Values are numbered
// as in model.CollectionTheory, operations by position in the partition.
//
// A value is certainly inside from the first return to the last call of its operations, its
// insertion included. Values that no completed operation removed stay for ever, but pending
// removals may have taken some: so at any moment the number of them inside is at least their number
// minus that of the pending removals called by then.
type CollectionConflict struct {
	about
	Rule   CollectionRule `json:"rule"`
	Values []int32        `json:"values" min:"0"`              // in the order that the rule says
	Via    int32          `json:"via" none:"-1" min:"0"`       // Overtaken: a value between the two
	Op     history.OpID   `json:"operation" none:"-1" min:"0"` // that the rule is about
	Other  history.OpID   `json:"other" none:"-1" min:"0"`     // a second one
}

// CollectionRule says what the contradiction is.
type CollectionRule uint8

// The rules.
const (
	_ CollectionRule = iota
	// RemovedTwice: Op and Other remove Values[0], which is inserted once.
	RemovedTwice
	// NeverInserted: Op removes or sees Values[0], which is not inserted.
	NeverInserted
	// Disordered: Op returned before Other was called, both on Values[0], though Other must come
	// first: Op removes it, or Other inserts it.
	Disordered
	// Covered: during all of Op, which found the collection empty, some of Values were inside.
	Covered
	// Outranked: during all of Op, which removes or sees some value, values were inside that go
	// before it (priority queues).
	Outranked
	// Blocked: each of Values has an operation that is open only while others of them are certainly
	// inside; so none of them can be the one that is pushed first (stacks).
	Blocked
	// Overtaken: Values[1:] are before Values[0] in the queue, since their insertions returned
	// before that of Values[0] was called; or before that of Via, which was at the front before
	// Values[0] was. But Values[0] was at the front before they can all have left.
	Overtaken
	// Crossed: each of the two Values was at the front before the other was for the last time
	// (queues).
	Crossed
	// Overdrawn: by the return of Op, which removes Values[0], more completed removals of that
	// value have returned than insertions of it were called, counting initial ones. The value may
	// be inserted and removed any number of times.
	Overdrawn
)

// collectionRules are the names of the rules, from 1 on.
var collectionRules = []string{"", "removed-twice", "never-inserted", "disordered", "covered", "outranked", "blocked",
	"overtaken", "crossed", "overdrawn"}

func (CollectionRule) words() []string  { return collectionRules }
func (r CollectionRule) String() string { return word(collectionRules, r) }

// Kind implements Proof.
func (*CollectionConflict) Kind() Kind { return KindCollectionConflict }

// Operations implements Proof: all operations on the values that are named, the operation that the
// rule is about, and all removals whose result is unknown.
func (r *CollectionConflict) Operations(b *model.Instance) []history.OpID {
	t := b.Taken()
	if t == nil {
		return nil
	}
	named := map[int32]bool{}
	for _, v := range r.Values {
		named[v] = true
	}
	if r.Via >= 0 {
		named[r.Via] = true
	}
	if r.Op >= 0 && int(r.Op) < len(t.Value) && t.Value[r.Op] >= 0 {
		named[t.Value[r.Op]] = true
	}
	var ops []history.OpID
	for i, v := range t.Value {
		if v >= 0 && named[v] || v == model.Anything || history.OpID(i) == r.Op {
			ops = append(ops, history.OpID(i))
		}
	}
	return ops
}

// RuleName is the name of the rule, for errors.
func (r *CollectionConflict) RuleName() string { return r.Rule.String() }
