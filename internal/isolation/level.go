package isolation

import (
	"fmt"
	"slices"
	"strings"
)

// A Level is an axiom on which transactions may see which others, and the order that they have to
// respect beside it.
//
// The definitions are those of Biswas and Enea (OOPSLA 2019, Figure 3), with an order Given in the
// place of the session order: a history is at a level if some total order of its transactions, the
// commit order, extends Given and reads-from such that, whenever a transaction i reads x from s,
// and another one w writes x,
//
//	read committed       w before s if i has read anything from w before it reads x
//	read atomic          w before s if w is Given before i, or i reads anything from w
//	causal               w before s if w reaches i by Given and reads-from
//	prefix               w before s if w is, or comes before, one that is Given before i, or
//	                     that i reads from
//	snapshot isolation   prefix; and also if w comes before, or is, one that writes what i writes
//	                     and comes before i
//	serializable         w before s if w comes before i
//
// where "one that comes before i" is by the commit order. Parallel snapshot isolation is that of
// Cerone, Bernardi and Gotsman (CONCUR 2015): some partial order, visibility, extends Given; two
// transactions that write the same object are in it; and each read is from the last of those
// visible to it that write the object.
//
// An object of lists is appended to: a read shows which appends came before, in their order, and
// the order of the appends to an object has to be that of the commits.
type Level struct {
	Model Model
	Given Order
}

// Model is a level without its order.
type Model uint8

// The models, from the weakest; each but the two snapshot isolations and prefix implies those
// before it. See Implies.
const (
	ReadCommitted Model = iota
	ReadAtomic
	Causal
	Prefix
	ParallelSnapshot
	Snapshot
	Serializable
)

var modelNames = []string{"read-committed", "read-atomic", "causal", "prefix", "parallel-snapshot",
	"snapshot-isolation", "serializable"}

// String returns the name of the model as --consistency takes it.
func (m Model) String() string { return modelNames[m] }

// Order is what a commit order has to respect beside what transactions read.
type Order uint8

// The orders; each contains the one before it.
const (
	NoOrder      Order = iota
	SessionOrder       // transactions of one process come in the order of their calls
	RealTime           // as sessions, and what returned comes before what is called later
)

// String returns the name of a level: "serializable", "strong-session-serializable",
// "strict-serializable". Not inlined: it has many callers.
//
//go:noinline
func (l Level) String() string {
	switch {
	case l.Given == RealTime:
		return "strict-" + l.Model.String()
	case l.Given == SessionOrder && l.Model != Causal:
		return "strong-session-" + l.Model.String()
	}
	return l.Model.String()
}

// Levels lists all levels from the weakest: by model, then by order. Causal consistency without
// sessions is not one of them: nobody means that.
func Levels() []Level {
	var all []Level
	for m := ReadCommitted; m <= Serializable; m++ {
		for o := NoOrder; o <= RealTime; o++ {
			if m != Causal || o != NoOrder {
				all = append(all, Level{m, o})
			}
		}
	}
	return all
}

// implied lists for each model those that it implies directly.
var implied = [][]Model{ReadCommitted: nil, ReadAtomic: {ReadCommitted}, Causal: {ReadAtomic}, Prefix: {Causal},
	ParallelSnapshot: {Causal}, Snapshot: {Prefix, ParallelSnapshot}, Serializable: {Snapshot}}

// Implies reports whether every history at level l is at level k.
func (l Level) Implies(k Level) bool { return l.Given >= k.Given && l.Model.implies(k.Model) }

func (m Model) implies(k Model) bool {
	return m == k || slices.ContainsFunc(implied[m], func(w Model) bool { return w.implies(k) })
}

// aliases are other names of levels. Over reads and writes of single objects repeatable read,
// PL-2.99 of Adya, is serializability: they differ by predicates only.
var aliases = map[string]Level{
	"repeatable-read": {Serializable, NoOrder}, "strong-session-repeatable-read": {Serializable, SessionOrder},
	"strict-repeatable-read": {Serializable, RealTime}, "strong-session-causal": {Causal, SessionOrder},
	"linearizable": {Serializable, RealTime}, "strong-serializable": {Serializable, RealTime},
	"strong-snapshot-isolation": {Snapshot, RealTime}, "si": {Snapshot, NoOrder}, "ser": {Serializable, NoOrder},
	"psi": {ParallelSnapshot, NoOrder}, "rc": {ReadCommitted, NoOrder}, "ra": {ReadAtomic, NoOrder},
	"cc": {Causal, SessionOrder},
}

// ParseLevel returns the level of a name, also as others write it: "Snapshot Isolation",
// ":strict-serializable".
func ParseLevel(name string) (Level, error) {
	s := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, ":")), " ", "-")
	for _, l := range Levels() {
		if l.String() == s {
			return l, nil
		}
	}
	if l, ok := aliases[s]; ok {
		return l, nil
	}
	return Level{}, fmt.Errorf("unknown level of isolation %q", name)
}
