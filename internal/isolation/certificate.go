package isolation

import "github.com/linsat/linsat/internal/proof"

// Certificate shows why a history is at a level or not: it has a Witness or a
// Refutation.
type Certificate struct {
	Level      string      `json:"level"`
	Witness    *Witness    `json:"witness,omitempty"`
	Refutation *Refutation `json:"refutation,omitempty"`
}

// Witness is a commit order under which the axioms hold.
type Witness struct {
	// Events are the transactions in the order of their commits: all that committed, and those open
	// ones that take effect. Under prefix and snapshot isolation a transaction t stands there
	// twice, as ^t (that is, -t-1) where it takes its snapshot, and as t where it commits.
	Events []int32 `json:"events"`
	// Sources are the transactions that reads are from, Initial among them, for those reads of
	// registers that several writers can explain.
	Sources []Source `json:"sources,omitempty"`
}

// Source says that a read is from a transaction.
type Source struct {
	Place
	From int32 `json:"from"`
}

// Refutation is clauses that every commit order of the level satisfies, and a proof that none does.
//
// Variables are, in the order in which the clauses mention them first, from 1:
//
//	before(a, b)   event a comes before event b, where a < b as numbers; before(b, a) is its
//	               negation
//	from(p, s)     the read at place p is from transaction s; no variable, but true, where only
//	               one can be, and false, where s cannot
//	effect(t)      the open transaction t takes effect; of committed ones it is true
//
// Events are 2t+1, the commit of t, and 2t, its start, under prefix and snapshot isolation; under
// other levels the start is the commit. Initial comes before all: before(Initial, e) is true. A
// literal that is false is left out of a clause; a clause with one that is true is refused.
//
// A read of what the transaction itself wrote before is not from any other one, and no rule but
// RuleInternal is about it. The list that a read shows is what others appended, and after it
// exactly what the reader itself appended before; without the latter it is called the others' part.
//
// Who can be the source of a read of a register by i: those transactions other than i, committed or
// open, whose last write of it is the value, and Initial if it is the initial value. The source of
// a read of a list is the one, other than i, committed or open, whose last append to it is the last
// element of the others' part, and Initial if that is empty. That an element that is read was
// appended by one transaction only is assumed: a clause that rests on another one is refused.
type Refutation struct {
	Clauses []Clause      `json:"clauses"`
	Lemmas  []proof.Lemma `json:"lemmas"`
}

// Clause is an instance of a rule.
type Clause struct {
	Rule Rule `json:"rule"`
	// Places are reads, and Txns transactions, as the rule names them.
	Places []Place `json:"places,omitempty"`
	Txns   []int32 `json:"txns,omitempty"`
	// Hops are steps, from the transaction Txns[0] on, and Events those of a cycle.
	Hops   []Hop   `json:"hops,omitempty"`
	Events []int32 `json:"events,omitempty"`
}

// Hop is a step from one transaction to another, To.
type Hop struct {
	Kind HopKind `json:"kind"`
	To   int32   `json:"to"`
	// Place is the read of To where the step is Reads, and the read of the transaction before To
	// where it is Overwrites; that one is from the transaction From.
	Place Place `json:"place,omitzero"`
	From  int32 `json:"from,omitempty"`
}

// HopKind says why a hop leads from a to To.
type HopKind uint8

// The kinds of hops.
const (
	Given      HopKind = iota // a is Given before To
	Reads                     // To reads at Place from a
	Writes                    // both write one object, a before To
	Overwrites                // a reads at Place from From, before To, which writes the object
)

// Rule is what a clause states. Its literals are those that the rule names, in that order, after
// ¬effect(t) for each open transaction t that has to take effect for it to hold: w, a and b where
// a rule names them but in RuleVersion and for a in RuleUnseen, the ends of hops that are Given or
// Writes, and To of those that are Overwrites. Each transaction is named once so.
type Rule uint8

// The rules. c is a commit, s a start; w, which writes the object of p, is neither i nor t.
const (
	// (p of i) p is from one of those that can be its source. There is no literal where there is
	// none: nobody wrote the value, or one that aborted, or not as its last one; and for a list
	// also where no committed or open transaction appended some element of the others' part.
	RuleSource Rule = iota
	// (p of i; t) if p is from t, t takes effect
	RuleEffect
	// (p of i; t) if p is from t, c(t) comes before s(i)
	RuleWritten
	// (i) s(i) comes before c(i): under two events
	RuleOwn
	// (a, b) a is Given before b: c(a) before s(b)
	RuleGiven
	// (p of a list; a, b) in the others' part something that a appended stands before something
	// that b appended: c(a) before c(b)
	RuleVersion
	// (p of a list; a, b) p shows what a appended in the others' part, and b appends to the list
	// something that p does not show: c(a) before c(b)
	RuleUnseen
	// (p of i; t, w) serializable, snapshot isolation, prefix: if p is from t, c(w) before c(t) or
	// s(i) before c(w)
	RuleOverwritten
	// (a, b) snapshot isolation: both write one object: c(a) before s(b) or c(b) before s(a)
	RuleConflict
	// (p of i; t, w; one hop from w to i, Reads or Given) read committed, where the hop reads at an
	// earlier place than p, and read atomic: if p is from t, c(w) before c(t)
	RuleSeen
	// (p of i; t, w; hops from w to i, each Reads or Given) causal: if p is from t, c(w) before
	// c(t)
	RuleReached
	// (a; hops back to a, at most one of them Overwrites) parallel snapshot isolation: not all of
	// the hops
	RuleVisible
	// (events) not each before the next, and the last before the first
	RuleCycle
	// (p of i) what p shows contradicts what i itself wrote or appended before; no literal
	RuleInternal
	// (p, q) two reads of one list of which none is the beginning of the other; no literal
	RuleIncompatible
	// (p) it shows an element twice that was appended once; no literal
	RuleTwice
)
