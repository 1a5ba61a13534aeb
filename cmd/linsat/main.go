// Command linsat decides whether recorded concurrent histories are linearizable, or
// quasi-linearizable within a bound. `linsat help` lists its commands.
package main

import (
	"io"
	"os"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/solver/process"
	"github.com/spf13/cobra"
)

func main() {
	code := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	process.KillAll()
	os.Exit(code)
}

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
	}
	cli.Prepare(root, args, stdin, stdout, stderr)
	root.PersistentPreRunE = func(c *cobra.Command, files []string) error {
		if err := cli.CheckScreen(c); err != nil {
			return err
		}
		if err := portfolio.CheckLeftOut(); err != nil {
			return err
		}
		return isolate(c, files, args, stdin, stdout, stderr)
	}
	root.Version = versionText()
	root.AddCommand(solveCommand(), mergeCommand(), certifyCommand(), explainCommand(), shrinkCommand(),
		convertCommand(), genCommand(), testCommand(), benchCommand(), corporaCommand(), specsCommand(),
		versionCommand())
	root.AddCommand(fleetCommands()...)
	for _, make := range extra {
		root.AddCommand(make())
	}
	complete(root)
	return root
}

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(rootCommand(args, stdin, stdout, stderr))
}
