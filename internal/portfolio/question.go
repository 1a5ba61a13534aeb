package portfolio

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
)

// Question is what is asked of a history.
type Question struct {
	Spec    model.Spec
	History *history.History
	Quasi   *quasi.Question // nil for plain linearizability
	// Free, unless it is nil, marks the classes whose least bound is asked for.
	Free []bool
}

// Options say how the question is decided.
type Options struct {
	Engines Engines
	Quasi   bool // the question is one under a factor
	// Solver makes the solvers of the SAT engine, nil the built-in one; SolverName is what results
	// call it.
	Solver       func() solver.Solver
	SolverName   string
	Partitioning model.Partitioning
	Workers      int // partitions decided at once, at least 1
	// Sequential asks for one engine after the other and no race, so that the same history gets the
	// same answer with the same effort.
	Sequential bool
	// First ends with the first partition that is refuted.
	First bool
	// VerdictOnly says that the operation that cannot be placed is not asked for.
	VerdictOnly bool
	// Explain is the time that the explanation of a violation may take; some of what is left is
	// kept for it.
	Explain time.Duration
	// Violation is called with the answer so far as soon as a partition is refuted, and again with
	// one that comes before it in the order of partitions. It may be nil.
	Violation func(result.Result)
}

// Engines says which engines decide.
type Engines string

// The choices. Auto and All may use every engine, but All not SMT, which differs by what is
// installed; the others only the one that they name.
const (
	Auto    Engines = "auto" // the first that answers
	All     Engines = "all"  // every engine to the end; that two contradict each other is an error
	Search  Engines = "search"
	SAT     Engines = "sat"
	Monitor Engines = "monitor"
	SMT     Engines = "smt" // by the first program that is installed; "smt:z3" names one
)

// ParseEngines reads the name of a choice.
func ParseEngines(s string) (Engines, error) {
	switch e := Engines(s); e {
	case Auto, All, Search, SAT, Monitor:
		return e, nil
	default:
		if program, ok := e.smt(); ok {
			_, err := smtEngine(program)
			return e, err
		}
	}
	return "", fmt.Errorf("unknown engine %q (want auto, all, search, sat, monitor or smt)", s)
}

// Portfolio decides a question under its options.
type Portfolio struct {
	o       Options
	probing engine.Decider // the search of the probe
	once    sync.Once
	made    []member // by team
	// notAsked says why no SMT solver is among them, where one would be.
	notAsked string
	share    sync.Once // of SMT solvers under All, which ends at smtUntil
	smtUntil time.Time
	plain    func() *Portfolio // for the plain questions of one under a factor
	spec     model.Spec
	begun    bool
	whole    bool   // the monitors are asked about the unpartitioned history first
	parts    []part // nil before the history is split
	done     int    // so many parts are decided, the first ones
	// known is the refuted partition that comes first among those that are known.
	known known
}

// New returns a portfolio for one question.
func New(o Options) *Portfolio {
	p := &Portfolio{o: o}
	p.probing = p.search()
	p.plain = sync.OnceValue(func() *Portfolio {
		o.Quasi = false
		return New(o)
	})
	return p
}

// Decide decides one partition with all engines of the options.
func (p *Portfolio) Decide(ctx context.Context, q *engine.Task, b *engine.Budget) (engine.Answer, error) {
	d, err := p.one(ctx, q, b)
	return d.Answer, err
}
