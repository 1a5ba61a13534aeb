package smt

import (
	"fmt"
	"io"
	"strings"
)

// script is a formula as text. Terms are strings: yes and no stand for constants, which fold.
type script struct {
	logic    string
	declared []string
	asserted []string
	size     int
	ended    func() error // of a context: why the time is up
}

const (
	yes = "true"
	no  = "false"
)

// integer and boolean declare constants.
func (s *script) integer(name string) string { return s.declare(name, "Int") }

func (s *script) boolean(name string) string { return s.declare(name, "Bool") }

// declare adds a constant, and returns its name. Not inlined: it has many callers.
//
//go:noinline
func (s *script) declare(name, sort string) string {
	s.declared = append(s.declared, "(declare-const "+name+" "+sort+")")
	s.size += len(name) + 24
	return name
}

// assert adds a formula. Not inlined: it has many callers.
//
//go:noinline
func (s *script) assert(term string) {
	if term == yes {
		return
	}
	s.size += len(term)
	s.asserted = append(s.asserted, term)
}

// room reports whether the formula is within the limit, and the time is not up.
func (s *script) room() bool { return s.size <= maxScript && s.ended() == nil }

// imply asserts that the conditions imply one of the alternatives.
func (s *script) imply(conditions []string, alternatives ...string) {
	all := alternatives[:len(alternatives):len(alternatives)]
	for _, c := range conditions {
		all = append(all, not(c))
	}
	s.assert(or(all...))
}

// write writes the formula.
func (s *script) write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "(set-logic %s)\n(set-option :produce-models true)\n", s.logic); err != nil {
		return err
	}
	for _, d := range s.declared {
		if _, err := io.WriteString(w, d+"\n"); err != nil {
			return err
		}
	}
	for _, a := range s.asserted {
		if _, err := io.WriteString(w, "(assert "+a+")\n"); err != nil {
			return err
		}
	}
	return nil
}

func not(x string) string {
	switch x {
	case yes:
		return no
	case no:
		return yes
	}
	return "(not " + x + ")"
}

func or(terms ...string) string { return fold("or", yes, no, terms) }

func and(terms ...string) string { return fold("and", no, yes, terms) }

// fold joins terms; one that is all makes the whole so, and those that are nothing are left out.
func fold(op, all, nothing string, terms []string) string {
	var kept []string
	for _, t := range terms {
		switch t {
		case all:
			return all
		case nothing:
		default:
			kept = append(kept, t)
		}
	}
	switch len(kept) {
	case 0:
		return nothing
	case 1:
		return kept[0]
	}
	return "(" + op + " " + strings.Join(kept, " ") + ")"
}

// less says x+by ≤ y, for constants x and y of the script.
func less(x string, by int, y string) string {
	if by <= 0 {
		return fmt.Sprintf("(<= (- %s %s) %d)", x, y, -by)
	}
	return fmt.Sprintf("(<= (- %s %s) (- %d))", x, y, by)
}

// atLeast and atMost compare a constant of the script with a number.
func atLeast(x string, k int) string {
	if k < 0 {
		return fmt.Sprintf("(>= %s (- %d))", x, -k)
	}
	return fmt.Sprintf("(>= %s %d)", x, k)
}

func atMost(x string, k int) string {
	if k < 0 {
		return fmt.Sprintf("(<= %s (- %d))", x, -k)
	}
	return fmt.Sprintf("(<= %s %d)", x, k)
}

// is says that a constant of the script is k ≥ 0.
func is(x string, k int) string { return fmt.Sprintf("(= %s %d)", x, k) }
