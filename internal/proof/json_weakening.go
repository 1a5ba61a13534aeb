package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
)

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

// exhaustionForm is an Exhaustion in JSON.
type exhaustionForm struct {
	header
	Weakening *Weakening `json:"weakening"`
	Cases     int        `json:"cases"`
}

func (f *exhaustionForm) write(p Proof) error {
	e := p.(*Exhaustion)
	*f = exhaustionForm{header{KindExhaustion, version}, e.Weakening, e.Cases}
	return f.complete()
}

func (f *exhaustionForm) read() (Proof, error) {
	return &Exhaustion{Weakening: f.Weakening, Cases: f.Cases}, f.complete()
}

// pairingForm is a Pairing in JSON.
type pairingForm struct{ exhaustionForm }

func (f *pairingForm) write(p Proof) error {
	e := p.(*Pairing)
	f.exhaustionForm = exhaustionForm{header{KindPairing, version}, e.Weakening, e.Cases}
	return f.complete()
}

func (f *pairingForm) read() (Proof, error) {
	return &Pairing{Weakening: f.Weakening, Cases: f.Cases}, f.complete()
}

// saturationForm is a Saturation in JSON.
type saturationForm struct{ exhaustionForm }

func (f *saturationForm) write(p Proof) error {
	e := p.(*Saturation)
	f.exhaustionForm = exhaustionForm{header{KindSaturation, version}, e.Weakening, e.Cases}
	return f.complete()
}

func (f *saturationForm) read() (Proof, error) {
	return &Saturation{Weakening: f.Weakening, Cases: f.Cases}, f.complete()
}

func (f *exhaustionForm) complete() error {
	switch {
	case f.Weakening == nil:
		return missing("weakening")
	case f.Cases <= 0:
		return errors.New("no case was tried")
	}
	return nil
}
