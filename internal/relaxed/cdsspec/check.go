package cdsspec

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/history"
)

// Verdict is what an execution shows, and what all executions show: the first of this order that
// some execution shows, and Passed if none shows another.
type Verdict uint8

// Verdicts. In one execution they exclude each other: after a data race or an uninitialised load
// nothing else is looked at, and synchronisation only where the conditions hold.
const (
	Passed Verdict = iota
	DataRace
	UninitializedLoad
	Panicked        // the program panics: an assertion of a driver
	Correctness     // a pre- or post-condition does not hold
	Synchronization // a rule of HappensBefore does not hold
	Cycle           // the ordering points have a cycle: the specification does not order the calls
	Endless         // a thread waits for what never comes
	Bounded         // a thread made too many accesses; nothing is known of the rest
	Undecided       // too many orders
	Blocked         // a thread gave up (Assume): not an execution of the program, and not checked
)

func (v Verdict) String() string {
	return [...]string{"passed", "data race", "uninitialized load", "panic", "correctness", "synchronization",
		"cycle of ordering points", "non-termination", "bound of accesses reached", "undecided", "blocked"}[v]
}

// Finding is what one execution shows.
type Finding struct {
	Verdict Verdict
	Graph   *c11.Graph
	Number  int    // of the execution in the search, from 1
	Steps   string // of the execution, for c11.Replay

	// Of a check without annotated points: the history and what linsat says.
	History *history.History
	Result  *linsat.Result

	inside Details
}

// Details are what Finding.Text is made of.
type Details struct {
	Ordering *Ordering // nil if the calls were not looked at
	Trial    Trial     // Correctness, Undecided
	Missing  *Missing  // Synchronization
	// pairs of calls that lack synchronisation, in a check without annotated points
	Needed [][2]int
}

// Inside returns the details of a finding.
func Inside(f *Finding) *Details { return &f.inside }

// Checker checks executions.
type Checker struct {
	Mode Mode
	Seed uint64

	rules   map[*Structure][]HBRule
	methods map[*Structure]map[string]*Method
	labels  map[string]bool // that were ordering points
	limit   int
}

// NewChecker returns a checker that has seen nothing.
func NewChecker(mode Mode, seed uint64) *Checker {
	return &Checker{Mode: mode, Seed: seed, rules: map[*Structure][]HBRule{},
		methods: map[*Structure]map[string]*Method{}, labels: map[string]bool{}, limit: maxReplayed}
}

// Check checks an execution.
func (k *Checker) Check(ctx context.Context, g *c11.Graph) (*Finding, error) {
	f := &Finding{Verdict: ended(g), Graph: g}
	if f.Verdict != Passed {
		return f, nil
	}
	calls, err := Calls(g, k.labels)
	if err != nil {
		return nil, err
	}
	for i := range calls {
		if err := k.meet(calls[i].Method); err != nil {
			return nil, err
		}
	}
	if f.inside.Ordering, err = Order(g, calls); err != nil {
		return nil, err
	}
	if f.inside.Ordering.Cycle != nil {
		f.Verdict = Cycle
		return f, nil
	}
	if f.inside.Trial, err = try(ctx, f.inside.Ordering, k.Mode, k.Seed, k.limit); err != nil {
		return nil, err
	}
	switch {
	case !f.inside.Trial.Decided:
		f.Verdict = Undecided
	case !f.inside.Trial.Passed:
		f.Verdict = Correctness
	default:
		if f.inside.Missing = Synchronised(f.inside.Ordering, k.rules); f.inside.Missing != nil {
			f.Verdict = Synchronization
		}
	}
	return f, nil
}

// ended returns what the outcome of an execution shows; Passed: its calls can be looked at.
func ended(g *c11.Graph) Verdict {
	switch g.Outcome {
	case c11.Race:
		return DataRace
	case c11.Uninitialized:
		return UninitializedLoad
	case c11.Panicked:
		return Panicked
	case c11.Stuck:
		return Endless
	case c11.Bounded:
		return Bounded
	case c11.Blocked:
		return Blocked
	}
	return Passed
}

// meet notes a method, and reads the rules of its structure.
func (k *Checker) meet(m *Method) error {
	of, known := k.methods[m.Of]
	if !known {
		of = map[string]*Method{}
		k.methods[m.Of] = of
		for _, text := range m.Of.Rules {
			r, err := ParseRule(text)
			if err != nil {
				return err
			}
			k.rules[m.Of] = append(k.rules[m.Of], r)
		}
	}
	switch of[m.Name] {
	case m:
		return nil
	case nil:
		of[m.Name] = m
	default:
		return &Misuse{fmt.Sprintf("two methods of %s are named %s", m.Of.Name, m.Name)}
	}
	for _, r := range k.rules[m.Of] {
		for _, side := range [][2]string{{r.From, r.FromIf}, {r.To, r.ToIf}} {
			if side[0] == m.Name && side[1] != "" && m.Conditions[side[1]] == nil {
				return &Misuse{fmt.Sprintf("the rule %q names condition %s, which %s does not have", r.Text,
					side[1], m.Name)}
			}
		}
	}
	return nil
}

// Unused returns what of the specification no execution has used: it may be misspelt, or the
// program too small.
func (k *Checker) Unused() []string {
	var out []string
	for s, of := range k.methods {
		for _, r := range k.rules[s] {
			for _, name := range []string{r.From, r.To} {
				if of[name] == nil {
					out = append(out, fmt.Sprintf("the rule %q is about %s, which no execution calls",
						strings.TrimSpace(r.Text), name))
				}
			}
		}
		for _, m := range of {
			for _, label := range m.Points {
				if !k.labels[label] {
					out = append(out, fmt.Sprintf("no execution reaches the ordering point %q of %s", label, m.Name))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Keep makes the finding outlast the search: it copies the graph.
func (f *Finding) Keep() {
	if f.Graph == nil {
		return
	}
	f.Steps = f.Graph.Steps()
	f.Graph = f.Graph.Clone()
	if f.inside.Ordering != nil {
		f.inside.Ordering.Graph = f.Graph
	}
}
