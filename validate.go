package linsat

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/quasi"
)

// configured is the configuration that options make, with what they leave open filled in.
func configured(options []Option) (*config, error) {
	c := &config{engine: portfolio.Auto, partition: model.ByKey.String(), reasons: explain.DefaultReasons}
	if err := engine.Contained(func() error { return configure(c, options) }); err != nil {
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
	case c.reasons < 0:
		return fmt.Errorf("linsat: Argue(%v) is negative; 0 means no reasons", c.reasons)
	case c.locate != nil && *c.locate < 0:
		return fmt.Errorf("linsat: Locate(%v) is negative; 0 means not to look", *c.locate)
	case c.solverSet && c.solver.factory == nil:
		return errors.New("linsat: Solver without a factory; leave the option out for the built-in solver")
	case c.questions > 1:
		return errors.New("linsat: Quasi and QuasiLeast are two questions; give one of them, once")
	}
	if _, err := portfolio.ParseEngines(string(c.engine)); err != nil {
		return fmt.Errorf("linsat: %w", err)
	}
	var err error
	if c.partitioning, err = model.ParsePartitioning(c.partition); err != nil {
		return fmt.Errorf("linsat: %w", err)
	}
	return nil
}

// refuse reports what is wrong with what Check was asked, nil if nothing is.
func (c *config) refuse(s model.Spec, h *history.History) error {
	switch {
	case s == nil:
		return errors.New("linsat: the specification is nil; spec.Lookup finds one by name, spec.Define makes one")
	case h == nil:
		return errors.New("linsat: the history is nil; history.ReadFile reads one, history.NewRecorder records one")
	}
	if err := h.Validate(); err != nil {
		return err
	}
	switch {
	case c.least != nil:
		return c.least.Validate(s.Info(), *c.quasi)
	case c.quasi != nil:
		return c.quasi.Validate(s.Info())
	}
	return nil
}

// copied copies a question, so that the caller may change its own.
func copied(r quasi.Question) *quasi.Question {
	r.Factor = append(quasi.Factor(nil), r.Factor...)
	r.Sets = append([]quasi.Set(nil), r.Sets...)
	return &r
}
