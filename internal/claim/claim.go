// Package claim says what the sentences of an explanation claim of a history, and checks it.
package claim

// Claims of sentences.
//
// What: an explanation is about a few facts of a history, but a reader takes its sentences to be
// about all of it. So each sentence comes with claims, and none is printed of which a claim is
// false of the whole partition, or takes too long to check.
//
// How: a claim is a small structure that names operations by their positions in the partition. It
// is checked on every operation of the partition, from the definition of what it says: with what
// operations do (model.Theory), but with nothing of what engines, proofs or their
// verifier made of that.
//
// Cost: each claim is one pass over the operations on one object, or a few. All claims of one
// explanation share maxWork; what goes beyond is refused.

import (
	"errors"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Claim is something that a sentence says of a partition. The claims are those of this package.
type Claim interface {
	// holds reports whether it is true of the whole partition.
	holds(w *Whole) bool
}

// Start stands for the initial state where a claim names an operation. All other negative numbers
// name what is no operation, of which claims say nothing.
const Start history.OpID = -1

// ErrTooLarge is the error for claims that would take too long to check.
var ErrTooLarge = errors.New("the claims of the explanation take too long to check")

// Certified is the claim of a sentence that repeats what the proof of the violation states: the
// verifier has checked it.
type Certified struct{}

func (Certified) holds(*Whole) bool { return true }

// Whole is a partition as it was recorded. It is made for one explanation.
type Whole struct {
	b       *model.Instance
	ops     []history.Op
	theory  model.Axiomatic                 // of the partition or of a view of it; nil for none
	members map[model.CellID][]history.OpID // operations by object
	grown   []grown                         // by element of a set that only grows, once asked for
	work    int
}

// Of returns b's partition, or its view of the given number where that is not 0.
func Of(b *model.Instance, view int32) *Whole {
	w := &Whole{b: b, ops: b.Partition.Ops, theory: b.Axiomatic(), work: maxWork}
	if taken := b.Taken(); taken != nil {
		w.theory = taken
	}
	if view != 0 {
		w.theory = nil
		if b.View != nil {
			if v := b.View(view); v != nil {
				w.theory = v.Theory
			}
		}
	}
	return w
}

// Theory is what claims take operations to do; nil if that is not known.
func (w *Whole) Theory() model.Axiomatic { return w.theory }

// Holds reports whether c is true of the partition. The error is ErrTooLarge if that takes too
// long.
func (w *Whole) Holds(c Claim) (bool, error) {
	if w.work <= 0 {
		return false, ErrTooLarge
	}
	holds := c.holds(w)
	if w.work <= 0 {
		return false, ErrTooLarge
	}
	return holds, nil
}

// All reports whether every claim is true.
func (w *Whole) All(claims []Claim) bool {
	for _, c := range claims {
		if holds, err := w.Holds(c); err != nil || !holds {
			return false
		}
	}
	return true
}

// each calls f with all operations until it returns false, and reports whether it never did.
func (w *Whole) each(f func(i history.OpID, o *history.Op) bool) bool {
	w.work -= len(w.ops)
	if w.work <= 0 {
		return false
	}
	for i := range w.ops {
		if !f(history.OpID(i), &w.ops[i]) {
			return false
		}
	}
	return true
}

// on calls f with the operations on one object, as each does.
func (w *Whole) on(object model.CellID, f func(i history.OpID, o *history.Op) bool) bool {
	if w.members == nil {
		w.members = map[model.CellID][]history.OpID{}
		w.work -= len(w.ops)
		for i := range w.ops {
			o := w.object(history.OpID(i))
			w.members[o] = append(w.members[o], history.OpID(i))
		}
	}
	w.work -= len(w.members[object])
	if w.work <= 0 {
		return false
	}
	for _, i := range w.members[object] {
		if !f(i, &w.ops[i]) {
			return false
		}
	}
	return true
}

func (w *Whole) object(i history.OpID) model.CellID {
	switch t := w.theory.(type) {
	case *model.RegisterTheory:
		return t.Object[i]
	case *model.CollectionTheory:
		return t.Object[i]
	case *model.CountingTheory:
		return t.Object[i]
	}
	return 0
}

// are reports whether these are operations of the partition.
func (w *Whole) are(ops ...history.OpID) bool {
	for _, i := range ops {
		if i < 0 || int(i) >= len(w.ops) {
			return false
		}
	}
	return true
}

// listed marks operations.
func listed(lists ...[]history.OpID) map[history.OpID]bool {
	all := map[history.OpID]bool{}
	for _, list := range lists {
		for _, i := range list {
			all[i] = true
		}
	}
	return all
}

// lastReturn is the last of the returns of these operations.
func (w *Whole) lastReturn(ops ...history.OpID) history.Rank {
	last := history.Rank(-1)
	for _, i := range ops {
		if i >= 0 {
			last = max(last, w.ops[i].Return)
		}
	}
	return last
}

// Sentence is a sentence of an explanation with what it claims. Say makes them: there is no
// sentence without a claim.
type Sentence struct {
	text   string
	claims []Claim
}

// Say returns a sentence with its claims. Not inlined: it has many callers.
//
//go:noinline
func Say(text string, first Claim, more ...Claim) Sentence {
	return Sentence{text, append([]Claim{first}, more...)}
}

// String is the sentence without its claims.
func (s Sentence) String() string { return s.text }

// Claims lists what the sentence claims.
func (s Sentence) Claims() []Claim { return s.claims }

// Texts lists sentences without their claims; nil for none.
func Texts(sentences []Sentence) []string {
	var texts []string
	for _, s := range sentences {
		texts = append(texts, s.text)
	}
	return texts
}
