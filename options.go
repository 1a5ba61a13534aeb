package linsat

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
	"github.com/linsat/linsat/spec"
)

// Option changes how Check works. Check refuses options that make no sense.
type Option func(*config)

type config struct {
	engine       portfolio.Engines
	timeout      time.Duration
	memory       int64
	cache        int
	steps        int64
	partition    Partitioning // as Partition was given it
	partitioning model.Partitioning
	quasi        *quasi.Question
	free         []bool // the classes whose least bound is asked for
	workers      int
	solver       solverChoice
	solverSet    bool // Solver was given
	questions    int  // how many options ask for quasi-linearizability
	first        bool
	explanation  ExplainOptions
	reasons      time.Duration // for core and argument of a violation; 0 for none
	locate       time.Duration // for the operation that cannot be placed
}

// solverChoice is a solver with its name, nothing for the built-in one.
type solverChoice struct {
	factory func() solver.Solver
	name    string
}

// Engines names the engines that answer.
type Engines string

// The engines, instead of the first that answers. AllEngines asks every one to the end;
// two that contradict each other are an error. The others are one engine alone.
const (
	AllEngines Engines = "all"
	Search     Engines = "search"
	SAT        Engines = "sat"
	Monitor    Engines = "monitor"
)

// Engine chooses the engines.
func Engine(e Engines) Option { return func(c *config) { c.engine = portfolio.Engines(e) } }

// Solver sets what decides the clauses of the SAT engine, instead of the built-in gini. The engine
// is then called "sat (name)" in results. Explanations are still looked for with gini.
func Solver(factory func() solver.Solver, name string) Option {
	made := func() solver.Solver {
		s := factory()
		if s == nil {
			panic("the solver factory made no solver")
		}
		return s
	}
	return func(c *config) {
		c.solver, c.solverSet = solverChoice{nil, name}, true
		if factory != nil {
			c.solver.factory = made
		}
	}
}

// Timeout bounds the time of the whole Check; 0, the default, means no bound but that of the
// context.
func Timeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// Memory bounds the memory that the check itself holds, in bytes: the tables and formulas of its
// engines, estimated. What else the program holds, its history and what the garbage collector has
// not freed yet do not count. Near the bound searches forget what they learned and go on; if that
// is not enough, the verdict is Unknown. 0, the default, means no bound, but one search keeps at
// most 512 MB.
func Memory(bytes int64) Option { return func(c *config) { c.memory = bytes } }

// Cache bounds how many learned configurations each search keeps; those not used for longest are
// forgotten, which costs time and never changes a verdict. 0, the default, means no bound. Where
// memory is bounded, searches forget in any case, before the bound is reached.
func Cache(configurations int) Option { return func(c *config) { c.cache = configurations } }

// Steps bounds the attempts to apply an operation to a state, over all partitions; 0, the default,
// means no bound. With a bound the partitions are searched one after another and nothing races, so
// that the same history always gets the same answer with the same effort.
func Steps(n int64) Option { return func(c *config) { c.steps = n } }

// Partitioning is how far a history is split into partitions that are decided separately.
type Partitioning string

// The ways to split a history, instead of by object and by key of a map or element of a set.
// ByObject is the default under a quasi factor. Whole does not split.
const (
	ByObject Partitioning = "object"
	Whole    Partitioning = "none"
)

// Partition chooses how far the history is split.
func Partition(by Partitioning) Option { return func(c *config) { c.partition = by } }

// Quasi asks for quasi-linearizability under q instead of linearizability, or for the least bound
// of the classes that q leaves free. Of a register, a map or a set it asks how old reads may be;
// such answers have neither Unplaced nor certificates. Even if all bounds are 0, left-over items
// are drained if q says so.
func Quasi(q quasi.Question) Option {
	return func(c *config) { c.quasi, c.questions = copied(q), c.questions+1 }
}

// First ends the check as soon as some partition is not linearizable, and leaves the others
// undecided. Which one that is may differ from run to run. Without it all partitions are decided.
func First() Option { return func(c *config) { c.first = true } }

// Workers bounds how many partitions are decided at once; 0, the default, means GOMAXPROCS.
func Workers(n int) Option { return func(c *config) { c.workers = n } }

// Cores says which cores of a violation are looked for.
type Cores string

// The choices of cores, instead of a minimal one: all that share no fact, one after the other, as
// far as the time permits; what certifies the violation soonest, the evidence of an engine or a
// core; none: only the verdict counts, and a violation is neither explained nor certified.
const (
	AllCores Cores = "all"
	AnyCore  Cores = "any"
	NoCore   Cores = "none"
)

