package linsat

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
)

// configured is the configuration that options make, with what they leave open filled in.
func configured(options []Option) (*config, error) {
	c := &config{engine: portfolio.Auto, partition: ByKey}
	if err := engine.Contained(func() error { return senseless(configure(c, options)) }); err != nil {
		return nil, err
	}
	if c.workers == 0 {
		c.workers = runtime.GOMAXPROCS(0)
	}
	if c.steps > 0 {
		c.workers = 1
	}
	if c.quasi != nil && c.partitioning == model.ByKey {
		c.partitioning = model.ByObject
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
		return errors.New("linsat: Quasi and QuasiLeast are two questions; give one of them, once")
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
	case "", OneCore, AllCores:
		if c.explanation.Locate == 0 {
			c.locate = explain.DefaultLocate
		}
	case AnyCore:
	case NoCore:
		c.reasons = 0
	default:
		return fmt.Errorf("linsat: unknown choice of cores %q (want one, all, any or none)", c.explanation.Cores)
	}
	return nil
}

// refuse reports what is wrong with what Check was asked, nil if nothing is.
func (c *config) refuse(s model.Spec, h *history.History) error {
	switch {
	case s == nil:
		return missing("the specification is nil; spec.Lookup finds one by name, spec.Define makes one")
	case h == nil:
		return missing("the history is nil; history.ReadFile reads one, history.NewRecorder records one")
	}
	if err := h.Validate(); err != nil {
		return err
	}
	switch {
	case c.least != nil:
		return senseless(c.least.Validate(s.Info(), *c.quasi))
	case c.quasi != nil:
		return senseless(c.quasi.Validate(s.Info()))
	}
	return nil
}

// whole returns the whole of a specification, nil for nil. It refuses one that linsat did not make.
func whole(s spec.Spec) (model.Spec, error) {
	full := model.Full(s)
	if s != nil && full == nil {
		return nil,
			missing(
				fmt.Sprintf(
					"a %T is no specification of linsat's; spec.Lookup finds one by name, spec.Define makes one", s))
	}
	return full, nil
}

// copied copies a question, so that the caller may change its own.
func copied(r quasi.Question) *quasi.Question {
	r.Factor = append(quasi.Factor(nil), r.Factor...)
	r.Sets = append([]quasi.Set(nil), r.Sets...)
	return &r
}
