package isolation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/proof"
)

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
	// registers that several writers that take effect can explain. Under serializability, snapshot
	// isolation and prefix none is needed, and none is looked at.
	Sources []Source `json:"sources,omitempty"`
}

// Source says that a read is from a transaction.
type Source struct {
	Place
	From int32 `json:"from"`
}

// Refutation is clauses that every commit order of the level satisfies, and a proof that none does.
// An open transaction that does not take effect stands at the end of the order.
//
// Variables are, in the order in which the clauses mention them first, from 1:
//
//	before(a, b)   event a comes before event b, where a < b as numbers; before(b, a) is its
//	               negation
//	from(p, s)     the read at place p is from transaction s; no variable, but true, where only
//	               one can be, and false, where s cannot
//	effect(t)      the open transaction t takes effect; of committed ones it is true
//	placed(x,t,n)  n elements are appended to the list x before those that t appends
//
// Events are 2t+1, the commit of t, and, under prefix and snapshot isolation, 2t, its start; under
// other levels the start s(t) is the commit. Initial comes before all: before(Initial, e) is true.
// A literal that is false is left out of a clause; a clause with one that is true is refused. One
// without literals refutes the history: then it is the only clause, and there are no lemmas.
//
// Places are reads of committed transactions. A read of a register that the transaction itself
// wrote before is not from any other one, and no rule but RuleInternal is about it. The list that a
// read shows is what others appended, the others' part, and after it exactly what the reader itself
// appended before; where it does not end so, no rule but RuleInternal and RuleTwice is about it.
//
// Who can be the source of a read of a register by i: those transactions other than i, committed or
// open, whose last write of it is the value, and Initial if it is the initial value. The source of
// a read of a list is the one, other than i, committed or open, whose last append to it is the last
// element of the others' part, and Initial if that is empty. Where several appended that element,
// from(p, s) is placed(x, s, n), where what s appends is the elements of the part from n on to its
// end. Of RuleSource and RuleEffect about lists, RuleVersion and RuleUnseen it is assumed that an
// element was appended by one committed or open transaction other than the reader: what rests on
// another one is refused.
type Refutation struct {
	Clauses []Clause      `json:"clauses"`
	Lemmas  []proof.Lemma `json:"lemmas"`
}

// Clause is an instance of a rule.
type Clause struct {
	Rule Rule `json:"rule"`
	// Places are reads, and Txns transactions, as the rule names them, i apart where it is of a
	// place.
	Places []Place `json:"places,omitempty"`
	Txns   []int32 `json:"txns,omitempty"`
	// At are places in the list of the read, from 0.
	At []int32 `json:"at,omitempty"`
	// Hops are steps, from the last of Txns on, and Events those of a cycle.
	Hops   []Hop   `json:"hops,omitempty"`
	Events []int32 `json:"events,omitempty"`
}

// Hop is a step from one transaction to another, To.
type Hop struct {
	Kind HopKind `json:"kind"`
	To   int32   `json:"to"`
	// Place is the read of To where the step is Reads, and the read of the transaction before To
	// where it is Overwrites; that one is from the transaction From, which is not To.
	Place Place `json:"place,omitzero"`
	From  int32 `json:"from,omitempty"`
}

// HopKind says why a hop leads from a to To, which is another one.
type HopKind uint8

// The kinds of hops.
const (
	Given      HopKind = iota // a is Given before To
	Reads                     // To reads at Place from a
	Writes                    // both write one object, a before To
	Overwrites                // a reads at Place from From, before To, which writes the object
)

var hopNames = []string{"given", "reads", "writes", "overwrites"}

// String returns the name of the kind in certificates.
func (k HopKind) String() string { return nameOf(hopNames, k) }

// MarshalText and UnmarshalText write and read the name.
func (k HopKind) MarshalText() ([]byte, error)     { return []byte(k.String()), nil }
func (k *HopKind) UnmarshalText(text []byte) error { return named(hopNames, k, text) }

// Rule is what a clause states. No transaction that it names is aborted, and those are different
// but the events of a cycle. Its literals are, in this order:
//
//	¬effect(x)    for each open x that has to take effect for it to hold, once: w, a and b where
//	              the rule names them but in RuleVersion and for a in RuleUnseen and RuleVisible;
//	              then, hop by hop, both ends of one that is Given or Writes, and To of one that
//	              is Overwrites
//	¬from(p, t)   where it says "if p is from t"; ¬placed, where it says that one is placed
//	of each hop   Reads: ¬from(Place, a); Writes: ¬before(c(a), c(To)); Overwrites:
//	              ¬from(Place, From), ¬before(c(From), c(To)); Given: none
//	              what it then says, in the order in which it says that
type Rule uint8

// The rules. c is a commit, s a start; w, which writes the object of p, is neither i nor t.
const (
	// (p of i) p is from one of those that can be its source: Initial first, then by number. There
	// is no literal where there is none: nobody wrote the value, or one that aborted, or not as
	// its last one; and for a list also where its others' part is not made of all that some
	// committed or open transactions other than i append to it, of each once and in its order.
	RuleSource Rule = iota
	// (p of i; t) if p is from t, t takes effect; and for a list: t, which appended something of
	// the others' part, takes effect
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
	// something that is not in that: c(a) before c(b)
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
	// (p, q) two reads of one list; the others' part of none is the beginning of that of the other;
	// no literal
	RuleIncompatible
	// (p) it shows an element more often than committed and open transactions appended it; no
	// literal
	RuleTwice
	// (p of a list; at k) element k of the others' part is of one that is placed there: by
	// transaction, and by place, those whose appends to the list are elements of the part, k among
	// them
	RulePlaced
	// (p of a list; a, b, or a alone; at m, n; m ≤ n) a is not placed at m, or b not at n; or,
	// where the appends of a end by n, c(a) comes before c(b)
	RulePlaces
	// (p of a list; a, b; at n) a is placed at n in the others' part: b is placed somewhere in it,
	// by place, or c(a) comes before c(b)
	RuleHidden
	// (p of a list; t; at n) t is placed at n in the others' part: it takes effect
	RuleStands
)

var ruleNames = []string{"source", "effect", "written", "own", "given", "version", "unseen", "overwritten",
	"conflict", "seen", "reached", "visible", "cycle", "internal", "incompatible", "twice", "placed", "places",
	"hidden", "stands"}

// String returns the name of the rule in certificates.
func (r Rule) String() string { return nameOf(ruleNames, r) }

// MarshalText and UnmarshalText write and read the name.
func (r Rule) MarshalText() ([]byte, error)     { return []byte(r.String()), nil }
func (r *Rule) UnmarshalText(text []byte) error { return named(ruleNames, r, text) }

func nameOf[T ~uint8](names []string, t T) string {
	if int(t) >= len(names) {
		return "unknown " + strconv.Itoa(int(t))
	}
	return names[t]
}

func named[T ~uint8](names []string, t *T, text []byte) error {
	k := slices.Index(names, string(text))
	if k < 0 {
		return fmt.Errorf("%q is none of %s", text, strings.Join(names, ", "))
	}
	*t = T(k)
	return nil
}
