package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/gen"
	"github.com/spf13/cobra"
)

func genFamilyCommand() *cobra.Command {
	var o gen.FamilyOptions
	var out historyOutput
	families := gen.Families()
	var names []string
	var list strings.Builder
	for _, f := range families {
		names = append(names, f.Name)
		fmt.Fprintf(&list, "  %-14s %s\n                 for %s; size: %s\n", f.Name, f.Summary,
			strings.Join(f.Specs, ", "), f.Size)
	}
	c := &cobra.Command{
		Use:   "family NAME",
		Short: "generate a history of a family that is hard for some engine",
		Long: `Writes one history of a family with a known verdict: linearizable, or a violation with --violated. Equal seeds give equal
histories. The families:

` + strings.TrimRight(list.String(), "\n"),
		Example: `  linsat gen family burst --size 128 > burst.json
  linsat gen family pending-heavy --spec register --size 64 --violated --seed 3 -o pending.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Hint(errors.New("gen family needs the name of one family"),
					"one of "+strings.Join(names, ", "))
			}
			if !slices.Contains(names, args[0]) {
				return cli.Hint(fmt.Errorf("unknown family %q", args[0]), "one of "+strings.Join(names, ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			write, err := out.writer(c)
			if err != nil {
				return err
			}
			if o.Size < 1 || o.Operations < 1 || o.Processes < 1 {
				return cli.Hint(errors.New("--size, --operations and --processes must be at least 1"),
					"leave them out for the defaults")
			}
			g, err := families[slices.Index(names, args[0])].Make(o)
			if err != nil {
				return cli.Hint(err, "`linsat gen family --help` lists the families with their specifications")
			}
			if err := write(g.History); err != nil {
				return err
			}
			fmt.Fprintln(cli.NotesOf(c), account(g))
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&o.Spec, "spec", "", "specification; by default the first one listed for the family")
	f.IntVar(&o.Size, "size", 8, "size; each family lists what it counts")
	f.IntVar(&o.Operations, "operations", 40, "operations besides those that --size counts, if the family has others")
	f.IntVar(&o.Processes, "processes", 8, "processes, if --size does not determine them")
	f.BoolVar(&o.Violated, "violated", false, "make the history not linearizable")
	f.Uint64Var(&o.Seed, "seed", 1, "seed")
	out.flags(c)
	return c
}
