package process

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/linsat/linsat/solver"
)

// ErrNotInstalled is wrapped by the error of Find for a program that is not on the search path.
var ErrNotInstalled = errors.New("not installed")

// ErrUnknownTool is wrapped by the error of Find for a name that is not one of Names.
var ErrUnknownTool = errors.New("unknown program")

// tool is a program and the language it speaks.
type tool struct {
	name string
	args []string
	ask  func(ctx context.Context, c command, s *Solver, assumptions []solver.Lit) (answer, error)
}

var tools = []tool{
	{"cadical", []string{"-q"}, askDIMACS},
	{"cryptominisat5", []string{"--verb", "0"}, askDIMACS},
	{"z3", []string{"-smt2", "-in"}, askSMTLIB},
}

// Names lists the supported programs, installed or not.
func Names() []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.name)
	}
	return names
}

// Find looks for the named program on the search path and returns a factory of Solvers that run it.
// The error wraps ErrUnknownTool or ErrNotInstalled.
func Find(name string) (func() solver.Solver, error) {
	for _, t := range tools {
		if t.name != name {
			continue
		}
		path, err := exec.LookPath(name)
		if err != nil {
			return nil, fmt.Errorf("%s is %w", name, ErrNotInstalled)
		}
		return func() solver.Solver { return newSolver(t, path) }, nil
	}
	return nil, fmt.Errorf("%w %q (want one of %s)", ErrUnknownTool, name, strings.Join(Names(), ", "))
}
