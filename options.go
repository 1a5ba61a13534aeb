package linsat

import (
	"fmt"
	"time"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
)

// Option changes how Check goes about its work. Check refuses options that make no sense.
type Option func(*config)

type config struct {
	engine  EngineChoice
	timeout time.Duration
	memory  int64
	steps   int64
	scope   model.Partitioning
	relax   *quasi.Question
	least   *quasi.Request
	workers int
	solver  choice // of the engine sat
	// solverSet says whether Solver was given, and asked how many options ask for
	// quasi-linearizability.
	solverSet bool
	asked     int
	// first is content with the first part that is refuted.
	first bool
	// allCores asks for every disjoint core, not only one.
	allCores bool
	// anyReason is content with whatever certifies a no.
	anyReason bool
	// argueFor is the time for the reasons of a no.
	argueFor time.Duration
	// locateFor is the time for finding the operation that cannot be placed; unset, as long as
	// reasons are looked for.
	locateFor *time.Duration
}

// EngineChoice says which engines decide.
type EngineChoice = portfolio.Engines

// The choices. Auto and All may use every engine; the others only the one that they name.
const (
	Auto       = portfolio.Auto // whatever answers first, witness replayed
	All        = portfolio.All  // every engine to the end; a disagreement is an error
	OnlySearch = portfolio.Search
	OnlySAT    = portfolio.SAT
	OnlyPoly   = portfolio.Monitor
)

// ParseEngine is for command lines.
func ParseEngine(s string) (EngineChoice, error) { return portfolio.ParseEngines(s) }

// ParseScope reads what --split takes.
func ParseScope(s string) (model.Partitioning, error) {
	for _, scope := range [...]model.Partitioning{model.ByKey, model.ByObject, model.Unpartitioned} {
		if s == scope.String() {
			return scope, nil
		}
	}
	return 0, fmt.Errorf("unknown split %q: it is pieces, objects or none", s)
}

// Engine chooses the engines; the default is Auto.
func Engine(e EngineChoice) Option { return func(c *config) { c.engine = e } }

// choice is a solver with its name, nothing for the built-in one.
type choice struct {
	factory solver.Factory
	name    string
}

// Solver sets what decides the clauses of the SAT engine, instead of the built-in gini. The engine
// is then called "sat (name)" in results. The reasons of a no are still looked for with gini.
func Solver(factory solver.Factory, name string) Option {
	made := func() solver.Solver {
		s := factory()
		if s == nil {
			panic("the solver factory made no solver")
		}
		return s
	}
	return func(c *config) {
		c.solver, c.solverSet = choice{nil, name}, true
		if factory != nil {
			c.solver.factory = made
		}
	}
}

// Timeout bounds the time of the whole Check; 0, the default, means no bound but that of the
// context.
func Timeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// Memory bounds the memory of the Go heap, in bytes, while Check runs; 0, the default, means no
// bound.
func Memory(bytes int64) Option { return func(c *config) { c.memory = bytes } }

// Steps bounds the attempts to apply an operation to a state, over all parts; 0, the default, means
// no bound. With a bound the parts are searched one after another and nothing races, so
// that the same history always gets the same answer with the same effort.
func Steps(n int64) Option { return func(c *config) { c.steps = n } }

// Split chooses how far the history is divided into parts; the default is model.ByKey,
// under a relaxation model.ByObject.
func Split(s model.Partitioning) Option { return func(c *config) { c.scope = s } }

// Quasi asks for quasi-linearizability under r instead of linearizability. A factor
// whose bounds are all 0 still drains what is left over if r says so.
func Quasi(r quasi.Question) Option {
	return func(c *config) { c.relax, c.asked = copied(r), c.asked+1 }
}

// QuasiLeast asks for the least bound of the classes that request leaves free, under the meaning
// and the draining of r; r's factor is not used.
func QuasiLeast(request quasi.Request, r quasi.Question) Option {
	return func(c *config) { c.least, c.relax, c.asked = &request, copied(r), c.asked+1 }
}

// First ends the check as soon as some part is not linearizable, and leaves the others unjudged.
// Which one that is may differ from run to run. Without it all parts are judged.
func First() Option { return func(c *config) { c.first = true } }

// Workers bounds how many parts are judged at once; 0, the default, means GOMAXPROCS.
func Workers(n int) Option { return func(c *config) { c.workers = n } }

// Argue bounds the time spent, after a no, on its reasons: a minimal core and an argument that
// certify judges; the default is 5 s, within the timeout. With 0 a no comes without reasons and
// uncertified, and unless Locate says otherwise also without the operation that cannot be placed,
// where the engine that refuted does not know it: only the verdict counts.
func Argue(d time.Duration) Option { return func(c *config) { c.argueFor = d } }

// Locate bounds the time spent, after a no, on finding the operation that cannot be placed, where
// the engine that refuted does not know it; the default is 2 s, and 0 after Argue(0).
func Locate(d time.Duration) Option { return func(c *config) { c.locateFor = &d } }

// AnyReason asks, for a no, only for what certifies it soonest: the evidence of an engine, where
// there is some, and a core only where there is none. Unless Locate says otherwise the operation
// that cannot be placed is not looked for.
func AnyReason() Option { return func(c *config) { c.anyReason = true } }

// AllCores asks for all reasons of a no that share no fact, one after the other, as far as the time
// of Argue goes.
func AllCores() Option { return func(c *config) { c.allCores = true } }
