package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/bench"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/spf13/cobra"
)

func benchCommand() *cobra.Command {
	var engines, solvers []string
	var specification, partition, format, rowsFile string
	var timeout time.Duration
	var memory size
	var repeat int
	c := &cobra.Command{
		Use:   "bench DIR...",
		Short: "compare the times and verdicts of engines on recorded histories",
		Long: `Runs every engine on every history of the directories (or files), one run at a time and without explanations, reading
excluded, and prints a table: how many histories each decided, does not support or gave up, the median, the 90th percentile and
the maximum of their times (each the median of its runs; a limit that was reached counts as the time until then), the largest
heap, the steps and the conflicts; then whether all verdicts agree. A run that stays unknown is not repeated.

--rows writes the raw figures, one JSON object a line: file with its hash, engine, verdict, the time of every run, machine, commit.
The command bench/plot of the source draws them: go -C bench run ./plot rows.jsonl plot.html

Exit code: 0, 2 bad usage or a history that cannot be read, 4 if any two verdicts contradict each other.`,
		Example: `  linsat bench logs/
  linsat bench logs/ --engines search,sat --timeout 2s --repeat 3 --rows rows.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Hint(errors.New("bench needs a directory"), "`linsat bench DIR`")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return cli.Hint(fmt.Errorf("unknown format %q", format), "--format takes text or json")
			}
			if repeat < 1 || timeout < 0 {
				return cli.Hint(errors.New("--repeat must be at least 1, and --timeout not negative"),
					"for example --repeat 3 --timeout 10s; --timeout 0 means no limit")
			}
			if _, err := model.ParsePartitioning(partition); err != nil {
				return err
			}
			var chosen []bench.Solver
			for _, name := range solvers {
				factory, err := findSolver("--solvers", name)
				if err != nil {
					return err
				}
				chosen = append(chosen, bench.Solver{Name: name, Factory: factory})
			}
			contenders, err := bench.Contenders(engines, chosen, linsat.Partition(linsat.Partitioning(partition)),
				linsat.Memory(int64(memory)))
			if err != nil {
				return cli.Hint(err,
					"--engines takes auto, all, search, sat, monitor, smt:z3, smt:cvc5, textbook and textbook:lru, "+
						"joined by commas, --solvers those of the engine sat, each once")
			}
			var files []string
			for _, arg := range args {
				more, err := history.Files(arg, passedOver(cli.NotesOf(c)))
				if err != nil {
					return err
				}
				files = append(files, more...)
			}
			slices.Sort(files)
			code := cli.Linearizable
			plan := bench.Plan{Contenders: contenders, Timeout: timeout, Repeat: repeat, Spec: specification,
				Progress: progress(cli.NotesOf(c)),
				Skip: func(_ string, err error) {
					code = cli.Usage
					cli.Complain(c.ErrOrStderr(), err)
				}}
			ctx, stop := cli.Interruptible()
			defer stop()
			rows, stopped := plan.Run(ctx, slices.Compact(files))
			plan.Progress(len(files), len(files), "")
			if err := writeAll(c.OutOrStdout(), rows, format, rowsFile); err != nil {
				return err
			}
			switch {
			case len(bench.Disagreements(rows)) > 0:
				return cli.Exit(cli.Disagrees)
			case stopped != nil:
				return fmt.Errorf("stopped after %d measurements: %w", len(rows), stopped)
			case code != cli.Linearizable:
				return cli.Exit(code)
			}
			return nil
		},
	}
	f := c.Flags()
	f.Var(several(&engines, "monitor", "search", "sat", "auto"), "engines",
		"engines: auto, all, search, sat, monitor; smt:z3 or smt:cvc5 (docs/limits.md); textbook, textbook:lru: the "+
			"search of Wing, Gong and Lowe as printed, with a cache of any and of bounded size")
	f.Var(several(&solvers, "gini"), "solvers", "solvers of the sat engine: "+strings.Join(backends(), ", "))
	f.StringVar(&specification, "spec", "", "specification to check against, instead of the files'")
	partitionFlag(c, &partition)
	f.DurationVar(&timeout, "timeout", 10*time.Second, "time limit of each run, 0 for none")
	f.Var(&memory, "memory", "memory limit of each run (500MB, 2GiB), 0 for none")
	f.IntVar(&repeat, "repeat", 5, "runs of each history by each engine")
	f.StringVar(&format, "format", "text", "text or json")
	f.StringVar(&rowsFile, "rows", "", "write the raw rows to this file, as JSON Lines")
	return c
}

// progress returns a function that updates one line of w if w is a terminal, and otherwise does
// nothing.
func progress(w io.Writer) func(done, total int, file string) {
	f, ok := w.(*os.File)
	if !ok {
		return func(int, int, string) {}
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return func(int, int, string) {}
	}
	return func(done, total int, file string) {
		fmt.Fprint(f, "\r\x1b[K")
		if file != "" {
			escape.Fprintf(f, "%d of %d  %s", done+1, total, filepath.Base(file))
		}
	}
}

func writeAll(out io.Writer, rows []bench.Row, format, rowsFile string) error {
	write := bench.NewReport(rows).Text
	if format == "json" {
		write = bench.NewReport(rows).JSON
	}
	if err := write(out); err != nil {
		return err
	}
	if rowsFile != "" {
		if err := writeFile(rowsFile, func(w io.Writer) error { return bench.WriteRows(w, rows) }); err != nil {
			return err
		}
	}
	return nil
}
