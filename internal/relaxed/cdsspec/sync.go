package cdsspec

import (
	"fmt"
	"regexp"
)

// HBRule asks for synchronisation: calls of From that fulfil FromIf happen before later calls of To
// that fulfil ToIf. An empty condition is true.
type HBRule struct {
	Text                   string
	From, FromIf, To, ToIf string
}

var ruleForm = regexp.MustCompile(`^\s*(\w+)\s*(?:\(\s*(\w*)\s*\))?\s*->\s*(\w+)\s*(?:\(\s*(\w*)\s*\))?\s*$`)

// ParseRule reads "m(c) -> n(d)".
func ParseRule(text string) (HBRule, error) {
	m := ruleForm.FindStringSubmatch(text)
	if m == nil {
		return HBRule{}, &Misuse{fmt.Sprintf("the rule %q is not of the form m(condition) -> n(condition)", text)}
	}
	return HBRule{text, m[1], m[2], m[3], m[4]}, nil
}

// Missing is a synchronisation that a rule asks for and happens-before does not give.
type Missing struct {
	Before, After int // calls
	Rule          HBRule
}

// Synchronised returns the first pair of calls that a rule is about, the second later than the
// first by their ordering points, such that the beginning of the first does not happen before the
// end of the second; nil if there is none. rules are those of each structure.
func Synchronised(o *Ordering, rules map[*Structure][]HBRule) *Missing {
	for a := range o.Calls {
		first := &o.Calls[a]
		for _, r := range rules[first.Method.Of] {
			if !first.matches(r.From, r.FromIf) {
				continue
			}
			for b := range o.Calls {
				second := &o.Calls[b]
				if second.Method.Of == first.Method.Of && second.matches(r.To, r.ToIf) && second.ID == first.ID &&
					o.Later(a, b) && !o.Graph.NoteHB(first.Began, second.Ended) {
					return &Missing{a, b, r}
				}
			}
		}
	}
	return nil
}

// matches reports whether the call is one of those that a rule is about.
func (c *Call) matches(method, condition string) bool {
	return c.Done() && c.Method.Name == method && (condition == "" || c.Holds[condition])
}
