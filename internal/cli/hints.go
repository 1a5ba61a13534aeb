package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/similar"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Complain prints an error on one line and its hint on another, with control characters escaped.
func Complain(w io.Writer, err error) {
	escape.Fprintf(w, "linsat: %s\n", OneLine(err.Error()))
	if hint := HintOf(err); hint != "" {
		escape.Fprintf(w, "hint: %s\n", OneLine(hint))
	}
}

// OneLine returns a text with its white space as single spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// hinted is an error of the command line with a next step.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

// Hint returns an error with a next step, which Complain prints below it. Not inlined: it has many
// callers.
//
//go:noinline
func Hint(err error, hint string) error { return hinted{err, hint} }

// HintOf returns the next step that an error has, or "".
func HintOf(err error) string {
	var h hinted
	if errors.As(err, &h) {
		return h.hint
	}
	var bad *history.Error
	if errors.As(err, &bad) {
		return bad.Hint
	}
	return ""
}

// Meant returns the start of a hint about a name that there is not: the name that it was meant to
// be, or "" if it resembles none.
func Meant(name string, known []string) string {
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

// QuasiHint is the hint of an error about --quasi, which takes the forms given.
func QuasiHint(sp model.Spec, forms string) string {
	if slices.ContainsFunc(sp.Info().Classes, func(c model.Class) bool { return c.Relaxable }) {
		return "--quasi takes " + forms
	}
	return "leave out --quasi; `linsat specs` lists the classes of each specification that it relaxes"
}
