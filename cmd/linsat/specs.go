package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/spf13/cobra"
)

func formatNames() string { return strings.Join(history.Formats(), ", ") }

func specsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "specs [NAME...]",
		Short: "list the specifications with their operations and an example",
		Long: `Lists the specifications, or those named, each with its initial state, its operations and their other names, the
classes that --quasi relaxes, and an example. docs/specifications.md describes them.`,
		RunE: func(c *cobra.Command, args []string) error {
			all := specs.All()
			if len(args) > 0 {
				all = nil
				for _, name := range args {
					s, ok := specs.Lookup(name)
					if !ok {
						return cli.Hint(fmt.Errorf("unknown specification %q", name), cli.Meant(name, specs.Names())+
							"one of "+strings.Join(specs.Names(), ", "))
					}
					all = append(all, s)
				}
			}
			for i, s := range all {
				if i > 0 {
					fmt.Fprintln(c.OutOrStdout())
				}
				describe(c.OutOrStdout(), s.Info())
			}
			return nil
		},
	}
	c.AddCommand(specsCheckCommand())
	return c
}

func describe(w io.Writer, info model.Info) {
	fmt.Fprintf(w, "%s: %s\n", info.Name, info.Summary)
	fmt.Fprintf(w, "  initial state: %s\n", info.Initial)
	for _, o := range info.Operations {
		line := o.Name
		if o.Arg != "" {
			line += " " + o.Arg
		}
		if o.Result != "" {
			line += " → " + o.Result
		}
		if len(o.Aliases) > 0 {
			line += "   (also " + strings.Join(o.Aliases, ", ") + ")"
		}
		fmt.Fprintf(w, "  %s\n", line)
	}
	for _, c := range info.Classes {
		relaxable := ""
		if c.Relaxable {
			relaxable = ", relaxed by --quasi K"
		}
		fmt.Fprintf(w, "  class %s: %s%s\n", c.Name, strings.Join(c.Operations, ", "), relaxable)
	}
	fmt.Fprintf(w, "  example: %s\n", info.Example)
}

// unknownSpec is the hint about a specification that there is not.
func unknownSpec(name string) string {
	return cli.Meant(name, specs.Names()) + "`linsat specs` lists them"
}
