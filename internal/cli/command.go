package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/linsat/linsat/verdict"
	"github.com/spf13/cobra"
)

// Prepare gives a root command its arguments and streams, the flags of the screen, and errors with
// hints.
func Prepare(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)
	ScreenFlags(root)
	// A template for help or version would link text/template, which keeps every exported method:
	// 2 MB.
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		out := c.OutOrStdout()
		defer c.SetOut(out)
		c.SetOut(ScreenOf(c).Text(out))
		help(c, args)
	})
}

// Run executes a command, prints its error, and returns the exit code.
func Run(root *cobra.Command) int {
	err := root.Execute()
	var code Exit
	switch {
	case err == nil:
		return Linearizable
	case errors.As(err, &code):
		return int(code)
	}
	if text := err.Error(); strings.HasPrefix(text, "unknown command") {
		err = unknownCommand(root.Name(), text)
	}
	Complain(root.ErrOrStderr(), err)
	var d *verdict.Disagreement
	if errors.As(err, &d) {
		return Disagrees
	}
	return Usage
}

// unknownCommand divides cobra's error about a command into the error and its suggestions, as a
// hint.
func unknownCommand(program, text string) error {
	what, similar, _ := strings.Cut(text, "\n\nDid you mean this?")
	hint := "`" + program + " help` lists the commands"
	if names := strings.Fields(similar); len(names) > 0 {
		hint = "did you mean " + strings.Join(names, " or ") + "? " + hint
	}
	return Hint(errors.New(what), hint)
}

// flagError gives an error about flags a hint that fits it, without the names of Go functions.
func flagError(c *cobra.Command, err error) error {
	text, reason, _ := strings.Cut(err.Error(), ": strconv.")
	switch {
	case strings.Contains(text, ": time: "):
		text, _, _ = strings.Cut(text, ": time: ")
		return Hint(errors.New(text), "write a time with its unit: 10s, 500ms or 2m")
	case strings.HasPrefix(reason, "ParseBool"):
		return Hint(errors.New(text), "write true or false")
	case strings.HasSuffix(reason, strconv.ErrRange.Error()):
		return Hint(errors.New(text), "the number is too large")
	case strings.HasPrefix(reason, "ParseUint"):
		return Hint(errors.New(text), "write a number that is 0 or more")
	case reason != "":
		return Hint(errors.New(text), "write a number")
	}
	return Hint(err, meantFlag(c, text)+fmt.Sprintf("`%s --help` lists the flags of %s", c.CommandPath(), c.Name()))
}
