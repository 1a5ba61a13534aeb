package proof

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// Weakening says which facts of a partition are forgotten; a proof refutes what is left. Forgetting
// never turns a linearizable partition into a violation, so the proof refutes the partition, too.
// The zero Weakening with Cut = history.Never forgets nothing.
type Weakening struct {
	// Cut is the future that is forgotten: operations called after this rank are gone, and what was
	// open then is pending with an unknown result.
	Cut history.Rank
	// From is the past that is forgotten: operations that returned before this rank are gone, any
	// state may be there (of a RegisterTheory that is FromInit, any of its values), and what was
	// open then may have happened already or happens with its own result before its own return.
	// 0: nothing.
	From history.Rank
	// Retain says for every operation of the partition what is kept of it; nil: everything.
	Retain []Retained
	// AnyStart forgets the initial state: any state may be there at the start.
	AnyStart bool
	// Order lists the facts of real time that are kept, pairs of positions; used if SomeOrder is
	// set, else all are.
	Order     [][2]history.OpID
	SomeOrder bool
	// Given lists the explicit order that is kept, in the same way.
	Given     [][2]history.OpID
	SomeGiven bool
	// View is the number of the view of the partition (model.Instance.View) that is refuted, 0 for
	// the partition itself.
	View int32
}

// Retained says what is kept of an operation.
type Retained uint8

// What is kept.
const (
	RetainAll      Retained = iota
	RetainResponse          // it returned at its time, with any result
	// it may have taken effect at any time after its call, with any result, or never
	RetainCall
	// it is gone: only together with all other operations on the same value of a collection
	RetainNothing
)

func (k Retained) String() string { return [...]string{"all", "response", "call", "nothing"}[k] }

// Everything is the weakening that forgets nothing.
func Everything() *Weakening { return &Weakening{Cut: history.Never} }

// Of returns what is kept of operation i, apart from cuts.
func (c *Weakening) Of(i history.OpID) Retained {
	if c.Retain == nil {
		return RetainAll
	}
	return c.Retain[i]
}

// KeepGiven returns those of a partition's explicit edges that the weakening keeps.
func (c *Weakening) KeepGiven(edges []history.Edge) []history.Edge {
	if !c.SomeGiven {
		return edges
	}
	return slices.DeleteFunc(slices.Clone(edges), func(e history.Edge) bool { return !slices.Contains(c.Given, [2]history.OpID{e.Before, e.After}) })
}
