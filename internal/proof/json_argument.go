package proof

import (
	"encoding/json"
	"errors"
	"fmt"
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

func head(axiom Axiom, args []history.OpID) string {
	b := string(axiom)
	for _, a := range args {
		b += " " + OperationName(a)
	}
	return b
}

func parseHead(text string) (axiom Axiom, args []history.OpID, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return "", nil, errors.New("a step without an axiom")
	}
	for _, w := range words[1:] {
		a, err := ParseOperation(w)
		if err != nil {
			return "", nil, fmt.Errorf("%q is not an operation", w)
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
		return s, fmt.Errorf("%s: a step must say what follows, after a colon", strconv.Quote(line))
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
	Split string  `json:"split"`
	Cases []*Node `json:"cases"`
}

// MarshalJSON writes the argument as a list.
func (a *Node) MarshalJSON() ([]byte, error) {
	lines := make([]any, 0, len(a.Steps)+1)
	for _, s := range a.Steps {
		lines = append(lines, s.String())
	}
	if a.Split != nil {
		lines = append(lines, splitJSON{head(a.Split.Axiom, a.Split.Args), a.Split.Cases})
	}
	return plainJSON(lines)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Node) UnmarshalJSON(data []byte) error {
	var lines []json.RawMessage
	if err := json.Unmarshal(data, &lines); err != nil {
		return err
	}
	*a = Node{}
	for k, raw := range lines {
		if raw[0] == '{' {
			var s splitJSON
			if err := strictly(raw, &s); err != nil {
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

// argumentForm is an Argument in JSON.
type argumentForm struct {
	header
	Weakening *Weakening `json:"weakening"`
	Steps     *Node      `json:"steps"`
}

func (f *argumentForm) write(p Proof) error {
	a := p.(*Argument)
	*f = argumentForm{header{KindArgument, version}, a.Weakening, a.Tree}
	return f.complete()
}

func (f *argumentForm) read() (Proof, error) {
	return &Argument{Weakening: f.Weakening, Tree: f.Steps}, f.complete()
}

func (f *argumentForm) complete() error {
	switch {
	case f.Weakening == nil:
		return missing("weakening")
	case f.Steps == nil:
		return missing("steps")
	}
	return nil
}
