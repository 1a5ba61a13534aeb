package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
	"github.com/spf13/cobra"
)

// What is asked of each history, and how it is answered: the flags that solve shares with explain
// and others, and what they mean.

// asking adds the flags that state the question.
func (s *solver) asking(c *cobra.Command) {
	f := c.Flags()
	s.given = f.Changed
	f.StringVar(&s.spec, "spec", "",
		"specification to check against (linsat specs lists them), a file in Starlark (bank.star), a table "+
			"(door.json), a module of WebAssembly (model.wasm; docs/own-specification.md describes the three), or an "+
			"observation file of Line-Up (observations.xml); overrides the file's")
	f.Bool("isolate", false,
		"run in a process of its own whose memory is bounded, for a --spec file that is not trusted; the default for "+
			"Starlark under --memory or --timeout")
	f.StringVar(&s.initial, "initial", "", "initial state as JSON; overrides the file's")
	s.reading(c)
	partitionFlag(c, &s.partition)
	f.StringVar(&s.consistency, "consistency", "",
		"of transactions: read-committed, read-atomic, causal, prefix, parallel-snapshot, snapshot-isolation or "+
			"serializable, with strong-session- or strict- before it (docs/transactions.md); of one object: "+
			questionNames()+" (docs/consistency.md); or strongest")
	f.StringVar(&s.quasi, "quasi", "",
		"quasi factor: a bound for the relaxable classes (2), bounds by class (deq=2,enq=1), of sets "+
			"(enq(1|3)+deq=2), or min for the least bound")
	f.StringVar(&s.stale, "stale", "",
		"of registers, maps and sets: whether the history is linearizable if reads are called earlier by so much (50ms, or "+
			"a number in the unit of the times), or min for the least bound (docs/quasi.md)")
	f.StringVar(&s.meaning, "quasi-meaning", "slots",
		"slots (classes keep their places) or classes (Definition 4: the order between classes is free)")
	f.BoolVar(&s.causal, "quasi-causal", false, "with --quasi, refuse removals that take effect before their insertion")
	f.BoolVar(&s.drain, "drain", true, "with --quasi, remove left-over items at the end")
	f.StringVar(&s.relax, "relax", "",
		"relax the specification itself: out-of-order=K, lateness=K, stuttering=K, separated by commas (docs/quasi.md)")
}

// checking adds the flags that state the question and how to answer it.
func (s *solver) checking(c *cobra.Command) {
	s.asking(c)
	f := c.Flags()
	f.StringVar(&s.engine, "engine", "auto",
		"auto, all (run every engine that is installed and compare), search, sat, monitor, or smt (an installed Z3 or cvc5; smt:cvc5 "+
			"names it)")
	f.StringVar(&s.backend, "solver", "gini", "solver of the engine sat: "+strings.Join(backends(), ", ")+
		" (docs/limits.md)")
	f.StringVar(&s.core, "core", "one",
		"which cores of a violation to look for: one (minimal), all (disjoint ones), any (the first that is "+
			"certified), or none (only the verdict, fastest)")
	f.BoolVar(&s.first, "first", false,
		"stop at the first partition that is not linearizable, without checking the others")
	f.DurationVar(&s.timeout, "timeout", patience,
		"time limit for checking each file, 0 for none; none by default under --steps")
	f.Var(&s.memory, "memory",
		"memory limit (500MB, 2GiB): a search forgets what it has learned and goes on; 0 stops one that needs more "+
			"than 512MiB")
	f.IntVar(&s.cache, "cache", 0,
		"limit on the configurations that a search keeps, 0 for none; the others are forgotten")
	f.Int64Var(&s.steps, "steps", 0, "limit on search steps, which gives the same answer on every machine; 0 for none")
}

// checkQuestion refuses a --partition that there is not, and flags of the question that do not fit
// together.
func (s *solver) checkQuestion() (err error) {
	if _, err = model.ParsePartitioning(s.partition); err != nil {
		return err
	}
	if err = s.checkConsistency(); err != nil {
		return err
	}
	for _, flag := range []string{"quasi", "quasi-meaning", "quasi-causal", "drain"} {
		if s.quasi == "" && s.given(flag) {
			return cli.Hint(fmt.Errorf("--%s without a quasi factor", flag), "--quasi takes 2, deq=2,enq=1, inf or min")
		}
	}
	if s.relax != "" {
		if s.relaxBy, err = specs.ParseSemanticRelaxation(s.relax); err != nil {
			return cli.Hint(err,
				"--relax takes out-of-order=K, lateness=K and stuttering=K, any of them, joined by commas")
		}
		if s.quasi != "" {
			return cli.Hint(errors.New("--relax and --quasi cannot be combined"),
				"use one of them: --relax changes the specification, --quasi lets operations change places; "+
					"docs/quasi.md compares them")
		}
	}
	return nil
}

