package main

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/internal/papers/objects"
	"github.com/linsat/linsat/internal/papers/objects/cds"
	"github.com/linsat/linsat/internal/similar"
	"github.com/linsat/linsat/internal/specs"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// meant returns the start of a hint about a name that there is not: the name that it was meant to
// be, or "" if it resembles none.
func meant(name string, known []string) string {
	if near := similar.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %s? ", near)
	}
	return ""
}

// meantFlag is the start of the hint about an unknown flag of a command.
func meantFlag(c *cobra.Command, problem string) string {
	name, ok := strings.CutPrefix(problem, "unknown flag: --")
	if !ok {
		return ""
	}
	var names []string
	visible := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	c.Flags().VisitAll(visible)
	c.InheritedFlags().VisitAll(visible)
	if near := similar.Nearest(name, names); near != "" {
		return "did you mean --" + near + "? "
	}
	return ""
}

// unknownSpec is the hint about a specification that there is not.
func unknownSpec(name string) string {
	return meant(name, specs.Names()) + "`linsat specs` lists them"
}

// objectNames are the names of all that explore runs.
func objectNames() []string {
	names := objects.Names()
	for _, s := range cds.Structures() {
		names = append(names, s.Key)
	}
	return names
}

func unknownObject(name string) error {
	hint := meant(name, objectNames())
	if hint == "" {
		hint = "there are " + strings.Join(objectNames(), ", ") + "; "
	}
	return hinted{fmt.Errorf("unknown object %q", name), hint + "`linsat explore` lists them"}
}
