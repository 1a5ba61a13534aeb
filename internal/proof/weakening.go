package proof

import (
	"encoding/json"
	"errors"
	"fmt"
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
	return slices.DeleteFunc(slices.Clone(edges), func(e history.Edge) bool {
		return !slices.Contains(c.Given, [2]history.OpID{e.Before, e.After})
	})
}

// weakeningForm is a Weakening in JSON: what is forgotten.
type weakeningForm struct {
	Cut       *history.Rank             `json:"cut,omitempty"`
	From      history.Rank              `json:"from,omitempty"`
	View      int32                     `json:"view,omitempty"`
	Forgotten map[string][]history.OpID `json:"forgotten,omitempty"`
	// Operations that Forgotten lists are numbered up to here.
	Operations int     `json:"operations,omitempty"`
	Start      string  `json:"start,omitempty"`
	Order      *[]pair `json:"order,omitempty"`
	Given      *[]pair `json:"given,omitempty"`
}

// anyStart is what start says where the initial state is forgotten.
const anyStart = "any"

// What Forgotten lists: operations whose result, whose response, of which everything is forgotten.
var forgets = [...]string{RetainResponse: "result", RetainCall: "response", RetainNothing: "all"}

// MarshalJSON writes {"cut": rank, "from": rank, "forgotten": {"result": […], "response": […],
// "all": […]}, "start": "any", "order": […], "given": […]} without what does not apply.
func (c *Weakening) MarshalJSON() ([]byte, error) {
	j := weakeningForm{From: c.From, View: c.View, Operations: len(c.Retain)}
	if c.Cut != history.Never {
		j.Cut = &c.Cut
	}
	for i, k := range c.Retain {
		if k != RetainAll {
			if j.Forgotten == nil {
				j.Forgotten = map[string][]history.OpID{}
			}
			j.Forgotten[forgets[k]] = append(j.Forgotten[forgets[k]], history.OpID(i))
		}
	}
	if c.AnyStart {
		j.Start = anyStart
	}
	if c.SomeOrder {
		j.Order = pairs(c.Order)
	}
	if c.SomeGiven {
		j.Given = pairs(c.Given)
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Weakening) UnmarshalJSON(data []byte) error {
	var j weakeningForm
	if err := strictly(data, &j); err != nil {
		return err
	}
	*c = Weakening{Cut: history.Never, From: j.From, View: j.View}
	if j.Cut != nil {
		c.Cut = *j.Cut
	}
	if j.Operations < 0 || j.Operations > maxOperations {
		return errors.New("the weakening numbers too many operations")
	}
	if j.Operations > 0 {
		c.Retain = make([]Retained, j.Operations)
	}
	for name, positions := range j.Forgotten {
		k := slices.Index(forgets[:], name)
		if k <= 0 {
			return fmt.Errorf("%q cannot be forgotten (want result, response or all)", name)
		}
		for _, i := range positions {
			if i < 0 || int(i) >= len(c.Retain) || c.Retain[i] != RetainAll {
				return fmt.Errorf("forgotten operation %d does not exist, or is listed twice", i)
			}
			c.Retain[i] = Retained(k)
		}
	}
	if j.Order != nil {
		c.Order, c.SomeOrder = unpaired(*j.Order), true
	}
	if j.Given != nil {
		c.Given, c.SomeGiven = unpaired(*j.Given), true
	}
	switch j.Start {
	case "":
	case anyStart:
		c.AnyStart = true
	default:
		return fmt.Errorf("unknown start %q (want any, or none)", j.Start)
	}
	return nil
}

// pair is two operations, the first before the second.
type pair [2]history.OpID

// UnmarshalJSON reads a list of two numbers.
func (p *pair) UnmarshalJSON(data []byte) error {
	var list []history.OpID
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if len(list) != 2 {
		return fmt.Errorf("%s is not a pair of operations", data)
	}
	*p = pair(list)
	return nil
}

func pairs(edges [][2]history.OpID) *[]pair {
	out := make([]pair, len(edges))
	for k, e := range edges {
		out[k] = e
	}
	return &out
}

func unpaired(list []pair) [][2]history.OpID {
	out := make([][2]history.OpID, len(list))
	for k, p := range list {
		out[k] = p
	}
	return out
}
