package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/solver/process"
	"github.com/linsat/linsat/internal/solver/z3"
	sat "github.com/linsat/linsat/solver"
	_ "github.com/linsat/linsat/solver/smt" // an engine
)

// outside is the prefix of the names of solvers that are other programs.
const outside = "process:"

// backends lists what --solver takes.
func backends() []string {
	names := []string{"gini", "z3"}
	for _, name := range process.Names() {
		names = append(names, outside+name)
	}
	return names
}

// findSolver returns the factory of the solver that a flag names, or an error that says what is
// missing.
func findSolver(flag, name string) (func() sat.Solver, error) {
	switch program, isProcess := strings.CutPrefix(name, outside); {
	case name == "gini":
		return func() sat.Solver { return gini.New() }, nil
	case name == "z3":
		factory, err := z3.Find()
		if err != nil {
			return nil, cli.Hint(err, "or use "+flag+" "+outside+"z3, which runs the program z3, or the built-in gini")
		}
		return factory, nil
	case isProcess:
		factory, err := process.Find(program)
		switch {
		case errors.Is(err, process.ErrNotInstalled):
			return nil, cli.Hint(fmt.Errorf("%s %s: %w", flag, name, err),
				"install it (docs/limits.md) where PATH finds it, or use the built-in gini")
		case err == nil:
			return factory, nil
		}
	}
	return nil, cli.Hint(fmt.Errorf("unknown solver %q", name), flag+" takes "+strings.Join(backends(), ", "))
}

// chooseSolver returns the option for --solver, nil for the built-in solver. It returns an error if
// no clauses would be solved.
func (s *solver) chooseSolver(engines portfolio.Engines) (linsat.Option, error) {
	factory, err := findSolver("--solver", s.backend)
	if err != nil {
		return nil, err
	}
	if engines == portfolio.Search || engines == portfolio.Monitor || engines == portfolio.Auto && s.steps > 0 {
		return nil, cli.Hint(errors.New("--solver without the engine sat"),
			"--solver needs --engine sat, all or auto, and auto does not use sat under --steps")
	}
	if s.backend == "gini" { // built in
		return nil, nil
	}
	return linsat.Solver(factory, s.backend), nil
}

// factory returns the built-in solver.
func (s *solver) factory() func() sat.Solver { return func() sat.Solver { return gini.New() } }
