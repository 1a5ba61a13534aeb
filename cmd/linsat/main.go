// Command linsat decides whether recorded concurrent histories are linearizable, or
// quasi-linearizable within a bound. `linsat help` lists its commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/solver/process"
	"github.com/spf13/cobra"
)

// Exit codes, as the help of solve states them.
const (
	exitLinearizable = 0
	exitViolation    = 1
	exitUsage        = 2
	exitUnknown      = 3
	exitDisagrees    = 4
)

func main() {
	code := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	process.KillAll()
	os.Exit(code)
}

// interruptible returns a context that is done once the process is asked to end, from the keyboard
// or by another process. Running work then ends; a second signal ends the process at once.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), askToEnd...)
	undo := context.AfterFunc(ctx, stop)
	return ctx, func() {
		undo()
		stop()
	}
}

// exit is an error that only sets the exit code, when everything has been printed.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// extra makes commands that only some builds have.
var extra []func() *cobra.Command

// rootCommand returns the command with all its subcommands.
func rootCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "linsat",
		Short: "decides whether recorded concurrent histories are linearizable, or quasi-linearizable within a bound",
		Long: `linsat decides whether a recorded concurrent history is linearizable, or
quasi-linearizable within a bound, and proves its answer.`,
		Example: `  linsat solve h.json
  linsat solve --quasi 2 h.json
  echo '{"spec":"queue","operations":[{"process":0,"f":"enq","arg":1,"call":0,"return":1}]}' | linsat solve -`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(c *cobra.Command, files []string) error {
		if err := checkScreen(c); err != nil {
			return err
		}
		return isolate(c, files, args, stdin, stdout, stderr)
	}
	root.Version = versionText()
	screenFlags(root)
	// A template for help or version would link text/template, which keeps every exported method:
	// 2 MB.
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		out := c.OutOrStdout()
		defer c.SetOut(out)
		c.SetOut(screenOf(c).text(out))
		help(c, args)
	})
	root.AddCommand(solveCommand(), mergeCommand(), certifyCommand(), explainCommand(), shrinkCommand(), convertCommand(), genCommand(), exploreCommand(), testCommand(), benchCommand(), specsCommand(), versionCommand())
	root.AddCommand(fleetCommands()...)
	for _, make := range extra {
		root.AddCommand(make())
	}
	complete(root)
	return root
}

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	err := rootCommand(args, stdin, stdout, stderr).Execute()
	var code exit
	switch {
	case err == nil:
		return exitLinearizable
	case errors.As(err, &code):
		return int(code)
	}
	if text := err.Error(); strings.HasPrefix(text, "unknown command") {
		err = unknownCommand(text)
	}
	complain(stderr, err)
	var d *linsat.Disagreement
	if errors.As(err, &d) {
		return exitDisagrees
	}
	return exitUsage
}

// unknownCommand divides cobra's error about a command into the error and its suggestions, as a
// hint.
func unknownCommand(text string) error {
	what, similar, _ := strings.Cut(text, "\n\nDid you mean this?")
	hint := "`linsat help` lists the commands"
	if names := strings.Fields(similar); len(names) > 0 {
		hint = "did you mean " + strings.Join(names, " or ") + "? " + hint
	}
	return hinted{errors.New(what), hint}
}

// flagError gives an error about flags a hint that fits it, without the names of Go functions.
func flagError(c *cobra.Command, err error) error {
	text, reason, _ := strings.Cut(err.Error(), ": strconv.")
	switch {
	case strings.Contains(text, ": time: "):
		text, _, _ = strings.Cut(text, ": time: ")
		return hinted{errors.New(text), "write a time with its unit: 10s, 500ms or 2m"}
	case strings.HasPrefix(reason, "ParseBool"):
		return hinted{errors.New(text), "write true or false"}
	case strings.HasSuffix(reason, strconv.ErrRange.Error()):
		return hinted{errors.New(text), "the number is too large"}
	case strings.HasPrefix(reason, "ParseUint"):
		return hinted{errors.New(text), "write a number that is 0 or more"}
	case reason != "":
		return hinted{errors.New(text), "write a number"}
	}
	return hinted{err, meantFlag(c, text) + fmt.Sprintf("`%s --help` lists the flags of %s", c.CommandPath(), c.Name())}
}

// complain prints an error on one line and its hint on another, with control characters escaped.
func complain(w io.Writer, err error) {
	escape.Fprintf(w, "linsat: %s\n", oneLine(err.Error()))
	if hint := hintOf(err); hint != "" {
		escape.Fprintf(w, "hint: %s\n", oneLine(hint))
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// hinted is an error of the command line with a next step.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

func hintOf(err error) string {
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
