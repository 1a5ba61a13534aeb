package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
)

// Arguments in JSON: a list of lines, one a step; the last is a contradiction or an object that
// splits.
//
//	["RT 3 5: 3<5", "SRC 5 0: src(5,INIT)", "INV 3 7 | 3<7 9<3: false"]
//	["SRC 5 0: …", {"split": "EITHER 2 4", "cases": [[…], […]]}]

// String is the step on one line: axiom and arguments, what is given, what follows.
func (s Step) String() string {
	b := head(s.Axiom, s.Args)
	if len(s.Given) > 0 {
		b += " |"
		for _, g := range s.Given {
			b += " " + g.String()
		}
	}
	return b + ": " + s.So.String()
}

func head(axiom Axiom, args []int32) string {
	b := string(axiom)
	for _, a := range args {
		b += " " + OperationName(a)
	}
	return b
}

func parseHead(text string) (axiom Axiom, args []int32, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return "", nil, errors.New("a step without an axiom")
	}
	for _, w := range words[1:] {
		a, err := ParseOperation(w)
		if err != nil {
			return "", nil, fmt.Errorf("%q is no operation", w)
		}
		args = append(args, a)
	}
	return Axiom(words[0]), args, nil
}

// ParseStep reads what Step.String writes.
func ParseStep(line string) (Step, error) {
	var s Step
	text, so, ok := strings.Cut(line, ": ")
	if !ok {
		return s, fmt.Errorf("%s: a step says what follows", strconv.Quote(line))
	}
	text, given, _ := strings.Cut(text, "|")
	var err error
	if s.Axiom, s.Args, err = parseHead(text); err != nil {
		return s, err
	}
	for _, g := range strings.Fields(given) {
		l, err := ParseLiteral(g)
		if err != nil {
			return s, err
		}
		s.Given = append(s.Given, l)
	}
	s.So, err = ParseLiteral(so)
	return s, err
}

type splitJSON struct {
	Split string      `json:"split"`
	Cases []*Argument `json:"cases"`
}

// MarshalJSON writes the argument as a list.
func (a *Argument) MarshalJSON() ([]byte, error) {
	lines := make([]any, 0, len(a.Steps)+1)
	for _, s := range a.Steps {
		lines = append(lines, s.String())
	}
	if a.Split != nil {
		lines = append(lines, splitJSON{head(a.Split.Axiom, a.Split.Args), a.Split.Cases})
	}
	return plainJSON(lines)
}

// plainJSON leaves < and > as they are.
func plainJSON(x any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Argument) UnmarshalJSON(data []byte) error {
	var lines []json.RawMessage
	if err := json.Unmarshal(data, &lines); err != nil {
		return err
	}
	*a = Argument{}
	for k, raw := range lines {
		if raw[0] == '{' {
			var s splitJSON
			if err := json.Unmarshal(raw, &s); err != nil {
				return err
			}
			if k != len(lines)-1 {
				return errors.New("steps after a split")
			}
			axiom, args, err := parseHead(s.Split)
			if err != nil {
				return err
			}
			for _, c := range s.Cases {
				if c == nil {
					return errors.New("a case without an argument")
				}
			}
			a.Split = &Split{axiom, args, s.Cases}
			continue
		}
		var line string
		if err := json.Unmarshal(raw, &line); err != nil {
			return err
		}
		s, err := ParseStep(line)
		if err != nil {
			return err
		}
		a.Steps = append(a.Steps, s)
	}
	return nil
}

// maxOperations bounds what a claim in JSON may make us allocate.
const maxOperations = 1 << 26

// A claim in JSON: what is forgotten.
type claimJSON struct {
	Cut       *int32             `json:"cut,omitempty"`
	From      int32              `json:"from,omitempty"`
	View      int32              `json:"view,omitempty"`
	Forgotten map[string][]int32 `json:"forgotten,omitempty"`
	// Operations that Forgotten lists are numbered up to here.
	Operations int         `json:"operations,omitempty"`
	Start      string      `json:"start,omitempty"`
	Order      *[][2]int32 `json:"order,omitempty"`
	Given      *[][2]int32 `json:"given,omitempty"`
}

// anyStart is what start says where the initial state is forgotten.
const anyStart = "any"

// What Forgotten lists: operations whose result, whose response, of which everything is forgotten.
var forgets = [...]string{RetainResponse: "result", RetainCall: "response", RetainNothing: "all"}

// MarshalJSON writes {"cut": rank, "from": rank, "forgotten": {"result": […], "response": […],
// "all": […]}, "start": "any", "order": […], "given": […]} without what does not apply.
func (c *Weakening) MarshalJSON() ([]byte, error) {
	j := claimJSON{From: c.From, View: c.View, Operations: len(c.Retain)}
	if c.Cut != history.Never {
		j.Cut = &c.Cut
	}
	for i, k := range c.Retain {
		if k != RetainAll {
			if j.Forgotten == nil {
				j.Forgotten = map[string][]int32{}
			}
			j.Forgotten[forgets[k]] = append(j.Forgotten[forgets[k]], int32(i))
		}
	}
	if c.AnyStart {
		j.Start = anyStart
	}
	if c.SomeOrder {
		order := append([][2]int32{}, c.Order...)
		j.Order = &order
	}
	if c.SomeGiven {
		given := append([][2]int32{}, c.Given...)
		j.Given = &given
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Weakening) UnmarshalJSON(data []byte) error {
	var j claimJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*c = Weakening{Cut: history.Never, From: j.From, View: j.View}
	if j.Cut != nil {
		c.Cut = *j.Cut
	}
	if j.Operations < 0 || j.Operations > maxOperations {
		return errors.New("the claim numbers too many operations")
	}
	if j.Operations > 0 {
		c.Retain = make([]Retained, j.Operations)
	}
	for name, positions := range j.Forgotten {
		k := slices.Index(forgets[:], name)
		if k <= 0 {
			return fmt.Errorf("nobody knows how to forget %q", name)
		}
		for _, i := range positions {
			if i < 0 || int(i) >= len(c.Retain) || c.Retain[i] != RetainAll {
				return fmt.Errorf("operation %d is forgotten, which does not exist or is forgotten twice", i)
			}
			c.Retain[i] = Retained(k)
		}
	}
	if j.Order != nil {
		c.Order, c.SomeOrder = *j.Order, true
	}
	if j.Given != nil {
		c.Given, c.SomeGiven = *j.Given, true
	}
	switch j.Start {
	case "":
	case anyStart:
		c.AnyStart = true
	default:
		return fmt.Errorf("a claim about %q as its start is unknown", j.Start)
	}
	return nil
}
