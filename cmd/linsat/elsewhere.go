package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/linsat/linsat/internal/cli"
	"github.com/spf13/cobra"
)

// Commands of the program linsat-fleet, which is a module of its own: its queue is larger than
// linsat.

// fleetProgram is the name of that program.
const fleetProgram = "linsat-fleet"

func fleetCommands() []*cobra.Command {
	var all []*cobra.Command
	for _, c := range []struct{ name, short string }{
		{"work", "check histories of a queue that machines share (docs/ci.md)"},
		{"submit", "put histories into that queue, and gather the answers"},
	} {
		all = append(all, &cobra.Command{
			Use: c.name, Short: c.short, DisableFlagParsing: true,
			Long: `Calls the program linsat-fleet, which has to be installed beside linsat or on the PATH: docs/ci.md describes it.`,
			RunE: func(cmd *cobra.Command, args []string) error { return callFleet(cmd, args) },
		})
	}
	return all
}

// callFleet runs a command of linsat-fleet in the place of one of linsat.
func callFleet(c *cobra.Command, args []string) error {
	program := ""
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), fleetProgram); isFile(beside) {
			program = beside
		}
	}
	if program == "" {
		var err error
		if program, err = exec.LookPath(fleetProgram); err != nil {
			return cli.Hint(errors.New("the program "+fleetProgram+" is not installed"),
				"go install github.com/linsat/linsat/fleet/cmd/linsat-fleet@latest, or put it beside linsat")
		}
	}
	ctx, stop := cli.Interruptible() // which the other program is sent as well
	defer stop()
	child := exec.Command(program, append([]string{c.Name()}, args...)...)
	child.Stdin, child.Stdout, child.Stderr = c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr()
	if err := child.Start(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
			_ = child.Process.Signal(os.Interrupt)
		case <-done:
		}
	}()
	err := child.Wait()
	close(done)
	var ended *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ended) && ended.ExitCode() >= 0:
		return cli.Exit(ended.ExitCode())
	}
	return err
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