// ExplainOptions say how a violation is explained. The zero value is the default.
type ExplainOptions struct {
	Cores Cores
	// Time bounds the search for cores and for an argument that the verifier confirms. 0 means 5 s,
	// within the timeout.
	Time time.Duration
	// Locate bounds the search for the operation that cannot be placed, if the engine that found
	// the violation does not know it. 0 means 2 s for a minimal core and AllCores, else not to
	// look; a negative time means not to look.
	Locate time.Duration
	// EachPartition explains every partition that is not linearizable, not only the first. It takes
	// at most Time again.
	EachPartition bool
}

// Explain says how a violation is explained.
func Explain(o ExplainOptions) Option { return func(c *config) { c.explanation = o } }

// configured is the configuration that options make, with what they leave open filled in.
func configured(options []Option) (*config, error) {
	c := &config{engine: portfolio.Auto, partition: Partitioning(model.ByKey.String())}
	if err := engine.Contained(func() error { return senseless(configure(c, options)) }); err != nil {
		return nil, err
	}
	if c.workers == 0 {
		c.workers = runtime.GOMAXPROCS(0)
	}
	if c.steps > 0 {
		c.workers = 1
	}
	if c.quasi != nil {
		c.free, c.quasi.Free = c.quasi.Free, nil // engines are asked with a bound for each class
		if c.partitioning == model.ByKey {
			c.partitioning = model.ByObject
		}
	}
	return c, nil
}

// configure applies the options and refuses what makes no sense, before anything runs.
func configure(c *config, options []Option) error {
	for i, o := range options {
		if o == nil {
			return fmt.Errorf("linsat: option %d of %d is nil", i+1, len(options))
		}
		o(c)
	}
	negative := func(option string, value any) error {
		return fmt.Errorf("linsat: %s(%v) is negative; 0 means the same as leaving the option out", option, value)
	}
	switch {
	case c.timeout < 0:
		return negative("Timeout", c.timeout)
	case c.memory < 0:
		return negative("Memory", c.memory)
	case c.cache < 0:
		return negative("Cache", c.cache)
	case c.steps < 0:
		return negative("Steps", c.steps)
	case c.workers < 0:
		return negative("Workers", c.workers)
	case c.explanation.Time < 0:
		return fmt.Errorf("linsat: ExplainOptions.Time is %v; 0 means the default, and NoCore no explanation",
			c.explanation.Time)
	case c.solverSet && c.solver.factory == nil:
		return errors.New("linsat: Solver without a factory; leave the option out for the built-in solver")
	case c.questions > 1:
		return errors.New("linsat: two options Quasi; a check has one question")
	}
	if _, err := portfolio.ParseEngines(string(c.engine)); err != nil {
		return fmt.Errorf("linsat: %w", err)
	}
	var err error
	if c.partitioning, err = model.ParsePartitioning(string(c.partition)); err != nil {
		return fmt.Errorf("linsat: %w", err)
	}
	return c.explaining()
}

// explaining fills in what ExplainOptions leave open.
func (c *config) explaining() error {
	c.reasons, c.locate = cmp.Or(c.explanation.Time, explain.DefaultReasons), max(c.explanation.Locate, 0)
	switch c.explanation.Cores {
	case "", AllCores:
		if c.explanation.Locate == 0 {
			c.locate = explain.DefaultLocate
		}
	case AnyCore:
	case NoCore:
		c.reasons = 0
	default:
		return fmt.Errorf("linsat: unknown choice of cores %q (want all, any or none)", c.explanation.Cores)
	}
	return nil
}

// refuse reports what is wrong with what Check was asked, nil if nothing is.
func (c *config) refuse(s model.Spec, h *history.History) error {
	switch {
	case s == nil:
		return missing("the specification is nil; spec.MustLookup finds one by name, spec.Define makes one")
	case h == nil:
		return missing("the history is nil; history.ReadFile reads one, history.Recorder records one")
	}
	if err := h.Validate(); err != nil {
		return err
	}
	if c.quasi == nil {
		return nil
	}
	q := *c.quasi
	q.Free = c.free
	return senseless(q.Validate(s.Info()))
}

// whole returns the whole of a specification, nil for nil. It refuses one that linsat did not make.
func whole(s spec.Spec) (model.Spec, error) {
	full := model.Full(s)
	if s != nil && full == nil {
		return nil,
			missing(
				fmt.Sprintf(
					"a %T is no specification of linsat's; spec.MustLookup finds one by name, spec.Define makes one", s))
	}
	return full, nil
}

// copied copies a question, so that the caller may change its own.
func copied(r quasi.Question) *quasi.Question {
	r.Factor = append(quasi.Factor(nil), r.Factor...)
	r.Sets = append([]quasi.Set(nil), r.Sets...)
	r.Free = slices.Clone(r.Free)
	return &r
}