func (s *solver) options() ([]linsat.Option, error) {
	engines, err := portfolio.ParseEngines(s.engine)
	if err != nil {
		return nil, cli.Hint(err, cli.Meant(s.engine, engineNames)+"--engine takes "+strings.Join(engineNames, ", "))
	}
	if err := s.checkQuestion(); err != nil {
		return nil, err
	}
	if s.timeout < 0 || s.steps < 0 {
		return nil, cli.Hint(errors.New("a limit cannot be negative"),
			"--timeout takes a time (10s, 500ms), --steps a number; 0 is no limit")
	}
	if s.steps > 0 && !s.given("timeout") {
		s.timeout = 0 // the same answer on every machine
	}
	var more []linsat.Option
	if s.first {
		more = append(more, linsat.First())
	}
	if s.given("solver") {
		chosen, err := s.chooseSolver(engines)
		if err != nil {
			return nil, err
		}
		if chosen != nil {
			more = append(more, chosen)
		}
	}
	if !slices.Contains([]linsat.Cores{"", linsat.AllCores, linsat.AnyCore, linsat.NoCore}, s.cores()) {
		return nil, cli.Hint(fmt.Errorf("unknown choice of cores %q", s.core), "--core takes one, all, any or none")
	}
	more = append(more, linsat.Explain(s.explanation(0)))
	return append(more, linsat.Engine(linsat.Engines(s.engine)), linsat.Partition(linsat.Partitioning(s.partition)),
		linsat.Timeout(s.timeout),
		linsat.Memory(int64(s.memory)), linsat.Cache(s.cache), linsat.Steps(s.steps)), nil
}

// explanation is what --core and --html ask for, within a time, 0 for the default.
func (s *solver) explanation(time time.Duration) linsat.ExplainOptions {
	return linsat.ExplainOptions{Cores: s.cores(), Time: time, EachPartition: s.html != ""}
}

// cores is what --core asks for: one, the default of the library, has no name there.
func (s *solver) cores() linsat.Cores {
	if s.core == "one" {
		return ""
	}
	return linsat.Cores(s.core)
}

// specOf finds the specification, and sets the initial state from the flags.
func (s *solver) specOf(h *history.History) (model.Spec, error) {
	name := s.spec
	if name == "" {
		name = h.Spec
	}
	if name == "" {
		guess, err := specs.Recognise(h)
		if err != nil {
			return nil, err
		}
		name, h.Guessed, h.AlsoFits = guess.Spec.Info().Name, guess.From, guess.Others
	}
	sp, ok := specs.Lookup(name)
	if !ok && s.spec != "" {
		var err error
		if sp, ok, err = s.specFile(); err != nil {
			return nil, err
		}
	}
	if !ok {
		return nil, &history.Error{File: h.Source, What: fmt.Sprintf("unknown specification %q", name),
			Hint: unknownSpec(name)}
	}
	if err := s.setInitial(h); err != nil {
		return nil, err
	}
	if s.relax != "" {
		relaxed, err := specs.Relax(sp, s.relaxBy)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.Source, err)
		}
		return relaxed, nil
	}
	return sp, nil
}

// setInitial sets the initial state that --initial states.
func (s *solver) setInitial(h *history.History) error {
	if s.initial == "" {
		return nil
	}
	v, err := h.Values.Parse(s.initial)
	if err != nil {
		return cli.Hint(fmt.Errorf("--initial %s: %w", s.initial, err), "it takes JSON: 0, null, [1, 2], {\"x\": 1}")
	}
	h.Initial, h.HasInitial = v, true
	return nil
}

// relaxation returns the option for the quasi flags, nil without them.
func (s *solver) relaxation(sp model.Spec) (linsat.Option, error) {
	if s.quasi == "" {
		return nil, nil
	}
	q, err := s.quasiQuestion(sp)
	if err != nil {
		return nil, err
	}
	return linsat.Quasi(q), nil
}

// quasiQuestion is what the quasi flags ask.
func (s *solver) quasiQuestion(sp model.Spec) (q quasi.Question, err error) {
	var meaning quasi.Meaning
	if err = meaning.UnmarshalText([]byte(s.meaning)); err != nil {
		return q, err
	}
	if q, err = quasi.Parse(sp.Info(), s.quasi); err != nil {
		return q, cli.Hint(err, cli.QuasiHint(sp, "2, deq=2,enq=1, inf or min"))
	}
	q.Meaning, q.Drain, q.Causal = meaning, s.drain, s.causal
	return q, nil
}
