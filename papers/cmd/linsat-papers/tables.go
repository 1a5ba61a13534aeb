package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/papers/tables"
	"github.com/spf13/cobra"
)

// tablesCommand prints the papers' tables, with our figures beside theirs.
func tablesCommand(x *explorer) *cobra.Command {
	var o tables.Options
	c := &cobra.Command{
		Use:   "tables [PAPER|OBJECT]",
		Short: "print the tables of the papers, with what our objects give beside the paper's figures",
		Long: `Prints every table of the five papers: the paper's figures, and beside them what running our objects gives. The
last column names what differs. With a paper (line-up, round-up, fgvt, p-compositionality, cdsspec): its tables; with an
object: its rows.

A row that takes longer than its limit says so ("> 10s"). Exit code: 0, or 2 for bad usage.`,
		Example: `  linsat-papers tables round-up
  linsat-papers tables snark --format json
  linsat-papers tables --full`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			x.out, x.screen = c.OutOrStdout(), cli.ScreenOf(c)
			name := strings.Join(args, "")
			selected := tables.Select(name)
			if len(selected) == 0 {
				hint := cli.Meant(name, tables.Names())
				if hint == "" {
					hint = "there are " + strings.Join(tables.Names(), ", ")
				}
				return cli.Hint(fmt.Errorf("no table has a row for %q", name), hint)
			}
			switch {
			case x.format != "text" && x.format != "json":
				return cli.Hint(fmt.Errorf("unknown format %q", x.format), "--format takes text or json")
			case o.Timeout < 0:
				return cli.Hint(errors.New("--timeout is negative"), "0 is no limit")
			case o.Full && !c.Flags().Changed("timeout"):
				o.Timeout = 10 * time.Minute
			}
			ctx, stop := cli.Interruptible()
			defer stop()
			return x.print(ctx, selected, o)
		},
	}
	c.Flags().StringVar(&x.format, "format", "text", "text or json (one row a line)")
	c.Flags().DurationVar(&o.Timeout, "timeout", 10*time.Second, "limit for each row, 0 for none")
	c.Flags().BoolVar(&o.Full, "full", false, "a limit of 10 minutes, and medians of three where figures vary")
	return c
}

// print runs tables and writes each row as soon as it is there.
func (x *explorer) print(ctx context.Context, all []*tables.Table, o tables.Options) error {
	for i, t := range all {
		var err error
		if x.format == "json" {
			err = t.Each(ctx, o, func(l *tables.Line) error { return x.json(t.JSON(l)) })
		} else {
			if i > 0 {
				fmt.Fprintln(x.out)
			}
			err = t.WriteText(ctx, x.out, o)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			at, _, _ := strings.Cut(err.Error(), ": ")
			return cli.Hint(errors.New("interrupted"), "the rows from "+at+" on were not run")
		case err != nil:
			return err
		}
	}
	return nil
}
