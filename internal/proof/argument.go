package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindArgument is the kind of *Argument.
const KindArgument Kind = "argument"

// Argument proves by axioms that a partition is a violation even after the facts that the weakening
// names have been forgotten.
type Argument struct {
	Weakening *Weakening `json:"weakening"`
	Tree      *Node      `json:"steps"`
}

// Kind implements Proof.
func (*Argument) Kind() Kind { return KindArgument }

// Refutes implements Proof.
func (a *Argument) Refutes() *Weakening { return a.Weakening }

// Operations implements Proof: the operations that the axioms are applied to.
func (a *Argument) Operations(*model.Instance) []history.OpID {
	var ops []history.OpID
	a.Tree.axioms(func(axiom Axiom, args []history.OpID) { ops = append(ops, axiom.operations(args)...) })
	return positions(ops)
}

func (*Argument) sealed() {}

// Node is a node of an argument: steps one after the other, then either a
// contradiction, which is the last step, or a split into cases.
type Node struct {
	Steps []Step
	Split *Split
}

// Step is an instance of an axiom in which every literal except So is already false. If So is
// proof.False, all are: a contradiction.
type Step struct {
	Axiom Axiom
	Args  []history.OpID
	Given []Literal // for families of axioms: literals that are true already
	So    Literal
}

// Contradiction reports whether the step ends a proof.
func (s Step) Contradiction() bool { return s.So.Kind == False }

// String names the instance, with numbers of operations.
func (s *Split) String() string { return "split " + head(s.Axiom, s.Args) }

// Split is an instance of an axiom, with a case for each of its literals that is not already false,
// in its order.
type Split struct {
	Axiom Axiom
	Args  []history.OpID
	Cases []*Node
}

// Size is how long an argument is.
type Size struct{ Steps, Leaves, Depth int }

// Size counts steps, contradictions and nested splits.
func (a *Node) Size() Size {
	s := Size{Steps: len(a.Steps)}
	if a.Split == nil {
		s.Leaves = 1
		return s
	}
	for _, c := range a.Split.Cases {
		k := c.Size()
		s.Steps += k.Steps
		s.Leaves += k.Leaves
		s.Depth = max(s.Depth, k.Depth+1)
	}
	return s
}

// Each calls visit with every step, those of cases after those before the split.
func (a *Node) Each(visit func(s *Step)) {
	for i := range a.Steps {
		visit(&a.Steps[i])
	}
	if a.Split != nil {
		for _, c := range a.Split.Cases {
			c.Each(visit)
		}
	}
}

// Renamed returns the argument with other positions of operations. Their order must stay the same,
// and negative numbers, which stand for no operation, must stay as they are. The argument must not
// name modes.
func (a *Node) Renamed(name func(i history.OpID) history.OpID) *Node {
	args := func(of []history.OpID) []history.OpID {
		own := slices.Clone(of)
		for k, i := range own {
			own[k] = name(i)
		}
		return own
	}
	literal := func(l Literal) Literal {
		switch l.Kind {
		case OrderKind, SourceKind:
			l.A, l.B = name(l.A), name(l.B)
		case InKind, ModeKind:
			l.A = name(l.A)
		}
		return l
	}
	own := &Node{Steps: slices.Clone(a.Steps)}
	for k := range own.Steps {
		s := &own.Steps[k]
		s.Args, s.Given, s.So = args(s.Args), slices.Clone(s.Given), literal(s.So)
		for i, l := range s.Given {
			s.Given[i] = literal(l)
		}
	}
	if a.Split != nil {
		own.Split = &Split{Axiom: a.Split.Axiom, Args: args(a.Split.Args)}
		for _, c := range a.Split.Cases {
			own.Split.Cases = append(own.Split.Cases, c.Renamed(name))
		}
	}
	return own
}

// axioms calls visit with every instance of an axiom, including those of splits.
func (a *Node) axioms(visit func(axiom Axiom, args []history.OpID)) {
	for i := range a.Steps {
		visit(a.Steps[i].Axiom, a.Steps[i].Args)
	}
	if a.Split != nil {
		visit(a.Split.Axiom, a.Split.Args)
		for _, c := range a.Split.Cases {
			c.axioms(visit)
		}
	}
}

// Operations are the arguments that are operations, not numbers of modes.
func (s *Step) Operations() []history.OpID { return s.Axiom.operations(s.Args) }

// operations are the arguments of an axiom that are operations.
func (a Axiom) operations(args []history.OpID) []history.OpID {
	switch {
	case a == MODE && len(args) > 0 || a == SRC && len(args) == 2:
		return args[:1]
	case a == BT && len(args) == 5:
		return []history.OpID{args[0], args[2], args[3]}
	case a == PP && len(args) == 4, a == SI && len(args) == 3:
		return []history.OpID{args[0], args[2]}
	}
	return args
}

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
