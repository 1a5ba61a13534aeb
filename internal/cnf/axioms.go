package cnf

// Axiom is the name of a rule of a theory. Its instances are clauses.
type Axiom string

// The axioms of every theory.
const (
	transitive Axiom = "transitivity"
	given      Axiom = "explicit order"
	Canonical  Axiom = "canonical order of identical operations"
	Outcome    Axiom = "outcome of an operation" // which of its modes, whether it took effect
)

// The axioms of collections.
const (
	FirstInFirstOut Axiom = "first in, first out"
	LastInFirstOut  Axiom = "last in, first out"
	BestFirst       Axiom = "the best leaves first"
	Empty           Axiom = "nothing is there when nothing is found"
	InsertedFirst   Axiom = "a value is inserted before it leaves"
	Present         Axiom = "a value is there when it is seen"
	Matched         Axiom = "what leaves was inserted, each once"
)

// Counted is the axiom of numbers (unary.go).
const Counted Axiom = "a number has one value"
