package proof

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// Argument proves by axioms that a partition is a violation even after the facts that the weakening
// names have been forgotten.
type Argument struct {
	Weakening *Weakening
	Tree      *Node
}

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

// isMode reports whether argument k of an axiom of registers is the number of a mode, not an
// operation.
func (a Axiom) isMode(k int) bool {
	switch a {
	case MODE:
		return k > 0
	case SRC, SI:
		return k == 1
	case BT:
		return k == 1 || k == 4
	case PP:
		return k == 1 || k == 3
	}
	return false
}
