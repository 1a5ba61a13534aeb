package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/rows"
	"github.com/linsat/linsat/internal/words"
	"github.com/spf13/cobra"
)

func mergeCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "merge ROWS...",
		Short: "put the answers of several runs together as one report",
		Long: `Reads what linsat solve --rows wrote (files, directories of *.jsonl, or - for standard input), and reports it as solve does. Every
history is there once; a verdict counts more than none. A shard that is missing or not finished is named, and so are
answers that contradict each other. docs/ci.md has a CI matrix and a Kubernetes job that use it.

Exit code: as linsat solve about all the files; 3 if all answers are "linearizable", but some are missing.`,
		Example: `  linsat merge rows/
  linsat merge --format junit rows-1.jsonl rows-2.jsonl > report.xml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Hint(errors.New("merge needs a file"),
					"`linsat merge ROWS...`, written by `linsat solve --rows`")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return merge(c, args, format) },
	}
	c.Flags().StringVar(&format, "format", "text", "text (one line a history), json, tsv, junit, sarif or github")
	return c
}

func merge(c *cobra.Command, args []string, format string) error {
	if !slices.Contains(render.ReportFormats, format) {
		return unknownFormat(format)
	}
	var m rows.Merger
	for _, arg := range args {
		files, err := rowsFiles(arg)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := mergeFile(c, &m, file); err != nil {
				return err
			}
		}
	}
	merged := m.Merge()
	out, errs, look := c.OutOrStdout(), c.ErrOrStderr(), cli.ScreenOf(c)
	if format == "text" {
		out = look.Text(out)
	}
	report, err := render.NewReport(format, out, words.Style{Color: look.Color}, version)
	if err != nil {
		return err
	}
	worst := cli.Linearizable
	var tally render.Tally
	for _, o := range merged.Objects {
		if !look.Quiet || format != "text" || o.Verdict != engine.Linearizable.String() {
			if err := report.Add(o); err != nil {
				return err
			}
		}
		tally.Add(o)
		if code := exitOfRow(o); cli.Gravity(code) > cli.Gravity(worst) {
			worst = code
		}
	}
	if err := report.Close(); err != nil {
		return err
	}
	switch {
	case look.Quiet:
	case format == "text":
		fmt.Fprintln(out, tally.String())
	case format != "json":
		fmt.Fprintln(errs, "linsat: "+tally.String())
	}
	for _, what := range merged.Missing {
		cli.Complain(errs, errors.New("incomplete: "+what))
	}
	if len(merged.Missing) > 0 && worst == cli.Linearizable {
		worst = cli.Unknown
	}
	if worst != cli.Linearizable {
		return cli.Exit(worst)
	}
	return nil
}

// rowsFiles lists the files of rows under a name: the file, or all *.jsonl below a directory.
func rowsFiles(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	if arg == "-" || err == nil && !info.IsDir() {
		return []string{arg}, nil
	}
	if err != nil {
		return nil, cli.Hint(fmt.Errorf("%s: no such file", arg), "name what `linsat solve --rows` wrote")
	}
	var files []string
	err = filepath.WalkDir(arg, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") {
			files = append(files, path)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = cli.Hint(fmt.Errorf("%s: no rows in this directory", arg), "rows are in files that end with .jsonl")
	}
	return files, err
}

func mergeFile(c *cobra.Command, m *rows.Merger, file string) error {
	in := c.InOrStdin()
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	return addRows(m, in, file)
}

func addRows(m *rows.Merger, in io.Reader, name string) error {
	all, runs, err := rows.Read(in, name)
	if err == nil {
		err = m.Add(name, all, runs)
	}
	if err != nil {
		return cli.Hint(err, "merge reads what `linsat solve --rows` wrote, of one question")
	}
	return nil
}

// exitOfRow is the exit code of an answer.
func exitOfRow(o *render.Object) int {
	switch o.Verdict {
	case engine.Linearizable.String():
		if o.Vacuous {
			return cli.Unknown
		}
		return cli.Linearizable
	case engine.NotLinearizable.String():
		return cli.Violation
	case engine.Unknown.String():
		return cli.Unknown
	case render.Disagreement:
		return cli.Disagrees
	}
	return cli.Usage
}
