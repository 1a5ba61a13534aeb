package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindDependencyCycles is the kind of *DependencyCycles.
const KindDependencyCycles Kind = "dependency-cycles"

// DependencyCycles proves that a partition of transactions (model.Transactions) is not
// linearizable. Each dependency is a clause that every linearization satisfies, with these
// variables: before(a, b), where time does not order a and b; from(r, s), that the read r of a
// register comes from s or from the start; effect(p), that the pending p takes effect. The lemmas
// refute the clauses. Where no choice is left there is one lemma, the empty one, with all clauses
// as hints in their order.
type DependencyCycles struct {
	about
	Dependencies []Dependency `json:"dependencies" min:"1"`
	Lemmas       []Lemma      `json:"lemmas" min:"1"`
}

// Dependency is an instance of a rule. Variables have numbers in the order in which the clauses
// mention them, from 1, and the literals of a clause are in the order of the rule. Constants are
// left out; a clause without a literal is a variable and its negation, in two clauses.
type Dependency struct {
	Rule DependencyRule `json:"rule"`
	// of the partition; Initial is the start, where it is a source
	Ops []history.OpID `json:"operations"`
	// Register is that of the rule, as the specification numbers it; -1 for none.
	Register model.RegisterID `json:"register" none:"-1"`
}

// DependencyRule is what a Dependency states.
type DependencyRule uint8

// The rules.
const (
	// (r) if r takes effect, it reads the register from some s that can have written the value: one
	// that was not called after r returned, and did not return before a write of the register was
	// called that returned before r was called; or from the start, which returned before all. The
	// sources come in their order, the start first.
	DependencySource    DependencyRule = iota
	DependencyWritten                  // (r, s) if r reads from s, then s comes before r
	DependencyEffective                // (r, s) if r reads from s, then s takes effect
	// (r, s, w) if r reads from s, and w, which writes the register, takes effect, then w comes
	// before s or r before w
	DependencyOverwritten
	DependencyGiven       // (a, b) if both take effect, a comes before b as the history says
	DependencyContradicts // (a) a does not take effect, since it contradicts itself
	DependencyCycle       // (a, b, …, z) not all of a before b, …, z before a
)

// dependencyRules are the names of the rules.
var dependencyRules = []string{"source", "written", "effective", "overwritten", "given", "contradicts", "cycle"}

func (DependencyRule) words() []string  { return dependencyRules }
func (r DependencyRule) String() string { return word(dependencyRules, r) }

// Kind implements Proof.
func (*DependencyCycles) Kind() Kind { return KindDependencyCycles }

// Operations implements Proof: those of the dependencies. Who can have written a value rests on
// what all others wrote, too.
func (d *DependencyCycles) Operations(*model.Instance) []history.OpID {
	var all []history.OpID
	for _, x := range d.Dependencies {
		all = append(all, x.Ops...)
	}
	return positions(all)
}
