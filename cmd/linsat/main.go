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

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
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
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return hinted{err, fmt.Sprintf("`%s --help` lists the flags of %s", c.CommandPath(), c.Name())}
	})
	root.AddCommand(solveCommand(), certifyCommand(), explainCommand(), convertCommand(), genCommand(), exploreCommand(), benchCommand(), specsCommand(), versionCommand())
	err := root.Execute()
	var code exit
	switch {
	case err == nil:
		return exitLinearizable
	case errors.As(err, &code):
		return int(code)
	}
	complain(stderr, err)
	var d *linsat.Disagreement
	if errors.As(err, &d) {
		return exitDisagrees
	}
	return exitUsage
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
	if strings.HasPrefix(err.Error(), "unknown command") {
		return "`linsat help` lists the commands"
	}
	return ""
}
