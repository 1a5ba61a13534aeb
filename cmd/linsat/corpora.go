package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/corpora"
	"github.com/linsat/linsat/internal/escape"
	"github.com/spf13/cobra"
)

func corporaCommand() *cobra.Command {
	var to string
	c := &cobra.Command{
		Use:   "corpora DIR",
		Short: "lay out public collections of recorded histories that you have cloned",
		Long: `Finds clones of repositories that hold recorded histories (DIR itself, or folders in it), and prints how many histories each has and
how many verdicts are known of them: by the names of files and folders, or by what the collection's own tests assert. It fetches
nothing; the collections that are not there are named with their repositories.

--to lays them out as links, a folder a collection, with a verdicts.csv in each. linsat bench compares its answers with these, and
LINSAT_CORPORA=OUT gives them to linsat's own tests.

Exit code: 0, 2 if no collection is found or the layout cannot be written.`,
		Example: `  git clone https://github.com/anishathalye/porcupine clones/porcupine
  linsat corpora clones/ --to corpora/
  linsat bench corpora/ --engines auto,search,sat --timeout 2s --repeat 1`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Hint(fmt.Errorf("corpora takes one folder, not %d", len(args)),
					"`linsat corpora DIR`, where DIR holds clones of "+repositories())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return layOut(c.OutOrStdout(), args[0], to) },
	}
	c.Flags().StringVar(&to, "to", "", "lay the histories out in this folder")
	return c
}

// layOut lists the collections in dir, and lays them out below to unless that is "".
func layOut(out io.Writer, dir, to string) error {
	inside, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	clones := []string{dir}
	for _, d := range inside {
		clones = append(clones, filepath.Join(dir, d.Name()))
	}
	found := map[string]bool{}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "collection\thistories\tlinearizable\tnot\tlicence\tin")
	for _, clone := range clones {
		c, files, err := corpora.Find(clone)
		if err != nil {
			return err
		}
		if c == nil || found[c.Name] {
			continue
		}
		found[c.Name] = true
		var known [2]int
		for _, f := range files {
			switch {
			case f.Known && f.Linearizable:
				known[0]++
			case f.Known:
				known[1]++
			}
		}
		escape.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\n", c.Name, len(files), known[0], known[1], c.Licence, clone)
		if to == "" {
			continue
		}
		if err := corpora.Lay(filepath.Join(to, c.Name), files); err != nil {
			return cli.Hint(fmt.Errorf("cannot lay out %s: %w", c.Name, err), "name a folder that may be written with --to")
		}
	}
	if len(found) == 0 {
		return cli.Hint(errors.New(dir+" holds no clone of a known collection"),
			"clone some of these there: "+repositories())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range corpora.Collections {
		if !found[c.Name] {
			fmt.Fprintf(out, "not there: %s (%s)\n", c.Name, c.Repository)
		}
	}
	return nil
}

// repositories names the collections with their repositories.
func repositories() string {
	var all []string
	for _, c := range corpora.Collections {
		all = append(all, c.Name+" (https://"+c.Repository+")")
	}
	return strings.Join(all, ", ")
}
