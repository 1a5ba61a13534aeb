package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/gen"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func genCommand() *cobra.Command {
	var o gen.Options
	var out historyOutput
	var violation string
	c := &cobra.Command{
		Use:   "gen SPEC",
		Short: "generate a history from a seed",
		Long: `Simulates processes that call operations on an object of the specification. Each operation takes effect at a random
moment between its call and its return, and writes the recorded history. Without --violation it is linearizable by construction
(with --relax: quasi-linearizable at that bound). Equal seeds give equal histories.`,
		Example: `  linsat gen queue --operations 1000 --processes 8 --seed 7 > h.json
  linsat gen family burst --size 64 > burst.json
  linsat gen cas-register --pending 0.01 --violation unwritten --to jsonl -o h.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Hint(errors.New("gen needs one specification"), "one of "+strings.Join(gen.Specs(), ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if o.Operations == 0 || o.Processes == 0 {
				return cli.Hint(errors.New("--operations and --processes must be at least 1"),
					"leave them out for the defaults")
			}
			o.Spec, o.Violation = args[0], gen.Violation(violation)
			write, err := out.writer(c)
			if err != nil {
				return err
			}
			g, err := gen.Generate(o)
			if err != nil {
				return cli.Hint(err, "`linsat gen --help` describes its flags")
			}
			if err := write(g.History); err != nil {
				return err
			}
			fmt.Fprintln(cli.NotesOf(c), account(g))
			return nil
		},
	}
	generating(c.Flags(), &o, &violation)
	out.flags(c)
	c.AddCommand(genFamilyCommand(), genTxnCommand())
	return c
}

// generating adds the flags that choose the history.
func generating(f *pflag.FlagSet, o *gen.Options, violation *string) {
	f.IntVar(&o.Operations, "operations", 1000, "number of operations")
	f.IntVar(&o.Processes, "processes", 4, "number of processes")
	f.Float64Var(&o.Overlap, "overlap", 0,
		"operations open at any moment on average, 0 for two thirds of the processes")
	f.Float64Var(&o.PendingRate, "pending", 0, "share of operations that never return; half of them take effect")
	f.IntVar(&o.Values, "values", 0, "number of different values, 0 for every value used once")
	f.IntVar(&o.Keys, "keys", 0, "number of objects, or of keys of one object; 0 for one")
	f.Float64Var(&o.EmptyRate, "empty", 0, "share of removals that find nothing")
	f.IntVar(&o.Relax, "relax", 0,
		"displace removals or tickets by up to this many places; reads of a register or a kv are late by up to so many writes")
	f.BoolVar(&o.Initial, "initial", false, "start from a state other than the default")
	f.BoolVar(&o.NoRevisions, "no-revisions", false,
		"etcd: results tell no revisions and no versions, and operations have no known order")
	f.StringVar(violation, "violation", "", "inject a violation: "+violationNames())
	f.Uint64Var(&o.Seed, "seed", 1, "seed")
}

// account describes what is known of a generated history.
func account(g *gen.Case) string {
	text := fmt.Sprintf("%d operations", len(g.History.Ops))
	switch g.Known {
	case gen.Yes:
		text += ", linearizable by construction"
		if g.Bound > 0 {
			text = fmt.Sprintf("%d operations, quasi-linearizable at bound %d by construction",
				len(g.History.Ops), g.Bound)
		}
	case gen.No:
		text += ", not linearizable"
	default:
		text += ", perhaps not linearizable"
	}
	if g.Mutation != "" {
		text += ": " + g.Mutation
	}
	return text
}

func violationNames() string {
	var names []string
	for _, v := range gen.Violations() {
		names = append(names, string(v))
	}
	return strings.Join(names, ", ")
}
